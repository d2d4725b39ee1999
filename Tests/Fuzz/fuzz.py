"""Fuzzes the real server, surface by surface; see README.md."""

import argparse
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from fuzzing import isolation, program, surfaces
from fuzzing.content import fill
from fuzzing.corpus import Corpus, read
from fuzzing.hostile import HostileService
from fuzzing.rounds import Rounds
from fuzzing.simulator_site import SimulatorSite
from fuzzing.site import Site
from fuzzing.sweep import Sweep

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Apple:
    """Apple's simulator, which takes whatever the server sends."""

    def __init__(self, folder):
        self.port = program.free_port()
        self.authority = os.path.join(folder, "authority.pem")
        self.program = program.Program(
            [
                "simulate",
                "apns",
                "--accept-anything",
                "--listen",
                f"127.0.0.1:{self.port}",
                "--authority-file",
                self.authority,
            ],
            os.path.join(folder, "apns.log"),
        )
        if not self.program.wait_for_port(self.port):
            raise RuntimeError(f"the APNs simulator did not start: {self.program.tail()}")


def arguments(words):
    names = ", ".join(surfaces.NAMES)
    parser = argparse.ArgumentParser(
        prog="./noroshi fuzz", description="Sends what trips programs over to a real server."
    )
    parser.add_argument("surface", help=f"all, or one of {names}")
    parser.add_argument("--seconds", type=float, default=60, help="how long to send inputs (60)")
    parser.add_argument("--inputs", type=int, default=10_000_000, help="how many inputs at most")
    parser.add_argument("--seed", type=int, help="begins the same sequence again")
    parser.add_argument("--corpus", help="the folder of kept inputs (Tests/Fuzz/corpus/SURFACE)")
    parser.add_argument("--replay", metavar="FILE", help="sends one kept case and stops")
    parser.add_argument(
        "--sweep", type=float, default=15, help="seconds of reading after a restart"
    )
    parser.add_argument(
        "--reduction", type=float, default=60, help="seconds to make one fault small"
    )
    parser.add_argument(
        "--settle", type=float, default=2, help="seconds of waiting before a restart"
    )
    parser.add_argument("--at-once", type=int, default=2, help="surfaces at the same time, for all")
    parser.add_argument("--base", help="files that were made before; all makes them once")
    parser.add_argument("--keep", help="a folder for the server's files, which stay there")
    options = parser.parse_args(words)
    options.root = ROOT
    if options.surface != "all" and options.surface not in surfaces.NAMES:
        parser.error(f"there is no surface '{options.surface}'; there are all, {names}")
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**9)
    return options


def say(text):
    print(text, flush=True)


@contextlib.contextmanager
def opened(name, folder, base):
    """The running site of a surface, with something stored in it."""
    surface = surfaces.load(name)
    if surface.site == "simulators":
        site = SimulatorSite(folder)
        try:
            yield site
        finally:
            site.stop(kill=True)
        return
    is_hostile = getattr(surface, "is_hostile", False)
    if base is None:
        make_base(folder)
        base = os.path.join(folder, "base")
    apple = Apple(folder)
    site = Site(folder, push=apple)
    try:
        site.adopt(base)
        if is_hostile:
            site.hostile = HostileService(folder)
        yield site
    finally:
        site.stop(kill=True)
        apple.program.stop(kill=True)


def make_base(folder):
    """Files with something stored in them, in the folder `base`, for any number of runs."""
    apple = Apple(folder)
    site = Site(folder, push=apple)
    try:
        site.set_up()
        fault = site.start()
        if fault is not None:
            raise RuntimeError(f"the server does not start: {fault.detail}")
        for who in ("admin", "marketer", "viewer"):
            site.sign_in(who)
        fill(site)
        # How the canaries are, before any input.
        Sweep(site, random.Random(1), 1).exports()
        # What has been sent by then need not be sent again by each run.
        time.sleep(2)
        site.stop()
        site.hand_over(os.path.join(folder, "base"))
    finally:
        site.stop(kill=True)
        apple.program.stop(kill=True)


def fuzz(name, options):
    """One surface; the number of distinct faults."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"noroshi-fuzz-{name}-") as temporary:
        folder = temporary
        if options.keep:
            folder = os.path.join(options.keep, name)
            os.makedirs(folder)
        with opened(name, folder, options.base) as site:
            draw = random.Random(f"{name} {options.seed}")
            surface = surfaces.load(name)(site, draw)
            corpus = Corpus(options.corpus or os.path.join(HERE, "corpus", name))
            if options.replay:
                corpus.inputs = read(options.replay)
                options.seconds = options.inputs = 0
            prepared = time.monotonic()
            report = Rounds(site, surface, corpus, options, say).run()
    describe(name, options, report, prepared - began, time.monotonic() - prepared)
    return len(report.faults)


def describe(name, options, report, preparing, running):
    rate = report.inputs / max(running, 0.001)
    say(
        f"{name}: {report.inputs} inputs in {running:.0f} s ({rate:.0f}/s, {preparing:.0f} s to set up), "
        f"{report.restarts} restarts, {report.read} readings; seed {options.seed}"
    )
    seconds, place = report.slowest
    memory = " ".join(str(one) for one in report.memory)
    say(
        f"  slowest answer {seconds:.2f} s ({place}); memory in MB before each restart: {memory or '–'}"
    )
    counts = sorted(report.statuses.items())
    say("  answers: " + ", ".join(f"{status} ×{count}" for status, count in counts))
    for fault, (_, found) in report.faults.items():
        times = report.counts.get(fault, 1)
        say(f"  FAULT ×{times} {fault} ({len(found)} inputs)")
    if not report.faults:
        say("  no fault")


def fuzz_all(words, options):
    """Every surface in a process of its own, some at the same time."""
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="noroshi-fuzz-base-") as folder:
        make_base(folder)
        return run_all(words, options, os.path.join(folder, "base"))


def run_all(words, options, base):
    waiting, running, failed = list(surfaces.NAMES), [], []
    at = words.index("all")
    try:
        while waiting or running:
            while waiting and len(running) < options.at_once:
                name = waiting.pop(0)
                more = words[:at] + [name] + words[at + 1 :]
                running.append((name, *begin([*more, "--seed", str(options.seed), "--base", base])))
            time.sleep(0.2)
            for one in list(running):
                name, child, log = one
                if child.poll() is None:
                    continue
                running.remove(one)
                log.seek(0)
                say(io.TextIOWrapper(log, "utf-8", "replace").read().rstrip())
                if child.returncode != 0:
                    failed.append(name)
    finally:
        for _, child, _ in running:
            child.terminate()
            child.wait()
    count = len(surfaces.NAMES)
    say(
        f"{count - len(failed)} of {count} surfaces without a fault"
        + (f"; faults in {', '.join(failed)}" if failed else "")
    )
    return 1 if failed else 0


def begin(words):
    """Starts this program for one surface: its process, and where it writes."""
    log = tempfile.TemporaryFile()
    child = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), *words], stdout=log, stderr=log
    )
    return child, log


def main():
    words = sys.argv[1:]
    options = arguments(words)
    # As with Ctrl-C, what was started is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    isolation.enter(say)
    if options.surface == "all":
        return fuzz_all(words, options)
    try:
        return 1 if fuzz(options.surface, options) else 0
    except Exception:
        traceback.print_exc()
        say(f"{options.surface}: the fuzzer itself failed; seed {options.seed}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
