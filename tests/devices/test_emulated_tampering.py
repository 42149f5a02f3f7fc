"""Submissions that attack the protocol itself: nothing is believed, and the judge survives."""

from __future__ import annotations

import pytest

from judge.devices.interface import RunnerFailure
from judge.domain import Verdict

#: Finds the doorbell pages and the judge's socket as hostile code in the runner would.
FINDERS = r"""
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include "protocol.h"
#include "waiting.h"
static char* find_mapping(const char* name) {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  char* found = nullptr;
  while (maps && std::fgets(line, sizeof line, maps)) {
    if (std::strstr(line, name)) { found = (char*)std::strtoull(line, nullptr, 16); break; }
  }
  if (maps) std::fclose(maps);
  return found;
}
static warpboard::ResponsePage* response_page() {
  return reinterpret_cast<warpboard::ResponsePage*>(find_mapping("warpboard-response"));
}
static int judge_socket() {
  for (int fd = 3; fd < 256; ++fd) {
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode)) return fd;
  }
  return -1;
}
"""


def breach(open_session, helpers, artifact, brackets=1) -> RunnerFailure:
    """What a session of ``artifact`` fails with."""
    with pytest.raises(RunnerFailure) as caught:
        helpers.use(open_session, artifact, brackets=brackets)
    return caught.value


def test_a_forged_reply_changes_e_alone(build_runner, open_session, helpers):
    # The forger rings back at once with E = 1 ns, then works on; F goes on counting for the next.
    body = """
    auto* page = response_page();
    page->reply.status = 0; page->reply.event_ns = 1; page->reply.text_bytes = 0;
    warpboard::ring(page->sequence, page->sequence + 1, page->runner_sleeps);
    for (;;) pause();
    """
    contents = helpers.fresh(64)
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        session.stage(0, contents)
        bracket = session.bracket([0])
        assert bracket.event_ns == 1
        assert bracket.fence_ns > 1
        assert session.snapshot(0)["B"].tolist() == contents["B"].tolist()


def test_claiming_more_time_than_passed_is_not_credible(build_runner, open_session, helpers):
    body = """
    auto* page = response_page();
    page->reply.event_ns = ~0ull;
    warpboard::ring(page->sequence, page->sequence + 1, page->runner_sleeps);
    for (;;) pause();
    """
    failed = breach(open_session, helpers, build_runner(body, FINDERS))
    assert failed.verdict is Verdict.TNC


@pytest.mark.parametrize("jump", ["+ 2", "- 1", "+ 0x80000000u"])
def test_a_wrong_sequence_number_is_a_breach(build_runner, open_session, helpers, jump):
    body = f"""
    auto* page = response_page();
    warpboard::ring(page->sequence, page->sequence {jump}, page->runner_sleeps);
    for (;;) pause();
    """
    failed = breach(open_session, helpers, build_runner(body, FINDERS))
    assert failed.verdict is Verdict.RTE
    assert "sequence" in failed.message


def test_an_answer_before_the_question_is_a_breach(build_runner, open_session, helpers):
    # Whether the judge sees 1 (and finds 2 before it has rung again) or 2 at once, it is a breach.
    body = """
    auto* page = response_page();
    page->reply.status = 0; page->reply.event_ns = 1; page->reply.text_bytes = 0;
    warpboard::ring(page->sequence, 1, page->runner_sleeps);
    page->sequence = 2;
    for (;;) pause();
    """
    failed = breach(open_session, helpers, build_runner(body, FINDERS), brackets=2)
    assert failed.verdict is Verdict.RTE
    assert "sequence" in failed.message


def test_an_unknown_status_and_a_huge_length_are_survived(build_runner, open_session, helpers):
    body = """
    auto* page = response_page();
    page->reply.status = 77; page->reply.text_bytes = ~0u;
    std::memset(page->reply.text, 0xff, sizeof page->reply.text);
    warpboard::ring(page->sequence, page->sequence + 1, page->runner_sleeps);
    for (;;) pause();
    """
    failed = breach(open_session, helpers, build_runner(body, FINDERS))
    assert failed.verdict is Verdict.RTE
    assert "unknown status" in failed.message


def test_a_status_text_cannot_smuggle_control_characters(build_runner, open_session, helpers):
    body = r'throw std::runtime_error("\x1b[2J\x00 gone");'
    failed = breach(open_session, helpers, build_runner(body))
    assert "\x1b" not in failed.message


def test_closing_the_socket_is_a_breach(build_runner, open_session, helpers):
    body = "close(judge_socket()); for (;;) pause();"
    failed = breach(open_session, helpers, build_runner(body, FINDERS))
    assert failed.verdict is Verdict.RTE
    assert "connection" in failed.message


def test_garbage_on_the_socket_is_ignored(build_runner, open_session, helpers):
    body = f"""
    {helpers.SCALE}
    char junk[1000] = "AC AC AC";
    for (int i = 0; i < 100; ++i) send(judge_socket(), junk, sizeof junk, MSG_DONTWAIT);
    """
    contents = helpers.fresh(64)
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        for _ in range(5):
            session.stage(0, contents)
            session.bracket([0])
        assert session.snapshot(0)["B"].tolist() == (2 * contents["A"]).tolist()


def test_garbage_instead_of_the_handshake_is_a_breach(build_runner, open_session, helpers):
    outside = (
        FINDERS
        + r"""
    static int early = [] {
      int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
      sockaddr_un address{AF_UNIX, "/warpboard/socket/judge.sock"};
      if (connect(fd, (sockaddr*)&address, sizeof address)) _exit(1);
      send(fd, "hello, I am ready", 17, 0);
      for (;;) pause();
      return 0;
    }();
    """
    )
    failed = breach(open_session, helpers, build_runner("", outside))
    assert failed.verdict is Verdict.RTE
    assert "protocol" in failed.message


def test_the_judge_accepts_one_connection_only(build_runner, open_session, helpers):
    body = r"""
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    sockaddr_un address{AF_UNIX, "/warpboard/socket/judge.sock"};
    B[0] = connect(fd, (sockaddr*)&address, sizeof address) == 0 ? 1 : 2;
    """
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        session.stage(0, helpers.fresh(64))
        session.bracket([0])
        assert session.snapshot(0)["B"][0] == 2


def test_the_request_page_cannot_be_written(build_runner, open_session, helpers):
    body = r"""
    char* page = find_mapping("warpboard-request");
    B[0] = mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0 ? 1 : 2;
    """
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        session.stage(0, helpers.fresh(64))
        session.bracket([0])
        assert session.snapshot(0)["B"][0] == 2


def test_the_judge_s_folder_cannot_be_written(build_runner, open_session, helpers):
    body = r"""
    std::FILE* file = std::fopen("/warpboard/socket/flood", "w");
    B[0] = file ? 1 : 2;
    """
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        session.stage(0, helpers.fresh(64))
        session.bracket([0])
        assert session.snapshot(0)["B"][0] == 2


def test_the_runner_starts_with_the_standard_descriptors_and_its_socket_only(
    build_runner, open_session, helpers
):
    body = r"""
    B[0] = 0;
    for (int fd = 3; fd < 256; ++fd) { struct stat s; if (fstat(fd, &s) == 0) B[0] += 1; }
    """
    with open_session(build_runner(body, FINDERS), helpers.scale_call(64)) as session:
        session.stage(0, helpers.fresh(64))
        session.bracket([0])
        assert session.snapshot(0)["B"][0] == 1
