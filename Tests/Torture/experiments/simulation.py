"""Draws experiments and counts how often their judge is wrong."""

from dataclasses import dataclass

import numpy

DAYS = 30
BATCH = 500


@dataclass
class Scenario:
    name: str
    rates: list
    """Of each group."""
    shares: list
    users: int
    """New ones a day, or all of them where they act over the days."""
    is_revenue: bool = False
    spread: float = 0.0
    """Of the logarithm of an amount."""
    is_one_launch: bool = False
    """Everybody comes on the first day, and converts on any of the days."""

    @property
    def is_null(self):
        return len(set(self.rates)) == 1


EVEN = [1, 1]
SCENARIOS = [
    Scenario("A/A, 0.5 %", [0.005, 0.005], EVEN, 1_000),
    Scenario("A/A, 0.5 %, few users", [0.005, 0.005], EVEN, 100),
    Scenario("A/A, 0.5 %, control group of 10 %", [0.005, 0.005], [0.1, 0.9], 2_000),
    Scenario("A/A, 5 %", [0.05, 0.05], EVEN, 500),
    Scenario("A/A, 30 %", [0.3, 0.3], EVEN, 300),
    Scenario("A/A, 95 %", [0.95, 0.95], EVEN, 300),
    Scenario("A/A, 5 %, four groups", [0.05] * 4, [1] * 4, 1_000),
    Scenario("A/A, 2 %, one launch, conversions over days", [0.02, 0.02], EVEN, 30_000,
             is_one_launch=True),
    Scenario("A/A, revenue, 3 % buy", [0.03, 0.03], EVEN, 500, is_revenue=True, spread=0.8),
    Scenario("A/A, revenue, 1 % buy, wide", [0.01, 0.01], [0.2, 0.8], 500, is_revenue=True,
             spread=1.6),
    Scenario("A/B, 0.5 % and +40 %", [0.005, 0.007], EVEN, 1_000),
    Scenario("A/B, 5 % and +10 %", [0.05, 0.055], EVEN, 2_000),
    Scenario("A/B, 20 % and −10 %", [0.2, 0.18], [0.2, 0.8], 1_000),
    Scenario("A/B, revenue, 3 % and +30 % buy", [0.03, 0.039], EVEN, 1_500, is_revenue=True,
             spread=0.8),
]


def draw(scenario, count, chance):
    """looks[experiment][day][group]: users, sum, sum of squares."""
    groups = len(scenario.rates)
    shares = numpy.array(scenario.shares) / sum(scenario.shares)
    if scenario.is_one_launch:
        first = chance.multinomial(scenario.users, shares, count)
        users = numpy.repeat(first[:, None, :], DAYS, axis=1)
        left = first.copy()
        successes = numpy.zeros((count, DAYS, groups), dtype=int)
        for day in range(DAYS):
            # The same chance on each day, of those who have not converted.
            hazard = [1 - (1 - rate) ** (1 / DAYS) for rate in scenario.rates]
            successes[:, day] = chance.binomial(left, hazard)
            left -= successes[:, day]
    else:
        users = chance.multinomial(scenario.users, shares, (count, DAYS))
        successes = chance.binomial(users, scenario.rates)
        users = users.cumsum(axis=1)
    if not scenario.is_revenue:
        sums = squares = successes
    else:
        flat = successes.ravel()
        amounts = chance.lognormal(0, scenario.spread, flat.sum())
        owner = numpy.repeat(numpy.arange(flat.size), flat)
        sums = numpy.bincount(owner, amounts, flat.size).reshape(successes.shape)
        squares = numpy.bincount(owner, amounts ** 2, flat.size).reshape(successes.shape)
    return numpy.stack(
        [users, sums.cumsum(axis=1), squares.cumsum(axis=1)], axis=3).astype(float)


def holds(ends, value):
    return ends is None or (ends[0] <= value and (len(ends) < 2 or value <= ends[1]))


