"""What the server has, for the scripts beside this file."""

import json
import os

FACTS = json.loads(os.environ["NOROSHI_FACTS"])
URL = FACTS["url"]
KEY = FACTS["key"]
calls = 0


def same(found, wanted, what=""):
    """Compares an answer with what was stored."""
    global calls
    calls += 1
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} instead of {wanted!r}")


def refused(call, kind, what):
    """Expects an error of the client's own kind."""
    global calls
    calls += 1
    try:
        call()
    except kind as problem:
        return problem
    raise AssertionError(f"{what} was not refused")


def done():
    print(f"passed: {calls} answers are as they should be")
