#!/usr/bin/env bash
# Random people in random journeys that are edited meanwhile, against a second interpreter.
#
#   ./noroshi torture journeys-model [BINARY] [--worlds N] [--seed N]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if [ -x "${1:-}" ]; then
    binary="$1"
    shift
else
    cd "$here/../.."
    swift build -c release --product noroshi-bench >&2
    binary="$(swift build -c release --show-bin-path)/noroshi-bench"
fi
exec python3 "$here/journeys-model" "$binary" "$@"
