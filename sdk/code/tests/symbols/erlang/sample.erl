%% What people buy.
-module(cart).
-export([total/2, new/0]).
-include("shop.hrl").
-import(lists, [sum/1]).
-behaviour(gen_server).
-define(LIMIT, 10).
-record(item, {price :: float(), name = <<>>}).
-type money() :: integer().

%% @doc Adds up.
-spec total([#item{}], float()) -> float().
total([], _) -> 0;
total([#item{price = P} | Rest], Rate) ->
    Sum = helper(P) * Rate,
    Sum + total(Rest, Rate) + ?LIMIT.

new() -> lists:map(fun(X) -> X end, []).

% Hidden.
helper(P) when P > 0 ->
    case P of
        1 -> one;
        _ -> P
    end.