def simulate(judge, scenario, experiments, seed):
    chance = numpy.random.default_rng(seed)
    mean = numpy.exp(scenario.spread ** 2 / 2) if scenario.is_revenue else 1
    means = [rate * mean for rate in scenario.rates]
    pairs = [(i, j) for i in range(len(means)) for j in range(i + 1, len(means))]
    alarms = wrong = covered = lifts = fixed = right = compared = 0
    done = 0
    while done < experiments:
        count = min(BATCH, experiments - done)
        drawn = draw(scenario, count, chance)
        for looks in judge.looks(drawn, scenario.shares, not scenario.is_revenue):
            told = [c for look in looks for c in look["comparisons"]
                    if c["outcome"] in ("better", "worse")]
            alarms += bool(told)
            better = max(range(len(means)), key=means.__getitem__)
            winners = {look["winner"] for look in looks if look["verdict"] == "winner"}
            right += winners == {better}
            wrong += bool(winners - {better})
            isCovered = isLiftCovered = True
            for look in looks:
                for (i, j), one in zip(pairs, look["comparisons"]):
                    # With one launch, the difference grows with the days.
                    if scenario.is_one_launch and not scenario.is_null:
                        continue
                    isCovered &= holds(one.get("difference"), means[j] - means[i])
                    isLiftCovered &= holds(one.get("lift"), means[j] / means[i] - 1)
            covered += isCovered
            lifts += isLiftCovered
            for (i, j), one in zip(pairs, looks[-1]["comparisons"]):
                compared += 1
                fixed += holds(one.get("fixed_difference"), means[j] - means[i])
        done += count
    percent = lambda part, whole=experiments: 100 * part / whole
    line = [f"{scenario.name}: {experiments:,} experiments, {DAYS} looks each"]
    failures = []
    if scenario.is_null:
        line.append(f"false alarms {percent(alarms):.2f} %")
        if percent(alarms) > 5:
            failures.append(f"{scenario.name}: {percent(alarms):.2f} % false alarms")
    else:
        line.append(f"right winner {percent(right):.1f} %, wrong one {percent(wrong):.2f} %")
        if percent(wrong) > 2.5:
            failures.append(f"{scenario.name}: {percent(wrong):.2f} % wrong winners")
    line.append(f"intervals right at every look {percent(covered):.2f} % "
                f"(lift {percent(lifts):.2f} %)")
    line.append(f"95 % intervals of one look {percent(fixed, compared):.2f} %")
    if min(percent(covered), percent(lifts)) < 95:
        failures.append(f"{scenario.name}: intervals right {percent(covered):.2f} %")
    # Revenue of wide amounts from few buyers is not normal; there only the sequence is promised.
    if scenario.spread < 1 and abs(percent(fixed, compared) - 95) > 1:
        failures.append(f"{scenario.name}: one look covers {percent(fixed, compared):.2f} %")
    print("; ".join(line), flush=True)
    return failures


def check_splits(judge, experiments, seed):
    """Alarms of the split, as drawn and not."""
    chance = numpy.random.default_rng(seed)
    failures = []
    for name, shares, drawn in [
            ("as drawn", [0.5, 0.5], [0.5, 0.5]), ("as drawn, 10 %", [0.1, 0.9], [0.1, 0.9]),
            ("48 % in place of 50", [0.5, 0.5], [0.48, 0.52])]:
        users = chance.multinomial(1_000, drawn, (experiments, DAYS)).cumsum(axis=1)
        zero = numpy.zeros_like(users)
        alarms = 0
        for start in range(0, experiments, BATCH):
            part = slice(start, start + BATCH)
            looks = numpy.stack([users[part], zero[part], zero[part]], axis=3)
            alarms += sum(any(look["split_probability"] <= 0.01 for look in one)
                          for one in judge.looks(looks, shares))
        share = 100 * alarms / experiments
        print(f"split {name}: {experiments:,} experiments of {1_000 * DAYS:,} users, "
              f"alarms {share:.2f} %", flush=True)
        if shares == drawn and share > 1:
            failures.append(f"split {name}: {share:.2f} % false alarms")
    return failures


def check_sizes(judge, experiments, seed):
    """Whether experiments of the required size find their lift in 80 %."""
    chance = numpy.random.default_rng(seed)
    failures = []
    for baseline, lift, shares in [
            (0.05, 0.1, [1, 1]), (0.005, 0.3, [1, 1]), (0.2, 0.1, [0.1, 0.9])]:
        size = judge.ask(
            [{"shares": shares, "baseline": baseline, "smallest_lift": lift}])[0]
        parts = numpy.array(shares) / sum(shares)
        found = {}
        for kind, users in size.items():
            drawn = chance.multinomial(users, parts, experiments)
            successes = chance.binomial(drawn, [baseline, baseline * (1 + lift)])
            hits = 0
            for start in range(0, experiments, BATCH):
                part = slice(start, start + BATCH)
                looks = numpy.stack([drawn[part], successes[part], successes[part]], axis=2)
                for (look,) in judge.looks(looks[:, None], shares):
                    one = look["comparisons"][0]
                    hits += (one["outcome"] == "better" if kind == "sequential"
                             else one["fixed_probability"] < 0.05)
            found[kind] = 100 * hits / experiments
        print(f"size for {100 * baseline:g} % and +{100 * lift:g} %, shares {shares}: "
              + ", ".join(f"{kind} {size[kind]:,} users find {found[kind]:.1f} %"
                          for kind in ("sequential", "fixed")), flush=True)
        for kind, power in found.items():
            if abs(power - 80) > 3:
                failures.append(f"size of {baseline}, {kind}: power {power:.1f} %")
    return failures
