#!/usr/bin/env bash
# The code of the public guides, as it stands there, against this SDK.
set -euo pipefail
exec python3 "$(dirname "$0")/run.py" "$@"
