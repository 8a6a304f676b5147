"""Attacks by connections themselves: slow and half-open ones, floods of pings, frames beyond the limit, churn, storms of
subscriptions, and one account with a thousand sockets."""

import collections
import contextlib
import socket
import struct
import threading
import time

from hostile.sockets import arrive
from promised import frames
from promised.client import Closed, Peer, frame, packet, upgrade
from promised.people import account, instant, make_promise, together

# The server's deadline for a request's head in these attacks; a wait is measured with some slack.
DEADLINE, SLACK = 3, 2
MOST = 65_536


def bare(port, source=None):
    """A socket that is connected and has sent nothing."""
    found = socket.socket()
    found.settimeout(5)
    try:
        if source:
            found.bind((source, 0))
        found.connect(("127.0.0.1", port))
        found.setblocking(False)
    except OSError:
        found.close()
        raise
    return found


def is_over(some):
    """Whether the server has ended it."""
    try:
        return not some.recv(4_096)
    except BlockingIOError:
        return False
    except OSError:
        return True


class Idlers:
    """Sockets that each begin a request and never end it; the server's end of each is noted with its age."""

    def __init__(self, port, sources, count):
        self.port, self.sources, self.count = port, sources, count
        self.open, self.ages, self.opened = collections.deque(), [], 0
        # The head that each sends, a byte at a time.
        self.head = upgrade(port, headers="X-Slow: " + "a" * 400 + "\r\n")

    def fill(self, most=200):
        """Opens more until there are `count`, at most so many at once."""
        for _ in range(min(most, self.count - len(self.open))):
            with contextlib.suppress(OSError):
                self.open.append([bare(self.port, self.sources[self.opened % len(self.sources)]), time.monotonic(), 0])
                self.opened += 1

    def drip(self):
        """Each sends its next byte; those that the server has ended leave."""
        for _ in range(len(self.open)):
            some, begun, sent = self.open.popleft()
            with contextlib.suppress(OSError):
                some.send(self.head[sent:sent + 1])
            if is_over(some):
                self.ages.append(time.monotonic() - begun)
                some.close()
            else:
                self.open.append([some, begun, sent + 1])

    def close(self):
        for some, _, _ in self.open:
            some.close()


# defends: slow-loris
def slow_loris(trial):
    """A thousand sockets that send a byte of a request's head each half second, of this machine and of one address."""
    port = trial.start(f"connection.handshake={DEADLINE}s").port
    idlers = Idlers(port, [None, trial.outside], 1_000)
    yield
    end = time.monotonic() + trial.seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        idlers.fill()
        idlers.drip()
        time.sleep(max(0, begun + 0.5 - time.monotonic()))
    idlers.close()
    trial.frames += idlers.opened
    oldest = max(idlers.ages, default=0)
    trial.expect(DEADLINE - 1 < oldest < DEADLINE + SLACK, f"the oldest socket lived for {oldest:.1f} s")
    trial.notes.append(f"{len(idlers.ages)} of {idlers.opened} sockets were ended, the oldest after {oldest:.1f} s")


# defends: idle-connections
def half_open(trial):
    """A server for 200 connections and a flood of sockets that send nothing, or half a request, and are left open."""
    port = trial.start("limits.connections=200").port
    Peer(port, "203.0.113.200").sign_up("newcomer")
    held, opened, stop = collections.deque(), [0], threading.Event()
    yield

    def flood():
        while not stop.is_set():
            with contextlib.suppress(OSError):
                some = bare(port, trial.outside)
                if opened[0] % 2:
                    some.send(upgrade(port)[:-2])
                opened[0] += 1
                held.append(some)
                # The oldest are long dead at the server; the attacker has so many files.
                if len(held) > 1_000:
                    held.popleft().close()
            time.sleep(0.002)

    thread = threading.Thread(target=flood)
    thread.start()
    entered = arrive(trial, port)
    stop.set()
    thread.join()
    for some in held:
        some.close()
    trial.frames += opened[0]
    trial.expect(opened[0] > 200, f"only {opened[0]} sockets were opened")
    trial.expect(entered == 10, f"a newcomer got in {entered} of 10 times")
    trial.notes.append(f"{opened[0]} sockets were opened; a newcomer got in {entered} of 10 times")


# defends: ping-floods
def ping_floods(trial):
    """Five connections that send pings of 125 bytes, each as fast as the server takes them."""
    port = trial.start().port
    peers = account(port, "pings")
    pings, sent = packet(frames.PING, b"p" * 125) * 20, [0] * len(peers)
    trial.may_close.add(4005)
    yield
    stop = time.monotonic() + trial.seconds
    trial.readers.add(*peers)

    def ping(number):
        with contextlib.suppress(OSError):
            while time.monotonic() < stop:
                peers[number].send_frame(pings)
                sent[number] += 20

    together(ping, range(len(peers)))
    trial.frames += sum(sent)
    trial.expect(trial.readers.pongs > 0, "no ping was answered")
    trial.notes.append(f"{trial.readers.pongs:,} pings were answered; {trial.readers.closes[4005]} of 5 were closed")


def giant(size, opcode=1, final=True, length=None):
    """A frame that says it has `length` bytes and has `size`."""
    head = struct.pack("!BBQ", (0x80 if final else 0) | opcode, 0xFF, size if length is None else length)
    return head + b"\0\0\0\0" + b" " * size


