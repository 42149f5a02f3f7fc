"""Whether this machine can judge, line by line: what is here, what is not, and what to do.

Every line is found out by doing: a sandbox has run a program, a device has been set up. Nothing
here changes the machine, beyond filling the judge's own cache. Needs no part of the ``judge``
extra to be installed to say which is missing; never imports the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.doctor.finding import Finding, State
from judge.doctor.kernel import kernel_findings
from judge.doctor.parts import part_findings
from judge.doctor.sandboxes import sandbox_findings

__all__ = ["Finding", "State", "can_judge", "examine"]


def examine(device: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    """All findings, each as soon as it is known; some take seconds the first time.

    ``device`` is a device's name or ``auto``: this machine must be able to judge on that.
    ``environment`` is what the worker here would be started with.
    """
    missing = [*part_findings()]
    yield from missing
    yield from kernel_findings()
    if not can_judge(missing):
        return  # nothing below could be loaded
    # These need the parts that have just been found.
    from judge.doctor.hardware import hardware_findings
    from judge.doctor.services import service_findings

    yield from sandbox_findings(environment)
    yield from hardware_findings(device, environment)
    yield from service_findings(environment)


def can_judge(findings: list[Finding]) -> bool:
    """Whether none of ``findings`` is a fault."""
    return all(finding.state is not State.FAULT for finding in findings)
