#!/usr/bin/env bash
# What strangers may cost, in full size: ./noroshi torture strangers [--seconds N --signins N --halves N]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release --product noroshi-server >&2
exec python3 Tests/Torture/strangers.py "$(swift build -c release --show-bin-path)/noroshi-server" "$@"
