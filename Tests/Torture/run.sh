#!/usr/bin/env bash
# The slow tests that break things on purpose: ./noroshi torture NAME [OPTIONS]
set -euo pipefail
folder="$(dirname "$0")"
name="${1:-}"
if [ -z "$name" ] || [ "$name" = run ] || [ ! -f "$folder/$name.sh" ]; then
    names=$(cd "$folder" && ls ./*.sh | sed 's#^\./##; s#\.sh$##' | grep -v '^run$' | tr '\n' ' ')
    echo "Name what to torture: $names" >&2
    exit 2
fi
shift
exec bash "$folder/$name.sh" "$@"
