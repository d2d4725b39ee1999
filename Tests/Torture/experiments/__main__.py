"""Simulated experiments that somebody looks at every day.

NumPy draws users, their groups and what they do; the server's own statistics (noroshi-bench
experiments) judge every look. Counted is how often they are wrong. What one look says is compared
with SciPy.
"""

import argparse
import sys

from judge import Judge
from looks import compare_with_scipy
from simulation import SCENARIOS, check_sizes, check_splits, simulate


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", help="noroshi-bench")
    parser.add_argument("--experiments", type=int, default=10_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = []
    with Judge(options.binary) as judge:
        failures += compare_with_scipy(judge, options.seed)
        for number, scenario in enumerate(SCENARIOS):
            failures += simulate(judge, scenario, options.experiments, options.seed + number)
        failures += check_splits(judge, options.experiments, options.seed)
        failures += check_sizes(judge, options.experiments, options.seed)
    for failure in failures:
        print(f"  {failure}")
    print("FAILED" if failures else "PASSED")
    return 1 if failures else 0


sys.exit(main())