# defends: giant-frames
def giant_frames(trial):
    """Frames beyond the limit: as announced, as sent and in pieces, before and after the sign-in."""
    port = trial.start().port
    token = account(port, "giant", connections=1)[0].sign_in("giant")["accessToken"]
    huge = [giant(100, length=length) for length in (2**63 - 1, 2**31, 2**30, 16 * 2**20, MOST + 1)]
    whole = [giant(MOST + 1), giant(2**20), giant(MOST // 2, final=False) + giant(MOST // 2 + 1, opcode=0)]
    many = [giant(1_000, final=False) + giant(1_000, opcode=0, final=False) * 80]
    before = huge + [giant(4_097), giant(MOST)]
    ends = collections.Counter()
    yield
    stop, turn = time.monotonic() + trial.seconds, 0
    while time.monotonic() < stop:
        is_known = turn % 2 == 0
        frames = huge + whole + many if is_known else before
        bad = frames[turn // 2 % len(frames)]
        turn += 1
        try:
            peer = Peer(port, "198.51.100.12", timeout=5)
            if is_known:
                peer.must("hello", token=token)
            try:
                peer.send_frame(bad)
                peer.receive()
                ends["answered"] += 1
            finally:
                peer.close()
        except Closed as end:
            ends[end.code] += 1
        except OSError as problem:
            # The server may close while the rest of the frame is on its way, which resets the connection.
            ends["reset" if isinstance(problem, ConnectionError) else type(problem).__name__] += 1
        time.sleep(0.01)
    trial.frames += turn
    # 1002: the library refuses a length of 63 bits itself.
    trial.expect(set(ends) <= {1009, 1002, None, "reset"} and ends[1009] > 0, f"ends: {dict(ends)}")
    trial.notes.append(", ".join(f"{count} ended with {code}" for code, count in ends.most_common()))


# defends: connection-churn
def churn(trial):
    """Connections of one account that sign in, subscribe and vanish, half of them with a reset, as fast as one address
    may open them."""
    port = trial.start("throttle.handshakes=50").port
    owner = account(port, "churn", connections=1)
    token, promise = owner[0].sign_in("churn")["accessToken"], make_promise(owner[0], [], "churn")
    lived, refused = [0], [0]
    yield
    stop = time.monotonic() + trial.seconds

    def come(number):
        while time.monotonic() < stop:
            try:
                peer = Peer(port, "198.51.100.13", timeout=5)
                peer.must("hello", token=token, deviceId=f"phone {number}", bootId="1")
                peer.must("subscribe", promiseId=promise)
                if lived[0] % 2:
                    # A reset instead of an end.
                    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
                lived[0] += 1
            except (Closed, OSError):
                refused[0] += 1
                time.sleep(0.005)

    together(come, range(5))
    trial.frames += lived[0] + refused[0]
    most = 50 * (trial.seconds + 2)
    trial.expect(trial.seconds * 10 < lived[0] <= most, f"{lived[0]} connections in {trial.seconds} s")
    trial.expect(refused[0] > 0, "no handshake was refused")
    trial.notes.append(f"{lived[0]} connections came and went, {refused[0]} were refused")


# defends: request-storms
def subscribe_storms(trial):
    """Five connections that subscribe to sixty promises, again and again, without ever ending a subscription, and to one
    that they end each time."""
    port = trial.start().port
    peers = account(port, "storm")
    other = account(port, "beside", 1, "198.51.100.14")
    # Twelve windows may overlap at any instant, so each opens an hour behind the one before.
    promises = [make_promise(peers[0], other if number == 0 else [], f"storm {number}", meetsAt=instant(62 + number * 3_600))
                for number in range(60)]
    yield

    def request(number, turn):
        name = ("subscribe", "subscribe", "unsubscribe", "subscribe")[turn % 4]
        promise = promises[0] if turn % 4 in (1, 2) else promises[(turn // 2 + number * 12) % 60]
        return frame({"id": 1, name: {"promiseId": promise}})

    trial.flood(peers, request)
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    trial.notes.append(f"{trial.readers.kinds['subscribed']} subscriptions to 60 promises")


# defends: many-connections
def thousand_sockets(trial):
    """One account opens a thousand connections as so many devices: the five newest stay."""
    port = trial.start().port
    token = account(port, "thousand", connections=1)[0].sign_in("thousand")["accessToken"]
    trial.may_close.add(4504)
    yield
    begin, peers, count = time.monotonic(), [], 1_000
    for number in range(count):
        time.sleep(max(0, begin + number * (trial.seconds - 1) / count - time.monotonic()))
        peer = Peer(port, "198.51.100.15", timeout=5)
        peer.must("hello", token=token, deviceId=f"phone {number}", bootId="1")
        trial.readers.add(peer)
        peers.append(peer)
    trial.frames += count
    # The sixth last must be closed, and those after it must not be.
    deadline = time.monotonic() + 5
    while trial.readers.closes[4504] < count - 5 and time.monotonic() < deadline:
        time.sleep(0.05)
    trial.expect(trial.readers.closes[4504] == count - 5, f"closed: {dict(trial.readers.closes)}")
    for peer in peers[-5:]:
        peer.send_frame(frame({"id": 1, "getMe": {}}))
    deadline = time.monotonic() + 5
    while trial.readers.kinds["me"] < 5 and time.monotonic() < deadline:
        time.sleep(0.05)
    trial.expect(trial.readers.kinds["me"] == 5, f"{trial.readers.kinds['me']} of the five newest are answered")
    trial.notes.append(f"{trial.readers.closes[4504]} were closed with 4504, the five newest are answered")


ATTACKS = [slow_loris, half_open, ping_floods, giant_frames, churn, subscribe_storms, thousand_sockets]
