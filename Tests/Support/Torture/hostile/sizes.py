"""Attacks by size: everything as long as it may be, in every list and reply."""

import time

from promised import stored
from promised.client import LARGEST_FRAME, Peer, frame, nickname
from promised.people import account, explained, fix, make_promise, report, together, user_id

# One character of eight bytes that no normal form shortens, and an emoji of as many bytes as a field takes.
WIDE = "\U0001D400" + "\u0334" * 2
EMOJI = "\U0001F600" + "\u0334" * 30
AVATAR, NOTE, TITLE, STATUS, REASON = WIDE * 64, WIDE * 500, WIDE * 60, WIDE * 80, WIDE * 200


def people(port, count, name="wide"):
    """People with the longest avatars the server takes, each from an address of their own."""
    found = [None] * count

    def come(some):
        for number in some:
            found[number] = Peer(port, f"198.51.{100 + number // 250}.{number % 250 + 1}")
            found[number].sign_up(f"{name}{number}")
            found[number].must("updateMe", avatar=AVATAR)

    together(come, [range(start, count, 4) for start in range(4)])
    return found


# defends: long-contents
def long_names(trial):
    """150 strangers with the longest avatars ask one person to be friends, who looks at the list."""
    port = trial.start().port
    friend = account(port, "wanted")
    strangers = people(port, 150, "stranger")
    for stranger in strangers:
        stranger.must("requestFriend", nickname=nickname("wanted"))
        stranger.close()
    incoming, cursor = 0, ""
    while True:
        page = friend[0].must("listFriendRequests", **({"cursor": cursor} if cursor else {}))["friendRequests"]
        incoming, cursor = incoming + len(page.get("incoming", [])), page.get("cursor", "")
        if not cursor:
            break
    trial.expect(incoming == 150, f"{incoming} requests are listed")
    yield
    trial.flood(friend, lambda *_: frame({"id": 1, "listFriendRequests": {}}))
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    trial.notes.append(f"replies of {trial.readers.largest:,} bytes")


# defends: long-contents
def large_promises(trial):
    """A promise of fifty friends with the longest of everything: got, subscribed to, and the friends listed."""
    port = trial.start().port
    owner, others = account(port, "owner"), people(port, 49)
    for other in others:
        other.must("requestFriend", nickname=nickname("owner"))
        owner[0].must("acceptFriend", userId=user_id(other))
    owner[0].must("updateMe", avatar=AVATAR)
    place = {"name": WIDE * 100, "address": WIDE * 200, "latitude": 51.5, "longitude": -0.12}
    promise = make_promise(owner[0], others, "large", title=TITLE, note=NOTE, place=place)
    for peer in (owner[0], *others):
        peer.must("setStatus", promiseId=promise, text=STATUS, emoji=EMOJI)
    friends = owner[0].must("listFriends")["friends"]
    trial.expect(friends["users"][0]["avatar"] == AVATAR, "an avatar was cut")
    asked = [frame({"id": 1, "getPromise": {"promiseId": promise}}), frame({"id": 1, "subscribe": {"promiseId": promise}}),
             frame({"id": 1, "listFriends": {}})]
    trial.readers.add(*others)
    yield
    trial.flood(owner, lambda _, turn: asked[turn % 3])
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    kinds = {"promise", "subscribed", "friends"}
    trial.expect(kinds <= set(trial.readers.kinds), f"replies: {dict(trial.readers.kinds)}")
    trial.notes.append(f"replies of {trial.readers.largest:,} bytes")


# defends: long-contents
def large_results(trial):
    """49 of fifty are excused with the longest reasons; the result comes to all fifty, who then ask for it."""
    port = trial.start("window.after=1m", "window.settle=1s").port
    owner, others = account(port, "owner", connections=1), people(port, 49)
    owner[0].must("updateMe", avatar=AVATAR)
    promise = make_promise(owner[0], others, "result")
    final = time.monotonic() + 62 + 60 + 1
    for other in others:
        owner[0].must("excuse", promiseId=promise, userId=user_id(other), reason=REASON)
    for peer in (owner[0], *others):
        peer.must("subscribe", promiseId=promise)
    trial.readers.keep |= {b"event", b"result"}
    trial.readers.add(*owner, *others)
    # The ordinary clients need some seconds to get in; then the result is to come while they are measured.
    time.sleep(max(0, final - 8 - time.monotonic()))
    yield
    deadline = final + 20
    while time.monotonic() < deadline and len(results(trial)) < 50:
        time.sleep(0.1)
    trial.expect(len(results(trial)) == 50, f"{len(results(trial))} of 50 heard the result")
    trial.flood(owner + others[:4], lambda *_: frame({"id": 1, "getResult": {"promiseId": promise}}))
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    reasons = max((result.count(REASON.encode()) for result in trial.readers.kept["result"]), default=0)
    trial.expect(reasons == 49, f"{reasons} of 49 reasons are in the result")
    trial.notes.append(f"frames of {trial.readers.largest:,} bytes, none refused")


