"""What one look says, against SciPy."""

import numpy
from scipy import optimize, stats
from scipy.stats.contingency import relative_risk

TABLES = 1_000
SAMPLES = 300


def differs(ours, theirs):
    return ours is None or abs(ours - theirs) > 1e-8 * max(abs(theirs), 1e-4)


def wilson(successes, users):
    found = stats.binomtest(int(successes), int(users)).proportion_ci(method="wilson")
    return found.low, found.high


def likeliest(difference, x1, n1, x0, n0):
    """The rate of the first group that makes the table likeliest, if the other's is by so much less."""
    def slope(rate):
        total = 0.0
        for x, n, p in ((x1, n1, rate), (x0, n0, rate - difference)):
            total += x / p if x else 0
            total -= (n - x) / (1 - p) if n > x else 0
        return total
    low, high = max(0, difference) + 1e-15, min(1, 1 + difference) - 1e-15
    if low >= high or slope(low) <= 0:
        return max(0, difference)
    if slope(high) >= 0:
        return min(1, 1 + difference)
    return optimize.brentq(slope, low, high, xtol=1e-18, rtol=1e-15)


def miettinen_nurminen(x1, n1, x0, n0):
    """The differences of two rates that are not rejected, with 95 %."""
    found, z = x1 / n1 - x0 / n0, stats.norm.isf(0.025)

    def score(difference):
        rate = likeliest(difference, x1, n1, x0, n0)
        other = rate - difference
        variance = (rate * (1 - rate) / n1 + other * (1 - other) / n0) * (n1 + n0) / (n1 + n0 - 1)
        return (found - difference) / numpy.sqrt(variance) if difference != found else 0
    edge = lambda height, low, high: optimize.brentq(
        lambda at: score(at) - height, low, high, xtol=1e-18, rtol=1e-15)
    return [edge(z, 1e-9 - 1, found), edge(-z, found, 1 - 1e-9)]


def compare_with_scipy(judge, seed):
    chance = numpy.random.default_rng(seed)
    failures = rates(judge, chance) + means(judge, chance)
    print(f"one look: {TABLES:,} tables of two rates and {SAMPLES:,} pairs of means, "
          f"{len(failures)} differences from SciPy")
    return failures


def rates(judge, chance):
    users = chance.integers(20, 200_000, (TABLES, 2))
    base = 10 ** chance.uniform(-3, -0.05, TABLES)
    other = numpy.clip(base * chance.uniform(0.5, 1.5, TABLES), 0, 1)
    successes = chance.binomial(users, numpy.stack([base, other], axis=1))
    looks = numpy.stack([users, successes, successes], axis=2)[:, None]
    failures = []
    for number, (look,) in enumerate(judge.looks(looks, [1, 1])):
        (n0, x0), (n1, x1) = zip(users[number].tolist(), successes[number].tolist())
        found = look["comparisons"][0]
        name = f"{x1} of {n1} against {x0} of {n0}"
        expected = {}
        low0, high0 = wilson(x0, n0)
        low1, high1 = wilson(x1, n1)
        for ours, theirs in zip(sum(look["rates"], []), [low0, high0, low1, high1]):
            if differs(ours, theirs):
                failures.append(f"Wilson's interval of {name}: {ours}, SciPy {theirs}")
        expected["fixed_difference"] = miettinen_nurminen(x1, n1, x0, n0)
        if 0 < x0 + x1 < n0 + n1:
            table = [[x1, n1 - x1], [x0, n0 - x0]]
            expected["fixed_probability"] = [
                stats.chi2_contingency(table, correction=False).pvalue]
        if x0 and x1:
            risk = relative_risk(x1, n1, x0, n0).confidence_interval()
            expected["fixed_lift"] = [risk.low - 1, risk.high - 1]
        failures += differences(found, expected, name)
    return failures


def means(judge, chance):
    looks, samples = [], []
    for _ in range(SAMPLES):
        pair = [numpy.where(chance.random(n) < 0.4, chance.lognormal(3, 1, n), 0)
                for n in chance.integers(5, 3_000, 2)]
        pair[0][:2] = 1, 2
        samples.append(pair)
        looks.append([[len(x), x.sum(), (x * x).sum()] for x in pair])
    failures = []
    for (look,), (x0, x1) in zip(
            judge.looks(numpy.array(looks)[:, None], [1, 1], is_rate=False), samples):
        test = stats.ttest_ind(x1, x0, equal_var=False)
        interval = test.confidence_interval()
        failures += differences(look["comparisons"][0], {
            "fixed_difference": [interval.low, interval.high],
            "fixed_probability": [test.pvalue],
        }, f"{len(x1)} against {len(x0)} means")
    return failures


def differences(found, expected, name):
    failures = []
    for key, values in expected.items():
        ours = found.get(key)
        ours = ours if isinstance(ours, list) else [ours]
        for one, other in zip(ours, values):
            if differs(one, other):
                failures.append(f"{key} of {name}: {one}, SciPy {other}")
    return failures
