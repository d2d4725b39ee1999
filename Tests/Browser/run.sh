#!/usr/bin/env bash
# Drives the console and the virtual phone in a real Chromium.
#
#   Tests/Browser/run.sh                    over made-up data (console-preview)
#   NOROSHI_CONSOLE=http://127.0.0.1:8080 NOROSHI_EMAIL=… NOROSHI_PASSWORD=… Tests/Browser/run.sh
#                                           the journey on a running server, such as ./noroshi demo
#
# Needs Debian's chromium, chromium-driver and python3-selenium. Screenshots of every page go to
# NOROSHI_SCREENSHOTS (default: .build/screenshots).
set -euo pipefail
cd "$(dirname "$0")/../.."

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

export NOROSHI_SCREENSHOTS=${NOROSHI_SCREENSHOTS:-.build/screenshots}
mkdir -p "$NOROSHI_SCREENSHOTS"

if [[ -n ${NOROSHI_CONSOLE:-} ]]; then
    exec "$python" -m unittest discover -v -s Tests/Browser -p 'journey_test.py'
fi

swift build --product console-preview
swift build --product noroshi-server
binary=$(swift build --show-bin-path)/console-preview
# For the web SDK, which talks to a server of its own.
NOROSHI_SERVER_BINARY=$(swift build --show-bin-path)/noroshi-server
export NOROSHI_SERVER_BINARY
servers=()
stop() { for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done; }
trap stop EXIT
for size in empty small large; do
    port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$binary" "$port" "$size" >"$NOROSHI_SCREENSHOTS/$size.log" 2>&1 &
    servers+=($!)
    export "NOROSHI_PREVIEW_${size^^}=http://127.0.0.1:$port"
done
export NOROSHI_CONSOLE=$NOROSHI_PREVIEW_SMALL
export NOROSHI_EMAIL=admin@example.com NOROSHI_PASSWORD=lighthouse
for _ in $(seq 50); do
    if "$python" - <<'PROBE'
import os, urllib.request
for name in ("EMPTY", "SMALL", "LARGE"):
    urllib.request.urlopen(os.environ["NOROSHI_PREVIEW_" + name] + "/console/login", timeout=2)
PROBE
    then break; fi 2>/dev/null
    sleep 0.1
done
"$python" -m unittest discover -v -s Tests/Browser -p '*_test.py'
