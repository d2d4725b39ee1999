#!/usr/bin/env bash
# Backups of a server under load into a bucket of moto, which checks every signature; some are killed while
# they are uploaded.
#
#   ./noroshi torture bucket [BINARY] [--backups N] [--seed N]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
environment="${NOROSHI_BUCKET_ENVIRONMENT:-${TMPDIR:-/tmp}/noroshi-bucket}"

if [ ! -x "$environment/bin/python" ]; then python3 -m venv "$environment"; fi
if ! "$environment/bin/python" -c 'import botocore, moto.server' 2>/dev/null; then
    "$environment/bin/pip" install --quiet --disable-pip-version-check 'moto[server]>=5'
fi
if [ -x "${1:-}" ]; then
    binary="$1"
    shift
else
    cd "$here/../.."
    swift build -c release --product noroshi-server >&2
    binary="$(swift build -c release --show-bin-path)/noroshi-server"
fi
exec "$environment/bin/python" "$here/bucket.py" "$binary" "$@"
