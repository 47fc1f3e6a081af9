module Shop.Cart exposing (total)

import Html exposing (text)

{-| What people buy. -}
type alias Item =
    { price : Float }

type Shape
    = Circle Float
    | Square

-- Adds up.
total : List Item -> Float
total items =
    let
        helper x = x.price
    in
    List.sum (List.map helper items)

limit = 10
