"""Tries the image of a release by the README's commands, without a network and without a container daemon."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from promised import people
from promised.client import PASSWORD, Closed, email
from trial import PORT, Fault, commands, expect, listening

HERE = pathlib.Path(__file__).resolve().parent
# The bounds of the image.
MOST_BYTES = 130_000_000
MOST_SECONDS = 2.0
START = "docker run --detach --name promised --volume promised:/var/lib/promised promised:{}"
# Files that no image may hold, by the ends of their names.
SECRETS = ("admin.token", ".sqlite", "signing.key", ".pem", ".p8", "id_rsa")


class Trial:
    """A release's folder, and a place for containers."""

    def __init__(self, release, place):
        self.release, self.place = release, place
        self.environment = {
            **os.environ, "CONTAINERS": str(place), "PATH": f"{HERE}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, command, is_shown=False):
        """The output of a command of a shell in the release's folder; a failure is a fault."""
        done = subprocess.run(["bash", "-c", command], cwd=self.release, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        if is_shown or done.returncode:
            print(done.stdout.rstrip())
        expect(done.returncode == 0, f"it exits with {done.returncode}: {command}")
        return done.stdout

    def code(self, name):
        return int((self.place / "containers" / name / "code").read_text())

    def log(self, name):
        return (self.place / "containers" / name / "log").read_text(errors="replace")


def follow_the_readme(trial):
    """From the file to a whole demo and a doctor without a finding."""
    for command in commands("Image"):
        print(f"$ {command}")
        start = time.monotonic()
        said = trial.run(command, is_shown=" load " in command or "doctor" in command)
        seconds = time.monotonic() - start
        if " --once " in command:
            expect("no-show" in said, "the demo prints no table")
            print(f"  a whole demo after {seconds:.1f} s")
        elif "--detach" in command:
            # The copy of the image before the start is the stand-in's.
            listening(PORT)
        elif "doctor" in command:
            expect("fail" not in said.lower(), "the doctor finds a failure")


def starts_in_time(trial):
    """The best of three starts on the volume: other work on the machine only adds to one."""
    seconds = []
    for _ in range(3):
        trial.run("docker rm promised")
        trial.run(START.format(version(trial)))
        log = trial.place / "containers/promised/log"
        while not log.exists():
            time.sleep(0.005)
        seconds.append(listening(PORT))
        # The first process of a container ignores a signal that comes before the server asks for it.
        trial.run("docker exec promised promisectl doctor")
        trial.run("docker stop promised")
    print("listening " + ", ".join(f"{each:.2f}" for each in seconds) + " s after the start of the container")
    expect(min(seconds) <= MOST_SECONDS, f"the server never listens within {MOST_SECONDS} s of its start")


def archive(trial):
    return next(trial.release.glob("promised_*_linux_*.oci.tar"))


def version(trial):
    return archive(trial).name.split("_")[1]


def image(trial):
    return trial.place / "images" / f"promised:{version(trial)}"


def is_small(trial):
    size = archive(trial).stat().st_size
    print(f"image: {size / 1e6:.1f} MB compressed")
    expect(size <= MOST_BYTES, f"the image has {size} bytes, more than {MOST_BYTES}")


def holds_no_secret(trial):
    root = image(trial) / "rootfs"
    # Certificates of authorities are public.
    found = [path for path in root.rglob("*") if path.name.endswith(SECRETS) and path.is_file() and not path.is_symlink()
             and "ca-certificates" not in path.parts and path.parent != root / "etc/ssl/certs"]
    expect(not found, f"the image holds {found[:3]}")
    data = [path.name for path in (root / "var/lib/promised").rglob("*")]
    expect(data == ["backups"], f"the image has {data} in its volume")
    expect(not (root / "usr/bin/promise-load").exists(), "the image has promise-load")
    for path in ("NOTICE", "third-party", "promised.spdx.json", "copyright"):
        expect((root / "usr/share/doc/promised" / path).exists(), f"the image lacks its {path}")
    for name in ("swift", "swiftc", "gcc", "cc"):
        expect(shutil.which(name, path=str(root / "usr/bin")) is None, f"the image has {name}")


def tells_its_health(trial):
    config = json.loads((image(trial) / "image.json").read_bytes())["config"]
    expect(config.get("Healthcheck"), "the image has no check of health")
    kind, *check = config["Healthcheck"]["Test"]
    expect(kind == "CMD", "the check of health needs a shell")
    trial.run("docker exec promised " + " ".join(check))
    expect(config["User"] == "10001:10001" and "/var/lib/promised" in config["Volumes"], "another user or volume")
    files = trial.place / "volumes/promised"
    expect((files / "promised.sqlite").stat().st_uid == 10001, "the data belongs to another user")


def runs_read_only_as_another_user(trial):
    data = trial.place / "other"
    data.mkdir(mode=0o700)
    os.chown(data, 4711, 4711)
    # An image's port may be taken: the containers of this trial share a network.
    trial.run(f"docker run --detach --name other --read-only --tmpfs /tmp --user 4711:4711 --volume {data}:/var/lib/promised "
              f"--env PROMISED_LISTEN_PORT=8081 promised:{version(trial)}")
    listening(8081)
    trial.run("docker exec other promisectl doctor --url ws://127.0.0.1:8081/ws")
    trial.run("docker stop other")
    expect(trial.code("other") == 0, f"read only, it exits with {trial.code('other')}: {trial.log('other')[-500:]}")
    expect((data / "promised.sqlite").stat().st_uid == 4711, "the data belongs to another user")


def drains(trial, name, peers):
    """A stop asks every client to come back, and exits with 0."""
    trial.run(f"docker stop {name}")
    for peer in peers:
        try:
            while True:
                peer.receive()
        except Closed as closed:
            expect(closed.code == 4001, f"a client gets {closed.code}, not 4001")
    expect(trial.code(name) == 0, f"after SIGTERM it exits with {trial.code(name)}: {trial.log(name)[-500:]}")


def signed_in(name):
    for _ in range(10):
        try:
            return people.account(PORT, name, connections=1, is_new=False)[0]
        except Closed:
            # A busy machine hashes a password for longer than a connection may take to sign in.
            continue
    raise Fault(f"{name} cannot sign in")


def goes_on_after_an_upgrade(trial):
    """A promise that is under way goes on in a new container on the same volume."""
    for name in ("anna", "ben"):
        trial.run(f"echo {PASSWORD} | docker exec promised promisectl user create --nickname {name} --email {email(name)} "
                  "--password-stdin")
    anna, ben = signed_in("anna"), signed_in("ben")
    # Its window opens half an hour before: in seven seconds.
    opens = time.time() + 7
    promise = people.make_promise(anna, [ben], "tea", meetsAt=people.instant(1_807))
    anna.must("subscribe", promiseId=promise)
    time.sleep(max(0.0, opens + 1 - time.time()))
    reply = ben.ask("report", **people.report(promise, [people.fix(1)])["report"])
    expect("reported" in reply, f"the promise accepts no report: {reply}")
    drains(trial, "promised", [anna, ben])
    trial.run("docker rm promised")
    trial.run(START.format(version(trial)))
    listening(PORT)
    anna, ben = signed_in("anna"), signed_in("ben")
    shown = anna.must("getPromise", promiseId=promise)["promise"]["promise"]
    expect(shown["promiseId"] == promise, "the promise is gone")
    reply = ben.ask("report", **people.report(promise, [people.fix(2, metres=900)])["report"])
    expect("reported" in reply, f"the promise does not go on: {reply}")
    return anna, ben


def try_all(release, place):
    trial = Trial(release, place)
    is_small(trial)
    follow_the_readme(trial)
    holds_no_secret(trial)
    tells_its_health(trial)
    runs_read_only_as_another_user(trial)
    print("runs with a read-only root as another user")
    peers = goes_on_after_an_upgrade(trial)
    print("a promise under way goes on over an exchange of the container")
    drains(trial, "promised", peers)
    print("SIGTERM: clients get 4001, the exit code is 0")
    starts_in_time(trial)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", type=pathlib.Path)
    with tempfile.TemporaryDirectory() as folder:
        try:
            try_all(parser.parse_args().release.resolve(), pathlib.Path(folder))
        except Fault as fault:
            for log in pathlib.Path(folder).glob("containers/*/log"):
                print(f"{log.parent.name} says:\n{log.read_text(errors='replace')[-1500:]}")
            sys.exit(f"error: {fault}")
