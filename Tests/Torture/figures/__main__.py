#!/usr/bin/env python3
"""The figures of docs/figures.md for a random history, against an independent calculation.

  figures BINARY [--users 2000] [--seed 1]

A server and the simulators of Apple and Google run on this machine. Thousands of people sign up on
phones that they share, log out, begin sessions, buy, read news, see in-app messages, get pushes and
a campaign with variants and a control group, report late and out of order, are merged, renamed and
deleted. All of it is told over HTTP; only what the server decides is read from its database: the
moment at which a push was accepted, and who is drawn for a variant or the control group. What the
server says of every push and of every day has to be what is computed here from what was told; and
again after `analytics rebuild`, and when every message was removed from the ledger because it is old.
"""
import argparse
import sys
import tempfile
import time

from comparison import Comparison
from history import History
from server import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--users", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder, options.users * 3 // 4)
        try:
            history = History(server, options.users, options.seed)
            history.run()
            comparison = Comparison(history, server)
            comparison.all("as facts came")
            server.command("analytics", "rebuild")
            comparison.all("after the rebuild")
            server.remove_messages()
            comparison.knows_minutes = True
            comparison.all("after the messages were removed")
        finally:
            server.stop()
    seconds = time.monotonic() - start
    if comparison.faults:
        sys.exit(f"{len(comparison.faults)} figures are wrong")
    print(f"{comparison.compared:,} figures of {options.users:,} users, {len(history.people):,} of"
          f" them left, are equal; {seconds:.0f} seconds")


main()
