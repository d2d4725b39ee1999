#!/usr/bin/env bash
# Drives the console and the virtual phones in a real Chromium.
#
#   Tests/Browser/run.sh [TEST…]            everything, or tests such as journey_test.Journey
#   ./noroshi browser --store postgres [TEST…]
#                                           the same with each server on a database of PostgreSQL
#   NOROSHI_CONSOLE=http://127.0.0.1:8080 NOROSHI_EMAIL=… NOROSHI_PASSWORD=… Tests/Browser/run.sh
#                                           the journeys on a running server, such as ./noroshi demo
#
# The journeys run on the demo, with its real server, push services in miniature and phones; the
# pages on a sample workspace (console-preview), empty and small, and on a server with 100,000 users.
# Needs Debian's chromium, chromium-driver and python3-selenium; for the renderer of messages in WebKit
# webkit2gtk-driver and xvfb too, without which that part is skipped and says so; and axe-core, which is fetched as
# the Python package that carries it (or NOROSHI_AXE names the file). Screenshots of every page go
# to NOROSHI_SCREENSHOTS (default: .build/screenshots).
set -euo pipefail
cd "$(dirname "$0")/../.."
databases=$PWD/Tests/Support/Databases

if [[ ${NOROSHI_TEST_STORE:-sqlite} == postgres && -z ${NOROSHI_TEST_POSTGRES:-} ]]; then
    exec python3 "$databases/databases.py" run "$BASH" Tests/Browser/run.sh "$@"
fi

python=''
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import selenium' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [[ -z $python ]] || ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    echo 'The browser tests need: apt-get install chromium chromium-driver python3-selenium' >&2
    exit 2
fi

if [[ -z ${NOROSHI_AXE:-} ]]; then
    NOROSHI_AXE=.build/axe/axe_playwright_python/axe.min.js
    if [[ ! -f $NOROSHI_AXE ]]; then
        mkdir -p .build/axe
        python3 -m pip download -q --no-deps -d .build/axe axe-playwright-python==0.1.8
        python3 -m zipfile -e .build/axe/axe_playwright_python-*.whl .build/axe
    fi
fi
export NOROSHI_AXE PYTHONPATH=$databases${PYTHONPATH:+:$PYTHONPATH}
# The provider of OpenID Connect with which members sign in, in an environment of its own.
if [[ -z ${NOROSHI_OIDC_PROVIDER:-} ]]; then
    NOROSHI_OIDC_PROVIDER=$PWD/.build/oidc/bin/python
    if [[ ! -x $NOROSHI_OIDC_PROVIDER ]] ||
        ! "$NOROSHI_OIDC_PROVIDER" -c 'import oidc_provider_mock' 2>/dev/null; then
        python3 -m venv .build/oidc
        .build/oidc/bin/pip install -q oidc-provider-mock==0.3.4
    fi
fi
export NOROSHI_OIDC_PROVIDER
export NOROSHI_SCREENSHOTS=${NOROSHI_SCREENSHOTS:-.build/screenshots}
mkdir -p "$NOROSHI_SCREENSHOTS"

if [[ -n ${NOROSHI_CONSOLE:-} ]]; then
    exec "$python" -m unittest discover -v -s Tests/Browser -p 'journey*_test.py'
fi

