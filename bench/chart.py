"""A chart of grouped bars as SVG, without anything but strings."""

from html import escape

WIDTH, HEIGHT = 860, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 70, 40
COLOURS = ["#2563a8", "#7fb2e5", "#2e8b57", "#9bd3ae", "#8a8a8a", "#c06020"]


def ceiling(value):
    """The smallest of 1, 2, 5, 10, 20, … that is not below the value."""
    scale = 1.0
    while True:
        for step in (1, 2, 5):
            if step * scale >= value:
                return step * scale
        scale *= 10


def grouped_bars(title, groups, series):
    """Bars of each series side by side within each group.

    groups: names, left to right; series: name -> one number per group.
    """
    top = ceiling(max((value for values in series.values() for value in values), default=1) or 1)
    height, width = HEIGHT - TOP - BOTTOM, WIDTH - LEFT - RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for step in range(6):
        value = top * step / 5
        y = TOP + height - height * step / 5
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    band = width / max(1, len(groups))
    bar = band * 0.8 / max(1, len(series))
    for place, (name, values) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        parts.append(f'<rect x="{LEFT + place * 150}" y="38" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + place * 150 + 18}" y="49">{escape(name)}</text>')
        for group, value in enumerate(values):
            tall = height * value / top
            x, y = LEFT + band * (group + 0.1) + bar * place, TOP + height - tall
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar * 0.92:.1f}" height="{tall:.1f}" fill="{colour}"/>')
            parts.append(f'<text x="{x + bar / 2:.1f}" y="{y - 4:.1f}" text-anchor="middle" font-size="10">{value:.1f}</text>')
    for group, name in enumerate(groups):
        x = LEFT + band * (group + 0.5)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 16}" text-anchor="middle">{escape(name)} connections</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"
