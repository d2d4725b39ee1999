#!/usr/bin/env bash
# A campaign through kill -9 and a push service with faults.
#
#   ./noroshi torture delivery [--recipients N] [--kills N] [--faults PERCENT] [--seed N]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release --product noroshi-server
swift build -c release --product noroshi-bench
exec "$(swift build -c release --show-bin-path)/noroshi-bench" torture delivery "$@"
