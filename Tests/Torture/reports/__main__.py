#!/usr/bin/env python3
"""Random funnels, retentions, series and paths of a random history, against DuckDB.

  reports BINARY [--users 600] [--seed 1] [--reports 200]

People sign up on phones after a nameless past, share phones, are merged, imported and deleted, and
do things of which much is told late and much happens within one second. All of it is told over HTTP.
What the server answers over REST, as JSON and as CSV, has to be what DuckDB finds in a table of what
was told, by statements that follow docs/figures.md and nothing else; and what the console says of the
same question, on its page and in its files, has to be that.
"""
import argparse
import sys
import tempfile
import time

from answers import Answers
from comparison import compare
from console import Console
from history import History
from questions import Questions
from server import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--users", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=int, default=200)
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        try:
            history = History(server, options.users, options.seed)
            history.run()
            answers = Answers(history)
            questions = Questions(options.seed)
            console = Console(server)
            faults, figures, kinds = 0, 0, {}
            for number in range(options.reports):
                kind, question = questions.next()
                wrong, count = compare(server, console, answers, kind, question)
                figures += count
                kinds[kind] = kinds.get(kind, 0) + 1
                for line in wrong:
                    print(f"FAILED {number} {kind} {question}\n       {line}", flush=True)
                faults += bool(wrong)
        finally:
            server.stop()
    seconds = time.monotonic() - start
    if faults:
        sys.exit(f"{faults} of {options.reports} reports are wrong")
    reports = ", ".join(f"{count} of {kind}" for kind, count in sorted(kinds.items()))
    forms, tables = console.forms, console.tables
    print(f"{options.reports} reports ({reports}) with {figures:,} figures of"
          f" {len(history.occurrences()):,} events by {len(history.people):,} people are equal;"
          f" of {forms + tables} saved ones the console says the same, {forms} with their form;"
          f" {seconds:.0f} seconds")


main()
