"""Measures the directory of a million places over the socket, beside SQLite's R*Tree, Redis and PostGIS.

Called by scripts/bench places.
"""

import argparse
import contextlib
import math
import pathlib
import random
import statistics
import struct
import subprocess
import tempfile
import threading
import time

import placestores
from promised import frames, server
from promised.client import PROTOBUF, Peer
from promised.protobuf import FIXED64, number, part, tag

# Centres of towns, in degrees, with the part of all places around them.
TOWNS = [
    (37.566, 126.978, 0.25), (35.180, 129.075, 0.10), (35.871, 128.601, 0.08), (36.351, 127.385, 0.06),
    (35.160, 126.852, 0.05), (33.500, 126.531, 0.03), (35.689, 139.692, 0.22), (34.694, 135.502, 0.10),
    (35.181, 136.906, 0.06), (43.062, 141.354, 0.05),
]
WORDS = ["시장", "책방", "카페", "광장", "공원", "도서관", "역", "Coffee", "Books", "Station", "コーヒー", "本屋"]
CATEGORIES = ["cafe", "bookshop/new", "bookshop/used", "market/periodic", "bicycle/rental", "library", "park", "station"]
HOURS = ["Mo-Fr 09:00-18:00", "24/7", "Mo-Su 10:00-22:00; PH off", "Tu-Su 11:00-19:00", "day 2,7", ""]
QUERIES = ["시장", "책방", "광자", "ㄱㅈㅅㅈ", "coffee", "books 12", "コーヒー", "station", "길 77", "카페 4"]
FIELDS = ["ref", "name", "latitude", "longitude", "address", "category", "hours"]

# Numbers of the fields in proto/promised/v1.
HELLO, UPDATE_ME, VIEW, NEARBY, SEARCH = 6, 14, 55, 56, 57
# How the error of a reply begins, behind the id: field 3, a message.
ERROR = b"\x1a"


# MARK: The data


def places(count, seed):
    """Rows of invented places, the same for the same seed."""
    rows = random.Random(seed)
    weights = [town[2] for town in TOWNS]
    for index in range(count):
        latitude, longitude, _ = rows.choices(TOWNS, weights)[0]
        # Towns are dense in the middle and thin out.
        spread = rows.expovariate(1 / 0.06)
        angle = rows.uniform(0, 2 * math.pi)
        word = rows.choice(WORDS)
        yield (
            f"p{index}", f"{word} {rows.randrange(100_000)}", round(latitude + spread * math.sin(angle), 6),
            round(longitude + spread * math.cos(angle), 6), f"길 {rows.randrange(1_000)}", rows.choice(CATEGORIES),
            rows.choice(HOURS),
        )


def boxes(count, zoom, seed):
    """Boxes of 800 × 600 pixels near towns, as (south, west, north, east)."""
    rows = random.Random(seed * 100 + zoom)
    pixel = 360 / (256 * 2**zoom)
    for _ in range(count):
        latitude, longitude, _ = rows.choices(TOWNS, [town[2] for town in TOWNS])[0]
        latitude, longitude = latitude + rows.gauss(0, 0.05), longitude + rows.gauss(0, 0.05)
        height, width = 300 * pixel * math.cos(math.radians(latitude)), 400 * pixel
        yield (max(latitude - height, -85), max(longitude - width, -180), min(latitude + height, 85),
               min(longitude + width, 180))


def double(field, value):
    return tag(field, FIXED64) + struct.pack("<d", value)


def box_message(box):
    return b"".join(double(index + 1, value) for index, value in enumerate(box))


class Refused(Exception):
    """The server refused a request."""


class Connection(Peer):
    """A signed-in connection that waits for each reply, in Protocol Buffers."""

    def __init__(self, port, token):
        super().__init__(port, timeout=60, subprotocol=PROTOBUF)
        self.ask(part(HELLO, part(1, token)))

    def ask(self, request):
        """Sends a request; returns the time until its reply in milliseconds, and the reply."""
        self.next_id += 1
        begun, marker = time.perf_counter(), number(1, self.next_id)
        self.send(marker + request, frames.BINARY)
        while True:
            _, reply = self.next_message()
            if reply.startswith(marker):
                took = (time.perf_counter() - begun) * 1_000
                if reply.startswith(marker + ERROR):
                    raise Refused(reply.decode(errors="replace"))
                return took, reply


# MARK: The server


