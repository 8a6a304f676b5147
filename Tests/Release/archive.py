"""Tries the archive of a release by the README's commands, in roots without Swift and without a network."""

import argparse
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time

from trial import Fault, commands, expect, script

# The bounds of the archive.
MOST_BYTES = 90_000_000
MOST_SECONDS = 10.0
USER = 4711
# A folder with a blank, in each root.
HOME = "/srv/meet ups"
# All that an archive needs of a system.
PACKAGES = ("libc6", "libgcc-s1", "libstdc++6")


def inside(root, *command):
    """The command as another user in that root, with a poor environment."""
    return [shutil.which("chroot"), f"--userspec={USER}:{USER}", str(root), *command]


def run(command, limit=600):
    """The lines that a command prints, each with its time; a failure is a fault."""
    environment = {"HOME": HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL)
    start, lines = time.monotonic(), []
    for line in process.stdout:
        lines.append((time.monotonic() - start, line.rstrip()))
        expect(lines[-1][0] < limit, "it takes too long")
    code = process.wait()
    if code:
        print("\n".join(line for _, line in lines[-40:]))
    expect(code == 0, f"it exits with {code}")
    return lines


def moment(lines, beginning):
    found = next((when for when, line in lines if line.startswith(beginning)), None)
    expect(found is not None, f"no line begins with {beginning!r}")
    return found


def prepare(root, archive):
    """The archive as a download in somebody's folder."""
    home = root / HOME.lstrip("/")
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for name in ("tmp", "proc", "dev"):
        (root / name).mkdir(exist_ok=True)
    for name, number in (("null", 3), ("urandom", 9)):
        if not (root / "dev" / name).exists():
            os.mknod(root / "dev" / name, stat.S_IFCHR | 0o666, os.makedev(1, number))
            (root / "dev" / name).chmod(0o666)
    (root / "tmp").chmod(0o1777)
    shutil.copy(archive, home)
    os.chown(home, USER, USER)
    if not os.path.ismount(root / "proc"):
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    return home


def follow_the_readme(root, archive):
    """From the file to a whole demo and a doctor without a failure."""
    prepare(root, archive)
    for tool in ("swift", "swiftc", "clang"):
        expect(shutil.which(tool, path=f"{root}/usr/bin:{root}/usr/local/bin") is None, f"the root has {tool}")
    lines = run(inside(root, "/bin/bash", "-c", 'cd "$HOME"\n' + script(commands("Archive"))))
    start, shown = moment(lines, "$ ./promised demo"), moment(lines, "promised demo: http")
    print(f"unpacked in {start:.1f} s; the demo shows its URL after {shown - start:.1f} s and is over after "
          f"{moment(lines, '$ ./promised serve') - start:.1f} s")
    expect(shown - start <= MOST_SECONDS, f"the demo's URL takes {shown - start:.1f} s, not {MOST_SECONDS} s")
    expect(any("no-show" in line for _, line in lines), "the demo prints no table")
    doctor = moment(lines, "$ ./promisectl doctor")
    print("\n".join(line for when, line in lines if when >= doctor))


def runs_read_only(root):
    """The unpacked folder may be read only, and even its owner may not write there."""
    folder = next((root / HOME.lstrip("/")).glob("promised_*/"))
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
    inner = f"{HOME}/{folder.name}"
    serve = f'"{inner}/promised" serve --data /tmp/data'
    doctor = f'"{inner}/promisectl" doctor --token-file /tmp/data/admin.token'
    page = f'exec 3<>/dev/tcp/127.0.0.1/8080; printf "GET /assets/leaflet/leaflet.css HTTP/1.1\\r\\nHost: x\\r\\n' \
           'Connection: close\\r\\n\\r\\n" >&3; head -n 1 <&3 | tee /dev/stderr | grep -q " 200 "'
    run(inside(root, "/bin/bash", "-c", script([f'"{inner}/promised" demo --once', serve + " &", doctor, page])))
    subprocess.run(["umount", folder], check=True)


def bare(full, root):
    """A root with the files of the C and C++ libraries alone: no shell, no user, no time zones, two devices."""
    for name in ("lib", "lib64", "bin", "sbin"):
        if (full / name).is_symlink():
            place = os.readlink(full / name)
            (root / place).mkdir(parents=True)
            (root / name).symlink_to(place)
    for package in PACKAGES:
        listed = subprocess.run(["chroot", full, "dpkg-query", "--listfiles", package], check=True, capture_output=True,
                                text=True).stdout
        for path in listed.splitlines():
            source, target = full / path.lstrip("/"), root / path.lstrip("/")
            if (source.is_symlink() or not source.is_dir()) and not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)


def runs_on_libraries_alone(full, root, archive):
    bare(full, root)
    home = prepare(root, archive)
    with tarfile.open(archive) as files:
        files.extractall(home)
    expect(not (root / "usr/bin/sh").exists(), "there is a shell")
    inner = next(home.glob("promised_*/")).name
    lines = run(inside(root, f"{HOME}/{inner}/promised", "demo", "--once"))
    expect(any("no-show" in line for _, line in lines), "the demo prints no table")


def try_all(archive, full, place):
    size = archive.stat().st_size
    print(f"archive: {size / 1e6:.1f} MB")
    expect(size <= MOST_BYTES, f"the archive has {size} bytes, more than {MOST_BYTES}")
    follow_the_readme(full, archive)
    runs_read_only(full)
    print("runs from a read-only folder with a blank in its name, as another user")
    if (full / "usr/bin/dpkg-query").exists():
        runs_on_libraries_alone(full, place / "bare", archive)
        print("a whole demo in a root with nothing but " + ", ".join(PACKAGES))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            try_all(arguments.archive.resolve(), arguments.root.resolve(), pathlib.Path(folder))
        except Fault as fault:
            sys.exit(f"error: {fault}")
        finally:
            # The folder is deleted: nothing of the machine is below it.
            subprocess.run(["umount", "--lazy", f"{folder}/bare/proc"], stderr=subprocess.DEVNULL, check=False)
