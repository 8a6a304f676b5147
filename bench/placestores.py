"""Other stores of places, for comparison: each loads the same rows and answers boxes and nearest neighbours."""

import math
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import time


class RTree:
    """SQLite with an R*Tree beside the rows, in a file."""

    name = "SQLite R*Tree"

    @staticmethod
    def is_installed():
        return True

    def __init__(self, folder, rows):
        self.db = sqlite3.connect(folder / "rtree.db")
        self.db.executescript(
            "PRAGMA journal_mode = WAL; CREATE TABLE place(id INTEGER PRIMARY KEY, ref, name, lat, lon, address,"
            " category, hours); CREATE VIRTUAL TABLE box USING rtree(id, south, north, west, east);")
        with self.db:
            self.db.executemany("INSERT INTO place(ref, name, lat, lon, address, category, hours) VALUES (?,?,?,?,?,?,?)",
                                rows())
            self.db.execute("INSERT INTO box SELECT id, lat, lat, lon, lon FROM place")

    def view(self, box, limit):
        south, west, north, east = box
        return self.db.execute(
            "SELECT p.* FROM box b JOIN place p ON p.id = b.id WHERE b.south >= ? AND b.north <= ? AND b.west >= ?"
            " AND b.east <= ? LIMIT ?", (south, north, west, east, limit)).fetchall()

    def nearest(self, latitude, longitude, count):
        found, reach = [], 0.01
        while len(found) < count and reach < 1:
            found = self.view((latitude - reach, longitude - reach, latitude + reach, longitude + reach), 10**6)
            reach *= 2
        shrink = math.cos(math.radians(latitude))
        return sorted(found, key=lambda row: (row[3] - latitude)**2 + ((row[4] - longitude) * shrink)**2)[:count]

    def close(self):
        self.db.close()


class Redis:
    """Redis with one GEO set: ids and positions alone."""

    name = "Redis GEOSEARCH (ids alone)"
    program = "redis-server"

    @classmethod
    def is_installed(cls):
        return shutil.which(cls.program) is not None

    def __init__(self, folder, rows):
        path = folder / "redis.sock"
        self.process = subprocess.Popen([self.program, "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
                                        stdout=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(str(path)):
            time.sleep(0.05)
        self.reader = self.socket.makefile("rb")
        batch = []
        for row in rows():
            batch += [row[3], row[2], row[0]]
            if len(batch) == 3_000:
                self.ask("GEOADD", "p", *batch)
                batch = []
        if batch:
            self.ask("GEOADD", "p", *batch)

    def ask(self, *words):
        out = [f"*{len(words)}\r\n".encode()]
        for word in words:
            data = str(word).encode()
            out.append(b"$%d\r\n%s\r\n" % (len(data), data))
        self.socket.sendall(b"".join(out))
        return self.reply()

    def reply(self):
        line = self.reader.readline()
        if line[:1] == b"*":
            return [self.reply() for _ in range(int(line[1:]))]
        if line[:1] == b"$":
            return self.reader.read(int(line[1:]) + 2)[:-2]
        if line[:1] == b"-":
            raise RuntimeError(line.decode())
        return line[1:-2]

    def view(self, box, limit):
        south, west, north, east = box
        kilometres = 111.32
        width = (east - west) * kilometres * math.cos(math.radians((south + north) / 2))
        return self.ask("GEOSEARCH", "p", "FROMLONLAT", (west + east) / 2, (south + north) / 2, "BYBOX", width,
                        (north - south) * kilometres, "km", "COUNT", limit, "ANY", "WITHCOORD")

    def nearest(self, latitude, longitude, count):
        return self.ask("GEOSEARCH", "p", "FROMLONLAT", longitude, latitude, "BYRADIUS", 50, "km", "ASC", "COUNT", count)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(timeout=30)


class PostGIS:
    """A temporary PostgreSQL with PostGIS, asked through psql, which tells how long each query took."""

    name = "PostGIS"

    @classmethod
    def is_installed(cls):
        return cls.folder() is not None

    def __init__(self, folder, rows):
        self.binaries = PostGIS.folder()
        self.data = folder / "postgres"
        self.data.mkdir(mode=0o700)
        # PostgreSQL refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.data, "postgres")
            folder.chmod(0o755)
        run = dict(check=True, stdout=subprocess.DEVNULL, cwd="/")
        subprocess.run([*self.user, self.binaries / "initdb", "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C"], **run)
        options = f"-c listen_addresses= -c unix_socket_directories={self.data} -c shared_buffers=1GB"
        subprocess.run([*self.user, self.binaries / "pg_ctl", "-w", "-D", self.data, "-l", self.data / "log", "-o", options,
                        "start"], **run)
        self.psql = subprocess.Popen(
            [*self.user, "psql", "-X", "-q", "-A", "-t", "-h", self.data, "-d", "postgres"], cwd="/", text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send("CREATE EXTENSION postgis; CREATE TABLE place(ref text, name text, lat float8, lon float8, address text,"
                  " category text, hours text);")
        self.send("COPY place FROM STDIN;")
        for row in rows():
            self.psql.stdin.write("\t".join(map(str, row)) + "\n")
        self.send("\\.")
        self.send("ALTER TABLE place ADD at geometry(Point, 4326); UPDATE place SET at ="
                  " ST_SetSRID(ST_MakePoint(lon, lat), 4326); CREATE INDEX ON place USING gist(at); VACUUM ANALYZE place;")
        self.ask("SELECT 1")

    @staticmethod
    def folder():
        """The folder of the programs of a PostgreSQL with PostGIS, or None."""
        for control in pathlib.Path("/usr/share/postgresql").glob("*/extension/postgis.control"):
            return pathlib.Path("/usr/lib/postgresql") / control.parts[4] / "bin"
        return None

    def send(self, text):
        self.psql.stdin.write(text + "\n")

    def ask(self, query):
        self.send(query + ";")
        self.send("\\echo the-end")
        self.psql.stdin.flush()
        lines = []
        while (line := self.psql.stdout.readline()) and line != "the-end\n":
            lines.append(line)
        return lines

    def view(self, box, limit):
        south, west, north, east = box
        return self.ask(f"SELECT * FROM place WHERE at && ST_MakeEnvelope({west}, {south}, {east}, {north}, 4326)"
                        f" LIMIT {limit}")

    def nearest(self, latitude, longitude, count):
        point = f"ST_SetSRID(ST_MakePoint({longitude}, {latitude}), 4326)"
        return self.ask(f"SELECT * FROM place ORDER BY at <-> {point} LIMIT {count}")

    def close(self):
        self.psql.stdin.close()
        self.psql.wait(timeout=30)
        subprocess.run([*self.user, self.binaries / "pg_ctl", "-D", self.data, "-m", "fast", "stop"], cwd="/", check=True,
                       stdout=subprocess.DEVNULL)


ALL = [RTree, Redis, PostGIS]
