#!/usr/bin/env bash
# Debian's Prometheus over a loaded server, with every fault that the alert rules warn of:
# ./noroshi monitoring [--only NAME …] [--keep]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cd "$root"
if ! command -v prometheus >/dev/null 2>&1 || ! command -v promtool >/dev/null 2>&1; then
    echo "Prometheus is not installed, and nothing can be tried without: apt-get install prometheus" >&2
    exit 2
fi
promtool check config Operations/prometheus/prometheus.yml >&2
promtool test rules Tests/Monitoring/rules.yml >&2
if [ -z "${NOROSHI_BIN:-}" ]; then
    echo "Building …" >&2
    # The flags of the tests' build, or everything would be built anew.
    read -ra flags <<< "${NOROSHI_BUILD_FLAGS:-}"
    swift build --product noroshi-server ${flags[@]+"${flags[@]}"} >&2
    NOROSHI_BIN="$(swift build --show-bin-path)"
fi
exec python3 "$here/monitoring.py" "$NOROSHI_BIN/noroshi-server" "$@"
