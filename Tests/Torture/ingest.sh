#!/usr/bin/env bash
# Load on /users/track and /sdk/v1/batch while the server is killed, again and again.
#
#   ./noroshi torture ingest [KILLS] [CLIENTS]
set -euo pipefail
cd "$(dirname "$0")/../.."
export NOROSHI_TORTURE_KILLS="${1:-100}" NOROSHI_TORTURE_CLIENTS="${2:-24}"
swift build --build-tests
exec swift test --skip-build --filter KilledIngestTests
