"""What a sandboxed program cannot see or touch."""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

import pytest

from judge.execution import MIB, Ending, Mount


def test_it_has_no_network(sandboxed):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        outcome = sandboxed.python(
            f"import socket\n"
            f"for host in ('127.0.0.1', '1.1.1.1'):\n"
            f"    try: socket.create_connection((host, {port}), 5); print('reached', host)\n"
            f"    except OSError as error: print(type(error).__name__)\n"
        )
    assert outcome.exit_code == 0
    assert b"reached" not in outcome.stdout


def test_abstract_sockets_of_the_host_are_out_of_reach(sandboxed):
    name = f"warpboard-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        outcome = sandboxed.python(
            f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name}')"
        )
    assert outcome.exit_code == 1
    assert b"ConnectionRefusedError" in outcome.stderr


@pytest.mark.parametrize("place", ["/", "/usr", "/etc", "/dev", "/proc", "/usr/bin/sh"])
def test_its_root_is_read_only(sandboxed, place):
    script = f"echo x > {place}/new 2>/dev/null || echo x >> {place}"
    assert sandboxed.shell(script).exit_code != 0


def test_it_cannot_see_the_hosts_files(sandboxed, tmp_path):
    secret = tmp_path / "token"
    secret.write_text("secret")
    secret.chmod(0o644)
    outcome = sandboxed.shell(
        f"cat {secret} /etc/passwd /etc/host* /etc/resolv.conf /etc/shadow {Path.home()}/.profile; "
        f"uname --nodename; ls -A / /etc /home /root /var /run /sys"
    )
    assert b"secret" not in outcome.stdout
    assert socket.gethostname().encode() not in outcome.stdout
    seen = set(outcome.stdout.decode().split())
    assert not {"passwd", "shadow", "home", "root", "var", "run", "nameserver", "kernel"} & seen


def test_it_sees_only_its_own_processes(sandboxed):
    outcome = sandboxed.shell("ls /proc | grep -cE '^[0-9]+$'; cat /proc/[0-9]*/cmdline")
    count, _, command_lines = outcome.stdout.partition(b"\n")
    assert int(count) < 10
    assert b"pytest" not in command_lines


def test_its_environment_is_exactly_what_was_given(sandboxed, monkeypatch):
    monkeypatch.setenv("DATABASE_PASSWORD", "hunter2")
    outcome = sandboxed.shell("env", environment={"GREETING": "hello world"})
    lines = set(outcome.stdout.decode().splitlines())
    assert "GREETING=hello world" in lines
    # The working directory is no secret; shells set it themselves.
    names = {line.partition("=")[0] for line in lines} - {"PWD", "OLDPWD", "_", "SHLVL"}
    assert names == {"PATH", "GREETING"}


def test_it_inherits_no_descriptor_of_the_judge(sandboxed, tmp_path):
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        outcome = sandboxed.shell("ls /proc/self/fd")
    # The fourth is ls reading the folder.
    assert outcome.stdout.split() == [b"0", b"1", b"2", b"3"]


def test_only_harmless_devices_are_there(sandboxed):
    outcome = sandboxed.shell("head -c 4 /dev/zero | wc -c; echo x > /dev/null; ls /dev")
    used, *seen = outcome.stdout.decode().split()
    assert used == "4"
    needed = {"fd", "null", "random", "urandom", "zero"}
    # What every container has: the program's own streams, and terminals and queues of its own.
    usual = {"full", "mqueue", "ptmx", "pts", "stderr", "stdin", "stdout", "tty"}
    assert needed <= set(seen) <= needed | usual


def test_no_file_system_of_its_own_takes_more_than_its_bound(sandboxed):
    outcome = sandboxed.python(
        "import os\n"
        "seen = {line.split()[1] for line in open('/proc/mounts')}\n"
        "for place in sorted(seen):\n"
        "    if not (os.path.isdir(place) and os.access(place, os.W_OK)): continue\n"
        "    whole = os.statvfs(place)\n"
        "    print(place, whole.f_blocks * whole.f_frsize)\n"
    )
    assert outcome.exit_code == 0, outcome.stderr
    sizes = dict(line.split() for line in outcome.stdout.decode().splitlines())
    assert int(sizes.pop("/tmp")) <= 256 * MIB
    # Queues hold what their own limits allow.
    assert set(sizes) <= {"/dev/mqueue"}


def test_it_is_nobody_without_capabilities(sandboxed):
    outcome = sandboxed.shell("id -u; id -g; grep -E '^(Cap|NoNewPrivs)' /proc/self/status")
    uid, gid, *status = outcome.stdout.decode().splitlines()
    assert (uid, gid) == ("65534", "65534")
    values = dict(line.replace("\t", "").split(":") for line in status)
    assert values.pop("NoNewPrivs") == "1"
    assert values["CapEff"] == values["CapPrm"] == values["CapAmb"] == "0" * 16


