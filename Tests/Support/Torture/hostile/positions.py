"""Attacks by positions: as many as one likes, old ones, with gaps, of ever other devices, and questions about them."""

import time

from promised import stored
from promised.client import frame
from promised.people import account, decoded, explained, fix, make_promise, report, user_id

# Positions that are kept of a participant (limits.kept-fixes), and how long the promise of an attack has been open when
# it begins.
KEPT = 30_000
OPEN = 3_200


def open_since(trial, devices, count, boot="1", name="attacker"):
    """A promise of the attacker that has been open for OPEN seconds, and `count` positions of the attacker that are kept,
    in equal parts of the devices, a kilometre from the place; none of the first ten minutes.

    Returns the ids of the promise and of the attacker.
    """
    with trial.earlier(OPEN) as server:
        peers = account(server.port, name, connections=1)
        promise = make_promise(peers[0], [], "attack", ago=OPEN)
        user = user_id(peers[0])
    database = trial.database()
    opens, = database.execute("SELECT opens_at FROM promise WHERE id = ?", (stored.stored_id(promise),)).fetchone()
    now = int(time.time() * 1_000)
    for device in devices:
        some = stored.fixes(count // len(devices), opens + 600_000, now - 5_000, 51.51, -0.12)
        stored.add_fixes(database, stored.stored_id(promise), stored.stored_id(user), device, boot, some)
    database.commit()
    database.close()
    return promise, user


def numbers(trial, kind="taken"):
    """The numbers of positions that replies acknowledged."""
    return [seq for reply in decoded(trial.readers.kept["reported"], "reported") for seq in reply.get(kind, [])]


def arrival_of_attacker(trial, promise):
    """The arrival once there is one, for which a recall may have to end first; None after half a minute."""
    peer, deadline = trial.server.administrator(), time.monotonic() + 30
    while time.monotonic() < deadline:
        shown = peer.must("admin", showPromise={"promiseId": promise})["admin"]["promise"]
        for person in shown["promise"]["participants"]:
            if "arrival" in person:
                return person["arrival"]
        time.sleep(0.2)
    return None


# defends: position-floods
def fixes(trial):
    """200 fixes a report, 20 reports a second, five phones."""
    peers = account(trial.start().port, "fixes")
    promise = make_promise(peers[0], [], "fixes")
    time.sleep(2)
    trial.readers.keep.add(b"reported")
    turns = int(trial.seconds * 20)
    yield

    def flooded(turn):
        # Dated 10 ms apart: of ten only one may be applied.
        first, after = turn * 200 + 1, turn / 20
        return frame(report(promise, [fix(first + index, 1_000 + index % 20, age=(200 - index) * 0.01 - after)
                                      for index in range(200)], after=after))

    ready = [flooded(turn) for turn in range(turns)]
    trial.flood(peers, lambda number, turn: ready[turn])
    trial.expect_answers()
    trial.expect_codes("limit.rate")
    taken = len(numbers(trial))
    # 400 at once and 20 a second; the time until all were sent is not exactly known.
    trial.expect(400 <= taken <= 400 + 20 * (trial.seconds + 15), f"{taken} fixes were taken")
    trial.notes.append(f"{taken:,} of {trial.frames * 200:,} fixes were taken")


# defends: position-floods
def old_fixes(trial):
    """Reports from before all that is held, of five phones with 29,000 fixes, each of which asks for what is stored."""
    devices = [f"phone {number}" for number in range(5)]
    promise, user = open_since(trial, devices, 29_000)
    server = trial.start()
    peers = account(server.port, "attacker", is_new=False)
    trial.readers.keep.add(b"reported")
    # The window opened OPEN seconds ago; in its first ten minutes the attacker was at the place, as it turns out now.
    age = OPEN - 20
    yield
    ready = [[frame(report(promise, [fix(1_000_000 + turn, 5, age=age - turn * 1.5 - number * 0.25)]))
              for turn in range(int(trial.seconds * 20))] for number in range(5)]
    trial.flood(peers, lambda number, turn: ready[number][turn])
    trial.expect_answers()
    trial.expect_codes("limit.rate")
    taken = len(numbers(trial))
    trial.expect(taken >= 400, f"{taken} fixes were taken")
    # The backdated fixes show in the arrival only if the server judged all of the device's fixes again.
    arrival = arrival_of_attacker(trial, promise)
    trial.expect(arrival and arrival["outcome"] == "EARLY", f"no recall: the arrival is {arrival}")
    fixes, _ = explained(server, promise, user)
    trial.expect(len(fixes) >= 29_000 + taken, f"{len(fixes)} fixes are explained, {taken} were taken beside 29,000")
    trial.notes.append(f"{taken} fixes were taken, and all recalled")


# defends: position-floods
def changing_devices(trial):
    """Five phones call themselves another device again and again, more than are remembered, so that each recall is one's
    first."""
    devices = [[f"phone {number}, {part}" for part in range(4)] for number in range(5)]
    promise, _ = open_since(trial, sum(devices, []), 28_000)
    server = trial.start()
    peers = account(server.port, "attacker", is_new=False)
    trial.readers.keep.add(b"reported")
    yield
    ready = {}
    for number in range(5):
        for turn in range(int(trial.seconds * 20)):
            # The device; a report after which it holds two minutes, and has let go of one; a report from before that.
            again, part = turn // 3, turn % 3
            seq, after = 1_000_000 + turn, turn / 20
            if part == 0:
                message = {"id": 1, "hello": {"deviceId": devices[number][again % 4], "bootId": "1"}}
            elif part == 1:
                message = report(promise, [fix(seq, age=200 - after), fix(seq + 1_000_000, age=-after)], after)
            else:
                message = report(promise, [fix(seq, 1_500, age=OPEN - 20 - again * 1.5 - number * 0.25 - after)], after)
            ready[number, turn] = frame(message)
    trial.flood(peers, lambda number, turn: ready[number, turn])
    trial.expect_answers()
    trial.expect(not set(trial.readers.codes) - {"limit.rate"}, f"errors: {dict(trial.readers.codes)}")
    taken, devices = len(numbers(trial)), trial.readers.kinds["welcome"]
    trial.expect(taken >= 400 and devices >= 160, f"{taken} fixes of {devices} devices were taken")
    trial.notes.append(f"{taken} fixes were taken of {devices} devices, one after the other")


# defends: costly-explanations
def explanations(trial):
    """Asks again and again why somebody arrived of whom 30,000 fixes are kept."""
    promise, user = open_since(trial, ["phone 0"], KEPT)
    server = trial.start()
    peers = account(server.port, "attacker", is_new=False)
    trial.readers.keep.add(b"explanation")
    bad = frame({"id": 1, "explainArrival": {"promiseId": promise, "userId": user}})
    yield
    trial.flood(peers, lambda *_: bad)
    trial.expect_answers()
    trial.expect_codes("limit.rate")
    pages = decoded(trial.readers.kept["explanation"], "explanation")
    trial.expect(len(pages) == 10, f"{len(pages)} pages in less than a minute")
    trial.expect(all(len(page["fixes"]) == 500 and page["cursor"] for page in pages), "a page is not full")
    fixes, _ = explained(server, promise, user)
    trial.expect(len(fixes) == KEPT, f"{len(fixes)} fixes are explained")
    trial.notes.append(f"{len(pages)} pages of 500; {len(fixes):,} fixes in all")


# defends: position-floods
def gaps(trial):
    """Numbers with a gap before each, then the backlog, newest first: what is acknowledged must be applied."""
    promise, user = open_since(trial, [], 0)
    server = trial.start()
    peers = account(server.port, "attacker", connections=1, is_new=False)
    trial.readers.keep.add(b"reported")
    # A report for each of 120 even numbers of the last two minutes; then a backlog of even numbers, a second apart and
    # going back in time, whose older part is a stay at the place of three and a half minutes.
    live = [[fix(10_000 + 2 * index, age=120 - index)] for index in range(120)]
    backlog = [fix(9_000 - 2 * index, max(3, min(1_000, (170 - index) * 6)), age=2_600 + index) for index in range(380)]
    reports = live + [backlog[start:start + 5] for start in range(0, len(backlog), 5)]
    asked = {each["seq"] for some in reports for each in some}
    yield
    trial.flood(peers, lambda _, turn: frame(report(promise, reports[turn])) if turn < len(reports) else None,
                seconds=max(trial.seconds, 10))
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    taken = set(numbers(trial))
    trial.expect(taken == asked, f"{len(taken)} of {len(asked)} fixes were acknowledged")
    arrival = arrival_of_attacker(trial, promise)
    trial.expect(arrival, "the stay of three and a half minutes is no arrival")
    applied = {each["seq"] for each in explained(server, promise, user)[0]}
    trial.expect(taken <= applied, f"{len(taken - applied)} fixes were acknowledged and thrown away")
    trial.notes.append(f"{len(taken)} fixes, each after a gap, were acknowledged and applied")


ATTACKS = [fixes, old_fixes, changing_devices, explanations, gaps]
