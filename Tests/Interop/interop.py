"""Runs the interop tests and prints one line for each; see README.md."""

import importlib
import sys
import traceback

from support import Skip

TESTS = {
    "apns_aioapns": "senders",
    "apns_kalyke": "senders",
    "apns_pyapns_client": "senders",
    "apns_pyapns_client3": "senders",
    "apns_apns2": "senders",
    "apns_mopyapns": "senders",
    "apns_simple_apns": "senders",
    "apns_pyapnskit": "senders",
    "apns_aapns": "senders",
    "apns_django": "apns",
    "apns_nghttpd": "apns",
    "fcm_firebase_admin": "senders",
    "fcm_pyfcm": "senders",
    "fcm_google_auth": "senders",
    "webpush_pywebpush": "webpush",
    "webpush_webpush": "senders",
    "webpush_webpush_rs": "senders",
    "webpush_http_ece": "webpush",
    "rest_braze_client": "rest",
    "rest_edx": "rest",
    "rest_edx_recipients": "rest",
    "rest_airbyte": "rest",
    "rest_universal_mcp": "rest",
    "rest_braze_client_sdk": "rest",
    "rest_braze_api_client": "rest",
    "rest_braze_client_p311": "rest",
    "rest_braze_sdk": "rest",
    "rest_itly": "rest",
    "rest_braze_mcp": "rest",
    "rest_airflow": "rest",
    "openapi_validator": "described",
    "schemathesis": "described",
    "totp_pyotp": "console",
    "openssl_jwt": "with_openssl",
    "openssl_p12": "with_openssl",
}


def main(names):
    failed = skipped = 0
    for name in names or TESTS:
        if name not in TESTS:
            print(f"there is no test '{name}'; there are {', '.join(TESTS)}")
            return 2
        try:
            detail = getattr(importlib.import_module(TESTS[name]), name)()
            print(f"passed   {name}: {detail}")
        except Skip as reason:
            skipped += 1
            print(f"skipped  {name}: {reason}")
        except ModuleNotFoundError as reason:
            skipped += 1
            print(f"skipped  {name}: {reason}")
        except Exception as problem:
            failed += 1
            print(f"FAILED   {name}: {problem!r}")
            traceback.print_exc()
        sys.stdout.flush()
    total = len(names or TESTS)
    print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
