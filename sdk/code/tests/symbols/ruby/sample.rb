require "json"
require_relative "./price"

# A shop — in €.
module Shop
  LIMIT = 10

  # What somebody wants,
  # for now.
  class Cart < Base
    include Enumerable
    attr_reader :items, :total
    Pair = Struct.new(:first, :second)

    def initialize(items = [], rate:, **options, &block)
      @items = items
      @rate ||= rate
      @items = items.map { |item| convert(item, rate) }
    end

    # Adds one.
    def add(item)
      doubled = price(item) * 2
      @items << item if doubled < LIMIT
      [doubled].each do |value|
        puts "#{value} #{total}"
      end
    rescue Full => problem
      report(problem)
    end

    def self.build(*args) = new(args)
    private def hidden; end

    def empty?
      items.empty?
    end

    private

    def check!; end
    alias checked check!
  end

  class Store::Local; end

  class << self
    def config; end
  end
end

def Shop.open(name); end

def top(value)
  value&.call
end
