"""What users send: sources that are none, names that deceive, packages that climb, and floods."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from judge.problems.package import PackageError, ProblemPackage, pack, unpack
from judge.source import MAX_SOURCE_BYTES
from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import MAX_LIVE_TOKENS, create_token
from webapp.problems.models import Problem
from webapp.submissions import live
from webapp.submissions.models import Run, Submission

pytestmark = pytest.mark.django_db

API = "/api/v1"
SUBMIT = "/problems/transpose/submit/"

BAD_SOURCES = {
    "over the limit": b"/" * (MAX_SOURCE_BYTES + 1),
    "far over the limit": b"/" * (MAX_SOURCE_BYTES * 6),
    "a NUL": b"int a;\n\x00int b;\n",
    "only NULs": b"\x00" * 64,
    "Latin-1": "// caf\u00e9\n".encode("latin-1"),
    "cut UTF-8": b"// \xe2\x82\n",
    "overlong UTF-8": b"// \xc0\xaf\n",
    "a surrogate": b"// \xed\xa0\x80\n",
    "beyond Unicode": b"// \xf4\x90\x80\x80\n",
    "UTF-16": "int a;".encode("utf-16"),
    "UTF-32": "int a;".encode("utf-32"),
    "an executable": b"\x7fELF\x02\x01\x01\x00" + bytes(56),
    "nothing": b"",
    "spaces": b" \n\t\n",
}


@pytest.mark.parametrize("name", BAD_SOURCES)
def test_what_is_no_source_is_refused_on_the_page(
    name: str, version: Any, device: Any, signed_in: Client
) -> None:
    upload = SimpleUploadedFile("kernel.cu", BAD_SOURCES[name])
    answer = signed_in.post(SUBMIT, {"device": "emulated", "file": upload})
    assert answer.status_code == (413 if "far" in name else 422) or name == "over the limit"
    assert 400 <= answer.status_code < 500
    assert not Submission.objects.exists()


@pytest.mark.parametrize("name", BAD_SOURCES)
def test_what_is_no_source_is_refused_by_the_api(
    name: str, version: Any, device: Any, client: Client, alice: Any, token_for: Any
) -> None:
    head, tail = b'{"problem": "transpose", "device": "emulated", "source": "', b'"}'
    raw = BAD_SOURCES[name].replace(b"\n", b"\\n").replace(b"\t", b"\\t")
    bodies = [head + raw + tail]  # bytes as they are
    try:  # and what JSON can say of them
        fields = {"problem": "transpose", "device": "emulated"}
        bodies.append(json.dumps(fields | {"source": BAD_SOURCES[name].decode()}).encode())
    except UnicodeDecodeError:
        lone = json.dumps(BAD_SOURCES[name].decode("utf-8", "surrogateescape")).encode()
        bodies.append(head[:-1] + lone + b"}")
    for body in bodies:
        answer = client.post(
            f"{API}/submissions", body, content_type="application/json", headers=token_for(alice)
        )
        assert 400 <= answer.status_code < 500, (answer.status_code, body[:80])
        assert answer.json()["error"]["code"]
    assert not Submission.objects.exists()


def test_a_source_of_just_the_limit_is_taken(version: Any, device: Any, signed_in: Client) -> None:
    upload = SimpleUploadedFile("kernel.cu", b"/" * MAX_SOURCE_BYTES)
    assert signed_in.post(SUBMIT, {"device": "emulated", "file": upload}).status_code == 302
    assert len(Submission.objects.get().source) == MAX_SOURCE_BYTES


@pytest.mark.parametrize(
    "name",
    [
        "../../../../tmp/warpboard-was-here.cu",
        "/tmp/warpboard-was-here.cu",
        "..\\..\\warpboard-was-here.cu",
        "<img src=x onerror=alert(1)>.cu",
        "kernel.cu\x00.html",
        "k" * 5000 + ".cu",
        "\u202euc.lenrek",
        "CON",
        "",
    ],
)
def test_the_name_of_an_upload_means_nothing(
    name: str, version: Any, device: Any, signed_in: Client, kit: Any
) -> None:
    boundary = "boundary"
    quoted = name.replace('"', "%22")
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="device"\r\n\r\nemulated\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n'
        f"Content-Type: text/html\r\n\r\n{kit.SOURCE}\r\n--{boundary}--\r\n"
    )
    answer = signed_in.post(
        SUBMIT, body.encode(), content_type=f"multipart/form-data; boundary={boundary}"
    )
    assert answer.status_code in (302, 400, 422)
    assert "onerror" not in answer.content.decode()
    assert not Path("/tmp/warpboard-was-here.cu").exists()
    if answer.status_code == 302:
        page = signed_in.get(answer.headers["Location"]).content.decode()
        assert "onerror" not in page
        source = signed_in.get(f"/runs/{Run.objects.get().pk}/source/")
        assert source.headers["Content-Type"] == "text/plain; charset=utf-8"


DECEPTIVE = {
    "bidi override": "alice\u202e",
    "bidi isolate": "\u2066alice",
    "zero width": "al\u200bice",
    "joiner": "al\u200dice",
    "soft hyphen": "al\u00adice",
    "byte order mark": "\ufeffalice",
    "NUL": "alice\x00",
    "line feed": "alice\nadmin",
    "overlong by one": "a" * 65,
    "space": "alice admin",
    "markup": "<b>alice</b>",
    "quotes": 'a"onx="1',
    "slash": "a/../b",
    "overlong": "a" * 151,
    "very long": "a" * 100_000,
    "another case": "ALICE",
    "full width": "\uff41\uff4c\uff49\uff43\uff45",
    "Cyrillic a": "\u0430lice",
    "Kelvin sign": "\u212aate",
    "superscript": "alice\u00b2",
    "dots": "..",
}


@pytest.mark.parametrize("name", DECEPTIVE)
def test_nobody_signs_up_under_a_name_that_deceives(name: str, alice: Any, client: Client) -> None:
    User.objects.create_user("Kate")
    before = set(User.objects.values_list("username", flat=True))
    phrase = "analytical-engine-1843"
    form = {"username": DECEPTIVE[name], "password1": phrase, "password2": phrase}
    answer = client.post("/accounts/signup/", form)
    assert answer.status_code in (200, 422), answer.status_code
    assert set(User.objects.values_list("username", flat=True)) == before


@pytest.mark.parametrize(
    "name", [DECEPTIVE[key] for key in ("bidi override", "zero width", "NUL", "line feed")]
)
def test_a_token_has_a_name_that_can_be_read(name: str, signed_in: Client) -> None:
    form = {"name": name, "scopes": ["submit"], "expires": "30"}
    assert signed_in.post("/accounts/tokens/", form).status_code == 422
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("title", ["Trans\u202epose", "a\x00b", "a\nb", "x" * 81, " "])
def test_a_problem_has_a_title_that_can_be_read(
    title: str, transpose: ProblemPackage, tmp_path: Path
) -> None:
    shutil.copytree(transpose.directory, tmp_path / "transpose")
    toml = tmp_path / "transpose" / "problem.toml"
    lines = [
        f"title = {json.dumps(title)}" if line.startswith("title") else line
        for line in toml.read_text().splitlines()
    ]
    toml.write_text("\n".join(lines))
    with pytest.raises(CommandError, match="title"):
        call_command("load_problems", str(tmp_path))
    assert not Problem.objects.exists()


def link_statement(package: Path) -> None:
    (package / "statement.md").unlink()
    (package / "statement.md").symlink_to("/etc/passwd")


def link_folder(package: Path) -> None:
    (package / "submissions").rename(package.parent / "elsewhere")
    (package / "submissions").symlink_to(package.parent / "elsewhere")


def pipe(package: Path) -> None:
    (package / "submissions" / "accepted").mkdir(parents=True, exist_ok=True)
    os.mkfifo(package / "submissions" / "accepted" / "pipe.cu")


def huge(package: Path) -> None:
    with (package / "statement.md").open("wb") as file:
        file.truncate(1 << 33)  # takes no room on the disk


def many(package: Path) -> None:
    folder = package / "submissions" / "accepted"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(2000):
        (folder / f"k{number}.cu").touch()


@pytest.mark.parametrize("spoil", [link_statement, link_folder, pipe, huge, many])
def test_a_package_on_disk_brings_no_other_file_and_no_bomb(
    spoil: Callable[[Path], None], transpose: ProblemPackage, tmp_path: Path
) -> None:
    package = tmp_path / "problems" / "transpose"
    shutil.copytree(transpose.directory, package)
    spoil(package)
    with pytest.raises(CommandError, match=r"Nothing was loaded"):
        call_command("load_problems", str(tmp_path / "problems"))
    assert not Problem.objects.exists()


def climbing(files: dict[str, bytes]) -> bytes:
    return zipped({**files, "transpose/../../escaped": b"x"})


def absolute(files: dict[str, bytes]) -> bytes:
    return zipped({**files, "/tmp/warpboard-escaped": b"x"})


def bomb(files: dict[str, bytes]) -> bytes:
    return zipped({**files, "transpose/statement.md": b"\0" * (64 << 20)})


def nested(files: dict[str, bytes]) -> bytes:
    return zipped({**files, "transpose/submissions/accepted/inner.zip": zipped(files)})


def linked(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO(zipped(files))
    with zipfile.ZipFile(buffer, "a") as archive:
        entry = zipfile.ZipInfo("transpose/submissions/accepted/link.cu")
        entry.create_system = 3
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


def crowded(files: dict[str, bytes]) -> bytes:
    return zipped(files | {f"transpose/submissions/accepted/{n}.cu": b"x" for n in range(5000)})


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("make", [climbing, absolute, bomb, nested, linked, crowded])
def test_an_archive_of_a_package_writes_nothing_that_it_should_not(
    make: Callable[[dict[str, bytes]], bytes], transpose: ProblemPackage, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(pack(transpose))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    into = tmp_path / "a" / "b"
    with pytest.raises(PackageError):
        unpack(make(files), into)
    assert [path for path in tmp_path.rglob("*") if path.is_file() or path.is_symlink()] == []
    assert not Path("/tmp/warpboard-escaped").exists()


@pytest.mark.parametrize(
    "address",
    [
        "/problems/../../etc/passwd",
        "/problems/%2e%2e%2f%2e%2e%2fetc%2fpasswd/",
        "/static/../webapp/settings.py",
        "/static/%2e%2e/%2e%2e/webapp/settings.py",
        "/static/..%2f..%2fmanage.py",
        "/static//etc/passwd",
        "/people/..%2f..%2fetc%2fpasswd/",
        "/boards/..%2f/..%2f/entries.csv",
        f"{API}/problems/..%2f..%2fetc/versions/{'0' * 64}/archive",
        f"{API}/problems/transpose/versions/..%2f..%2f/archive",
        "/problems/%00/",
        "/people/%00/",
        "/people/%ff%fe/",
        "/boards/transpose/emulated/?version=%00",
        "/boards/transpose/emulated/?name=%00",
        "/problems/?tag=%00&difficulty=%ff",
        f"{API}/problems?q=%00&tag=%00",
        f"{API}/runs/%00",
        "/runs/?page=99999999999999999999",
        "/boards/transpose/emulated/?page=" + "9" * 400,
        "/" + "a" * 5000,
    ],
)
def test_no_address_climbs_or_breaks_the_site(
    address: str, version: Any, device: Any, staff: Any, token_for: Any
) -> None:
    client = Client()
    client.force_login(staff)
    answer = client.get(address, headers=token_for(staff, "submit", "worker"))
    assert answer.status_code in (200, 301, 302, 400, 404, 422), answer.status_code
    body = b"" if answer.streaming else answer.content
    for telling in (b"root:", b"SECRET_KEY", b"DJANGO_SETTINGS_MODULE"):
        assert telling not in body


def test_one_user_fills_neither_queue_nor_hour_by_page_or_by_api(
    version: Any, device: Any, alice: Any, bob: Any, token_for: Any, settings: Any, kit: Any
) -> None:
    settings.WARPBOARD_MAX_UNFINISHED_RUNS = 3
    client = Client()
    client.force_login(alice)
    headers = token_for(alice)
    form = {"device": "emulated", "source": kit.SOURCE}
    fields = form | {"problem": "transpose"}
    taken = []
    for _ in range(4):
        taken.append(client.post(SUBMIT, form).status_code)
        answer = client.post(f"{API}/submissions", fields, "application/json", headers=headers)
        taken.append(answer.status_code)
    assert taken == [302, 201, 302, 429, 429, 429, 429, 429]
    assert Run.objects.count() == 3
    other = client.post(f"{API}/submissions", fields, "application/json", headers=token_for(bob))
    assert other.status_code == 201  # somebody else's queue is not full
    # Aborting makes room in the queue, and none in the hour.
    settings.WARPBOARD_SUBMISSIONS_AN_HOUR = 5
    for _ in range(4):
        for run in Run.objects.filter(submission__owner=alice, status="queued"):
            client.post(f"/runs/{run.pk}/abort/")
        taken.append(client.post(SUBMIT, form).status_code)
    assert taken[-4:] == [302, 302, 429, 429]


def test_one_user_makes_so_many_tokens_and_no_more(signed_in: Client, alice: Any) -> None:
    form = {"name": "x", "scopes": ["submit"], "expires": "30"}
    for number in range(MAX_LIVE_TOKENS - 1):
        create_token(alice, str(number), [])
    assert signed_in.post("/accounts/tokens/", form).status_code == 200
    page = signed_in.post("/accounts/tokens/", form)
    assert page.status_code == 422
    assert "Revoke one" in page.content.decode()
    assert ApiToken.objects.count() == MAX_LIVE_TOKENS
    ApiToken.objects.filter(pk=ApiToken.objects.latest("created_at").pk).update(
        expires_at=ApiToken.objects.latest("created_at").created_at - timedelta(days=1)
    )
    assert signed_in.post("/accounts/tokens/", form).status_code == 200


def test_visitors_together_leave_streams_to_who_is_signed_in(alice: Any) -> None:
    taken = [live.seats.taken(None) for _ in range(live.MOST_STREAMS)]
    granted = sum(seat.__enter__() for seat in taken)
    try:
        assert granted == live.MOST_STREAMS_OF_VISITORS < live.MOST_STREAMS
        with live.seats.taken(alice.pk) as seated:
            assert seated
    finally:
        for seat in taken:
            seat.__exit__(None, None, None)
