:- module(family, [grandparent/2]).
:- use_module(library(lists)).

% Who is whose parent.
parent(anna, bert).
parent(bert, cleo).

%! grandparent(?X, ?Z)
grandparent(X, Z) :-
    parent(X, Y),
    parent(Y, Z).

greeting --> [hello], name.
'quoted name'(X) :-
    write('fake(X) :- true.'),
    helper(X).
