#!/usr/bin/env bash
source ./lib.sh
. "$HOME/other.sh"

LIMIT=10
readonly NAME="shop"
export PATH="$PATH:/opt"
declare -A prices=([a]=1)
alias ll='ls -l'

# Adds up, as in « café ».
# Two lines.
total() {
  local sum=0 item
  for item in "$@"; do
    sum=$((sum + $(price "$item")))
  done
  helper "$sum" | sort
  LAST=$sum
}

function helper {
  cat <<EOF
fake() { }
EOF
}

case "$1" in
  run) total 1 2 ;;
esac
