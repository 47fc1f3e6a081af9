module shop.cart;

import std.stdio;
import std.algorithm : sum, map;

enum LIMIT = 10;
alias Money = int;

/// What people buy.
struct Item
{
    Money price;
}

class Cart : Base
{
    private Item[] items;

    this(string name) { this.name = name; }

    /** Adds up. */
    public double total(double rate = 1.0)
    {
        foreach (item; items) { writeln("int fake() {"); }
        if (rate > 0) { return rate; }
        return items.map!(i => i.price).sum;
    }

    private void hidden() {}
}

interface Priced
{
    Money price();
}

T twice(T)(T value)
{
    return value + value;
}

unittest
{
    assert(twice(2) == 4);
}
