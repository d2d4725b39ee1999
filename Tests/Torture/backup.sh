#!/usr/bin/env bash
# Backups of a server under load, some of them killed: ./noroshi torture backup [--backups N] [--seed N]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release --product noroshi-server >&2
exec python3 Tests/Torture/backup.py "$(swift build -c release --show-bin-path)/noroshi-server" "$@"
