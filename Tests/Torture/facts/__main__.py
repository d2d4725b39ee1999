#!/usr/bin/env python3
"""Facts of a random history, written by an exporter that is killed with -9 over and over.

  facts BINARY [--users 400] [--seed 1] [--kills 200]

The history is that of `./noroshi torture figures`: shared phones, late reports, merges, renames, deletions, a
campaign with variants and a control group; then a story, a journey and the workspace's control group. While it goes on, and after it, an exporter writes its facts into a folder
and is killed in the middle. Then DuckDB reads the folder: each number has to be there once, the manifest has to say
what is in the files, and what a reader over HTTP and an exporter that was never killed get has to be the same. Each
recipe of docs/data-out.md has to say what the server says, of the folder that was followed and of one that was
written when all was over.
"""
import argparse
import sys
import tempfile
import time

from exporter import KilledExporter
from folder import Folder
from history import History
from recipes import Recipes
from sequel import Sequel
from server import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--users", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args()
    start = time.monotonic()
    faults = []
    with tempfile.TemporaryDirectory() as home:
        server = Server(options.binary, home, options.users * 3 // 4)
        try:
            exporter = KilledExporter(server, f"{home}/followed", options.seed)
            history = History(server, options.users, options.seed)
            exporter.start(options.kills)
            history.run()
            sequel = Sequel(history)
            sequel.run()
            exporter.finish()
            followed, *later = [Folder(name) for name in exporter.folders]
            server.command("facts", "export", "--folder", f"{home}/whole", "--rows", "5000")
            whole = Folder(f"{home}/whole")
            faults += whole.check() + whole.compare_with_http(server)
            for folder in [followed, *later]:
                faults += folder.check() + folder.compare(whole)
            print(f"{exporter.kills} kills, {exporter.survived} of them in a file; "
                  f"{followed.count:,} facts in {len(followed.names)} files, and again in "
                  f"{len(later)} folders; {whole.count:,} are left")
            for folder in (followed, whole):
                recipes = Recipes(folder, history, sequel)
                recipes.all()
                faults += recipes.faults
        finally:
            server.stop()
    for fault in faults[:40]:
        print("FAILED " + fault)
    if faults:
        sys.exit(f"{len(faults)} things are wrong")
    print(f"{recipes.compared:,} figures of each folder are equal; {time.monotonic() - start:.0f} seconds")


main()
