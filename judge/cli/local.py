"""Commands that judge on this machine: judge, verify, worker. Their parts load when used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.exits import Exit, JudgeFault, UsageFault, exit_status
from judge.cli.files import read_source
from judge.cli.output import (
    device_label,
    milliseconds,
    print_json,
    print_rich,
    remark,
    time_label,
    verdict_text,
)
from judge.cli.watch import Watch
from judge.domain import EMULATED_DEVICE, Verdict
from judge.variables import UnreadableFile, variable

if TYPE_CHECKING:
    from judge.cli.report import Report
    from judge.machine import Machine
    from judge.problems.package import ProblemPackage

INSTALL_HINT = "Install the judge's parts: pip install 'warpboard[judge]'"


def problem_roots() -> list[Path]:
    """Folders that hold problem packages: WARPBOARD_PROBLEMS, else the checkout's own."""
    configured = os.environ.get("WARPBOARD_PROBLEMS")
    if configured:
        return [Path(entry) for entry in configured.split(os.pathsep)]
    return [Path(__file__).resolve().parents[2] / "problems"]


@contextmanager
def _judging_parts() -> Iterator[None]:
    """Turn what a machine lacks for judging into the command's own errors."""
    try:
        from judge.compiler.interface import ToolchainMissing
        from judge.devices.interface import DeviceUnavailable, UnknownDevice
        from judge.execution import SandboxUnavailable

        try:
            yield
        except UnknownDevice as error:
            raise UsageFault(str(error)) from error
        except (DeviceUnavailable, SandboxUnavailable, ToolchainMissing) as error:
            raise JudgeFault(str(error)) from error
    except ModuleNotFoundError as error:
        raise JudgeFault(f"{error}. {INSTALL_HINT}") from error


def _machine(device: str) -> Machine:
    from judge.machine import this_machine

    return this_machine(device)


def _package(slug: str) -> ProblemPackage:
    from judge.machine import cache_directory
    from judge.problems.errors import PackageError
    from judge.problems.store import PackageStore, StoreError

    try:
        return PackageStore(problem_roots(), cache_directory() / "packages").get(slug)
    except (StoreError, PackageError) as error:
        raise UsageFault(str(error)) from error


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--problem", required=True, help="Slug of the problem.")
@click.option("--device", default=EMULATED_DEVICE, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def judge(context: click.Context, file: Path, problem: str, device: str, as_json: bool) -> None:
    """Judge FILE on this machine, with no site."""
    source = read_source(file)
    with _judging_parts():
        from judge import pipeline
        from judge.cli.report import Report

        package = _package(problem)
        machine = _machine(device)
        report = Report()
        with Watch(time_label(machine.device.name)) as watch:
            for event in pipeline.judge(source, package, machine):
                report.add(event)
                watch.show(report.sight())
    if as_json:
        print_json(report.to_json())
    else:
        _print_report(report, machine.device.name)
    context.exit(exit_status(report.verdict))


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--device", default=EMULATED_DEVICE, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def verify(context: click.Context, directory: Path, device: str, as_json: bool) -> None:
    """Check the problem package in DIRECTORY: examples get their verdicts, mutants are caught."""
    with _judging_parts():
        from judge.problems.errors import PackageError
        from judge.verification import verify_package

        findings = []
        try:
            for finding in verify_package(directory, lambda: _machine(device)):
                findings.append(finding)
                remark(f"{'ok' if finding.ok else 'FAULT'}  {finding.what}  {finding.detail}")
        except PackageError as error:
            raise UsageFault(str(error)) from error
    good = all(finding.ok for finding in findings)
    if as_json:
        print_json(
            {
                "ok": good,
                "findings": [{"what": f.what, "ok": f.ok, "detail": f.detail} for f in findings],
            }
        )
    else:
        for finding in findings:
            click.echo(f"{'ok   ' if finding.ok else 'FAULT'}  {finding.what}: {finding.detail}")
    context.exit(Exit.ACCEPTED if good else Exit.NOT_ACCEPTED)


@click.command()
@click.option("--device", default=EMULATED_DEVICE, show_default=True)
@click.option(
    "--broker",
    help="URL of the Redis broker (or WARPBOARD_BROKER_URL, or the file that "
    "WARPBOARD_BROKER_URL_FILE names).",
)
@click.option("--loglevel", default="INFO", show_default=True)
def worker(device: str, broker: str | None, loglevel: str) -> None:
    """Take jobs of DEVICE from a site's broker and judge them, until SIGTERM."""
    try:
        broker = broker or variable("WARPBOARD_BROKER_URL", os.environ)
        token = variable("WARPBOARD_WORKER_TOKEN", os.environ)
    except UnreadableFile as error:
        raise UsageFault(str(error)) from error
    if not broker:
        raise UsageFault("No broker: give --broker or set WARPBOARD_BROKER_URL.")
    with _judging_parts():
        from judge.machine import cache_directory
        from judge.problems.store import PackageStore
        from judge.worker import JudgeWorker, create_app, site_fetcher

        machine = _machine(device)
        store = PackageStore(
            problem_roots(),
            cache_directory() / "packages",
            fetch=site_fetcher(os.environ.get("WARPBOARD_SITE_URL", ""), token),
        )
        JudgeWorker(create_app(broker), machine, store).start(loglevel)


def _print_report(report: Report, device: str) -> None:
    print_rich(verdict_text(report.verdict))
    click.echo(report.message)
    for timing in report.timings:
        click.echo(
            f"{timing.workload}: {milliseconds(timing.median_ms)} ms "
            f"({milliseconds(timing.ci_low_ms)} – {milliseconds(timing.ci_high_ms)}), "
            f"{timing.sample_count} samples, {device_label(device)}"
        )
    if report.verdict is Verdict.CE and report.compiler_output:
        click.echo(report.compiler_output)
