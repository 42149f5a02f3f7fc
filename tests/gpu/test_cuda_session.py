"""Sessions on a real GPU: contents go in and come out, both clocks run, guards are looked after."""

from __future__ import annotations

import pytest
import torch

from judge.domain import Role

pytestmark = pytest.mark.gpu

IN_PLACE = """
__global__ void twice(float* B, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) B[i] *= 2;
}
extern "C" void solve(const float* A, float* B, int N) {
  twice<<<(N + 255) / 256, 256>>>(B, N);
}
"""

OVERWRITES_ITS_INPUT = """
__global__ void spoil(const float* A) { const_cast<float*>(A)[3] = 7; }
extern "C" void solve(const float* A, float* B, int N) { spoil<<<1, 1>>>(A); }
"""

WRITES_OUTSIDE = """
__global__ void stray(float* B, int at) { B[at] = 1; }
extern "C" void solve(const float* A, float* B, int N) { stray<<<1, 1>>>(B, %s); }
"""


def test_outputs_come_back_for_ever_new_inputs(open_session, build, helpers):
    with open_session(build(helpers.SCALE), helpers.scale_call(100_003)) as session:
        for seed in range(5):
            given = helpers.fresh(100_003, seed)
            session.stage(0, given)
            bracket = session.bracket((0,))
            after = session.snapshot(0)
            assert torch.equal(after["B"], 2 * given["A"])
            assert torch.equal(after["A"], given["A"])
            assert 0 < bracket.event_ns < bracket.fence_ns
        assert session.guard_hits() == ()


def test_a_batch_calls_every_slot(open_session, build, helpers):
    with open_session(build(helpers.SCALE), helpers.scale_call(1000), slots=64) as session:
        given = [helpers.fresh(1000, seed) for seed in range(64)]
        for slot, tensors in enumerate(given):
            session.stage(slot, tensors)
        assert session.bracket(range(64)).calls == 64
        for slot, tensors in enumerate(given):
            assert torch.equal(session.snapshot(slot)["B"], 2 * tensors["A"])


def test_an_inout_buffer_arrives_with_its_contents(open_session, build, helpers):
    with open_session(build(IN_PLACE), helpers.scale_call(1000, Role.INOUT)) as session:
        given = helpers.fresh(1000)
        session.stage(0, given)
        session.bracket((0,))
        assert torch.equal(session.snapshot(0)["B"], 2 * given["B"])


def test_an_output_nobody_writes_keeps_its_poison(open_session, build, helpers):
    nothing = 'extern "C" void solve(const float* A, float* B, int N) {}'
    with open_session(build(nothing), helpers.scale_call(1000)) as session:
        given = helpers.fresh(1000)
        session.stage(0, given)
        session.bracket((0,))
        assert torch.equal(session.snapshot(0)["B"], given["B"])


def test_an_overwritten_input_shows_in_the_snapshot(open_session, build, helpers):
    with open_session(build(OVERWRITES_ITS_INPUT), helpers.scale_call(1000)) as session:
        session.stage(0, helpers.fresh(1000))
        session.bracket((0,))
        assert session.snapshot(0)["A"][3] == 7


@pytest.mark.parametrize(("at", "offset"), [("N", 4000), ("N + 200", 4800), ("-1", -4)])
def test_a_write_outside_a_buffer_is_found_and_placed(open_session, build, helpers, at, offset):
    with open_session(build(WRITES_OUTSIDE % at), helpers.scale_call(1000)) as session:
        session.stage(0, helpers.fresh(1000))
        session.bracket((0,))
        (hit,) = session.guard_hits()
        assert hit.buffer == "B"
        assert offset <= hit.offset < offset + 4


def test_empty_buffers_are_served(open_session, build, helpers):
    with open_session(build(helpers.SCALE), helpers.scale_call(0)) as session:
        session.stage(0, helpers.fresh(0))
        session.bracket((0,))
        assert session.guard_hits() == ()


def test_the_device_says_what_it_is(device):
    described = device.describe()
    assert described["hardware"]
    assert "GPU-" not in described["hardware_id"]
    assert device.clocks()["sm"] > 0
    assert device.target.architecture.startswith("sm_")
    assert device.read().temperature_c > 0
    assert device.state().max_sm_mhz
