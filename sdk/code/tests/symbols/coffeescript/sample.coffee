fs = require 'fs'
LIMIT = 10

# What people buy.
class Shop.Cart extends Base
  constructor: (@name) ->
    super()

  # Adds up.
  total: (rate = 1.0) =>
    inner = (x) -> x
    @items.map (i) -> i.price

  @empty: -> new Cart

exports.twice = (x) ->
  x + x

###
gone = -> 1
###
