"""Attacks by texts: letters with thousands of marks, which a normal form must put in another order."""

import collections
import contextlib
import socket
import time

from promised.client import Peer, frame
from promised.people import account, make_promise


def marks(size):
    """A letter and so many bytes of marks, in two classes and in the wrong order."""
    return "a" + "\u0345" * (size // 4) + "\u0334" * (size // 4)


# defends: costly-texts
def marks_in_status(trial):
    """Frames of up to 64 KB whose texts are nothing but marks."""
    peers = account(trial.start().port, "marks")
    promise = make_promise(peers[0], [], "marks")
    bad = [frame({"id": 1, "setStatus": {"promiseId": promise, "text": marks(size)}}) for size in (63_600, 16_000, 1_200)]
    bad += [frame({"id": 1, "updatePromise": {"promiseId": promise, "version": 1, name: marks(size)}})
            for name, size in (("title", 63_600), ("note", 63_600), ("note", 7_900))]
    yield
    trial.flood(peers, lambda number, turn: bad[(number + turn) % len(bad)])
    trial.expect_answers()
    trial.expect_codes("request.invalid", "request.too-large")
    trial.expect(trial.readers.kinds["error"] == trial.frames, f"not all were refused: {dict(trial.readers.kinds)}")


# defends: costly-texts
def marks_as_ids(trial):
    """Texts where ids, cursors, names and codes are due."""
    peers = account(trial.start().port, "ids")
    bad = [frame({"id": 1, name: {field: marks(size)}}) for size in (16_000, 1_000) for name, field in (
        ("getPromise", "promiseId"), ("listFriends", "cursor"), ("findUser", "nickname"), ("joinByCode", "code"),
        ("updateMe", "locale"), ("updateMe", "timeZone"), ("updateMe", "avatar"), ("hello", "token"),
        ("hello", "deviceId"), ("requestFriend", "nickname"), ("changePassword", "newPassword"))]
    yield
    trial.flood(peers, lambda number, turn: bad[(number + turn) % len(bad)])
    trial.expect_answers()
    trial.expect("request.invalid" in trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    trial.expect(trial.readers.kinds["error"] == trial.frames, f"not all were refused: {dict(trial.readers.kinds)}")
    trial.notes.append(", ".join(f"{count} {code}" for code, count in trial.readers.codes.most_common()))


# defends: costly-texts
def marks_before_sign_in(trial):
    """Connections without an account, five requests each, opened anew as they end."""
    port = trial.start().port
    text, short = marks(3_900), marks(1_000)
    bad = [frame({"id": 1, name: fields}) for name, fields in (
        ("signIn", {"email": text, "password": "x" * 8}), ("signIn", {"email": short, "password": "x" * 8}),
        ("hello", {"token": text}), ("signUp", {"email": "a@b.co", "password": marks(2_000), "nickname": short}),
        ("exchangeCode", {"code": text}), ("watchByLink", {"code": text}), ("refresh", {"refreshToken": text}))]
    codes = collections.Counter()
    yield
    end = time.monotonic() + trial.seconds
    while time.monotonic() < end:
        peers = [Peer(port, "198.51.100.8") for _ in range(8)]
        for peer in peers:
            for _ in range(5):
                peer.send_frame(bad[trial.frames % len(bad)])
                trial.frames += 1
        for peer in peers:
            for _ in range(5):
                codes[peer.receive()["error"]["code"]] += 1
            peer.close()
    allowed = {"request.invalid", "auth.token-invalid", "code.invalid", "limit.attempts"}
    trial.expect(set(codes) <= allowed and "request.invalid" in codes, f"errors: {dict(codes)}")
    trial.expect(sum(codes.values()) == trial.frames, f"{sum(codes.values())} answers to {trial.frames} frames")
    trial.notes.append(", ".join(f"{count} {code}" for code, count in codes.most_common()))


# defends: header-injection
def marks_in_headers(trial):
    """Plain requests and upgrades whose path and headers are full of marks."""
    port = trial.start().port
    text = marks(1_800)
    path = "".join(f"%{byte:02X}" for byte in marks(1_000).encode())
    bad = [f"GET /{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()]
    for header in ("Origin", "Host", "Authorization: Bearer", "X-Forwarded-For", "Sec-WebSocket-Protocol"):
        line = header + ("" if ":" in header else ":")
        host = "" if header == "Host" else "Host: x\r\n"
        bad.append(f"GET /ws HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{line} {text}\r\n\r\n".encode())
    statuses = collections.Counter()
    yield
    begin = time.monotonic()
    for turn in range(int(trial.seconds * 100)):
        time.sleep(max(0, begin + turn / 100 - time.monotonic()))
        with contextlib.suppress(ConnectionResetError), socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
            peer.sendall(bad[turn % len(bad)])
            trial.frames += 1
            statuses[peer.recv(4_096)[9:12].decode() or "end"] += 1
    trial.expect(not set(statuses) & {"500", "503"}, f"statuses: {dict(statuses)}")
    trial.notes.append("statuses " + ", ".join(f"{status} × {count}" for status, count in statuses.most_common()))


ATTACKS = [marks_in_status, marks_before_sign_in, marks_as_ids, marks_in_headers]