def results(trial):
    return [event for event in trial.readers.kept["event"] if b'"resultFinal"' in event]


# defends: costly-explanations
def long_explanation(trial):
    """An explanation of 30,000 fixes of devices with the longest names, and of 9,000 changes."""
    device, count = WIDE * 64, 29_000
    with trial.earlier(3_200) as server:
        owner = account(server.port, "owner", connections=1)[0]
        other = people(server.port, 1)[0]
        promise = make_promise(owner, [other], "explained", ago=3_200)
        person = user_id(other)
        other.must("hello", deviceId=device, bootId="1")
        # The window opens in two seconds on a clock that began to run when the server was up. Then they check in, and so
        # have an event that can be repeated.
        time.sleep(5)
        other.must("report", **report(promise, [fix(1, 3, age=0.5), fix(2, 3)])["report"])
        other.must("checkIn", promiseId=promise)
    database = trial.database()
    opens, = database.execute("SELECT opens_at FROM promise").fetchone()
    some = stored.fixes(count, opens + 600_000, int(time.time() * 1_000) - 5_000, 51.51, -0.12)
    stored.add_fixes(database, stored.stored_id(promise), stored.stored_id(person), device, "1",
                     [(seq + 10, *rest) for seq, *rest in some])
    stored.repeat_event(database, stored.stored_id(promise), "arrivalConfirmed", 9_000)
    database.commit()
    database.close()
    server = trial.start()
    owner = account(server.port, "owner", is_new=False)
    yield
    trial.flood(owner, lambda *_: frame({"id": 1, "explainArrival": {"promiseId": promise, "userId": person}}))
    trial.expect_answers()
    trial.expect_codes("limit.rate")
    fixes, revisions = explained(server, promise, person)
    trial.expect(len(fixes) >= count, f"{len(fixes)} fixes are explained")
    trial.expect(len(revisions) >= 9_000, f"{len(revisions)} changes are explained")
    trial.expect(fixes[-1]["deviceId"] == device, "the name of a device was cut")
    trial.notes.append(f"{len(fixes):,} fixes and {len(revisions):,} changes by pages of at most {LARGEST_FRAME:,} bytes")


# defends: long-contents
def missed_events(trial):
    """Subscribes again and again as somebody who has missed the 500 events that are told, and not a snapshot."""
    with trial.earlier(100) as server:
        peer = account(server.port, "late", connections=1)[0]
        promise = make_promise(peer, account(server.port, "other", 1, "198.51.100.71"), "missed", ago=100)
        epoch = peer.must("subscribe", promiseId=promise)["subscribed"]["epoch"]
    database = trial.database()
    stored.repeat_event(database, stored.stored_id(promise), "joined", 495)
    database.commit()
    database.close()
    peers = account(trial.start().port, "late", is_new=False)
    trial.readers.keep.add(b"subscribed")
    last = peers[0].must("subscribe", promiseId=promise)["subscribed"]["seq"]
    asked = frame({"id": 1, "subscribe": {"promiseId": promise, "epoch": epoch, "lastSeq": max(0, last - 490)}})
    yield
    trial.flood(peers, lambda *_: asked)
    trial.expect_answers()
    trial.expect(not trial.readers.codes, f"errors: {dict(trial.readers.codes)}")
    told = min(reply.count(b'"joined"') for reply in trial.readers.kept["subscribed"])
    trial.expect(told >= 450, f"{told} events were told")
    trial.notes.append(f"replies of {told} events and {trial.readers.largest:,} bytes")


ATTACKS = [long_names, large_promises, large_results, long_explanation, missed_events]