class Server:
    """The server on a data directory, with the limits of requests out of the way."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.data = folder / "data"

    def command(self, *arguments):
        return subprocess.run([self.binaries / "promised", *arguments], check=True, text=True, capture_output=True).stdout

    def prepare(self):
        self.command("seed", "--data", self.data, "--users", "20", "--members", "10", "--tokens", self.folder / "tokens")
        lines = (self.folder / "tokens").read_text().splitlines()
        self.tokens = [line.split("\t")[-1] for line in lines if line.count("\t") >= 5]
        self.admin = self.folder / "admin"
        self.admin.touch(mode=0o600)
        self.admin.write_text(self.command("token", "create", "--for", "bench", "--data", self.data))

    def __enter__(self):
        settings = ("limits.request-rate=10000", "limits.request-burst=100000")
        self.process = server.Server(server.serve(self.binaries / "promised", self.data, *settings), self.folder / "log")
        self.port = self.process.port
        return self

    def __exit__(self, *_):
        self.process.stop()

    def connection(self, index=0):
        return Connection(self.port, self.tokens[index])

    def imported(self, file):
        """Imports the file and returns the seconds it took."""
        mapping = [word for field in FIELDS for word in ("--map", f"{field}={field}")]
        begun = time.monotonic()
        subprocess.run(
            [self.binaries / "promisectl", "place", "import", file, "--source", "bench", "--title", "Bench",
             "--publisher", "Bench", "--licence", "CC0", "--time-zone", "Asia/Seoul", *mapping,
             "--url", f"ws://127.0.0.1:{self.port}/ws", "--token-file", self.admin],
            check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begun

    def wait_for_places(self, longest=60):
        """Waits until the directory answers, at most so many seconds."""
        connection = self.connection()
        end = time.monotonic() + longest
        while True:
            try:
                connection.ask(part(VIEW, part(1, box_message((33, 126, 38, 130))) + number(2, 6)))
                return connection.close()
            except Refused:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)


@contextlib.contextmanager
def commits_beside(running, times):
    """Ten users who each change their profile twice a second; adds the times of the replies, in milliseconds."""
    done = threading.Event()

    def user(index):
        connection = running.connection(index)
        turn = 0
        while not (turn and done.wait(0.5)):
            turn += 1
            locale = part(3, "ko" if turn % 2 else "en")
            times.append(connection.ask(part(UPDATE_ME, locale))[0])
        connection.close()

    threads = [threading.Thread(target=user, args=(index,)) for index in range(10)]
    for thread in threads:
        thread.start()
    yield
    done.set()
    for thread in threads:
        thread.join()


# MARK: Measuring


def timed(ask, arguments):
    """The time of each call, in milliseconds."""
    times = []
    for argument in arguments:
        begun = time.perf_counter()
        ask(*argument)
        times.append((time.perf_counter() - begun) * 1_000)
    return times


def percentile(times, share):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Table:
    """Medians and spread over the runs of p50 and p99."""

    def __init__(self):
        self.rows = {}

    def add(self, title, times):
        self.rows.setdefault(title, []).append((percentile(times, 0.5), percentile(times, 0.99)))

    def value(self, title, value):
        self.rows.setdefault(title, []).append((value,))

    def print(self):
        print("| what | p50 ms | p99 ms |\n|---|---|---|")
        for title, runs in self.rows.items():
            cells = []
            for values in zip(*runs):
                cell = f"{statistics.median(values):.2f}"
                if len(values) > 1:
                    cell += f" ({min(values):.2f}–{max(values):.2f})"
                cells.append(cell)
            print(f"| {title} | " + " | ".join(cells + ["–"] * (2 - len(cells))) + " |", flush=True)


def measure_queries(connection, table, count, seed):
    """Adds the times of each kind of query over the socket."""
    rows = random.Random(seed)
    filters = {"": b"", ", one category": part(3, part(1, "cafe")),
               ", open at an instant": part(3, part(4, number(1, 1_800_000_000)))}
    for title, chosen in filters.items():
        for zoom in range(5, 17):
            times = []
            for box in boxes(count, zoom, seed):
                asked = part(1, box_message(box)) + number(2, zoom) + chosen + number(4, 500)
                times.append(connection.ask(part(VIEW, asked))[0])
            table.add(f"promised: viewport, zoom {zoom}{title}", times)
    points = [next(boxes(1, 12, rows.randrange(10**6)))[:2] for _ in range(count)]
    table.add("promised: 20 nearest", [
        connection.ask(part(NEARBY, double(1, latitude) + double(2, longitude) + double(3, 50_000) + number(6, 20)))[0]
        for latitude, longitude in points])
    table.add("promised: text", [
        connection.ask(part(SEARCH, part(1, rows.choice(QUERIES)) + number(6, 20)))[0] for _ in range(count)])
    table.add("promised: text, near", [
        connection.ask(part(SEARCH, part(1, rows.choice(QUERIES)) + part(2, double(1, latitude) + double(2, longitude))
                            + number(6, 20)))[0]
        for latitude, longitude in points])
    return points


def measure_other(other, table, count, seed, points):
    for zoom in range(10, 17):
        table.add(f"{other.name}: at most 500, zoom {zoom}",
                  timed(other.view, ((box, 500) for box in boxes(count, zoom, seed))))
    table.add(f"{other.name}: 20 nearest", timed(other.nearest, ((*point, 20) for point in points)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binaries", type=pathlib.Path, required=True)
    parser.add_argument("--places", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="bench-places-") as name:
        folder = pathlib.Path(name)
        file = folder / "places.csv"

        def rows():
            return places(options.places, options.seed)

        with open(file, "w", encoding="utf-8") as out:
            out.write(",".join(FIELDS) + "\n")
            for row in rows():
                out.write(",".join(f'"{value}"' for value in row) + "\n")

        running = Server(options.binaries, folder)
        running.prepare()
        with running:
            for title in ("import", "import of the same again"):
                times = []
                with commits_beside(running, times):
                    seconds = running.imported(file)
                print(f"{title}: {options.places:,} rows in {seconds:.1f} s", flush=True)
                table.add(f"promised: other commits beside the {title}", times)
        for run in range(options.runs):
            begun = time.monotonic()
            with running:
                running.wait_for_places()
                table.value("promised: start until the directory answers, ms", (time.monotonic() - begun) * 1_000)
                connection = running.connection()
                points = measure_queries(connection, table, options.queries, options.seed + run)
                connection.close()

        others = [kind for kind in placestores.ALL if kind.is_installed()]
        for kind in placestores.ALL:
            if kind not in others:
                print(f"{kind.name} is not installed", flush=True)
        for kind in others:
            begun = time.monotonic()
            other = kind(folder, rows)
            print(f"{kind.name}: {options.places:,} rows in {time.monotonic() - begun:.1f} s", flush=True)
            for run in range(options.runs):
                measure_other(other, table, options.queries, options.seed + run, points)
            other.close()
    table.print()


if __name__ == "__main__":
    main()
