"""Writes the tables from which the keys of texts are made, and the checksums that prove them.

Called by scripts/generate texts; needs nothing but Python, whose unicodedata names its version of Unicode.

The key of a text, as this page defines it:
  1. NFKD, then full case folding, then NFKD again
  2. marks behind a Latin letter are removed, as are strokes, hooks and the like that belong to the letter itself
  3. NFC, which together with the first step gives what NFKC would have given
  4. only letters (L), letter numbers (Nl) and decimal digits (Nd) stay
"""

import re
import sys
import unicodedata

LAST = 0x31FFF  # beyond it Unicode has no letter, checked below
HANGUL = range(0xAC00, 0xD7A4)
WIDTH = 116
LATIN = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) (?:DOTLESS )?([A-Z])(?: WITH .*)?$")


def points():
    return (point for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF)


def is_letter(character):
    return unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Nd")


def is_joined(character):
    """Neither a letter nor the end of a word: marks and format characters."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")


def is_latin(character):
    return unicodedata.name(character, "").startswith("LATIN ")


def plain_latin(character):
    """A small Latin letter without what is part of its shape: ø becomes o, ı becomes i."""
    found = LATIN.match(unicodedata.name(character, ""))
    return found.group(1).lower() if found else character


def without_diacritics(text):
    kept, latin = [], False
    for character in text:
        if unicodedata.combining(character) == 0:
            latin = is_latin(character)
        elif latin:
            continue
        kept.append(plain_latin(character))
    return "".join(kept)


def folded(character):
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())


def unfiltered(text):
    decomposed = unicodedata.normalize("NFKD", "".join(map(folded, text)))
    return unicodedata.normalize("NFC", without_diacritics(decomposed))


def key(text):
    return "".join(filter(is_letter, unfiltered(text)))


def runs(entries, step):
    """Joins neighbouring entries (point, value) whose value continues by `step`: (first, last, value)."""
    joined = []
    for point, value in entries:
        if joined:
            first, last, start = joined[-1]
            if point == last + 1 and value == step(start, point - first):
                joined[-1] = (first, point, start)
                continue
        joined.append((point, point, value))
    return joined


def spans(entries, step=lambda start, _: start, show=lambda value: ""):
    out = []
    for first, last, value in runs(entries, step):
        out.append((f"{first:x}" if first == last else f"{first:x}-{last:x}") + show(value))
    return out


def letters():
    return spans((point, None) for point in points() if is_letter(chr(point)))


def joined():
    return spans((point, None) for point in points() if is_joined(chr(point)) and point <= LAST)


def classes():
    """Canonical combining classes other than 0."""
    return spans(((point, unicodedata.combining(chr(point))) for point in points() if unicodedata.combining(chr(point))),
                 show=lambda value: f"={value:x}")


def mappings():
    changed = []
    for point in points():
        if point in HANGUL:
            continue
        target = unfiltered(chr(point))
        if target != chr(point):
            changed.append((point, tuple(map(ord, target))))
    return spans(changed, step=lambda start, by: (start[0] + by,) if len(start) == 1 else None,
                 show=lambda value: "=" + "+".join(f"{part:x}" for part in value))


def pairs():
    """The primary composites that a key can hold, but for Hangul, which is composed by rule."""
    out = []
    for point in points():
        character = chr(point)
        if point in HANGUL or unicodedata.decomposition(character).startswith("<"):
            continue
        parts = unicodedata.decomposition(character).split()
        if len(parts) != 2 or unicodedata.normalize("NFC", character) != character:
            continue
        if is_latin(character) or unfiltered(character) != character:
            continue
        out.append(f"{parts[0].lower()}+{parts[1].lower()}={point:x}")
    return [re.sub(r"\b0+", "", entry) for entry in out]


def literal(name, comment, entries):
    lines, line = [], ""
    for entry in entries:
        if len(line) + 1 + len(entry) > WIDTH - 8:
            lines.append(line)
            line = ""
        line += (" " if line else "") + entry
    lines.append(line)
    text = " \\\n".join(f"        {line}" for line in lines)
    return f'    /// {comment}\n    static let {name} = """\n{text}\n        """\n'


def write():
    if any(is_letter(chr(point)) for point in range(LAST + 1, 0x110000)):
        sys.exit(f"Unicode {unicodedata.unidata_version} has letters beyond U+{LAST:X}: raise LAST and KeyTable.end")
    print("// Generated by scripts/generate texts from the data of Unicode "
          f"{unicodedata.unidata_version}; Unicode License V3, see NOTICE.")
    print()
    print("extension KeyTable {")
    print("\n".join([
        literal("letters", "Code points that stay in a key, in hexadecimal.", letters()),
        literal("joined", "Marks and format characters: they leave a key without ending a word.", joined()),
        literal("classes", "Canonical combining classes, of each behind `=`.", classes()),
        literal("mappings", "The texts that code points turn into; a range turns into the range that begins there.",
                mappings()),
        literal("pairs", "Pairs that compose into one code point.", pairs()),
    ]).rstrip())
    print("}")


class Draws:
    """The generator that TextKeyTests uses as well: a 64-bit linear congruential one (Knuth's MMIX)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def checksum(checksum, text):
    """FNV-1a over the UTF-8 of the text and a zero byte."""
    for byte in text.encode() + b"\0":
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return checksum


BLOCKS = [(0x20, 0x7F), (0xC0, 0x250), (0x300, 0x345), (0x346, 0x370), (0x370, 0x400), (0x400, 0x530), (0x5B0, 0x5EA),
          (0x621, 0x660), (0x900, 0xA00), (0xB80, 0xE00), (0x1100, 0x1200), (0x1E00, 0x2000), (0x2000, 0x2070),
          (0x3041, 0x3100), (0x3099, 0x309B), (0x3130, 0x3190), (0x3300, 0x3400), (0xAC00, 0xD7A4), (0xFB00, 0xFE00),
          (0xFF00, 0xFFEF), (0x1D400, 0x1D800)]


def golden():
    points_sum = 0xCBF29CE484222325
    for point in points():
        if unicodedata.category(chr(point)) not in ("Cn", "Co"):
            points_sum = checksum(points_sum, f"{point:x} {key(chr(point))}")
    texts_sum, draws = 0xCBF29CE484222325, Draws(24)
    for _ in range(20_000):
        text = ""
        for _ in range(1 + draws.below(8)):
            first, end = BLOCKS[draws.below(len(BLOCKS))]
            text += chr(first + draws.below(end - first))
        texts_sum = checksum(texts_sum, key(text))
    print(f"Unicode {unicodedata.unidata_version}: code points {points_sum:#018x}, texts {texts_sum:#018x}")


if sys.argv[1:] == ["--golden"]:
    golden()
else:
    write()
