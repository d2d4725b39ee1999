#!/usr/bin/env bash
# Servers that work together on PostgreSQL, killed in the middle of campaigns, and PostgreSQL with them.
#
#   ./noroshi torture servers [BINARY] [--servers N] [--recipients N] [--kills N] [--failover sync|async|none]
#       [--keeper test|patroni] [--cut [wire|proxy]] [--pooler] [--skew SECONDS] [--seed N]
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
exec python3 "$here/servers" "$binary" "$@"
