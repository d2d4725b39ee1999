"""Plays random worlds in Noroshi and in a second interpreter, and compares what came of them."""

import argparse
import json
import subprocess
import sys

from interpreter import Play
from worlds import world

FIELDS = ["person", "number", "version", "entered", "end", "ended", "converted"]
PLACE = ["step", "passage", "arrived", "due"]


def entry(found):
    names = FIELDS + (PLACE if found.get("end") is None else [])
    return tuple(found.get(name) for name in names)


def order(found):
    return sorted(found, key=lambda row: json.dumps(row))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--worlds", type=int, default=2_000)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = subprocess.Popen(
        [options.binary, "journeys-model"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    messages = entries = 0
    ends = {}
    for number in range(options.worlds):
        seed = options.seed * 1_000_000 + number
        made = world(seed, options.people)
        program.stdin.write(json.dumps(made) + "\n")
        program.stdin.flush()
        line = program.stdout.readline()
        if not line:
            sys.exit(f"the program ended at the world with seed {seed}")
        theirs = json.loads(line)
        play = Play(made, theirs["ids"])
        play.run()
        sent = order((m["at"], m["person"], m["step"]) for m in theirs["messages"])
        if sent != order(play.messages):
            sys.exit(
                f"seed {seed}: messages differ\n"
                f"only there: {sorted(set(sent) - set(play.messages))}\n"
                f"only here:  {sorted(set(play.messages) - set(sent))}"
            )
        there, here = order(map(entry, theirs["entries"])), order(map(entry, play.entries))
        if there != here:
            sys.exit(
                f"seed {seed}: entries differ\n"
                f"only there: {[row for row in there if row not in here]}\n"
                f"only here:  {[row for row in here if row not in there]}"
            )
        messages += len(sent)
        entries += len(there)
        for found in theirs["entries"]:
            ends[found.get("end")] = ends.get(found.get("end"), 0) + 1
    program.stdin.close()
    program.wait()
    print(
        f"{options.worlds} worlds with {options.worlds * options.people} people: {entries} entries, "
        f"{messages} messages, at the same times, with the same ends"
    )
    print(", ".join(f"{end or 'inside'} {count}" for end, count in sorted(ends.items(), key=str)))


main()
