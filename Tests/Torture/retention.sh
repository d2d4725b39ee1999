#!/usr/bin/env bash
# The removal of old custom events on a server that is killed in the middle of it.
#
#   ./noroshi torture retention [BINARY] [--events N] [--kills N] [--seed N]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if [ -x "${1:-}" ]; then
    binary="$1"
    shift
else
    cd "$here/../.."
    swift build -c release --product noroshi-server >&2
    binary="$(swift build -c release --show-bin-path)/noroshi-server"
fi
exec python3 "$here/retention.py" "$binary" "$@"
