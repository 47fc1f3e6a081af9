module Shop

using LinearAlgebra
import Base: show, +
include("items.jl")
export total, Cart

const LIMIT = 10
abstract type Priced end

"""
What people buy.
"""
mutable struct Cart{T} <: Priced
    items::Vector{T}
    name::String
    Cart(name) = new([], name)
end

"Adds up."
function total(cart::Cart, rate=1.0; deep::Bool=false)
    sum = 0
    for item in cart.items
        sum += price(item) * rate
    end
    return sum
end

twice(x) = x * 2
Base.show(io::IO, c::Cart) = print(io, c.name)

# Quotes.
macro quoted(ex)
    :($ex)
end

@enum Shape circle square
primitive type Byte 8 end

end
