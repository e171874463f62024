"""Feeds a target with inputs."""

from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import Target


def run(target: Target, inputs: int, same: bool = False) -> None:
    """So many inputs, the `same` each time or not; raises what the smallest one that is not refused raises."""

    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        derandomize=same,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def take(value: object) -> None:
        target(value)

    take()
