"""People with accounts, their promises and their reports."""

import json
import threading
import time

from promised.client import Peer

PLACE = {"name": "Square", "latitude": 51.5, "longitude": -0.12}


def together(work, items):
    """Does it for all items at once, each in a thread."""
    threads = [threading.Thread(target=work, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def instant(seconds):
    moment = time.time() + seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment * 1000) % 1000:03d}Z"


def account(port, name, connections=5, address="198.51.100.7", is_new=True):
    """As many connections as one account may have, each as a phone of its own."""
    first = Peer(port, address)
    if is_new:
        token = first.sign_up(name)["accessToken"]
    else:
        token = first.sign_in(name)["accessToken"]
    first.must("hello", token=token, deviceId="phone 0", bootId="1")
    others = [Peer(port, address) for _ in range(connections - 1)]
    for number, peer in enumerate(others):
        peer.must("hello", token=token, deviceId=f"phone {number + 1}", bootId="1")
    return [first, *others]


def user_id(peer):
    return peer.must("getMe")["me"]["user"]["userId"]


def make_promise(owner, members, key, ago=0, **fields):
    """A promise of the owner that the members joined by code; its window opens within two seconds.

    `ago`: how far the server's clock is behind.
    """
    content = {"title": "Attack", "place": PLACE, "meetsAt": instant(62 - ago), **fields}
    promise = owner.must("createPromise", key=key, **content)["promise"]["promise"]
    code = owner.must("createInvite", promiseId=promise["promiseId"])["invite"]["code"]
    for member in members:
        member.must("joinByCode", code=code)
    return promise["promiseId"]


def fix(seq, metres=1_000.0, age=0.0):
    """A position so far north of the place."""
    return {"seq": seq, "latitude": PLACE["latitude"] + metres / 111_195, "longitude": PLACE["longitude"],
            "accuracyMetres": 8, "recordedAt": instant(-age)}


def report(promise, fixes, after=0):
    """A report that is sent so many seconds from now."""
    return {"id": 1, "report": {"promiseId": promise, "sentAt": instant(after), "fixes": fixes}}


def explained(server, promise, user):
    """All that an explanation says of somebody, by all its pages: the fixes, and the revisions."""
    peer, cursor, fixes, revisions = server.administrator(), "", [], []
    while True:
        fields = {"promiseId": promise, "userId": user, **({"cursor": cursor} if cursor else {})}
        page = peer.must("admin", explainArrival=fields)["admin"]["explanation"]
        fixes += page.get("fixes", [])
        revisions += page.get("revisions", [])
        cursor = page.get("cursor", "")
        if not cursor:
            peer.close()
            return fixes, revisions
        # No faster than a user may ask for long: 20 requests a second.
        time.sleep(0.055)


def decoded(payloads, kind):
    """The values under the kind in messages that readers kept."""
    return [json.loads(payload)[kind] for payload in payloads]
