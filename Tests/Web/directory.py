"""Invented places for the fake server, joined to clusters by a plain grid."""

import math
import random

TOWN_HALL = (37.5663, 126.9779)
WHOLE = {"south": -90, "west": -180, "north": 90, "east": 180}
CATEGORIES = [
    {"id": "market/periodic", "name": "Periodic market", "icon": "market-day"},
    {"id": "bookshop/used", "name": "Second-hand bookshop", "icon": "book-used"},
    {"id": "bicycle/rental", "name": "Bicycle rental", "icon": "bicycle"},
    {"id": "cafe", "name": "Café", "icon": "cafe"},
    {"id": "library", "name": "Library", "icon": "library"},
    {"id": "park", "name": "Park", "icon": "park"},
    {"id": "board-games", "name": "Board game café", "icon": "unheard-of"},
]
SOURCE = {"name": "invented", "title": "Invented places", "publisher": "The tests", "licence": "CC0 1.0",
          "url": "https://places.example/data", "date": "2026-11-01"}
# Name, address, category, north and east of the town hall in metres, state.
NAMED = [
    ("Silver Bookshop", "1 Sejong-daero", "bookshop/used", 0, 0, "CLOSED"),
    ("Lantern Café", "2 Sejong-daero", "cafe", 420, 300, "OPEN"),
    ("Moon Market", "3 Euljiro", "market/periodic", -600, 500, "THAT_DAY"),
    ("Mapo Wheels", "4 Mapo-daero", "bicycle/rental", 900, -700, "OPEN"),
    ("Reading Room", "", "library", -300, -900, "UNKNOWN"),
    ("Dice House", "6 Jongno", "board-games", 0, 0, "OPEN"),
]


def number(value):
    """A number as the protocol's JSON has it: zeros are left out by :func:`lean`."""
    return round(value, 6)


def lean(value):
    """A value without the defaults that JSON of the protocol leaves out."""
    if isinstance(value, dict):
        return {key: lean(one) for key, one in value.items() if one not in (0, "", False, None, [])}
    return [lean(one) for one in value] if isinstance(value, list) else value


class Directory:
    """Places by id, and what somebody asks about them."""

    def __init__(self, generated=0):
        self.favourites = {}
        self.cards = {}
        for index, (name, address, category, north, east, opening) in enumerate(NAMED):
            self.add(f"place-{index}", name, address, category, north, east, opening)
        chance = random.Random(24)
        for index in range(generated):
            category = chance.choice(CATEGORIES)["id"]
            self.add(f"many-{index}", f"Place {index}", f"{index} Long Road", category, chance.gauss(0, 9000), chance.gauss(0, 9000),
                     chance.choice(["OPEN", "CLOSED", "UNKNOWN"]))

    def add(self, place_id, name, address, category, north, east, opening):
        latitude = TOWN_HALL[0] + north / 111_320
        longitude = TOWN_HALL[1] + east / (111_320 * math.cos(math.radians(TOWN_HALL[0])))
        place = {"name": name, "address": address, "latitude": number(latitude), "longitude": number(longitude)}
        self.cards[place_id] = {"placeId": place_id, "place": place, "categories": [category], "region": "KR-11/중구",
                                "opening": opening, "sourceName": SOURCE["name"]}

    def card(self, place_id):
        return {**self.cards[place_id], "favouriteId": self.favourite_of(place_id)}

    def favourite_of(self, place_id):
        return next((key for key, one in self.favourites.items() if one.get("placeId") == place_id), "")

    def matching(self, request):
        """The cards that the filter of a request lets through."""
        wanted = request.get("filter", {})
        categories = wanted.get("categories")
        cards = [self.card(place_id) for place_id in self.cards]
        return [card for card in cards
                if (not categories or card["categories"][0] in categories)
                and (not wanted.get("regions") or any(card["region"].startswith(one) for one in wanted["regions"]))
                and (not wanted.get("openAt") or card["opening"] in ("OPEN", "THAT_DAY"))
                and (not wanted.get("favourites") or card["favouriteId"])]

    def search(self, request):
        text = request["text"].casefold()
        return [card for card in self.matching(request) if text in (card["place"]["name"] + card["place"]["address"]).casefold()]

    def nearby(self, request):
        here = (request["latitude"], request["longitude"])
        cards = [{**card, "distanceMetres": distance(here, card["place"])} for card in self.matching(request)]
        return sorted((card for card in cards if card["distanceMetres"] <= request["radiusMetres"]), key=lambda one: one["distanceMetres"])

    def view(self, request):
        """Cards and clusters in a box: the places of a cell of 64 pixels are one item."""
        box = {**dict.fromkeys(WHOLE, 0), **request["box"]}
        zoom = request.get("zoom", 0)
        inside = [card for card in self.matching(request)
                  if box["south"] <= card["place"]["latitude"] <= box["north"] and box["west"] <= card["place"]["longitude"] <= box["east"]]
        cells = {}
        for card in inside:
            x, y = pixel(card["place"], zoom)
            key = card["placeId"] if zoom >= 17 else (int(x // 64), int(y // 64))
            cells.setdefault(key, []).append(card)
        items = list(cells.values())
        return {"cards": [one[0] for one in items if len(one) == 1], "clusters": [cluster(one, zoom) for one in items if len(one) > 1],
                "total": len(inside), "cellPixels": 64, "sources": [SOURCE] if inside else []}


def pixel(place, zoom):
    size = 256 * 2 ** zoom
    sine = math.sin(math.radians(place["latitude"]))
    return (place["longitude"] / 360 + 0.5) * size, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * size


def distance(here, place):
    north = (place["latitude"] - here[0]) * 111_320
    east = (place["longitude"] - here[1]) * 111_320 * math.cos(math.radians(here[0]))
    return math.hypot(north, east)


def cluster(cards, zoom):
    latitudes = [card["place"]["latitude"] for card in cards]
    longitudes = [card["place"]["longitude"] for card in cards]
    counts = {}
    for card in cards:
        counts[card["categories"][0]] = counts.get(card["categories"][0], 0) + 1
    split = next((z for z in range(zoom + 1, 21) if len({tuple(int(one // 64) for one in pixel(card["place"], z)) for card in cards}) > 1), 21)
    return {"count": len(cards), "latitude": sum(latitudes) / len(cards), "longitude": sum(longitudes) / len(cards),
            "box": {"south": min(latitudes), "west": min(longitudes), "north": max(latitudes), "east": max(longitudes)},
            "expandZoom": split, "label": min(counts, key=counts.get),
            "categories": [{"id": key, "count": counts[key]} for key in sorted(counts, key=counts.get, reverse=True)[:5]]}
