"""From a thousand inputs to the few that matter, and from these to the least they have to say."""

import itertools
import random
import time

from .extremes import names_a_canary
from .site import TELLING
from .sweep import Sweep, check_again
from .verdict import Fault

# How long a server may live on after what ends it: it takes up stored rows a moment later.
AFTERMATH = 2.5
# Faults of what is stored, seen when it is read back.
STORED = ("unreadable", "aliased")


class Reduction:
    """Replays inputs on the files of before; bounded by the time of the options."""

    def __init__(self, site, window, taken, fault, options):
        self.site, self.window, self.fault = site, list(window), fault
        self.taken = list(taken)
        self.deadline = time.monotonic() + options.reduction
        self.has_restarted = False

    @property
    def has_time(self):
        return time.monotonic() < self.deadline

    def run(self):
        """The inputs that are needed, in order, and the fault as they show it."""
        if self.fault.kind in ("refused", "silent") and self.site.ended("") is None:
            alone = self.window[-1]
            shown = self.site.judge(alone.send(self.site), alone.name)
            if shown is not None and shown.kind == self.fault.kind:
                # It needs nothing but itself: no restart is needed to try smaller ones.
                return [self.smallest_alive(alone, shown)], shown
        inputs, shown = self.few()
        if shown is None:
            self.fault.detail += "\nIt could not be shown again; only the seed leads to it."
            return [], self.fault
        inputs = self.small(inputs, shown)
        return inputs, self.explained(inputs, shown)

    # Trying

    def replay(self, inputs, backtrace=False):
        """The fault after these inputs on the files of before, or None."""
        self.has_restarted = True
        self.site.stop(kill=True)
        self.site.restore("before")
        fault = self.site.start(backtrace)
        if fault is not None:
            return fault
        place = inputs[-1].name if inputs else "the start"
        for one in inputs:
            answer = one.send(self.site)
            found = self.site.judge(answer, one.name)
            if found is not None and found.kind == self.fault.kind == "refused":
                if found.place == self.fault.place:
                    return found
            if found is not None and found.kind == "ended":
                return self.lasting(found)
        if self.fault.check is not None:
            return self.reread(backtrace)
        if self.fault.kind in ("ended", "lasting"):
            until = time.monotonic() + (TELLING if backtrace else AFTERMATH)
            while time.monotonic() < until:
                found = self.site.ended(place)
                if found is not None:
                    return self.lasting(found)
                time.sleep(0.05)
        if self.fault.kind in STORED:
            return self.reread()
        if self.fault.kind == "lasting":
            self.site.stop(kill=True)
            return self.site.start()
        return None

    def lasting(self, fault):
        """Says of an end whether the server comes up again."""
        self.site.stop(kill=True)
        again = self.site.start()
        if again is None:
            time.sleep(AFTERMATH / 2)
            again = self.site.ended("the start on the same files")
        if again is not None:
            fault.detail = "It does not come up again either.\n" + fault.detail
        return fault

    def reread(self, backtrace=False):
        """The reading that failed, once more, after a restart as the first time."""
        self.site.stop(kill=True)
        fault = self.site.start(backtrace)
        if fault is not None:
            return fault
        if self.fault.check is not None:
            found = check_again(self.site, self.fault)
            return found if found is not None and found.place == self.fault.place else None
        sweep = Sweep(self.site, random.Random(1), 1)
        sweep.exports()
        return next((one for one in sweep.faults if one.place == self.fault.place), None)

    def matches(self, shown):
        return shown is not None and (
            shown.kind == self.fault.kind or {shown.kind, self.fault.kind} <= {"ended", "lasting"}
        )

    # Fewer

    def few(self):
        """The fewest inputs that show it: the last ones alone, else by halving."""
        is_stored = self.fault.kind in STORED or self.fault.check is not None
        for count in () if is_stored else (1, 2, 5):
            last = self.window[-count:]
            shown = self.replay(last)
            if self.matches(shown):
                return self.fewer(last, shown)
            if not self.has_time:
                break
        for inputs in self.suspects():
            shown = self.replay(inputs)
            if self.matches(shown):
                return self.halved(inputs, shown)
            if not self.has_time:
                break
        return [], None

    def suspects(self):
        """Choices of inputs that may do it, the small ones first."""
        if self.fault.kind == "aliased":
            yield [one for one in self.taken if "canar" in str(one.stored()).lower()]
        if self.fault.kind in STORED or self.fault.check is not None:
            # What was refused is not stored.
            yield self.taken
        yield self.window

    def halved(self, inputs, shown):
        """The input at fault, alone where it needs no other."""
        # The shortest beginning that shows it ends with the input at fault.
        low, high = 0, len(inputs)
        while high - low > 1 and self.has_time:
            middle = (low + high) // 2
            found = self.replay(inputs[:middle])
            if self.matches(found):
                high, shown = middle, found
            else:
                low = middle
        last = inputs[high - 1 : high]
        alone = self.replay(last)
        if self.matches(alone):
            return last, alone
        return self.fewer(inputs[:high], shown)

    def fewer(self, inputs, shown):
        """Leaves parts out, large ones first, as long as the fault stays."""
        size = len(inputs) // 2
        while size and self.has_time:
            start = 0
            while start < len(inputs) - 1 and self.has_time:
                rest = inputs[:start] + inputs[start + size :]
                found = self.replay(rest) if rest else None
                if self.matches(found):
                    inputs, shown = rest, found
                else:
                    start += size
            size //= 2
        return inputs, shown

    # Smaller

    def smallest_alive(self, one, shown):
        """Smaller variants against the server as it runs."""

        def shows(smaller):
            found = self.site.judge(smaller.send(self.site), smaller.name)
            if found is not None and found.kind == "ended":
                self.has_restarted = True
                self.site.stop(kill=True)
                self.site.restore("before")
                self.site.start()
            return found is not None and found.name == shown.name

        return self.least(one, shows)

    def least(self, one, shows):
        """The smallest variant that still shows it; goes on where the last one was found."""
        position, is_smaller = 0, True
        while is_smaller and self.has_time:
            is_smaller = False
            while self.has_time:
                candidates = itertools.islice(one.smaller(), position, None)
                for smaller in candidates:
                    if not self.has_time:
                        break
                    # Half of a name like a canary's may be the canary's.
                    if not names_a_canary(str(smaller.stored()).encode()) and shows(smaller):
                        one, is_smaller = smaller, True
                        break
                    position += 1
                else:
                    position = 0
                    break
        return one

    def small(self, inputs, shown):
        """Smaller variants of the last input, each on the files of before."""
        for position in range(len(inputs) - 1, max(-1, len(inputs) - 3), -1):
            before, after = inputs[:position], inputs[position + 1 :]
            least = self.least(
                inputs[position],
                lambda smaller: self.matches(self.replay([*before, smaller, *after])),
            )
            inputs = [*before, least, *after]
        return inputs

    def explained(self, inputs, shown):
        """The same end with the place in the sources, which a process says only when asked to."""
        if shown.kind != "ended":
            return shown
        said = self.replay(inputs, backtrace=True)
        if said is None:
            return shown
        if "does not come up" in shown.detail and "does not come up" not in said.detail:
            said.detail = "It does not come up again either.\n" + said.detail
        return Fault(shown.kind, shown.place, said.detail, shown.check)
