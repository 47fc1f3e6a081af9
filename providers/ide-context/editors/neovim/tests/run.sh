#!/bin/sh
# Runs the client's tests in real, headless Neovims and leaves nothing behind. NVIM names another Neovim than
# the one on the path.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
nvim=${NVIM:-nvim}
if ! command -v "$nvim" >/dev/null 2>&1; then
  echo "run.sh: no $nvim here; the tests need Neovim 0.7 or newer" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Nobody's configuration, and nobody's agent that looks into the real state folder.
mkdir -m 700 "$scratch/runtime"
export HOME="$scratch" XDG_RUNTIME_DIR="$scratch/runtime"
export XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data"
export XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache"
export CTXHOST_IDE_ROOT="$root" CTXHOST_IDE_SCRATCH="$scratch"
unset NVIM NVIM_LISTEN_ADDRESS VIMINIT VIM VIMRUNTIME

cd "$scratch"
"$nvim" --headless -u NONE -i NONE -n -S "$root/tests/run.lua" </dev/null
