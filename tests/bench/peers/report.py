"""The table and the heat map of the comparison."""

import math

import cases

NAMES = ["ours", "eigen", "numpy", "onnxruntime", "openvino", "torch"]


def best_peer_of(row):
    """The fastest; None without a peer."""
    peers = {name: s for name, s in row["seconds"].items() if name != "ours"}
    return min(peers, key=peers.get, default=None)


def ratio_of(row):
    """The best peer's time over ours; None without a peer."""
    peer = best_peer_of(row)
    return row["seconds"][peer] / row["seconds"]["ours"] if peer else None


def answers_something_else(row):
    """Whether the best peer does, as where integers wrap around that have a mean
    or a root.
    """
    return _is_wrong(row["errors"].get(best_peer_of(row)))


def is_wrong(row):
    """Whether our own answer is."""
    return _is_wrong(row["errors"]["ours"])


def _is_wrong(error):
    """Not even two digits are right, if they are known."""
    return error is not None and not error < 0.01


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def goal_of(row):
    """What the ratio is to reach: half where the peers add in float32 inside the
    caches, and their error stands beside the time.
    """
    operator, dtype, _, size = row["cell"].split("/")
    sums = ["ReduceL1", "ReduceSum", "ReduceMean", "ReduceL2", "ReduceSumSquare",
            "ReduceLogSum"]  # fmt: skip
    return 0.5 if operator in sums and dtype == "float32" and size != "256MiB" else 0.92


def summary_of(rows):
    rows = [row for row in rows if best_peer_of(row)]
    ratios = [ratio_of(row) for row in rows]
    worst = min(rows, key=ratio_of)
    below = [row for row in rows if ratio_of(row) < goal_of(row)]
    return (
        f"{len(rows)} cells, best peer's time over ours: geometric mean "
        f"{geometric_mean(ratios):.2f}, worst {ratio_of(worst):.2f} "
        f"({worst['cell']}), {len(below)} below 0.92, or 0.5 for sums of float32 "
        f"in cache; in {sum(map(answers_something_else, below))} of these the peer answers "
        "something else"
    )


def table_of(rows):
    """A line a cell: the ratio, our speed, and each engine's time and error."""
    lines = [
        "| cell | best peer / ours | ours GB/s | " + " | ".join(NAMES) + " |",
        "|---|---|---|" + "---|" * len(NAMES),
    ]
    for row in rows:
        entries = []
        for name in NAMES:
            entry = "-"
            if name in row["seconds"]:
                entry = f"{row['seconds'][name] * 1e6:.0f} us"
                if row["errors"].get(name) is not None:
                    entry += f" ({row['errors'][name]:.0e})"
            entries.append(entry)
        ratio = ratio_of(row)
        speed = row["bytes"] / row["seconds"]["ours"] / 1e9
        lines.append(
            f"| {row['cell']} | {'-' if ratio is None else f'{ratio:.2f}'} "
            f"| {speed:.1f} | " + " | ".join(entries) + " |"
        )
    return "\n".join(lines)


def heat_map_of(rows):
    """Operators and sizes by layouts in float32, as SVG: green is where we are
    ahead of the best peer, red where we are behind.
    """
    by_cell = {row["cell"]: ratio_of(row) for row in rows}
    lines = [(o, s) for o in cases.CORE_OPERATORS for s in cases.SIZES]
    width, height, left, top = 58, 22, 150, 90
    parts = []
    for x, layout in enumerate(cases.LAYOUTS):
        at = left + x * width + width // 2
        parts.append(
            f'<text x="{at}" y="{top - 8}" transform="rotate(-40 {at} {top - 8})">'
            f"{layout}</text>"
        )
    for y, (operator, size) in enumerate(lines):
        base = top + y * height
        parts.append(f'<text x="4" y="{base + 15}">{operator} {size}</text>')
        for x, layout in enumerate(cases.LAYOUTS):
            ratio = by_cell.get(f"{operator}/float32/{layout}/{size}")
            if ratio is None:
                continue
            # Full colour at a factor of four.
            strength = min(1.0, abs(math.log2(ratio)) / 2)
            pale = round(245 - 150 * strength)
            colour = f"rgb({pale},225,{pale})" if ratio >= 1 else f"rgb(235,{pale},{pale})"
            parts.append(
                f'<rect x="{left + x * width}" y="{base}" width="{width - 2}" '
                f'height="{height - 2}" fill="{colour}"/>'
                f'<text x="{left + x * width + 10}" y="{base + 15}">{ratio:.2f}</text>'
            )
    total = left + len(cases.LAYOUTS) * width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" '
        f'height="{top + len(lines) * height}" font-family="sans-serif" '
        'font-size="11"><rect width="100%" height="100%" fill="white"/>'
        '<text x="4" y="14">best peer\'s time / ours, float32</text>'
        + "\n".join(parts)
        + "</svg>\n"
    )
