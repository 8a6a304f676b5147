"""Attacks by files: uploads that never end, pictures that explode, and imports that lie."""

import base64
import collections
import hashlib
import itertools
import struct
import threading
import time
import zlib

from promised.client import ask_when_allowed, frame
from promised.people import account, together

CHUNK = 45_000
POINTS = "".join(f'<trkpt lat="51.5{index:02}" lon="-0.12"></trkpt>' for index in range(100))
TRACK = f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{POINTS}</trkseg></trk></gpx>'.encode()


def begin(peer, kind, data, key, **fields):
    announced = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), **fields}
    return ask_when_allowed(peer, "beginUpload", key=key, kind=kind, **announced)


def send(peer, upload, data):
    """Sends all chunks of an upload; the last reply."""
    reply, offset = {}, int(upload.get("offset", 0))
    while offset < len(data):
        chunk = base64.b64encode(data[offset:offset + CHUNK]).decode()
        reply = ask_when_allowed(peer, "putChunk", uploadId=upload["uploadId"], offset=offset, data=chunk)
        if "error" in reply:
            return reply
        offset += CHUNK
    return reply


def upload(peer, kind, data, key):
    """The file that the server made of the bytes."""
    reply = send(peer, begin(peer, kind, data, key)["upload"], data)
    if "upload" not in reply:
        raise RuntimeError(f"upload: {reply}")
    return reply["upload"]["file"]


