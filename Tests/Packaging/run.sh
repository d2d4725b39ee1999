#!/usr/bin/env bash
# The packages on a bare Debian 12 with its own systemd: ./noroshi packaging [--only deb|tar|container]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cd "$root"
if [ "$(id -u)" -ne 0 ]; then
    echo "A Debian is installed and started for this, which takes root: sudo ./noroshi packaging" >&2
    exit 2
fi
Scripts/package tar --output .build-package/output ${NOROSHI_PACKAGED:+--binary "$NOROSHI_PACKAGED"} >&2
exec python3 "$here/packaging.py" \
    "${NOROSHI_PACKAGED:-.build-package/release/noroshi-server}" "$@"
