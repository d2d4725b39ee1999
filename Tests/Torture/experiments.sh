#!/usr/bin/env bash
# Simulated experiments that somebody looks at every day, and what one look says against SciPy.
#
#   ./noroshi torture experiments [BINARY] [--experiments N] [--seed N]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
environment="${NOROSHI_EXPERIMENTS_ENVIRONMENT:-${TMPDIR:-/tmp}/noroshi-experiments}"

if [ ! -x "$environment/bin/python" ]; then python3 -m venv "$environment"; fi
if ! "$environment/bin/python" -c 'import numpy, scipy' 2>/dev/null; then
    "$environment/bin/pip" install --quiet --disable-pip-version-check numpy scipy
fi
if [ -x "${1:-}" ]; then
    binary="$1"
    shift
else
    cd "$here/../.."
    swift build -c release --product noroshi-bench >&2
    binary="$(swift build -c release --show-bin-path)/noroshi-bench"
fi
exec "$environment/bin/python" "$here/experiments" "$binary" "$@"
