"""`python -m tests.fuzz [--inputs N] [--seed N]`: inputs over all targets; exit 1 with the smallest that breaks one."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.fuzz.run import run
from tests.fuzz.targets import TARGETS


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parsed = parser.parse_args()
    share = -(-parsed.inputs // len(TARGETS))
    with ProcessPoolExecutor() as workers:
        for name in workers.map(partial(_run, inputs=share, first_seed=parsed.seed), TARGETS):
            print(f"{share:9} inputs  {name}", flush=True)


def _run(name: str, inputs: int, first_seed: int) -> str:
    run(TARGETS[name], inputs, first_seed)
    return name


if __name__ == "__main__":
    main()
