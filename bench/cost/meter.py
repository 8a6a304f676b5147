"""A server, and what a moment of its life costs: processor time, that of its service threads, and memory."""

import http.client
import mmap
import pathlib
import struct
import subprocess
import time

from promised import server

# Requests are sent one after the other as fast as they are answered, people come from one address, and no connection is
# closed for being silent: none of that changes what a request may hold.
SETTINGS = ("limits.request-rate=10000", "limits.request-burst=100000", "limits.refused-requests=10000",
            "limits.fix-rate=1000", "limits.fix-burst=100000", "limits.recall-interval=1s",
            "limits.connections-per-user=100", "limits.connections-before-sign-in=10000",
            "limits.requests-before-sign-in=100", "throttle.handshakes=100000", "throttle.sign-ups=100000",
            "throttle.sign-ins-per-account-and-address=100000", "throttle.sign-ins-per-account=100000",
            "throttle.sign-ins-per-address=100000", "throttle.wrong-codes=100000", "throttle.find=100000",
            "throttle.explanations=100000", "throttle.refreshes=100000", "throttle.promises=100000",
            "connection.ping=10m", "connection.silence=30m", "connection.sign-in=2m", "tokens.access=1d",
            "window.before=1m", "window.after=2d", "passwords.scrypt-log2-n=4", "data.write-behind=50ms",
            "log.level=warning", "files.keep-free=0", "listen.trusted-proxies=127.0.0.1/32",
            "places.time-zone=Asia/Seoul")
QUIET = 0.000_08  # seconds of processor time between two looks below which nothing works


def counter(folder):
    """The library that counts allocated bytes, compiled into a folder once."""
    found = folder / "heap.so"
    if not found.exists():
        source = pathlib.Path(__file__).with_name("heap.c")
        subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-o", found, source], check=True)
    return found


class Server(server.Server):
    """One life of a server on a folder."""

    def __init__(self, binary, data, log, *settings):
        folder = pathlib.Path(data).parent
        counts = folder / "heap"
        counts.write_bytes(bytes(mmap.PAGESIZE))
        super().__init__(server.serve(binary, data, *SETTINGS, *settings), log,
                         {"LD_PRELOAD": str(counter(folder)), "COUNTED_HEAP": str(counts)})
        with open(counts, "r+b") as file:
            self.heap = mmap.mmap(file.fileno(), 16)
        self.folder = pathlib.Path(f"/proc/{self.process.pid}")
        self._clock = (~self.process.pid << 3) | 2  # the kernel's number of a process's clock of processor time
        self.idle = self.idle_service = 0.0

    def cpu(self):
        """Processor seconds of the process, its ended threads included."""
        return time.clock_gettime(self._clock)

    def find_service_threads(self):
        """The threads that serve sockets, by their name."""
        self.service = [
            task.name for task in (self.folder / "task").iterdir() if (task / "comm").read_text() == "promised-net\n"
        ]

    def service_seconds(self):
        """Processor seconds of the service threads."""
        return sum(int((self.folder / "task" / task / "schedstat").read_text().split()[0])
                   for task in self.service) / 1e9

    def allocated(self):
        """Bytes that are allocated now, and the most since `forget_peak`."""
        return struct.unpack("qq", self.heap[:16])

    def forget_peak(self):
        """From now on the most memory is counted anew. Only while the server rests."""
        self.heap[8:16] = self.heap[:8]

    def quiet(self, longest=20.0, pause=0.002, looks=3):
        """Waits until the server does nothing; returns its processor seconds then."""
        deadline, last, still = time.monotonic() + longest, self.cpu(), 0
        while still < looks and time.monotonic() < deadline:
            time.sleep(pause)
            now = self.cpu()
            still, last = (still + 1 if now - last < QUIET else 0), now
            # On a busy machine a thread may only wait for a processor, or for the disk.
            if still == looks and self._is_working():
                still = 0
        return last

    def _is_working(self):
        for task in (self.folder / "task").iterdir():
            try:
                if (task / "stat").read_text().rsplit(") ", 1)[1][0] in "RD":
                    return True
            except OSError:
                pass  # the thread has ended
        return False

    def measure_idle(self, seconds=3.0):
        """Finds what the server and its service threads use by themselves, in seconds for each second."""
        self.quiet(60)
        begin, used, service = time.monotonic(), self.cpu(), self.service_seconds()
        time.sleep(seconds)
        passed = time.monotonic() - begin
        self.idle, self.idle_service = (self.cpu() - used) / passed, (self.service_seconds() - service) / passed
        return self.idle

    def page(self, path, headers=()):
        """Status and body of a page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers=dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class Cost:
    """The cost of one request: seconds of the process and of the service threads, bytes beyond the reply."""

    def __init__(self, cpu, service, memory, reply, outcome):
        self.cpu, self.service, self.memory, self.reply, self.outcome = cpu, service, memory, reply, outcome


def measured(server, work, tail=0.0, begins_job=False):
    """The server's cost of a piece of work, which returns the size of its reply, and its outcome.

    Of one that begins a job the cost is that until the reply; then it waits for the end of the job.
    """
    server.quiet()
    server.forget_peak()
    before, begin = server.allocated()[0], time.monotonic()
    cpu, service = server.cpu(), server.service_seconds()
    size, outcome = work()
    if tail:
        time.sleep(tail)
    used, passed = (server.cpu() if begins_job else server.quiet()) - cpu, time.monotonic() - begin
    service = server.service_seconds() - service - server.idle_service * passed
    memory = server.allocated()[1] - before - size
    if begins_job:
        server.quiet(600)
    return Cost(max(used - server.idle * passed, 0), max(service, 0), max(memory, 0), size, outcome)
