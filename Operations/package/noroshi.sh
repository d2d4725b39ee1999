#!/bin/sh
# Noroshi's commands, with the configuration of this machine's server and as its user, whom the
# files belong to: sudo noroshi member create --name Ada --email ada@example.com
set -eu
: "${NOROSHI_CONFIG:=/etc/noroshi/noroshi.json}"
export NOROSHI_CONFIG
program=/usr/lib/noroshi/noroshi-server
if [ "$(id -u)" -eq 0 ]; then
    # The user may not enter every folder that root may be in.
    runuser -u noroshi -- test -x . || cd /var/lib/noroshi
    exec runuser -u noroshi -- "$program" "$@"
fi
case "$(id -un)" in
noroshi) ;;
*)
    if [ ! -r "$NOROSHI_CONFIG" ]; then
        echo "$NOROSHI_CONFIG is readable by the user noroshi only; use: sudo noroshi $*" >&2
        exit 1
    fi
    ;;
esac
exec "$program" "$@"
