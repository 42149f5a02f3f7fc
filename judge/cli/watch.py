"""A Run's progress, drawn on the terminal while it is judged: stages, cases, samples.

Draws on stderr and only when that is a terminal; piped, a command says nothing until its verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from judge.cli.output import milliseconds, progress
from judge.cli.sight import Sight
from judge.domain import Status, Verdict

_STAGES = (Status.QUEUED, Status.COMPILING, Status.CHECKING, Status.TIMING)
_BAR_WIDTH = 24
#: Frames a second: enough for a clock in tenths, cheap over a slow line.
_REFRESH_HZ = 8


class Watch:
    """``with Watch() as watch: watch.show(sight)`` redraws one small table in place.

    ``time_label`` stands beside every time (the emulated device's warning). The last frame stays.
    """

    def __init__(
        self,
        time_label: str = "",
        console: Console = progress,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label = time_label
        self._clock = clock
        self._sight: Sight | None = None
        self._entered: dict[Status, float] = {}
        self._totals: dict[Status, int] = {}
        self._spinner = Spinner("dots")
        self._live = (
            Live(
                console=console,
                refresh_per_second=_REFRESH_HZ,
                get_renderable=self.frame,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            if console.is_terminal
            else None
        )

    def __enter__(self) -> Watch:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._live.stop()

    def show(self, sight: Sight) -> None:
        """Draw what is seen now."""
        if self._sight is not None and _is_before(sight.status, self._sight.status):
            self._entered.clear()  # its worker was lost; it is judged again from the start
        self._sight = sight
        self._entered.setdefault(sight.status, self._clock())
        if sight.total:
            self._totals[sight.status] = sight.total
        if self._live:
            self._live.refresh()

    def frame(self) -> RenderableType:
        """The table as it stands now."""
        table = Table.grid(padding=(0, 1))
        table.add_column(width=1)
        table.add_column(min_width=9)
        table.add_column(justify="right", min_width=7)
        table.add_column()
        if self._sight is None:
            return table
        for stage in _STAGES:
            if self._sight.status is not Status.DONE or not _is_before(self._last(), stage):
                table.add_row(*self._row(stage, self._sight))
        return table

    def _row(self, stage: Status, sight: Sight) -> tuple[RenderableType, ...]:
        began = self._entered.get(stage)
        if began is None and not _is_before(stage, sight.status):
            return "", Text(stage, style="dim"), "", ""
        if began is None:  # over before anybody looked
            return "✓", Text(stage), "", self._what(stage, sight, False)
        is_now = sight.status is stage
        ended = self._clock() if is_now else self._end_of(stage)
        mark: RenderableType = self._spinner if is_now else self._mark_of(stage, sight)
        name = Text(stage, style="bold" if is_now else "")
        return mark, name, f"{ended - began:.1f} s", self._what(stage, sight, is_now)

    def _end_of(self, stage: Status) -> float:
        """When the stage after ``stage`` began."""
        later = [at for other, at in self._entered.items() if _is_before(stage, other)]
        return min(later)

    def _last(self) -> Status:
        """The latest stage that was entered; the last cases may come with the verdict."""
        seen = [stage for stage in _STAGES if stage in self._entered]
        if self._sight is not None and self._sight.cases:
            seen.append(Status.CHECKING)
        return max(seen, key=list(Status).index, default=Status.QUEUED)

    def _mark_of(self, stage: Status, sight: Sight) -> str:
        """Finished well, or the stage in which the Run ended badly."""
        ended_here = sight.status is Status.DONE and stage is self._last()
        return "✗" if ended_here and sight.verdict is not Verdict.AC else "✓"

    def _what(self, stage: Status, sight: Sight, is_now: bool) -> RenderableType:
        if stage is Status.CHECKING:
            return self._cases(sight)
        if stage is Status.TIMING:
            return self._timings(sight, is_now)
        return Text(sight.sentence, style="dim") if is_now else ""

    def _cases(self, sight: Sight) -> RenderableType:
        total = max(self._totals.get(Status.CHECKING, 0), len(sight.cases))
        if not total:
            return ""
        line = Table.grid(padding=(0, 1))
        words = Text(f"{len(sight.cases)}/{total} cases")
        if sight.first_failure:
            name, verdict = sight.first_failure
            words.append(f", {verdict} in {name}")
        line.add_row(ProgressBar(total, len(sight.cases), width=_BAR_WIDTH), words)
        return line

    def _timings(self, sight: Sight, is_now: bool) -> RenderableType:
        lines = [f"{name}: {milliseconds(median)} ms" for name, median in sight.timed]
        samples = sight.samples
        if is_now and samples and samples.workload not in dict(sight.timed):
            lines.append(
                f"{samples.workload}: process {samples.process}/{samples.processes}, "
                f"{samples.count} samples, median {milliseconds(samples.median_ms)} ms"
            )
        if lines and self._label:
            lines.append(self._label)
        return Text("\n".join(lines))


def _is_before(one: Status, other: Status) -> bool:
    order = list(Status)
    return order.index(one) < order.index(other)
