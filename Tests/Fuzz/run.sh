#!/usr/bin/env bash
# Fuzzes the real server, or a module by itself; see README.md.
#
#   ./noroshi fuzz all|SURFACE [--seconds N] [--seed S] [--corpus FOLDER] …
#   ./noroshi fuzz liquid|json|rules [SECONDS] [CORPUS]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."
case "${1:-}" in
    liquid | json | rules) exec bash "$here/in-process.sh" "$@" ;;
esac

say() { printf '%s\n' "$*" >&2; }

for program in python3 openssl; do
    if ! command -v "$program" >/dev/null 2>&1; then
        say "Fuzzing the server needs $program."
        exit 1
    fi
done
case " $* " in
    *" --help "* | *" -h "*) ;;
    *)
        if [ -z "${NOROSHI_BIN:-}" ]; then
            say "Building …"
            swift build --product noroshi-server >&2
            NOROSHI_BIN="$(swift build --show-bin-path)"
        fi
        export NOROSHI_BIN
        ;;
esac
exec python3 "$here/fuzz.py" "${@:-all}"
