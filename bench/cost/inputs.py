"""Inputs within all limits: made at random from the fields' limits, and changed a little at a time.

An input is a tree of what a request's fields are given. Its leaves carry the words that describe them in the table.
"""

import base64
import dataclasses
import random
import string
import uuid

from promised import schema as types
from promised.people import instant
from promised.protobuf import varint

# Texts by kind: what is repeated. Characters, as the limits count them, are graphemes.
ALPHABETS = {
    "ASCII": "abcdefghij klmnop",
    "blanks": "a  b\t c",
    "Hangul": "광화문 시장",
    "conjoining jamo": "\u1100\u1161\u11a8",
    "eight-byte characters": "\U0001D400\u0334\u0334",
    "accents in the wrong order": "e\u0301\u0323\u0307\u0331\u0300",
    "emoji of many parts": "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466",
    "flags": "\U0001F1F0\U0001F1F7",
    "characters with the longest decompositions": "\ufdfa\u0390",
    "quotes": "\"\\\u0001",
    "right to left": "\u05d0\u0650\u202e",
}
MARKS = "\u0301\u0323\u0300\u0331\u0334\u0345\u0315\u035c\u0307\u0327"
CATEGORIES = [
    "cafe", "bookshop/new", "bookshop/used", "bookshop", "market/periodic", "library", "park", "station",
    "bicycle/rental"
]
WORDS = [
    "시장", "카페", "책방", "ㄱㅈㅅㅈ", "coffee", "books", "station", "コーヒー", "a", "1", "ㅅ", "ㅅㅈ",
    "길 77", "station 1 길",
    "a b c d e", "ㄱ ㄴ ㄷ ㄹ ㅁ", "1 2 3 4 5", "시 장 1 길 2"
]


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A value, or a function of the world that makes it anew for each sending; and the words for it."""

    value: object
    words: str = ""


def pad_json(kind, size):
    """Unknown fields that begin with a comma."""
    if size < 16:
        return b""
    room = size - 12
    body = {
        "nested arrays": lambda: b"[" * (room // 2) + b"]" * (room // 2),
        "nested objects": lambda: b'{"a":' * (room // 6 - 1) + b"1" + b"}" * (room // 6 - 1),
        "short members": lambda: b"{" + b",".join(b'"%x":1' % number for number in range(room // 10)) + b"}",
        "a long number": lambda: b"1" + b"7" * (room - 2),
        "escapes": lambda: b'"' + b"\\u0041" * ((room - 2) // 6) + b'"',
        "numbers": lambda: b"[" + b",".join([b"1.5e-9"] * (room // 7)) + b"]",
        "blanks": lambda: b" " * (room - 1) + b"1",
        "strings": lambda: b"[" + b",".join([b'""'] * (room // 3)) + b"]",
    }[kind]()
    return b',"zz":' + body


def pad_protobuf(kind, size):
    """Unknown fields."""
    if size < 16:
        return b""
    if kind == "groups":
        depth = min(90, size // 4)
        return varint(3000 << 3 | 3) * depth + varint(3000 << 3 | 4) * depth
    if kind == "short fields":
        return (varint(3000 << 3) + b"\x01") * (size // 3)
    if kind == "empty fields":
        return (varint(3000 << 3 | 2) + b"\0") * (size // 3)
    return varint(3000 << 3 | 2) + varint(size - 8) + b"z" * (size - 8)


PADS = {
    "json": [
        "nested arrays", "nested objects", "short members", "a long number", "escapes", "numbers", "blanks", "strings"
    ],
    "protobuf": ["groups", "short fields", "empty fields", "a long field"],
}


class Inputs:
    """Makes inputs of one world: ids are those of its things."""

    def __init__(self, schema, world, seed):
        self.schema, self.world, self.random = schema, world, random.Random(seed)

    def make(self, request, encoding, callers):
        """An input: who sends it, the fields, and unknown fields beside them."""
        return {
            "caller": self.random.choice(callers), "fields": self.message(request.message, request.name),
            "pad": self.padding(request, encoding)
        }

    def changed(self, request, encoding, callers, parent):
        """An input that differs from another in one to three things."""
        child = {"caller": parent["caller"], "fields": dict(parent["fields"]), "pad": parent["pad"]}
        for _ in range(self.random.randint(1, 3)):
            dice = self.random.random()
            fields = request.message.fields
            if dice < 0.1:
                child["caller"] = self.random.choice(callers)
            elif dice < 0.2 or not fields:
                child["pad"] = self.padding(request, encoding)
            else:
                child["fields"] = self.rechosen(request.message, request.name, child["fields"])
        return child

    def rechosen(self, message, path, fields):
        """The fields with one of them made anew, at any depth."""
        field, fields = self.random.choice(message.fields), dict(fields)
        inside = fields.get(field.json_name)
        if isinstance(inside, dict) and self.random.random() < 0.7 and field.message.fields:
            fields[field.json_name] = self.rechosen(field.message, f"{path}.{field.json_name}", inside)
        else:
            fields.pop(field.json_name, None)
            value = self.field(field, path, 1)
            if value is not None:
                fields[field.json_name] = value
        return fields

    def padding(self, request, encoding):
        size = self.random.choice([0, 0, 900, request.largest])
        return self.random.choice(PADS[encoding]), size

    # --- Rendering ----------------------------------------------------------------------------------------------------

    def payload(self, request, encoding, made, number):
        """The frame as it is sent, and the fields in it. None if it is longer than the request may be."""
        fields = self.rendered(made["fields"])
        message = fields
        for branch in reversed(request.path):
            message = {branch: message}
        message = {"id": number, **message}
        try:
            plain = self.schema.encoded(message, encoding)
        except (ValueError, OverflowError):  # the value does not fit the type
            return None, fields
        kind, size = made["pad"]
        limit = 4_096 if made["caller"] == "stranger" else request.largest
        room = min(size, limit) - len(plain)
        pad = (pad_json if encoding == "json" else pad_protobuf)(kind, room) if size else b""
        whole = self.schema.encoded(message, encoding, pad) if pad else plain
        return (whole if len(whole) <= limit else None), fields

    def rendered(self, tree):
        if isinstance(tree, dict):
            return {name: self.rendered(value) for name, value in tree.items()}
        if isinstance(tree, list):
            return [self.rendered(value) for value in tree]
        return tree.value() if callable(tree.value) else tree.value

    def words(self, made):
        """The notable properties of an input."""
        notes = []

        def look(name, tree):
            if isinstance(tree, dict):
                for inner, value in tree.items():
                    look(inner, value)
            elif isinstance(tree, list):
                if tree:
                    notes.append(f"{len(tree)} {name}")
                    look(name, tree[0])
            elif tree.words:
                notes.append(f"{name}: {tree.words}")

        look("", made["fields"])
        kind, size = made["pad"]
        if size:
            notes.append(f"{size:,} bytes with unknown {kind}" if size > 900 else f"unknown {kind}")
        return "; ".join(dict.fromkeys(notes))

    # --- Values -------------------------------------------------------------------------------------------------------

    def message(self, message, path):
        special = self.world.whole(message.name, self)
        if special is not None:
            return special
        fields = {}
        for field in message.fields:
            value = self.field(field, path)
            if value is not None:
                fields[field.json_name] = value
        return fields

    def field(self, field, path, must=0):
        """The value of a field; None: no value."""
        allowed = field.option("allows") or types.Values()
        own = self.world.value(field, path, self)
        if own is not None:
            return None if own == "absent" else own
        can_miss = not field.is_list and (field.has_presence and not allowed.one("required") or must)
        if can_miss and self.random.random() < 0.3:
            return None
        if len(field.alternatives) > 1:
            return None
        if field.is_list:
            least, most = allowed.one("min_items", 0), allowed.one("max_items", 60)
            count = self.random.choice([least, max(1, least), most, self.random.randint(least, most)])
            return [self.single(field, allowed, path) for _ in range(count)]
        return self.single(field, allowed, path)

    def single(self, field, allowed, path):
        if field.message is not None:
            if field.type_name == types.TIMESTAMP:
                return self.time()
            return self.message(field.message, f"{path}.{field.json_name}")
        if field.enum is not None:
            names = [name for name, number in field.enum.items() if number]
            return self.leaf(self.random.choice(names))
        if field.kind == types.BOOL:
            return Leaf(self.random.random() < 0.5)
        if field.kind == types.BYTES:
            return self.data(allowed)
        if field.kind == types.STRING:
            return self.identifier(field, path) if allowed.one("id") or field.json_name.lower().endswith("id") else self.text(
                field, allowed)
        return self.number(field, allowed)

    def leaf(self, value):
        return Leaf(value, str(value))

    def time(self):
        seconds = self.random.choice(
            [-1, 0, 3_700, 86_400, -86_400, -86_400 * 300, 86_400 * 200,
             self.random.uniform(-1e7, 1e7)])
        return Leaf(lambda: instant(seconds), "")

    def data(self, allowed):
        most = allowed.one("max_length")
        size = self.random.choice([1, most, self.random.randint(1, most)])
        return Leaf(base64.b64encode(self.random.randbytes(size)).decode(), f"{size:,} bytes")

    def number(self, field, allowed):
        low, high = allowed.one("min", 0), allowed.one("max", 2**31 - 1)
        whole = field.kind != types.DOUBLE
        value = self.random.choice(
            [low, high, min(high, low + 1),
             self.random.uniform(low, high),
             min(high, max(low, 50))])
        if not whole:
            return Leaf(value)
        return Leaf(int(value), f"{int(value):,}" if field.json_name in ("limit", "maxPoints", "zoom") else "")

    def identifier(self, field, path):
        label, value = self.world.one_of(field.json_name, path, self.random)
        if self.random.random() < 0.03:
            return Leaf(str(uuid.UUID(int=self.random.getrandbits(128))), "unknown")
        return Leaf(value, label)

    def text(self, field, allowed):
        name = field.json_name
        if allowed.one("format") == "idn-email":
            return Leaf(lambda: f"{uuid.uuid4().hex}@example.org", "")
        if name in ("categories",):
            return Leaf(self.random.choice(CATEGORIES))
        if name in ("regions", "region", "parent"):
            return Leaf(
                self.random.choice(["KR-11", "KR-26", "JP-13", "KR-11/r1", "none"]) if name !=
                "parent" else self.random.choice(["KR-11", "JP-13"]))
        if name == "sources":
            return Leaf(self.random.choice(["bench", "other"]))
        if name == "cursor":
            return self.world.cursor(self.random)
        if name == "text" and self.random.random() < 0.7:
            word = self.random.choice(WORDS)
            return Leaf(word, f"“{word}”")
        if "pattern" in allowed:
            return Leaf(
                {"currency": "EUR", "quietFrom": "22:30", "quietTo": "07:00", "sha256": "a" * 64,
                 "path": "/tmp/x"}.get(name, "a" * min(24, allowed.one("max_length", 24))))
        if name == "key":
            size = self.random.choice([8, 64])
            return Leaf(lambda: (uuid.uuid4().hex * 2)[:size], "")
        if name == "nickname":
            return Leaf(lambda: "n" + uuid.uuid4().hex[:18], "")
        if name in ("locale",):
            return Leaf(self.random.choice(["ko-KR", "en", "de-DE-u-co-phonebk", "zz-" + "a" * 8 + "-" + "b" * 8]))
        if name in ("timeZone",):
            return Leaf(self.random.choice(["Asia/Seoul", "UTC", "America/Argentina/ComodRivadavia"]))
        if name in ("website", "social", "url"):
            return Leaf("https://example.org/" + "a" * self.random.choice([3, 270]))
        if name == "emoji":
            return Leaf(self.random.choice(["😀", "👨‍👩‍👧‍👦", "\U0001F600" + "\u0334" * 30]))
        if name == "hours":
            return Leaf(
                self.random.choice([
                    "24/7", "Mo-Fr 09:00-18:00; PH off", ("Mo-Su,PH 00:00-00:01,00:02-00:03;" * 8)[:250],
                    "Jan 01-Feb 02,Mar 3-Apr 4 Mo[1],Tu[-1] 10:00-26:00; " * 5
                ]))
        characters, size = allowed.one("max_length", 200), allowed.one("max_bytes", 4_000)
        stored = allowed.one("max_stored_bytes", size)
        if name in ("email", "password", "oldPassword", "newPassword", "refreshToken", "token", "code",
                    "reason") and self.random.random() < 0.3:
            return Leaf(self.world.secret(name), "")
        return self.long_text(max(1, allowed.one("min_length", 0)), characters, size, stored)

    def long_text(self, least, characters, size, stored):
        """Text of a kind: as long as may be, or as short."""
        dice = self.random.random()
        if dice < 0.15:
            return Leaf("a" * max(least, 3), "")
        if dice < 0.3:
            marks = "".join(self.random.choice(MARKS) for _ in range(min(size, stored) // 2 - 4))
            return Leaf("e" + marks, "one character with all marks that fit")
        kind = self.random.choice(list(ALPHABETS))
        unit = ALPHABETS[kind]
        text, used, count = [], 0, 0
        width = len(unit.encode())
        marks = {
            "conjoining jamo", "eight-byte characters", "accents in the wrong order", "emoji of many parts", "flags"
        }
        step = 1 if kind in marks else len(unit)
        while count + step <= characters and used + width <= min(size, stored *
                                                                 (2 if kind == "conjoining jamo" else 1)):
            text.append(unit)
            used, count = used + width, count + step
        return Leaf("".join(text) or "a" * least, f"{count:,} characters, {kind}")


def letters(count):
    return (string.ascii_lowercase * (count // 26 + 1))[:count]
