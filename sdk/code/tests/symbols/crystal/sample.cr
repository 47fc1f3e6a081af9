require "json"
require "./item"

# What people buy.
module Shop
  LIMIT = 10

  alias Money = Int32

  abstract class Base
    abstract def price : Money
  end

  class Cart < Base
    property name : String

    # Adds up.
    def total(rate = 1.0) : Float64
      if rate > 0
        @items.sum { |item| item.price }
      end
    end

    def self.empty; new end

    private def hidden?
      "def fake"
    end
  end

  macro define(name)
    def {{name}}; end
  end
end
