{ pkgs ? import <nixpkgs> { }, lib, ... }:
let
  limit = 10;
  # Adds up.
  total = items: rate: builtins.foldl' (sum: item: sum + item.price * rate) 0 items;
  inherit (lib) mkIf;
in
{
  imports = [ ./base.nix ];
  cart.items = total [ ] limit;
  shop = rec {
    name = "shop";
    twice = { x, y ? 1 }: x * 2;
  };
  packages.default = pkgs.callPackage ./package.nix { };
}
