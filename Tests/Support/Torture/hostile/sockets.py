"""Attacks by connections and sign-ins: many of them, slow ones, wrong passwords, and tokens renewed all the time."""

import contextlib
import threading
import time

from hostile.sizes import EMOJI, NOTE, STATUS, TITLE, people
from hostile.trial import BURST, RATE
from promised.client import PASSWORD, Closed, Peer, email, frame
from promised.people import account, make_promise, together


# defends: refresh-storms
def refreshes(trial):
    """The forty sessions of one account are refreshed in turn, as often as five connections may ask."""
    port = trial.start().port
    peer = Peer(port, "198.51.100.9")
    peer.sign_up("refreshes")
    peers = [Peer(port, "198.51.100.9") for _ in range(4)] + [peer]
    tokens = [[each.sign_in("refreshes")["refreshToken"] for _ in range(8)] for each in peers]
    granted, refused = [[0] * 8 for _ in peers], [0] * 5
    yield

    def refresh(number):
        mine, end, turn = tokens[number], time.monotonic() + trial.seconds, 0
        while time.monotonic() < end:
            session = turn % 8
            reply = peers[number].ask("refresh", refreshToken=mine[session])
            if "session" in reply:
                mine[session] = reply["session"]["refreshToken"]
                granted[number][session] += 1
            else:
                trial.expect(reply["error"]["code"] == "limit.rate", f"refused: {reply['error']}")
                refused[number] += 1
            turn += 1
            time.sleep(0.05)

    together(refresh, range(5))
    total = sum(map(sum, granted))
    trial.frames += total + sum(refused)
    most = max(map(max, granted))
    trial.expect(most <= 10, f"a session was refreshed {most} times within a minute")
    database = trial.database()
    kept, = database.execute("SELECT max(kept) FROM (SELECT count(*) kept FROM refresh_token GROUP BY session_id)").fetchone()
    database.close()
    trial.expect(kept <= 2, f"{kept} tokens of a session are kept")
    trial.notes.append(f"{total} were granted, {sum(refused)} refused; at most {kept} tokens of a session are kept")


# defends: lockout
def guessers(trial):
    """Ninety addresses that guess, at the full cost of a password, while somebody who knows theirs signs in ten times."""
    port = trial.start(passwords=None).port
    Peer(port, "203.0.113.200").sign_up("victim")
    counts = {"wrong": 0, "closed": 0, "right": 0}
    yield
    stop = time.monotonic() + trial.seconds

    def guess(number):
        while time.monotonic() < stop:
            with contextlib.suppress(Closed, OSError):
                peer = Peer(port, f"198.{18 + number % 2}.{number}.{number + 1}")
                for _ in range(5):
                    reply = peer.ask("signIn", email=email(f"nobody{number}"), password=f"wrong password {number}")
                    trial.expect("error" in reply, "a guess got in")
                    counts["wrong"] += 1
                peer.close()
            time.sleep(0.05)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(90)]
    for thread in threads:
        thread.start()
    slowest = 0.0
    time.sleep(1)
    for attempt in range(10):
        began = time.monotonic()
        peer = Peer(port, f"203.0.113.{attempt + 1}")
        reply = peer.ask("signIn", email=email("victim"), password=PASSWORD)
        if "session" in reply:
            counts["right"] += 1
            slowest = max(slowest, time.monotonic() - began)
        peer.close()
        time.sleep(max(0, began + (trial.seconds - 2) / 10 - time.monotonic()))
    for thread in threads:
        thread.join()
    trial.frames += counts["wrong"]
    trial.expect(counts["right"] == 10, f"the right password got in {counts['right']} of 10 times")
    trial.notes.append(f"the right password got in {counts['right']} of 10 times, after {slowest:.1f} s at most")


# defends: idle-connections
def idle_sockets(trial):
    """A thousand sockets of one address that say nothing."""
    port = trial.start().port
    yield
    peers, refused, end = [], 0, time.monotonic() + trial.seconds
    for _ in range(1_000):
        try:
            peers.append(Peer(port, "198.51.100.10", timeout=5))
        except (Closed, OSError):
            refused += 1
    Peer(port, "198.51.100.11").sign_up("neighbour")
    time.sleep(max(0, end - time.monotonic()))
    for peer in peers:
        peer.close()
    trial.frames += len(peers) + refused
    # Those let in at first are closed after ten seconds, and may then have successors.
    trial.expect(64 <= len(peers) <= 128, f"{len(peers)} were let in")
    trial.notes.append(f"{len(peers)} were let in, {refused} refused")


