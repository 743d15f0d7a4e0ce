# SPDX-License-Identifier: MIT
"""Which swizzles of doubles one instruction has, by generation and by where
the source lies: the table behind vec4_dsplit.c.

usage: vec4_dswizzle.py TEMPLATE OUTPUT

A row is a form of a source operand (access mode, channels, offset, region,
hardware swizzle) and the component that each of a vertex's four channels
reads by it. What the forms do is taken from docs/eu-fp64-facts.rst, sections
1.2 to 1.4; test_vec4_dswizzle.c lets the simulator execute every row, and
every other encoding there is to prove that no row is missing.

Positions count doubles. Where a vector lies, as layouts:

   vector       one vertex after the other, each in a GRF
   even         one vector for both vertices, or a single vertex's, in a GRF
   odd          the same from the middle of a GRF on
   interleaved  XY in a half of one GRF, ZW in the same half of the next:
                that of attributes and messages of 32-bit components
"""

import sys
from collections import namedtuple

from mako.template import Template

Row = namedtuple('Row', 'mode offset vs w hs swz reads packed')

# Instructions on both vertices, or on one, in either access mode; the order
# is that of preference between equals.
MODES = ('align16_8', 'align16_4', 'align1_8', 'align1_4')
LAYOUTS = ('vector', 'even', 'odd', 'interleaved')

# eight: eight doubles in an instruction. steps: of these, rows of vertical
# stride 0 lie a GRF further on for the second vertex. replicates: no GRF
# need be read for each that is written. hstrides: those of Align1.
Gen = namedtuple('Gen', 'name eight steps replicates hstrides')
GENS = (
    Gen('IVB', False, True, False, (1,)),
    Gen('HSW', True, True, False, (0, 1, 2)),
    Gen('BDW', True, False, True, (0, 1, 2)),
    Gen('SKL', True, False, True, (0, 1, 2)),
)

# Position of each component, by layout, of vertex 0; where in a GRF that of
# the vector's start may be; and from one vertex to the next.
PLACES = {
    'vector': ((0, 1, 2, 3), (0,), 4),
    'even': ((0, 1, 2, 3), (0,), 0),
    'odd': ((0, 1, 2, 3), (2,), 0),
    'interleaved': ((0, 1, 4, 5), (0, 2), 2),
}
GRF = 4


def components(layout, positions):
    """What channels read of their own vertex, as components, or None if one
    of them reads something else."""
    places, _, step = PLACES[layout]
    result = []
    for channel, position in enumerate(positions):
        at = position - step * (channel // 4)
        if at not in places:
            return None
        result.append(places.index(at))
    if result[4:] not in ([], result[:4]):
        return None
    return tuple(result[:4])


def align16_rows(gen, layout, channels):
    """A row of two doubles for each pair of channels, from which the swizzle
    picks: its first half for X and Z, its second for Y and W."""
    for vs in (2, 0):
        for offset in (0, 2, 4):
            for pick in range(4):
                picks = (pick & 1, pick >> 1)
                positions = []
                for channel in range(channels):
                    row = channel // 2 * vs
                    if not vs and channel >= 4 and gen.steps:
                        row = GRF
                    positions.append(offset + row + picks[channel % 2])
                reads = components(layout, positions)
                if reads:
                    swz = sum((0b0100, 0b1110)[p] << 4 * i
                              for i, p in enumerate(picks))
                    yield Row('align16_%d' % channels, offset, vs, 0, 0, swz,
                              reads, bool(vs) and not offset)


def align1_rows(gen, layout, channels):
    starts = PLACES[layout][1]
    for offset in range(6):
        for vs in (0, 4, 2, 1, 8):
            for w in (4, 2, 1):
                for hs in (0, 1, 2, 4):
                    if hs not in gen.hstrides and w > 1:
                        continue
                    if not is_legal(gen, starts, channels,
                                    (offset, vs, w, hs)):
                        continue
                    positions = [offset + c // w * vs + c % w * hs
                                 for c in range(channels)]
                    reads = components(layout, positions)
                    if reads:
                        yield Row('align1_%d' % channels, offset, vs, w, hs,
                                  0, reads, False)


def is_legal(gen, starts, channels, region):
    """Facts 1.2, rows 8, 11 and 12."""
    offset, vs, w, hs = region
    if w > channels or (w == 1 and hs) or (not vs and not hs and w > 1):
        return False
    if w == channels and hs and vs != w * hs:
        return False
    for start in starts:
        rows = [start + offset + c // w * vs for c in range(0, channels, w)]
        if any(r // GRF != (r + (w - 1) * hs) // GRF for r in rows):
            return False
        # Of gen 7, each GRF of the destination comes from one of the
        # source, but for scalars (rows 11 and 12).
        if channels == 8 and not gen.replicates and (vs or hs):
            cells = [start + offset + c // w * vs + c % w * hs
                     for c in range(channels)]
            if {c // GRF for c in cells[:4]} != {start // GRF} or \
                    {c // GRF for c in cells[4:]} != {start // GRF + 1} or \
                    cells[4] - GRF != cells[0]:
                return False
    return True


def rows_of(gen, layout):
    """The forms that differ in mode or in what is read, best ones first."""
    found = {}
    for mode in MODES:
        kind, channels = mode.rsplit('_', 1)
        if channels == '8' and not gen.eight:
            continue
        # Pieces of one vertex of a vector find it as in `even`.
        if channels == '4' and layout == 'vector':
            continue
        # Half a GRF for both vertices: the second half is stepped on.
        if channels == '8' and kind == 'align16' and gen.steps and \
                layout in ('even', 'odd'):
            continue
        rows = align16_rows if kind == 'align16' else align1_rows
        for row in rows(gen, layout, int(channels)):
            found.setdefault((row.mode, row.reads), row)
    return list(found.values())


def check(tables):
    """Faults as sentences."""
    faults = []
    for gen in GENS:
        for layout in LAYOUTS:
            single = {r.reads[0] for r in tables[gen.name, layout]}
            if layout != 'vector' and single != set(range(4)):
                faults.append('%s %s: X cannot be read from everywhere' %
                              (gen.name, layout))
    return faults


def main(template, output):
    tables = {(g.name, l): rows_of(g, l) for g in GENS for l in LAYOUTS}
    faults = check(tables)
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    with open(output, 'w', encoding='utf-8') as f:
        f.write(Template(source, strict_undefined=True).render(
            gens=GENS, layouts=LAYOUTS, tables=tables))


if __name__ == '__main__':
    main(*sys.argv[1:])
