"""A session of the emulated device: solve sees what is staged, and its results come back."""

from __future__ import annotations

import pytest
import torch

from judge.devices.interface import BufferSpec, Call
from judge.domain import DType, Parameter, Role


def test_solve_sees_the_staged_inputs_and_its_outputs_are_snapshotted(
    build_runner, open_session, helpers
):
    contents = helpers.fresh(1000)
    with open_session(build_runner(helpers.SCALE), helpers.scale_call(1000)) as session:
        session.stage(0, contents)
        bracket = session.bracket([0])
        after = session.snapshot(0)
        assert torch.equal(after["B"], 2 * contents["A"])
        assert torch.equal(after["A"], contents["A"])
        assert bracket.calls == 1
        assert 0 < bracket.event_ns <= bracket.fence_ns
        assert session.guard_hits() == ()


def test_an_output_that_solve_leaves_alone_keeps_its_poison(build_runner, open_session, helpers):
    contents = helpers.fresh(100)
    with open_session(build_runner(""), helpers.scale_call(100)) as session:
        session.stage(0, contents)
        session.bracket([0])
        assert torch.equal(session.snapshot(0)["B"], contents["B"])


def test_a_second_bracket_shows_the_poison_and_not_the_old_answer(
    build_runner, open_session, helpers
):
    once = "static int calls = 0; if (calls++ == 0) B[0] = A[0];"
    contents = helpers.fresh(100)
    with open_session(build_runner(once), helpers.scale_call(100)) as session:
        session.stage(0, contents)
        session.bracket([0])
        assert session.snapshot(0)["B"][0] == contents["A"][0]
        session.bracket([0])
        assert torch.equal(session.snapshot(0)["B"], contents["B"])


def test_slots_are_called_in_the_order_given_and_do_not_mix(build_runner, open_session, helpers):
    numbered = "static int calls = 0; B[0] = A[0]; B[1] = float(calls++);"
    with open_session(build_runner(numbered), helpers.scale_call(2), slots=3) as session:
        for slot in range(3):
            session.stage(slot, helpers.fresh(2, seed=slot))
        assert session.bracket([2, 0, 1]).calls == 3
        for position, slot in enumerate([2, 0, 1]):
            after = session.snapshot(slot)["B"]
            assert after[0] == helpers.fresh(2, seed=slot)["A"][0]
            assert after[1] == position


def test_an_overwritten_input_shows_in_the_snapshot(build_runner, open_session, helpers):
    contents = helpers.fresh(10)
    cheat = "const_cast<float*>(A)[3] = 42;"
    with open_session(build_runner(cheat), helpers.scale_call(10)) as session:
        session.stage(0, contents)
        session.bracket([0])
        after = session.snapshot(0)["A"]
        assert after[3] == 42
        assert torch.equal(after[4:], contents["A"][4:])


def test_an_inout_buffer_starts_with_its_staged_values(build_runner, open_session, helpers):
    contents = helpers.fresh(10)
    call = helpers.scale_call(10, role=Role.INOUT)
    with open_session(build_runner("for (int i = 0; i < N; ++i) B[i] += A[i];"), call) as session:
        session.stage(0, contents)
        session.bracket([0])
        assert torch.equal(session.snapshot(0)["B"], contents["A"] + contents["B"])


def test_bytes_changed_before_a_buffer_are_reported(build_runner, open_session, helpers):
    with open_session(build_runner("B[-2] = 1;"), helpers.scale_call(10)) as session:
        session.stage(0, helpers.fresh(10))
        session.bracket([0])
        (hit,) = session.guard_hits()
        assert hit.buffer == "B"
        assert -8 <= hit.offset < -4


def test_bytes_changed_behind_a_buffer_are_reported(build_runner, open_session, helpers):
    # Ten floats leave 24 bytes up to the next multiple of 32, which lie before the guard page.
    with open_session(build_runner("B[N] = 1;"), helpers.scale_call(10)) as session:
        session.stage(0, helpers.fresh(10))
        session.bracket([0])
        (hit,) = session.guard_hits()
        assert hit.buffer == "B"
        assert 40 <= hit.offset < 44


def test_a_guard_hit_stays_reported_in_later_brackets(build_runner, open_session, helpers):
    once = "static int calls = 0; if (calls++ == 0) B[-1] = 1;"
    with open_session(build_runner(once), helpers.scale_call(10)) as session:
        session.stage(0, helpers.fresh(10))
        session.bracket([0])
        first = session.guard_hits()
        session.bracket([0])
        assert session.guard_hits() == first != ()


@pytest.mark.parametrize("dtype", list(DType))
def test_every_element_type_passes_through(build_runner, open_session, dtype):
    copy = build_runner.from_source(
        "#include <cstring>\n"
        'extern "C" void warpboard_invoke(void* const* a) {\n'
        "  std::memcpy(*static_cast<void* const*>(a[1]), *static_cast<void* const*>(a[0]),\n"
        "              *static_cast<const long long*>(a[2]));\n"
        "}\n"
    )
    x = Parameter("X", dtype, Role.IN, ("3", "7"))
    y = Parameter("Y", dtype, Role.OUT, ("3", "7"))
    size = Parameter("BYTES", DType.INT64, Role.SIZE)
    spec = BufferSpec(x, (3, 7))
    call = Call((x, y, size), {"X": spec, "Y": BufferSpec(y, (3, 7))}, {"BYTES": spec.bytes})
    values = torch.arange(21).reshape(3, 7).to(getattr(torch, dtype.value))
    with open_session(copy, call) as session:
        session.stage(0, {"X": values, "Y": torch.zeros_like(values)})
        session.bracket([0])
        after = session.snapshot(0)["Y"]
        assert after.dtype == values.dtype
        assert after.shape == (3, 7)
        assert torch.equal(after.view(torch.uint8), values.view(torch.uint8))


def test_an_empty_buffer_is_no_trouble(build_runner, open_session, helpers):
    with open_session(build_runner(helpers.SCALE), helpers.scale_call(0)) as session:
        session.stage(0, helpers.fresh(0))
        session.bracket([0])
        assert session.snapshot(0)["B"].shape == (0,)


def test_staging_the_wrong_shape_type_or_names_is_refused(build_runner, open_session, helpers):
    with open_session(build_runner(helpers.SCALE), helpers.scale_call(4)) as session:
        good = helpers.fresh(4)
        with pytest.raises(ValueError, match="A: expected"):
            session.stage(0, {**good, "A": torch.zeros(5)})
        with pytest.raises(ValueError, match="B: expected"):
            session.stage(0, {**good, "B": torch.zeros(4, dtype=torch.float64)})
        with pytest.raises(ValueError, match="exactly"):
            session.stage(0, {"A": good["A"]})
