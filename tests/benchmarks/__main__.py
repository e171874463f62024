"""Runs the benchmarks and prints a table; `--json FILE` writes the numbers by key, the names of parts choose."""

import argparse
import json
from pathlib import Path

from tests.benchmarks import maps, odds, store

PARTS = {"odds": odds.measured, "maps": maps.measured, "store": store.measured}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts to run; left out: all")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    results = []
    for part in options.parts or PARTS:
        for result in PARTS[part]():
            print(result.line, flush=True)
            results.append(result)
    if options.json:
        options.json.write_text(json.dumps({each.key: each.value for each in results}, indent=1) + "\n")


main()
