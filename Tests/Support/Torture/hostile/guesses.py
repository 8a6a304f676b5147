"""Attacks by guesses and tokens: passwords and codes from many addresses of IPv4 and IPv6, forged and replayed tokens."""

import base64
import collections
import contextlib
import hashlib
import hmac
import json
import time

from promised.client import PASSWORD, Closed, Peer, email
from promised.people import account, make_promise, together

# Failures that the networks of a guesser may have (docs/domain.md, 2): of an address or a /64, of a /56, of a /48.
NETWORKS = {"IPv4": 30, "/64": 30, "/56": 120, "/48": 480}


def address(network, turn):
    """The address of a guesser's turn, inside what it owns: one IPv4 address, or one IPv6 network."""
    if network == "IPv4":
        return "198.51.100.21"
    # In the /48 each is of another /56.
    prefix = {"/64": "2001:db8:64:0", "/56": f"2001:db8:56:1{turn % 256:02x}",
              "/48": f"2001:db8:48:{turn * 257 % 65_536:x}"}
    return f"{prefix[network]}:{turn:x}::1"


def guess(trial, port, network, ask):
    """Guesses from a network for the time of the attack, and until it is stopped, five times over each connection and from
    a new address each.

    `ask`: sends a guess and returns the code of its error. Returns how often each code came.
    """
    codes, turn, stop = collections.Counter(), 0, time.monotonic() + trial.seconds
    while time.monotonic() < stop or not codes["limit.attempts"] and time.monotonic() < stop + 30:
        with contextlib.suppress(Closed, OSError):
            peer = Peer(port, address(network, turn), timeout=10)
            try:
                for part in range(5):
                    codes[ask(peer, turn * 5 + part)] += 1
            finally:
                peer.close()
        turn += 1
        # Once it is refused, it goes on more slowly: the rest is the same.
        time.sleep(0.05 if codes["limit.attempts"] else 0.005)
    return codes


def guess_from_all(trial, port, ask, wrong):
    """Guesses from all networks at once, and expects each to be stopped at its limit.

    `wrong`: the code of a guess that was looked at.
    """
    found = {}

    def run(network):
        found[network] = guess(trial, port, network, ask)

    together(run, NETWORKS)
    for network, most in NETWORKS.items():
        codes = found[network]
        trial.frames += sum(codes.values())
        trial.expect(set(codes) == {wrong, "limit.attempts"}, f"{network}: {dict(codes)}")
        trial.expect(codes[wrong] == most, f"{codes[wrong]} guesses of {network} were looked at, and not {most}")
    trial.notes.append("looked at: " + ", ".join(f"{codes[wrong]} of {network}" for network, codes in found.items()))


# defends: guessed-passwords
def guessed_passwords(trial):
    """Guesses passwords from one IPv4 address and, from ever new ones, of an IPv6 /64, a /56 and a /48."""
    port = trial.start().port
    Peer(port, "203.0.113.200").sign_up("newcomer")
    yield

    def ask(peer, turn):
        # Each time another account, so that only the limits of addresses apply.
        return peer.ask("signIn", email=email(f"nobody{turn}"), password=f"wrong {turn}")["error"]["code"]

    guess_from_all(trial, port, ask, "auth.invalid-credentials")
    neighbour = Peer(port, "2001:db8:49::1")
    trial.expect("session" in neighbour.ask("signIn", email=email("newcomer"), password=PASSWORD), "a neighbour waits, too")


# defends: guessed-links
def guessed_links(trial):
    """The same with view links and sign-in codes, while somebody watches by the right link."""
    port = trial.start().port
    owner = account(port, "owner", connections=1)[0]
    link = owner.must("createViewLink", promiseId=make_promise(owner, [], "link"))["viewLink"]["code"]
    yield

    def ask(peer, turn):
        code = base64.urlsafe_b64encode(hashlib.sha256(str(turn).encode()).digest()[:24]).decode()
        return peer.ask(("watchByLink", "exchangeCode")[turn % 2], code=code)["error"]["code"]

    guess_from_all(trial, port, ask, "code.invalid")
    viewer = Peer(port, "2001:db8:49::1")
    trial.expect("linkView" in viewer.ask("watchByLink", code=link), "the right link is refused")


# defends: guessed-codes
def guessed_invitations(trial):
    """An account with five connections, each of another address, guesses invite and check-in codes."""
    port = trial.start().port
    owner = account(port, "owner", 1, "198.51.100.22")[0]
    promise = make_promise(owner, [], "guessed")
    code = owner.must("createInvite", promiseId=promise)["invite"]["code"]
    peers = account(port, "guesser")
    promise = make_promise(peers[0], [], "own")
    codes = {name: collections.Counter() for name in ("joinByCode", "checkIn")}
    time.sleep(2)
    yield
    begin = time.monotonic()
    for turn in range(int(trial.seconds * 20)):
        time.sleep(max(0, begin + turn / 20 - time.monotonic()))
        name, peer = ("joinByCode", "checkIn")[turn % 2], peers[turn // 2 % 5]
        fields = {"code": f"ABCDEFGH{turn % 8 + 2}{turn // 8 % 8 + 2}"} if name == "joinByCode" else {
            "code": f"{turn * 7_919 % 1_000_000:06}", "promiseId": promise}
        codes[name][peer.ask(name, **fields)["error"]["code"]] += 1
        trial.frames += 1
    for name, found in codes.items():
        trial.expect(set(found) == {"code.invalid", "limit.attempts"}, f"{name}: {dict(found)}")
        trial.expect(found["code.invalid"] <= 10, f"{found['code.invalid']} codes were looked at by {name}")
    # Also the right code waits; somebody else joins with it.
    reply = peers[0].ask("joinByCode", code=code)
    trial.expect(reply.get("error", {}).get("code") == "limit.attempts", f"the right code: {reply}")
    account(port, "friend", 1, "198.51.100.23")[0].must("joinByCode", code=code)
    trial.notes.append("; ".join(f"{name}: {dict(found)}" for name, found in codes.items()))


# --- Tokens ----------------------------------------------------------------------------------------------------------


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).rstrip(b"=").decode()


