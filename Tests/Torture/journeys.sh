#!/usr/bin/env bash
# People in a journey through kill -9 and a push service with faults.
#
#   ./noroshi torture journeys [--people N] [--kills N] [--faults PERCENT] [--seed N]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release --product noroshi-server
swift build -c release --product noroshi-bench
exec "$(swift build -c release --show-bin-path)/noroshi-bench" torture journeys "$@"
