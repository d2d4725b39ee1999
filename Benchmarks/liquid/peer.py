"""Renders the benchmark message with python-liquid: prints renders/s and parses/s."""

import json
import sys
import time

import liquid


def rate(count, work):
    rates = []
    for _ in range(3):
        start = time.process_time()
        for _ in range(count):
            work()
        rates.append(count / (time.process_time() - start))
    return round(sorted(rates)[1])


file = json.load(open(sys.argv[1]))
environment = liquid.Environment()
template = environment.from_string(file["template"])
assert template.render(**file["context"]) == file["expected"]
renders = rate(5000, lambda: template.render(**file["context"]))
parses = rate(2000, lambda: environment.parse(file["template"]))
print(f"python-liquid {liquid.__version__}: {renders} renders/s, {parses} parses/s")
