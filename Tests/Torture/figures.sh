#!/usr/bin/env bash
# Every figure of a random history against an independent calculation.
#
#   ./noroshi torture figures [--users N] [--seed N]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release --product noroshi-server
exec python3 Tests/Torture/figures "$(swift build -c release --show-bin-path)/noroshi-server" "$@"
