module Shop.Cart

open System
open System.Text

/// What people buy.
type Item = { Price: decimal; Name: string }

type Money = decimal

type Shape =
    | Circle of float
    | Square

[<AbstractClass>]
type Cart(name: string) =
    let mutable items = []
    member this.Name = name
    /// Adds up.
    member private this.Total() =
        items |> List.sumBy (fun i -> i.Price)
    static member Empty = Cart("")

let limit = 10

let rec total (items: Item list) =
    let helper x = x.Price // local
    match items with
    | [] -> 0m
    | i :: rest -> helper i + total rest

module private Inner =
    let twice x = x * 2

(* let gone = 1 *)
