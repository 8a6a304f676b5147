"""The surroundings of every case.

A case is a function of a `Stage`; it returns a note for the table, raises `Unexpected` (town.py) if the server does not
behave, and `Skipped` if this machine does not permit it.
"""

from crashes.disk import Disk
from crashes.town import Town


class Skipped(Exception):
    """This machine does not permit the case."""


class Stage:
    """The surroundings of a case: the binary, a folder of its own, and a disk that can fail."""

    def __init__(self, binary, folder, library):
        self.binary, self.folder, self.data = binary, folder, f"{folder}/data"
        self.disk = Disk(library, folder)

    def town(self, **options):
        return Town(self.binary, self.data, **options)