def read_part(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def forgeries(token, subject, refresh):
    """Tokens that a server must not take: changed, signed by others or by nobody, and of other kinds."""
    head, body, signature = token.split(".")
    claims = read_part(body)
    other, late = part({**claims, "sub": subject}), part({**claims, "exp": claims["exp"] + 86_400})
    found = [f"{head}.{other}.{signature}", f"{head}.{late}.{signature}", f"{head}.{body}.", f"{head}.{body}", body]
    for name in ("none", "None", "nOnE", "HS256", "RS256", "HS512"):
        # `crit` and `jwk` are not for the bearer to say either.
        for more in ({}, {"typ": "JWT", "kid": "../../dev/null"}, {"jwk": {"kty": "oct", "k": ""}}):
            forged = part({"alg": name, **more})
            found += [f"{forged}.{other}.", f"{forged}.{other}.{signature}"]
    for key in (b"", b"secret", b"0" * 32, head.encode()):
        signed = hmac.new(key, f"{head}.{other}".encode(), hashlib.sha256).digest()
        found.append(f"{head}.{other}." + base64.urlsafe_b64encode(signed).rstrip(b"=").decode())
    for index in range(0, len(signature), 5):
        changed = "A" if signature[index] != "A" else "B"
        found.append(f"{head}.{body}.{signature[:index]}{changed}{signature[index + 1:]}")
    return found + [refresh, token + "x", token[:-8], "promised_admin_" + "A" * 43, " ", "a.b.c", "..", "=" * 900]


def refused(port, token):
    """How the server refuses a token, sent in a hello and with the upgrade."""
    peer = Peer(port, "198.51.100.24")
    try:
        reply = peer.ask("hello", token=token)
        hello = reply["error"]["code"] if "error" in reply else "taken"
    finally:
        peer.close()
    try:
        peer = Peer(port, "198.51.100.24", headers=f"Authorization: Bearer {token}\r\n")
        reply = peer.ask("getMe")
        header = reply["error"]["code"] if "error" in reply else "taken"
        peer.close()
    except (Closed, OSError) as end:
        header = f"closed {getattr(end, 'code', 'reset')}"
    return hello, header


# defends: forged-tokens
def forged_tokens(trial):
    """Tokens that were changed, are signed by others or by nobody, or are of another kind, in a hello and a header."""
    port = trial.start().port
    victim = Peer(port, "198.51.100.25").sign_up("victim")
    attacker = Peer(port, "198.51.100.24").sign_up("attacker")
    bad = forgeries(attacker["accessToken"], victim["user"]["userId"], attacker["refreshToken"])
    answers, turn = collections.Counter(), 0
    yield
    stop = time.monotonic() + trial.seconds
    while time.monotonic() < stop or turn < len(bad):
        answers[refused(port, bad[turn % len(bad)])] += 1
        turn += 1
        time.sleep(0.005)
    trial.frames += turn * 2
    hellos, headers = {hello for hello, _ in answers}, {header for _, header in answers}
    trial.expect(hellos == {"auth.token-invalid"}, f"in a hello: {hellos}")
    trial.expect(headers <= {"closed 4500", "auth.required"}, f"in a header: {headers}")
    trial.notes.append(f"{turn} tokens of {len(bad)} kinds were refused: {', '.join(sorted(headers))} in a header")


# defends: replayed-tokens
def replayed_tokens(trial):
    """Tokens that were good: of sessions that have ended, refreshed twice, and of accounts that are gone."""
    port = trial.start().port
    Peer(port, "198.51.100.26").sign_up("replayed")
    found, turn = collections.Counter(), 0

    def signed_out(peer, session):
        peer.must("signOut")
        return [("refresh", session["refreshToken"]), ("hello", session["accessToken"])]

    def refreshed(peer, session):
        second = peer.must("refresh", refreshToken=session["refreshToken"])["session"]
        third = peer.must("refresh", refreshToken=second["refreshToken"])["session"]
        # The first is long replaced: its use ends the session, and with it the newest tokens.
        return [("refresh", session["refreshToken"]), ("refresh", third["refreshToken"]), ("hello", third["accessToken"])]

    def deleted(peer, session):
        peer.must("deleteAccount", password=PASSWORD)
        return [("refresh", session["refreshToken"]), ("hello", session["accessToken"])]

    yield
    stop = time.monotonic() + trial.seconds
    while time.monotonic() < stop:
        peer = Peer(port, f"198.51.{turn // 200 % 200}.{turn % 200 + 1}")
        end = (signed_out, refreshed, deleted)[turn % 3]
        session = peer.sign_up(f"gone{turn}") if end is deleted else peer.sign_in("replayed")
        replays = end(peer, session)
        peer.close()
        thief = Peer(port, "198.51.100.27")
        for request, token in replays:
            fields = {"token": token} if request == "hello" else {"refreshToken": token}
            found[thief.ask(request, **fields).get("error", {}).get("code", f"{request} after {end.__name__}")] += 1
        thief.close()
        turn += 1
        time.sleep(0.02)
    trial.frames += sum(found.values())
    trial.expect(set(found) == {"auth.token-invalid"}, f"answers: {dict(found)}")
    trial.notes.append(f"{sum(found.values())} replays of {turn} sessions were refused")


ATTACKS = [guessed_passwords, guessed_links, guessed_invitations, forged_tokens, replayed_tokens]