read -ra flags <<<"${NOROSHI_BUILD_FLAGS:-}"
swift build "${flags[@]}" --product console-preview
swift build "${flags[@]}" --product noroshi-server
folder=$(swift build "${flags[@]}" --show-bin-path)
NOROSHI_ROUTES=$("$folder/console-preview" routes)
# For the web SDK, which talks to a server of its own.
NOROSHI_SERVER_BINARY=$folder/noroshi-server
export NOROSHI_ROUTES NOROSHI_SERVER_BINARY
servers=()
data=$(mktemp -d)
stop() {
    for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
    wait
    rm -rf "$data"
}
trap stop EXIT
free_port() {
    "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

for size in empty small; do
    port=$(free_port)
    "$folder/console-preview" "$port" "$size" >"$NOROSHI_SCREENSHOTS/$size.log" 2>&1 &
    servers+=($!)
    export "NOROSHI_PREVIEW_${size^^}=http://127.0.0.1:$port"
    export "NOROSHI_${size^^}_EMAIL=admin@example.com" "NOROSHI_${size^^}_PASSWORD=lighthouse"
done

port=$(free_port)
demo=$NOROSHI_SCREENSHOTS/demo.log
place=()
[[ -z ${NOROSHI_TEST_POSTGRES:-} ]] ||
    place=(--database "$("$python" "$databases/databases.py" address "$data/demo.database")" --data "$data/demo")
"$NOROSHI_SERVER_BINARY" demo "${place[@]}" --listen "127.0.0.1:$port" >"$demo" 2>&1 &
servers+=($!)

# The large workspace; NOROSHI_LARGE names a folder that keeps it from one run to the next. It is made in a
# file, whatever the server works on.
large=${NOROSHI_LARGE:-$data}
port=$(free_port)
large_key=$large/noroshi.sqlite.key
mkdir -p "$large"
[[ -f $large_key ]] || (umask 077 && openssl rand -base64 32 >"$large_key")
login=$(NOROSHI_SECRET_KEY_FILE=$large_key PYTHONPATH=Benchmarks/console "$python" -c \
    'import sys, bench; print(*bench.database(sys.argv[1], sys.argv[2], 100_000))' \
    "$NOROSHI_SERVER_BINARY" "$large" | tail -1)
read -r NOROSHI_LARGE_EMAIL NOROSHI_LARGE_PASSWORD <<<"$login"
export NOROSHI_LARGE_EMAIL NOROSHI_LARGE_PASSWORD
large_database=sqlite:$large/noroshi.sqlite
if [[ -n ${NOROSHI_TEST_POSTGRES:-} ]]; then
    large_database=$("$python" "$databases/databases.py" address "$data/large.database")
    NOROSHI_SECRET_KEY_FILE=$large_key "$NOROSHI_SERVER_BINARY" move \
        --from "sqlite:$large/noroshi.sqlite" --to "$large_database"
fi
NOROSHI_SECRET_KEY_FILE=$large_key "$NOROSHI_SERVER_BINARY" serve --database "$large_database" \
    --listen "127.0.0.1:$port" >"$NOROSHI_SCREENSHOTS/large.log" 2>&1 &
servers+=($!)
export NOROSHI_PREVIEW_LARGE=http://127.0.0.1:$port

for _ in $(seq 300); do
    if grep -q '/phones' "$demo" && "$python" - 2>/dev/null <<'PROBE'
import os, urllib.request
for name, path in (("EMPTY", "/console/login"), ("SMALL", "/console/login"), ("LARGE", "/ready")):
    urllib.request.urlopen(os.environ["NOROSHI_PREVIEW_" + name] + path, timeout=2)
PROBE
    then break; fi
    sleep 0.2
done
NOROSHI_CONSOLE=$(grep -oE 'http://[0-9.:]+' "$demo" | head -1)
{ read -r NOROSHI_EMAIL; read -r NOROSHI_PASSWORD; } \
    < <(grep -A2 'Console ' "$demo" | tail -2 | tr -d ' ')
export NOROSHI_CONSOLE NOROSHI_EMAIL NOROSHI_PASSWORD
NOROSHI_LARGE_THINGS=$(PYTHONPATH=Benchmarks/console "$python" -c \
    'import json, sys, bench; print(json.dumps(bench.furnish(*sys.argv[1:])))' \
    "$port" "$NOROSHI_LARGE_EMAIL" "$NOROSHI_LARGE_PASSWORD" "$large_database")
export NOROSHI_LARGE_THINGS

if [[ $# -gt 0 ]]; then
    cd Tests/Browser
    for name in NOROSHI_AXE NOROSHI_SCREENSHOTS NOROSHI_SERVER_BINARY; do
        [[ ${!name} == /* ]] || export "$name=../../${!name}"
    done
    "$python" -m unittest -v "$@"
else
    "$python" -m unittest discover -v -s Tests/Browser -p '*_test.py'
fi