# defends: endless-uploads
def endless_uploads(trial):
    """Uploads that stop, repeat themselves, go backwards, lie about their size and begin again with ever new keys."""
    server = trial.start()
    peers = account(server.port, "endless")
    data = bytes(range(256)) * 2_000
    size = {"bytes": 16 * 2**20, "sha256": "0" * 64}
    open_ones = [peers[0].must("beginUpload", key=f"open {number}", kind="TRACK", **size)["upload"] for number in range(3)]
    chunk = base64.b64encode(data[:CHUNK]).decode()
    count = itertools.count()

    def request(number, turn):
        some = open_ones[turn % 3]["uploadId"]
        put = [{"uploadId": some, "offset": offset, "data": piece} for offset, piece in (
            (0, chunk), (2**40, chunk), (-1, chunk), (7, chunk), (CHUNK, ""), (0.5, chunk), (0, chunk + chunk[:2_000]))]
        begins = [{"key": f"new {next(count)}", "kind": "TRACK", **size}, {"key": "open 0", "kind": "PHOTO", **size},
                  {"key": "open 1", "kind": "TRACK", **size, "bytes": 2**53}, {"key": "open 2", "kind": "TRACK", **size,
                                                                             "bytes": -1}]
        return frame({"id": 1, **({"putChunk": put[turn % 7]} if turn % 3 else {"beginUpload": begins[turn // 3 % 4]})})

    yield
    trial.flood(peers, request)
    trial.expect_answers()
    # Unavailable: another connection sends bytes of the same upload.
    allowed = {"request.invalid", "request.too-large", "file.mismatch", "file.limit", "file.too-large", "limit.rate",
               "request.key-reused", "server.unavailable"}
    trial.expect(set(trial.readers.codes) <= allowed, f"errors: {dict(trial.readers.codes)}")
    trial.expect("file.limit" in trial.readers.codes, "a fourth upload was begun")
    held = sum(path.stat().st_size for path in (server.data / "files").rglob("*") if path.is_file())
    trial.expect(held <= 3 * 16 * 2**20, f"{held:,} bytes of unfinished uploads")
    trial.notes.append(f"{held:,} bytes are held of {trial.readers.kinds['upload']} chunks; {dict(trial.readers.codes)}")


# --- Pictures --------------------------------------------------------------------------------------------------------


def png(width, height, *chunks, data=b"\0" * 4_096):
    def chunk(kind, body):
        return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))

    head = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(data, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in parts)


def jpeg(width, height, segments=b""):
    sizes = struct.pack("!BHHBBBB", 8, height, width, 1, 1, 0x11, 0)
    return (b"\xff\xd8" + segments + b"\xff\xc0" + struct.pack("!H", 11) + sizes
            + b"\xff\xda" + struct.pack("!HBBBBBB", 8, 1, 1, 0, 0, 63, 0) + b"\0" * 64 + b"\xff\xd9")


def webp(width, height):
    canvas = struct.pack("<I", 0) + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + canvas + b"VP8L" + struct.pack("<I", 8) + b"\x2f" + b"\xff" * 7
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pictures():
    """Small files that say they are huge, or that a decoder would make huge."""
    bomb = zlib.compress(b"\0" * (64 * 2**20), 9)
    sides = (12_001, 65_535, 2**31 - 1, 2**32 - 1)
    found = [png(width, height) for width in sides for height in (1, 12_001, width)] + [png(0, 0), png(9_000, 9_000)]
    found += [jpeg(65_535, 65_535), jpeg(65_535, 1), jpeg(0, 9), webp(16_777_216, 256), webp(12_001, 1), webp(2**24, 2**24)]
    # Metadata that expand, chunks without end, lengths that lie, segments that never end.
    found += [png(9_000, 9_000, (b"zTXt", b"x\0\0" + bomb), (b"iCCP", b"x\0\0" + bomb)),
              png(16, 16, *[(b"tEXt", b"a\0b")] * 100_000)[:-20], b"\x89PNG\r\n\x1a\n" + b"\xff\xff\xff\xffIHDR",
              jpeg(16, 16, b"\xff\xfe\xff\xff" * 9), b"\xff\xd8" + b"\xff" * 2**20, b"RIFF\xff\xff\xff\xffWEBPVP8X"]
    return found


# defends: exploding-pictures
def exploding_pictures(trial):
    """Pictures of a few bytes that claim millions of pixels, expand, or lie about their lengths."""
    server = trial.start()
    peers = account(server.port, "pictures", connections=2)
    some, answers, taken = pictures(), {}, []
    yield
    stop = time.monotonic() + trial.seconds

    def push(number):
        turn = number
        while time.monotonic() < stop:
            picture, key = some[turn % len(some)], f"{number} {turn}"
            reply = begin(peers[number], "PHOTO", picture, key)
            if "upload" in reply:
                reply = send(peers[number], reply["upload"], picture)
            code = reply.get("error", {}).get("code", "taken")
            answers[code] = answers.get(code, 0) + 1
            trial.frames += 1
            turn += 2 if code != "limit.rate" else 0
            taken.extend([turn % len(some)] if code == "taken" else [])
            time.sleep(0.1)

    together(push, range(2))
    trial.expect(set(answers) <= {"file.unsupported", "file.too-large", "limit.rate"}, f"answers: {answers} ({taken})")
    trial.expect(answers.get("file.unsupported", 0) > 0, f"answers: {answers}")
    trial.notes.append(f"{len(some)} pictures of at most {max(map(len, some)):,} bytes: {answers}")


# --- Imports ---------------------------------------------------------------------------------------------------------


def gpx(content, head='<gpx version="1.1">'):
    return f"{head}{content}</gpx>".encode()


def tracks():
    """GPX files that lie, nest, expand and repeat, none of which is a track."""
    nested = "<a>" * 100_000 + "</a>" * 100_000
    entities = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 12))
    doctype = f'<!DOCTYPE gpx [<!ENTITY e0 "ha">{entities}]><gpx version="1.1">'
    points = '<trkpt lat="51.5" lon="0">' * 10_000
    return [
        gpx(f"<trk>{'<trkseg/>' * 1_000_000}</trk>"), gpx(nested), gpx(f"<trk><trkseg>{points}</trkseg></trk>"),
        gpx("<trk><name>&e11;</name></trk>", doctype),
        gpx("", '<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx version="1.1">'),
        gpx("<trk " + " ".join(f'a{number}="x"' for number in range(50_000)) + "/>"), gpx(f"<trk a=\"{'x' * 2**20}\"/>"),
        gpx("<wpt lat='NaN' lon='1e999'/>" * 1_000), gpx("<trk>" + "<!--" + "-" * 2**20), gpx("<![CDATA[" * 10_000),
        b"\xff\xfe" + "<gpx>".encode("utf-16-le") * 10, b"PK\3\4" + b"\0" * 1_000, b"<gpx", b"\0" * 1_000, TRACK[:-30],
    ]


# defends: costly-gpx
def lying_imports(trial):
    """GPX files of a million empty segments, a hundred thousand levels, entities, wrong lengths and wrong digests."""
    server = trial.start()
    peers = account(server.port, "imports", connections=3)
    some, files, lies, refused = tracks(), [], {}, collections.Counter()

    def bring(number):
        for index, data in list(enumerate(some))[number::3]:
            reply = begin(peers[number], "TRACK", data, f"track {index}")
            reply = send(peers[number], reply["upload"], data) if "upload" in reply else reply
            # Some are refused already as no file of this kind.
            if file := reply.get("upload", {}).get("file"):
                files.append((index, file["fileId"]))
            else:
                refused[reply["error"]["code"]] += 1

    together(bring, range(3))
    trial.expect(len(files) > 9 and set(refused) <= {"file.unsupported"}, f"uploads: {len(files)}, {dict(refused)}")
    files.sort()
    yield
    # Beside the imports: what was announced is not what is sent.
    liar = peers.pop()

    def lie():
        for _ in range(int(trial.seconds * 2)):
            for name, fields in (("longer", {"bytes": len(TRACK) + 9}), ("digest", {"sha256": "0" * 64}),
                                 ("shorter", {"bytes": len(TRACK) - 9})):
                reply = begin(liar, "TRACK", TRACK, name, **fields)
                if "upload" in reply:
                    reply = send(liar, reply["upload"], TRACK)
                file = reply.get("upload", {}).get("file")
                lies.setdefault(name, set()).add("taken" if file else reply.get("error", {}).get("code", "waits"))
            time.sleep(0.5)

    thread = threading.Thread(target=lie)
    thread.start()
    trial.flood(peers, lambda number, turn: frame({"id": 1, "importCourse": {
        "key": f"{number} {turn}", "fileId": files[turn % len(files)][1]}}))
    trial.expect_answers()
    thread.join()
    allowed = {"track.malformed", "server.unavailable", "limit.rate", "course.too-short", "course.limit"}
    trial.expect(set(trial.readers.codes) <= allowed, f"errors: {dict(trial.readers.codes)}")
    trial.expect(trial.readers.codes["track.malformed"] > 0, f"errors: {dict(trial.readers.codes)}")
    trial.expect(trial.readers.kinds["courses"] == 0, "a file became a course")
    trial.expect(not any("taken" in answers for answers in lies.values()), f"taken: {lies}")
    otherwise = "; ".join(f"{name}: {', '.join(sorted(codes))}" for name, codes in lies.items())
    trial.notes.append(f"{len(files)} files: {dict(trial.readers.codes)}; announced {otherwise}")


ATTACKS = [endless_uploads, exploding_pictures, lying_imports]
