open Printf
module L = List

(** What people buy. *)
type item = { price : float; mutable name : string }
type shape = Circle of float | Square
type money = int
exception Empty of string

let limit = 10

(** Adds up. *)
let rec total ?(rate = 1.0) items =
  let helper x = x.price *. rate in
  match items with
  | [] -> 0.
  | item :: rest -> helper item +. total rest

and twice x = x * 2

module type Priced = sig
  val price : item -> float
end

module Cart : Priced = struct
  let price item = item.price
  class cart name = object
    val mutable items = []
    method add item = items <- item :: items
    method private hidden = ()
  end
end

external now : unit -> float = "now"
let () = printf "%d" limit