def arrive(trial, port):
    """Lets somebody come and sign in ten times during an attack, each time from another address; returns how often they
    got in. The account is called newcomer."""
    entered = 0
    for attempt in range(10):
        due = time.monotonic() + (trial.seconds - 2) / 10
        with contextlib.suppress(Closed, OSError):
            peer = Peer(port, f"203.0.113.{attempt + 1}")
            peer.sign_in("newcomer")
            entered += 1
            peer.close()
        time.sleep(max(0, due - time.monotonic()))
    return entered


# defends: idle-connections
def full_server(trial):
    """A server for 200 connections, and strangers of a thousand addresses who take every place that comes free."""
    port = trial.start("limits.connections=200").port
    Peer(port, "203.0.113.200").sign_up("newcomer")
    opened, held = [0], []
    yield
    stop = time.monotonic() + trial.seconds

    def press(part):
        number = 0
        while time.monotonic() < stop:
            number += 1
            with contextlib.suppress(Closed, OSError):
                held.append(Peer(port, f"198.{18 + part}.{number // 250}.{number % 250 + 1}"))
                opened[0] += 1
            time.sleep(0.02)

    threads = [threading.Thread(target=press, args=(part,)) for part in range(2)]
    for thread in threads:
        thread.start()
    entered = arrive(trial, port)
    for thread in threads:
        thread.join()
    for peer in held:
        peer.close()
    trial.frames += opened[0]
    trial.expect(opened[0] > 200, f"{opened[0]} strangers came")
    trial.expect(entered == 10, f"a newcomer got in {entered} of 10 times")
    cut = trial.server.metric("promised_transport_cut_strangers_total")
    trial.expect(cut > 0, "no stranger had to go")
    trial.notes.append(f"{opened[0]} strangers came, {cut:.0f} had to go; a newcomer got in {entered} of 10 times")


# defends: slow-readers
def slow_readers(trial):
    """Ten connections of two accounts keep asking for a large promise and read nothing, while a third account tells them
    something all the time; they come again when they are closed."""
    server = trial.start()
    port = server.port
    owner, others = account(port, "owner"), people(port, 49)
    promise = make_promise(owner[0], others, "slow", title=TITLE, note=NOTE)
    for peer in others:
        peer.must("setStatus", promiseId=promise, text=STATUS, emoji=EMOJI)
    tokens = [other.sign_in(f"wide{number}")["accessToken"] for number, other in enumerate(others[:2])]
    for peer in others:
        peer.close()
    asked = frame({"id": 1, "getPromise": {"promiseId": promise}})
    told = [frame({"id": 1, "setStatus": {"promiseId": promise, "text": text, "emoji": EMOJI}}) for text in (STATUS, "")]
    opened, sent = [0] * 10, [0] * 10
    yield
    stop = time.monotonic() + trial.seconds

    def idle(number):
        while time.monotonic() < stop:
            peer = Peer(port, f"198.51.101.{number % 2 + 1}", receive_buffer=4_096)
            peer.must("hello", token=tokens[number % 2], deviceId=f"phone {number}", bootId="1")
            peer.must("subscribe", promiseId=promise)
            opened[number] += 1
            peer.socket.settimeout(0.2)
            with contextlib.suppress(ConnectionError):
                for turn in range(1_000_000):
                    if time.monotonic() > stop:
                        break
                    with contextlib.suppress(TimeoutError):
                        peer.send_frame(asked)
                        sent[number] += 1
                    time.sleep(0 if turn < BURST - 2 else 1 / RATE)
            peer.close()

    readers = threading.Thread(target=together, args=(idle, range(10)))
    readers.start()
    trial.flood(owner, lambda _, turn: told[turn % 2])
    readers.join()
    trial.expect_answers()
    trial.frames += sum(sent)
    slow = server.metric("promised_transport_slow_closes_total")
    trial.expect(slow > 0, "no connection was closed as a slow reader")
    trial.notes.append(f"{slow:.0f} of {sum(opened)} were closed as slow readers")


ATTACKS = [refreshes, guessers, idle_sockets, full_server, slow_readers]
