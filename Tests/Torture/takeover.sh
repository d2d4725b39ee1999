#!/usr/bin/env bash
# Servers on PostgreSQL that are killed in the middle of a campaign, and PostgreSQL with them.
#
#   ./noroshi torture takeover [BINARY] [--servers N] [--recipients N] [--kills N] [--seed N]
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
exec python3 "$here/takeover.py" "$binary" "$@"
