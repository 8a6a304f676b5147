"""A disk below a server that fails or loses its power as the tests want it (disk.c, folder.c)."""

import ctypes
import mmap
import os
import pathlib
import subprocess

WRITE, SYNC, READ, TRUNCATE, OPEN, SHARED_MEMORY = (1 << bit for bit in range(6))
DATABASE, LOG, OTHER = (1 << bit for bit in range(3))
ALL_FILES = DATABASE | LOG | OTHER
# Syncs that a disk may ignore: those of SQLite's files, and those of the folder `files`.
SQLITE_SYNCS, FOLDER_SYNCS = (1 << bit for bit in range(2))

# SQLite's result codes.
BUSY, READONLY, IOERR_READ, IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE = 5, 8, 266, 778, 1034, 1546
CORRUPT, FULL, CANTOPEN, IOERR_SHMMAP = 11, 13, 14, 5386


class Control(ctypes.Structure):
    """The control file, as disk.c has it."""

    _fields_ = [
        ("cut_at", ctypes.c_uint64), ("seed", ctypes.c_uint64), ("ignores_syncs", ctypes.c_uint32),
        ("fault_kinds", ctypes.c_uint32), ("fault_roles", ctypes.c_uint32), ("fault_code", ctypes.c_int32),
        ("fault_at", ctypes.c_uint64), ("fault_count", ctypes.c_uint64), ("operations", ctypes.c_uint64),
        ("matched", ctypes.c_uint64), ("failed", ctypes.c_uint64), ("unsynced", ctypes.c_uint64),
        ("survived", ctypes.c_uint64),
    ]


def build(folder):
    """Compiles the library; returns its path."""
    library = f"{folder}/disk.so"
    sources = [str(pathlib.Path(__file__).with_name(name)) for name in ("disk.c", "folder.c")]
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", library,
                    *sources, "-lsqlite3", "-lpthread", "-ldl"], check=True)
    return library


class Disk:
    """The disk of the processes that are started with its environment."""

    def __init__(self, library, folder):
        path = f"{folder}/disk-control"
        size = ctypes.sizeof(Control)
        with open(path, "w+b") as file:
            file.truncate(size)
            self.memory = mmap.mmap(file.fileno(), size)
        self.control = Control.from_buffer(self.memory)
        self.environment = {"LD_PRELOAD": library, "CRASHING_DISK": path}

    def start(self, seed=0):
        """Call this before each process: nothing fails, and operations count from 1."""
        ctypes.memset(ctypes.addressof(self.control), 0, ctypes.sizeof(Control))
        self.control.seed = seed

    def cut_power(self, after):
        """The power fails at the operation that is so many away."""
        self.control.cut_at = self.control.operations + after

    def fail(self, kinds, code, roles=ALL_FILES, first=1, count=1 << 62):
        """From the `first` one on, `count` operations of these kinds fail on these files with this code."""
        control = self.control
        control.fault_kinds = 0
        control.matched = control.failed = 0
        control.fault_code, control.fault_roles, control.fault_at, control.fault_count = code, roles, first, count
        control.fault_kinds = kinds

    def heal(self):
        """Nothing fails any more. Returns how many operations have failed."""
        self.control.fault_kinds = 0
        return self.control.failed
