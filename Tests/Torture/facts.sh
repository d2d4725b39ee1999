#!/usr/bin/env bash
# An exporter of facts that is killed again and again, checked by DuckDB, and every recipe of docs/data-out.md
# against what the server says.
#
#   ./noroshi torture facts [BINARY] [--users N] [--seed N] [--kills N]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
environment="${NOROSHI_REPORTS_ENVIRONMENT:-${TMPDIR:-/tmp}/noroshi-reports}"

if [ ! -x "$environment/bin/python" ]; then python3 -m venv "$environment"; fi
if ! "$environment/bin/python" -c 'import duckdb' 2>/dev/null; then
    "$environment/bin/pip" install --quiet --disable-pip-version-check duckdb
fi
if [ -x "${1:-}" ]; then
    binary="$1"
    shift
else
    cd "$here/../.."
    swift build -c release --product noroshi-server >&2
    binary="$(swift build -c release --show-bin-path)/noroshi-server"
fi
PYTHONPATH="$here/figures" exec "$environment/bin/python" "$here/facts" "$binary" "$@"
