#!/usr/bin/env python
"""A shop."""
from __future__ import annotations
import os, json as js
from . import price
from ..base import (Model,
                    fields)

__all__ = ["Cart", "total", 'LIMIT']

LIMIT: int = 10
_cache = {}
first, second = 1, 2
type Money = int

# How much it is,
# with everything.
def total(cart: Cart, *rest, rate=1.0, **options) -> float:
    """Adds up, as in « café ».

    In detail.
    """
    result = sum(item.price for item in cart.items)
    def round_up(value):
        return helper(value, LIMIT, digits=2)
    return round_up(result) * rate

# Too far above.

@decorate
@other.cached(maxsize=None)
async def helper(value, *args):
    import math
    with open(value) as handle, other() as (a, b):
        return [math.floor(line) for line in handle]

class Cart(Model):
    """What somebody wants."""

    MAXIMUM = 5
    name: str = "cart"  # a trailing comment
    _secret = None

    def __init__(self, items):
        self.items = items
        self._hidden = load("self.items")
        self.items = list(items)

    @property
    def size(self):
        'How many.'
        return len(self.items)

    def _check(self): return f"{self.size!r} {total(self)}"

    class Meta:
        ordering = ["name"]

if os.name == "posix":
    FAST = True
    def fast(): pass
else:
    def fast(): pass

handler = lambda event: event.target
async def _private(): await handler
