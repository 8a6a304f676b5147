"""A server process that prints where it listens."""

import os
import pathlib
import subprocess


def serve(binary, data, *settings, port=0):
    """The command that starts promised on a data directory, at a free port unless one is named."""
    command = [str(binary), "serve", "--data", str(data), "--listen", f"127.0.0.1:{port}"]
    for setting in settings:
        command += ["--set", setting]
    return command


class Server:
    """One life of a server. `environment` is added to that of this process; what it says goes to the log."""

    def __init__(self, command, log=os.devnull, environment=None):
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.stop()
            raise RuntimeError(f"{command[0]} did not start: {pathlib.Path(log).read_text()[-2_000:]}")
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        if self.is_alive:
            self.process.terminate()
            self.process.wait(timeout=120)
        self.process.stdout.close()
        self.log.close()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def memory(self):
        """Resident memory now and at most, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))
