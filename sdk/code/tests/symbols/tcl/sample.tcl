package require Tcl 8.6
source lib.tcl

namespace eval ::shop {
    variable limit 10

    # Adds up.
    proc total {items {rate 1.0}} {
        foreach item $items {
            incr sum [price $item]
        }
        return $sum
    }
}

proc ::shop::reset {} { set ::shop::limit 0 }

oo::class create Cart {
    constructor {name} {
        set n $name
    }
    method add {item} {
        lappend items $item
    }
}
