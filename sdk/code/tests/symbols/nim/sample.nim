import std/strutils, tables

const Limit* = 10

type
  Item* = object
    price*: float
  Shape = enum
    circle, square
  Money* = distinct int

proc total*(items: seq[Item], rate = 1.0): float =
  ## Adds up.
  proc inner(x: int): int = x
  for item in items:
    result += item.price

# Not for others.
proc hidden(text: string): string =
  result = """
proc fake() = discard
"""

template withCart*(body: untyped) =
  body

method draw(s: Shape) {.base.} = discard
iterator each*(c: Cart): Item =
  yield c.first
