"""A hundred attackers at once, each of another address, and all but the strangers among them with an account."""

import collections
import contextlib
import threading
import time

from hostile.connections import giant
from hostile.sizes import AVATAR, EMOJI, NOTE, STATUS, TITLE
from hostile.texts import marks
from hostile.trial import RATE
from promised import frames
from promised.client import Closed, Peer, email, frame, packet
from promised.people import fix, make_promise, report, together

COUNT, STRANGERS = 100, 40


def address(number):
    return f"198.51.{100 + number // 200}.{number % 200 + 1}"


def tokens(server):
    """Access tokens of sixty new accounts with the longest avatars."""
    found = [None] * (COUNT - STRANGERS)

    def come(some):
        for number in some:
            peer = Peer(server.port, address(number))
            found[number] = peer.sign_up(f"crowd{number}")["accessToken"]
            peer.must("updateMe", avatar=AVATAR)
            peer.close()

    together(come, [range(start, len(found), 4) for start in range(4)])
    return found


def members(port, known):
    """The accounts in promises of thirty, with the longest of everything; of each the connection and the promise."""
    peers = [Peer(port, address(number)) for number in range(len(known))]
    for peer, token in zip(peers, known):
        peer.must("hello", token=token)
    promises = [make_promise(peers[start], peers[start + 1:start + 30], f"crowd {start}", title=TITLE, note=NOTE)
                for start in range(0, len(peers), 30)]
    for number, peer in enumerate(peers):
        peer.must("setStatus", promiseId=promises[number // 30], text=STATUS, emoji=EMOJI)
        peer.must("subscribe", promiseId=promises[number // 30])
    return [(peer, promises[number // 30]) for number, peer in enumerate(peers)]


def demands(number, promise, turn):
    """The request of a member: six kinds, ten members each."""
    kind = number % 6
    if kind == 0:
        return {"id": 1, "setStatus": {"promiseId": promise, "text": marks(16_000)}}
    if kind == 1:
        first, after = turn * 200 + 1, turn / RATE
        fixes = [fix(first + index, 1_000 + index, age=(200 - index) * 0.01 - after) for index in range(200)]
        return report(promise, fixes, after=after)
    if kind == 2:
        return {"id": 1, "setStatus": {"promiseId": promise, "text": STATUS if turn % 2 else "", "emoji": EMOJI}}
    if kind == 3:
        return {"id": 1, ("subscribe", "unsubscribe")[turn % 2]: {"promiseId": promise}}
    if kind == 4:
        return {"id": 1, "getPromise": {"promiseId": promise}}
    return {"id": 1, **({"listPromises": {"list": "UPCOMING"}}, {"findUser": {"nickname": f"nobody{turn}"}},
                        {"getMe": {}}, {"listNotifications": {}})[turn % 4]}


class Strangers:
    """Those without a connection of their own: guessers, comers and goers, senders of giant frames, and pingers."""

    def __init__(self, port, seconds):
        self.port, self.stop = port, time.monotonic() + seconds
        self.counts = collections.Counter()
        self.acts = (self.guess, self.come_and_go, self.send_giants, self.ping)

    def run(self, number):
        act = self.acts[number % 4]
        while time.monotonic() < self.stop:
            begun = time.monotonic()
            with contextlib.suppress(Closed, OSError):
                peer = Peer(self.port, address(COUNT + number), timeout=5)
                try:
                    act(peer, number)
                finally:
                    peer.close()
            time.sleep(max(0, begun + 0.2 - time.monotonic()))

    def guess(self, peer, number):
        for turn in range(5):
            peer.ask("signIn", email=email(f"nobody{number}"), password=f"wrong password {turn}")
            self.counts["guesses"] += 1

    def come_and_go(self, peer, _):
        self.counts["comings"] += 1

    def send_giants(self, peer, number):
        peer.send_frame(giant(100, length=2**30) if number % 8 else giant(5_000))
        self.counts["giants"] += 1
        peer.receive()

    def ping(self, peer, _):
        for _ in range(200):
            peer.send_frame(packet(frames.PING, b"p" * 125))
            self.counts["pings"] += 1
            time.sleep(0.005)


# defends: many-attackers
def hundred_attackers(trial):
    """Sixty accounts and forty strangers, each of another address, attack in ten ways at once, passwords at full cost."""
    with trial.earlier(10) as server:
        known = tokens(server)
    # On a busy machine a hash takes long, as its threads leave the processor to others.
    port = trial.start("connection.sign-in=60s", passwords=None).port
    own = members(port, known)
    # The reports are prepared, as they take the attacker long.
    ready = [[frame(demands(number, promise, turn)) for turn in range(int(trial.seconds * RATE))]
             if number % 6 == 1 else None for number, (_, promise) in enumerate(own)]
    strangers = Strangers(port, trial.seconds)
    # From here on, so that the server's pings are answered while the ordinary clients come.
    trial.readers.add(*(peer for peer, _ in own))
    yield
    strangers.stop = time.monotonic() + trial.seconds
    threads = [threading.Thread(target=strangers.run, args=(number,)) for number in range(STRANGERS)]
    for thread in threads:
        thread.start()
    trial.flood([peer for peer, _ in own], lambda number, turn: (
        ready[number][turn] if ready[number] else frame(demands(number, own[number][1], turn))))
    for thread in threads:
        thread.join()
    # On a busy machine bursts run together, and are too many.
    trial.may_close.add(4005)
    trial.expect(trial.readers.replies > trial.frames / 2, f"{trial.readers.replies} answers to {trial.frames} frames")
    trial.frames += sum(strangers.counts.values())
    allowed = {"limit.rate", "request.invalid", "user.not-found"}
    trial.expect(set(trial.readers.codes) <= allowed, f"errors: {dict(trial.readers.codes)}")
    trial.notes.append(f"{trial.readers.kinds['event']:,} events; " + ", ".join(
        f"{count:,} {name}" for name, count in strangers.counts.most_common()))


hundred_attackers.bound = 250
ATTACKS = [hundred_attackers]
