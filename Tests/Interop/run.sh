#!/usr/bin/env bash
# Third-party clients, servers and decoders against ours; see README.md.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
environment="${NOROSHI_INTEROP_ENVIRONMENT:-${TMPDIR:-/tmp}/noroshi-interop}"

say() { printf '%s\n' "$*" >&2; }

if ! command -v python3 >/dev/null 2>&1; then
    say "The interop tests need python3."
    exit 1
fi
if [ ! -x "$environment/bin/python" ]; then
    say "Making a Python environment in $environment …"
    python3 -m venv "$environment"
fi
if ! "$environment/bin/python" -c 'import aioapns, pywebpush, http_ece, push_notifications, pyotp' 2>/dev/null
then
    say "Installing aioapns, django-push-notifications, pywebpush, http-ece and pyotp …"
    "$environment/bin/pip" install --quiet --disable-pip-version-check \
        -r "$here/requirements.txt" || say "Not all packages could be installed."
fi
cd "$root"
if [ -z "${NOROSHI_BIN:-}" ]; then
    say "Building …"
    read -ra flags <<<"${NOROSHI_BUILD_FLAGS:-}"
    swift build ${flags[@]+"${flags[@]}"} --product noroshi-server >&2
    swift build ${flags[@]+"${flags[@]}"} --product noroshi-bench >&2
    NOROSHI_BIN="$(swift build --show-bin-path)"
fi
export NOROSHI_BIN
beside=()
if [ "${NOROSHI_TEST_STORE:-sqlite}" = postgres ]; then
    beside=("$environment/bin/python" "$here/../Support/Databases/databases.py" run)
fi
exec ${beside[@]+"${beside[@]}"} "$environment/bin/python" "$here/interop.py" "$@"
