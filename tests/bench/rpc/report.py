"""The results as a table for people and as a plot."""

import cases

HEADER = "| goal | case | peer | ours | peer's | ratio | asked | met |"
RULE = "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |"


def row(case, result):
    """The table's row; `result` is a Result, or the text of a refusal."""
    cells = [case.id, title(case), case.peer]
    if isinstance(result, str):
        cells += ["-", "-", "-", _asked(case), f"not measured: {result}"]
    else:
        cells += [
            _value(case, result.ours),
            _value(case, result.theirs),
            f"{result.ratio:.2f}",
            _asked(case),
            {True: "yes", False: "**no**", None: ""}[met(case, result)],
        ]
    return f"| {' | '.join(cells)} |"


def title(case):
    load = case.load
    what = {"cpu": "CPU", "memory": "peak memory", "throughput": "throughput"}
    if load.kind == "stream":
        shape = f"stream of {_bytes(load.bytes)}"
    elif load.in_flight == 1:
        shape = _bytes(load.bytes)
    else:
        shape = f"{load.in_flight} at a time of {_bytes(load.bytes)}"
    return f"{what[case.measure]}, {shape}"


def met(case, result):
    """None when nothing is asked."""
    return None if case.goal is None else _share(case, result) <= 1


def plot(results):
    """An SVG: how much of its goal each case uses up."""
    rows = [
        (f"{case.id} {title(case)}, {case.peer}", _share(case, result))
        for case, result in results
        if case.goal is not None and not isinstance(result, str)
    ]
    left, width, height, most = 330, 400, 20, 2.0
    one = left + width / most
    bottom = 30 + height * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}"'
        f' height="{bottom + 30}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{one}" y="16" text-anchor="middle">goal</text>',
    ]
    for i, (name, share) in enumerate(rows):
        top = 24 + i * height
        length = width * min(share, most) / most
        colour = "#3b7dd8" if share <= 1 else "#d8603b"
        parts += [
            f'<text x="{left - 8}" y="{top + 13}" text-anchor="end">{name}</text>',
            f'<rect x="{left}" y="{top + 2}" width="{length:.1f}"'
            f' height="{height - 5}" fill="{colour}"/>',
            f'<text x="{left + length + 6:.1f}" y="{top + 13}">{share:.2f}</text>',
        ]
    parts += [
        f'<line x1="{one}" y1="20" x2="{one}" y2="{bottom}" stroke="black"/>',
        f'<text x="{left}" y="{bottom + 16}">share of the goal used; to the'
        " left of the line it is met</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _share(case, result):
    return case.goal / result.ratio if case.at_least else result.ratio / case.goal


def _asked(case):
    if case.goal is None:
        return ""
    return f"{'≥' if case.at_least else '≤'} {case.goal:.2f}"


def _value(case, value):
    if case.measure == "memory":
        return f"{value / cases.MIB:.0f} MiB"
    if case.measure == "throughput":
        return f"{value / 1e9:.2f} GB/s"
    if case.load.bytes == cases.SMALL:
        return f"{value * 1e6:.1f} µs"
    return f"{value / case.load.bytes * 1e9:.3f} s/GB"


def _bytes(count):
    for unit, name in ((cases.GIB, "GiB"), (cases.MIB, "MiB"), (cases.KIB, "KiB")):
        if count >= unit:
            return f"{count // unit} {name}"
    return f"{count} B"
