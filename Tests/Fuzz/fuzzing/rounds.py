"""The work: a thousand inputs, a restart on the same files, a reading of everything, and again."""

import os
import time

from .reduction import Reduction
from .sweep import Sweep
from .verdict import Fault

ROUND = 1_000
# Distinct faults that are followed up in one run; more are only counted.
MOST_FAULTS = 12
# A case of more inputs than these explains nothing; the seed has to do.
MOST_KEPT = 20


class Report:
    """What a run found."""

    def __init__(self):
        self.inputs = self.rounds = self.restarts = self.read = 0
        self.faults, self.counts = {}, {}
        self.slowest, self.memory = (0.0, ""), []
        # How often which status came.
        self.statuses = {}


class Rounds:
    def __init__(self, site, surface, corpus, options, say):
        self.site, self.surface, self.corpus = site, surface, corpus
        self.options, self.say = options, say
        self.report = Report()
        # The inputs since the last restart, and those of them that were taken.
        self.window, self.taken = [], []

    def run(self):
        """Fuzzes until the time is up or so many inputs were sent; the report."""
        self.deadline = time.monotonic() + self.options.seconds
        self.site.save("before")
        self.start()
        self.surface.prepare()
        self.surface.seeds = self.corpus.inputs
        waiting = list(self.corpus.inputs)
        while True:
            self.round(waiting)
            self.report.rounds += 1
            if time.monotonic() >= self.deadline or self.report.inputs >= self.options.inputs:
                break
        self.report.slowest = self.site.slowest
        self.site.stop()
        return self.report

    def start(self):
        fault = self.site.start()
        if fault is not None:
            raise RuntimeError(f"the server does not start: {fault.detail}")

    def round(self, waiting):
        """Up to a thousand inputs, and what they left behind."""
        self.window, self.taken = [], []
        is_clean = True
        for _ in range(ROUND):
            if not waiting and (
                time.monotonic() >= self.deadline or self.report.inputs >= self.options.inputs
            ):
                break
            one = waiting.pop(0) if waiting else self.surface.next()
            self.window.append(one)
            self.report.inputs += 1
            answer = one.send(self.site)
            self.report.statuses[answer.status] = self.report.statuses.get(answer.status, 0) + 1
            if answer.status < 400:
                self.taken.append(one)
            fault = self.site.judge(answer, one.name)
            if fault is None:
                self.surface.observe(one, answer)
                continue
            is_alive = self.follow(fault)
            is_clean = is_clean and is_alive
            if not is_alive:
                # The files of before, without what broke them.
                self.begin_again()
                return
        # What the server does after its answers may still end it.
        time.sleep(self.options.settle)
        fault = self.site.ended("afterwards")
        if fault is not None:
            self.follow(fault)
            self.begin_again()
            return
        self.restart()

    def restart(self):
        """Ends it, now politely and now not, starts it on the same files, and reads everything."""
        self.report.memory.append(self.site.memory_peak)
        kill = self.report.rounds % 2 == 1
        went = self.site.stop(kill=kill)
        faults = []
        if not went:
            self.count(Fault("lasting", "the stop", "it did not end within 30 s after SIGTERM"))
        self.report.restarts += 1
        fault = self.site.start()
        if fault is not None:
            faults.append(fault)
        elif hasattr(self.site, "sweep"):
            faults += self.site.sweep(self.surface.random, self.options.sweep)
        else:
            sweep = Sweep(self.site, self.surface.random, self.options.sweep)
            faults += sweep.run()
            self.report.read += sweep.read
        for fault in faults:
            self.follow(fault)
        if faults:
            self.begin_again()
        else:
            self.site.stop()
            self.site.save("before")
            self.start()
            self.surface.refresh()

    def begin_again(self):
        self.site.stop(kill=True)
        self.site.restore("before")
        self.start()
        self.surface.refresh()

    def count(self, fault):
        self.report.counts[fault.name] = self.report.counts.get(fault.name, 0) + 1
        is_new = fault.name not in self.report.faults
        if is_new:
            self.report.faults[fault.name] = (fault, [])
        return is_new

    def follow(self, fault):
        """Makes a new fault's inputs few and small; whether the server still runs as before."""
        # A process that ended is known by where it ended, and only a reproduction says that.
        anonymous = fault.kind in ("ended", "lasting")
        if not anonymous and not self.count(fault):
            return fault.kind == "refused"
        if anonymous and self.known_ending():
            self.report.counts["ended again"] = self.report.counts.get("ended again", 0) + 1
            return False
        if len(self.report.faults) > MOST_FAULTS:
            return fault.kind == "refused"
        began = time.monotonic()
        self.say(f"a fault after {self.report.inputs} inputs: {fault.name}")
        reduction = Reduction(self.site, self.window, self.taken, fault, self.options)
        inputs, shown = reduction.run()
        if anonymous and not self.count(shown):
            inputs = []
        else:
            self.report.faults[shown.name] = (shown, inputs)
            self.keep(shown, inputs)
        # Following up is not fuzzing: the time for it is on top.
        self.deadline += time.monotonic() - began
        if fault.kind == "refused" and not reduction.has_restarted:
            return True
        return False

    def known_ending(self):
        """Whether the last input alone ends the server where a known one did."""
        names = {
            inputs[-1].name
            for fault, inputs in self.report.faults.values()
            if fault.kind in ("ended", "lasting") and inputs
        }
        # Five of a kind are enough to look into; the rest would only cost the time of the run.
        again = self.report.counts.get("ended again", 0)
        return bool(self.window) and self.window[-1].name in names and again % 6 != 5

    def keep(self, fault, inputs):
        if 0 < len(inputs) <= MOST_KEPT and not self.options.replay:
            path = self.corpus.add(fault, inputs, self.options.seed)
            self.say(f"  kept as {os.path.relpath(path, self.options.root)}")
        self.say("  " + fault.detail.strip().replace("\n", "\n  ")[:3_000])
        for one in inputs[:3]:
            self.say("  " + one.reproduction().replace("\n", "\n  ")[:3_000])