def test_setuid_programs_gain_nothing(sandboxed, folder):
    copy = folder / "id"
    copy.write_bytes(Path("/usr/bin/id").read_bytes())
    copy.chmod(0o4755)
    outcome = sandboxed.shell("/mounted/id -u", mounts=(Mount(folder, Path("/mounted")),))
    assert outcome.stdout.strip() == b"65534"


def test_it_can_mount_nothing_and_change_no_kernel_setting(sandboxed):
    outcome = sandboxed.shell(
        "mount -t tmpfs none /tmp || mount --bind /usr /tmp || hostname other || "
        "echo 1 > /proc/sys/kernel/pid_max || chroot /usr /bin/true"
    )
    assert outcome.exit_code != 0


def test_it_can_make_no_user_namespace(sandboxed):
    outcome = sandboxed.shell("unshare --user --map-root-user id -u")
    assert outcome.exit_code != 0
    assert outcome.stdout == b""


def test_process_1_which_reports_on_it_cannot_be_reached(sandboxed):
    outcome = sandboxed.python(
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "assert libc.ptrace(16, 1, 0, 0) == -1\n"
        "for path in ('/proc/1/fd', '/proc/1/mem', '/proc/1/environ'):\n"
        "    try: (os.listdir if path.endswith('fd') else open)(path)\n"
        "    except PermissionError: continue\n"
        "    raise SystemExit(path)\n"
        "os.kill(1, 9)\n"
        "os.kill(1, 15)\n"
        "raise SystemExit(7)\n"
    )
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 7)


def test_tmp_is_private_and_bounded(sandboxed, tmp_path):
    first = sandboxed.shell("echo mine > /tmp/note; cat /tmp/note")
    second = sandboxed.shell("ls -A /tmp")
    assert first.stdout == b"mine\n"
    assert second.stdout == b""
    flood = sandboxed.shell(
        "for i in 1 2 3 4 5 6; do head -c 100000000 /dev/zero > /tmp/$i || exit 3; done"
    )
    assert flood.exit_code == 3


def test_a_mounted_folder_is_read_only_unless_said(sandboxed, folder):
    (folder / "input").write_text("data")
    outcome = sandboxed.shell(
        "cat /mounted/input; echo x > /mounted/output",
        mounts=(Mount(folder, Path("/mounted")),),
    )
    assert outcome.stdout == b"data"
    assert outcome.exit_code != 0
    assert not (folder / "output").exists()


def test_a_writable_mount_takes_files_and_gives_them_back(sandboxed, folder):
    (folder / "sub").mkdir(mode=0o700)
    (folder / "sub" / "input").write_text("data")
    outcome = sandboxed.shell(
        "cat /mounted/sub/input > /mounted/sub/output",
        mounts=(Mount(folder, Path("/mounted"), writable=True),),
    )
    assert outcome.exit_code == 0
    assert (folder / "sub" / "output").read_text() == "data"


def test_programs_in_a_mounted_folder_run(sandboxed, folder):
    program = folder / "program"
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    outcome = sandboxed.executor.run(
        sandboxed.command("/mounted/program", mounts=(Mount(folder, Path("/mounted")),))
    )
    assert outcome.stdout == b"ran\n"


def test_a_unix_socket_in_a_mounted_folder_connects_and_carries_descriptors(sandboxed, folder):
    program = (
        "import array, mmap, os, socket, threading\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
        "s.connect('/run/judge/control')\n"
        "data, extra, _, _ = s.recvmsg(8, socket.CMSG_SPACE(4))\n"
        "fd = array.array('i', extra[0][2])[0]\n"
        "shared = mmap.mmap(fd, 4096)\n"
        "def work(i): shared[i] = i\n"
        "threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "s.send(b'done')\n"
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(str(folder / "control"))
        (folder / "control").chmod(0o666)
        server.listen()
        server.settimeout(30)
        process = sandboxed.executor.spawn(
            sandboxed.command(
                "/usr/bin/env",
                "python3",
                "-c",
                program,
                mounts=(Mount(folder, Path("/run/judge")),),
            )
        )
        connection, _ = server.accept()
        with connection:
            memory = os.memfd_create("shared")
            os.ftruncate(memory, 4096)
            socket.send_fds(connection, [b"fd"], [memory])
            connection.settimeout(30)
            assert connection.recv(8) == b"done"
        assert os.pread(memory, 16, 0) == bytes(range(16))
        os.close(memory)
        assert process.wait(30).exit_code == 0
