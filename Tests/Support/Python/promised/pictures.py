"""Files that are dear to take: as long as they may be, of as many parts as fit."""

import os
import struct
import zlib

PHOTO, TRACK, CHUNK = 5 << 20, 16 << 20, 45_000


def chunk(kind, data):
    """A chunk of a PNG."""
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))


def png(size=70):
    """A picture of one point, with a text chunk that makes it so long."""
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack("!IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    rest = size - len(head) - len(body) - 12
    return head + (chunk(b"tEXt", os.urandom(rest)) if rest > 0 else b"") + body


def picture(side):
    """A picture of so many noisy points, four bytes each, uncompressed."""
    whole = png()
    rows = b"".join(b"\0" + os.urandom(side * 4) for _ in range(side))
    return (whole[:8] + chunk(b"IHDR", struct.pack("!IIBBBBB", side, side, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


def jpeg(size, segment):
    """A JPEG whose metadata comes in segments of so many bytes."""
    head = b"\xff\xd8"
    frame = b"\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"\x2a"
    one = b"\xff\xe1" + struct.pack("!H", segment + 2) + b"Exif\0\0"[:segment].ljust(segment, b"x")
    parts = (size - len(head) - len(frame) - len(scan) - 2) // len(one)
    body = head + one * parts + frame + scan
    return body + b"\x2a" * (size - len(body) - 2) + b"\xff\xd9"


def stuffed(size, unit=b"\xff\x00", interval=b""):
    """A JPEG whose data are of this unit: stuffed bytes, or restarts."""
    head = b"\xff\xd8" + interval
    frame = b"\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    tables = b"\xff\xdb\x00\x43\x00" + b"\x01" * 64
    body = head + tables + frame + scan
    return body + unit * ((size - len(body) - 2) // len(unit)) + b"\xff\xd9"


def small_chunks(size):
    """A PNG of as many chunks as fit."""
    whole = png(70)
    head, rest = whole[:33], whole[33:]
    one = chunk(b"tEXt", b"a\0b")
    return head + one * ((size - len(whole)) // len(one)) + rest


def webp(size):
    """A WebP of as many chunks as fit."""
    body = b"VP8X" + struct.pack("<I", 10) + b"\x08\0\0\0" + b"\0\0\0" + b"\0\0\0"
    body += b"VP8L" + struct.pack("<I", 6) + b"\x2f\0\0\0\0\0"
    body += (b"EXIF" + struct.pack("<I", 2) + b"xx") * ((size - len(body) - 20) // 10)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def dear_files():
    """Words, kind, bytes, and the bytes of a chunk."""
    return [
        ("a PNG of 70 bytes", "PHOTO", png(70), CHUNK),
        ("a PNG of 5 MiB", "PHOTO", png(PHOTO), CHUNK),
        ("a PNG of 5 MiB in chunks of three bytes", "PHOTO", small_chunks(PHOTO), CHUNK),
        ("a JPEG of 5 MiB in segments of two bytes", "PHOTO", jpeg(PHOTO, 2), CHUNK),
        ("a JPEG of 5 MiB in segments of 65,000 bytes", "PHOTO", jpeg(PHOTO, 65_000), CHUNK),
        ("a JPEG of 5 MiB of stuffed bytes", "PHOTO", stuffed(PHOTO), CHUNK),
        ("a JPEG of 5 MiB of restarts", "PHOTO",
         stuffed(PHOTO, bytes.fromhex("ffd0ffd1ffd2ffd3ffd4ffd5ffd6ffd7"), b"\xff\xdd\x00\x04\x00\x01"), CHUNK),
        ("a PNG of 5 MiB of noise", "PHOTO", picture(1_140), CHUNK),
        ("a WebP of 5 MiB in chunks of two bytes", "PHOTO", webp(PHOTO), CHUNK),
        ("a track of 16 MiB", "TRACK", b"<gpx>" + b"<!-- -->" * ((TRACK - 5) // 8), CHUNK),
        ("two chunks", "TRACK", b"<gpx>" + b" " * 80_000, CHUNK),
    ]
