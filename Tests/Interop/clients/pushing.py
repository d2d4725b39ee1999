"""What the simulator has, for the scripts beside this file that send pushes, and the report of what
their client did.

A script sends to every device of `DEVICES` and tells with `sent` what it gave to its client, then
sends what has to be refused and tells with `refused` what the client said. The test compares all
of it with what the simulator recorded.
"""

import json
import os

FACTS = json.loads(os.environ["NOROSHI_FACTS"])
report = {"sent": [], "refused": {}, "notes": {}}


def sent(device, payload, **facts):
    """A push that the client says was accepted; `facts` as the simulator's record names them."""
    report["sent"].append({"token": device, "payload": payload, **facts})


def refused(case, kind, call):
    """A push that has to be refused with an exception of the client's own."""
    try:
        call()
    except kind as problem:
        report["refused"][case] = f"{type(problem).__name__} {problem}".strip()
        return problem
    raise AssertionError(f"the client reported no refusal: {case}")


def said(case, words):
    """What a client gave back for a push that was refused."""
    report["refused"][case] = str(words)


def note(name, value):
    report["notes"][name] = value


def done():
    print(json.dumps(report))
