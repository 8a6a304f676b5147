"""Shared by the trials of a release: the README's commands, and sentences for what does not hold."""

import contextlib
import pathlib
import re
import socket
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where the README's commands have their servers.
PORT = 8080


class Fault(Exception):
    """Something that does not hold, as a sentence."""


def expect(holds, sentence):
    if not holds:
        raise Fault(sentence)


def commands(way):
    """The README's commands below the paragraph that begins with **WAY**, a line each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start = text.find(f"\n**{way}**")
    block = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S).search(text, max(start, 0))
    if start < 0 or not block:
        raise LookupError(f"README.md has no commands below **{way}**")
    return block[1].replace("\\\n", " ").splitlines()


def listening(port, limit=30):
    """Waits until something accepts connections there; returns how long that took."""
    start = time.monotonic()
    while time.monotonic() - start < limit:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return time.monotonic() - start
        time.sleep(0.01)
    raise Fault(f"nothing listens on port {port} within {limit} s")


def script(lines):
    """The commands as a script that shows each of them. A server in the background is waited for, and ended at the end with
    the exit code 0."""
    whole = ["set -e"]
    for line in lines:
        quoted = line.replace("'", "'\\''")
        whole += [f"printf '$ %s\\n' '{quoted}'", line]
        if line.split("#")[0].rstrip().endswith("&"):
            whole.append(f"until (exec 3<>/dev/tcp/127.0.0.1/{PORT}) 2>/dev/null; do sleep 0.1; done")
    return "\n".join([*whole, 'if [[ -n $! ]]; then kill -TERM "$!"; wait "$!"; fi'])


if __name__ == "__main__":
    print("\n".join(commands(sys.argv[1])))
