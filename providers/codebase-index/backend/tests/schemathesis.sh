#!/usr/bin/env bash
# Holds a running backend against its OpenAPI document: bad and good input on every endpoint, and no 5xx, no crash, no
# answer that the document does not know. Arguments: the program (else it is built), cases for each endpoint (else 100).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
cases=${2:-100}
schemathesis=schemathesis==4.32.5

program=${1:-}
if [ -z "$program" ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" -p ctxhost-index
    program=$target/debug/ctxhost-index
fi

place=$target/schemathesis
if [ "$(cat "$place/installed" 2>/dev/null)" != "$schemathesis" ]; then
    rm -rf "$place"
    python3 -m venv "$place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check "$schemathesis"
    echo "$schemathesis" >"$place/installed"
fi

home=$(mktemp -d)
server=
clean() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$home"
}
trap clean EXIT
export HOME=$home
unset XDG_DATA_HOME XDG_STATE_HOME

printf 'listen = "127.0.0.1:0"\n[auth.dev]\nlogin = true\n' >"$home/index.toml"
"$program" serve --config "$home/index.toml" >"$home/out" 2>"$home/log" &
server=$!
for _ in $(seq 100); do
    [ -s "$home/out" ] && break
    sleep 0.1
done
url=$(sed -n 's/^ctxhost-index listens on //p' "$home/out")
[ -n "$url" ] || {
    echo "the backend did not start:" >&2
    cat "$home/log" >&2
    exit 1
}
token=$("$program" token)

checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks=$checks,response_schema_conformance,ignored_auth,unsupported_method,allow_header_conformance

# The token must not stand in the process list.
config() {
    printf 'headers = { Authorization = "Bearer %s" }\n' "$token"
    # Any provider and address, and those that there are.
    [ -z "$1" ] || printf '[parameters]\n"path.provider" = "%s"\n"query.redirect_url" = "%s"\n' \
        "$1" "http://127.0.0.1:1/cb/nonce"
}

failed=0
hold() {
    local provider=$1
    shift
    (umask 077 && config "$provider" >"$home/schemathesis.toml")
    (cd "$home" && timeout 540 "$place/bin/schemathesis" --config-file "$home/schemathesis.toml" run \
        "$root/protocol-specs/codebase-index/v1/openapi.json" --url "$url" --checks "$checks" --max-redirects 0 \
        --phases examples,coverage,fuzzing --max-examples "$cases" --request-timeout 20 --seed 7 --continue-on-failure \
        --warnings off "$@") || failed=1
}
hold ""
hold dev --include-tag auth

kill -0 "$server" 2>/dev/null || {
    echo "the backend is gone" >&2
    failed=1
}
kill -TERM "$server"
wait "$server" || {
    echo "the backend ended with $?" >&2
    failed=1
}
server=
# `fault` tells of each 5xx, and `panic` of each panic.
if grep -E '"event":"(panic|fault)"|"status":5' "$home/log" >&2; then
    failed=1
fi
# Every endpoint was reached, with success too.
for route in /sync /index /search /health '/auth/{provider}/start' '/auth/{provider}/refresh'; do
    grep -F "\"route\":\"$route\"" "$home/log" >"$home/of-route" || {
        echo "$route was never asked" >&2
        failed=1
    }
    case $route in
    */refresh) ;;
    *) grep -qE '"status":(200|302)' "$home/of-route" || {
        echo "$route never answered with success" >&2
        failed=1
    } ;;
    esac
done
exit $failed
