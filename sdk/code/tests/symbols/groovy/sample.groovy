package shop.cart

import groovy.transform.CompileStatic
import java.util.List

LIMIT = 10
def counter = 0

/** What people buy. */
@CompileStatic
class Cart extends Base implements Priced {
    private String name
    static final int MAXIMUM = 5
    List<Item> items = []

    Cart(String name) { this.name = name }

    // Adds up.
    double total(double rate = 1.0) {
        def sum = items.sum { it.price * rate }
        return sum
    }

    private static void hidden() {}
}

interface Priced { double price() }
enum Shape { CIRCLE, SQUARE }

def twice(x) { x * 2 }

task build(type: Copy) {
    from 'src'
}
