# SPDX-License-Identifier: MIT
"""
formats.csv -> isl_format_enum.h (--header) or isl_format_table.c (--table).

A name such as R10G10B10_SNORM_A2_UNORM is read as runs of channels, each run
with the type that follows it; the bits count up from bit 0.
"""

import re
import sys

from mako.template import Template

TYPES = {'UNORM': 'UNORM', 'SNORM': 'SNORM', 'UINT': 'UINT', 'SINT': 'SINT',
         'USCALED': 'USCALED', 'SSCALED': 'SSCALED', 'PASSTHRU': 'RAW',
         'TYPELESS': 'VOID', 'SHAREDEXP': 'UFLOAT', 'SFIXED': 'SFIXED'}
USES = 'SFCRBVWTA'
USE_NAMES = ['SAMPLED', 'FILTERED', 'SHADOW', 'RENDER', 'BLENDED',
             'VERTEX_FETCH', 'TYPED_WRITE', 'TYPED_READ', 'TYPED_ATOMIC']
# Bits of blocks; channels as what decoding yields; width and height if they
# are not 4 and 4.
BLOCKS = {'bc1': (64, 'rgba'), 'bc2': (128, 'rgba'), 'bc3': (128, 'rgba'),
          'bc4': (64, 'r'), 'bc5': (128, 'rg'), 'bc6h': (128, 'rgb'),
          'bc7': (128, 'rgba'), 'dxt1_rgb': (64, 'rgb'),
          'fxt1': (128, 'rgba', 8, 4), 'etc2': (64, 'rgb'),
          'etc2_pta': (64, 'rgba'), 'etc2_eac': (128, 'rgba'),
          'eac_r11': (64, 'r'), 'eac_rg11': (128, 'rg'),
          'ycrcb': (32, 'rgb', 2, 1)}


class TableError(Exception):
    """A row that cannot be read."""


class Format:
    """One row, with the channels that its name spells."""

    def __init__(self, line):
        cells = line.split(',') + ['']
        self.name, self.number = cells[0], int(cells[1], 0)
        self.uses = self.parse_uses(cells[2])
        # ETC2_SRGB8, ETC2_EAC_SRGB8_A8, ASTC_LDR_2D_4X4_U8SRGB
        self.srgb = 'SRGB' in self.name
        self.txc = 'NONE'
        self.block = (1, 1)
        self.channels = {}
        astc = re.fullmatch(r'astc(\d+)x(\d+)', cells[3])
        if astc:
            self.set_block('astc', 128, 'rgba', *map(int, astc.groups()))
        elif cells[3] in BLOCKS:
            self.set_block(cells[3], *BLOCKS[cells[3]])
        elif cells[3] == 'none':
            self.bits = 0
        elif cells[3] == 'raw':
            self.bits = 8
            self.channels = {'r': ('RAW', 0, 8)}
        elif cells[3]:
            raise TableError(f'{self.name}: unknown block {cells[3]}')
        else:
            self.parse_name()

    def set_block(self, txc, bits, letters, width=4, height=4):
        self.bits = bits
        self.txc = txc.upper()
        self.block = (width, height)
        words = self.name.split('_')
        kind = 'SNORM' if 'SNORM' in words or 'SIGNED' in words else \
            {'SF16': 'SFLOAT', 'UF16': 'UFLOAT'}.get(words[1], 'UNORM') \
            if len(words) > 1 else 'UNORM'
        self.channels = {c: (kind, 0, 0) for c in letters}

    def parse_uses(self, text):
        uses = [0] * len(USES)
        for item in text.split():
            if item[0] not in USES:
                raise TableError(f'{self.name}: unknown use {item}')
            uses[USES.index(item[0])] = int(item[1:] or '70')
        return uses

    def parse_name(self):
        name = self.name.removesuffix('_SRGB')
        # Gen7's second RG32F, for gather4 messages, which have to ask for
        # blue to get green (Mesa, brw_populate_sampler_prog_key_data).
        if name.endswith('_LD'):
            name = name[:-3]
            self.channels['b'] = ('SFLOAT', 32, 32)
        words = name.split('_')
        bit = 0
        while words:
            run = re.findall(r'([A-Z])(\d+)', words[0])
            if not run or ''.join(c + n for c, n in run) != words.pop(0) or \
                    not words:
                raise TableError(f'{self.name}: cannot read the channels')
            kind = words.pop(0)
            for letter, bits in run:
                bits = int(bits)
                bit = self.add_channel(letter, kind, bit, bits)
        self.bits = bit

    def add_channel(self, letter, kind, bit, bits):
        if kind == 'FLOAT':
            actual = 'SFLOAT' if bits >= 16 else 'UFLOAT'
        elif kind in TYPES:
            actual = TYPES[kind]
        else:
            raise TableError(f'{self.name}: unknown type {kind}')
        # Luminance is all colours, intensity is alpha, too.
        letters = {'L': 'RGB', 'I': 'RGBA'}.get(letter, letter)
        if letter in 'RGBALI' and actual != 'VOID':
            for one in letters.lower():
                if one in self.channels:
                    raise TableError(f'{self.name}: {letter} twice')
                self.channels[one] = (actual, bit, bits)
        elif letter not in 'XE':
            raise TableError(f'{self.name}: unknown channel {letter}')
        return bit + bits


def load(text):
    formats = []
    names, numbers = set(), {}
    for line in text.splitlines():
        if not line or line.startswith('#'):
            continue
        row = Format(line)
        if row.name in names or row.number in numbers:
            raise TableError(f'{row.name}: named or numbered twice')
        if not 0 <= row.number < 1024:
            raise TableError(f'{row.name}: the number has ten bits')
        names.add(row.name)
        numbers[row.number] = row
        formats.append(row)
    return formats


HEADER = Template('''\
/* Generated by gen_formats.py from formats.csv; do not edit. */
#ifndef ISL_FORMAT_ENUM_H
#define ISL_FORMAT_ENUM_H

/* The value is the hardware's SURFACE_FORMAT. */
enum isl_format {
% for f in formats:
   ISL_FORMAT_${f.name} = ${hex(f.number)},
% endfor
   ISL_FORMAT_UNSUPPORTED = 0xffff,
};

/* What a format can be used for. */
enum isl_format_use {
% for name in use_names:
   ISL_FORMAT_USE_${name},
% endfor
   ISL_FORMAT_USES,
};

#endif
''')

TABLE = Template('''\
/* Generated by gen_formats.py from formats.csv; do not edit. */
#include "intel/isl/isl.h"

const struct isl_format_layout isl_format_layouts[ISL_FORMAT_NUMBERS] = {
% for f in formats:
   [ISL_FORMAT_${f.name}] = {
      .format = ISL_FORMAT_${f.name}, .name = "${f.name}",
      .bpb = ${f.bits}, .bw = ${f.block[0]}, .bh = ${f.block[1]}, .bd = 1,
      .txc = ISL_TXC_${f.txc},
      .colorspace = ISL_COLORSPACE_${'SRGB' if f.srgb else 'LINEAR'},
      .channels = {
% for letter, (kind, bit, bits) in f.channels.items():
         .${letter} = { ISL_${kind}, ${bit}, ${bits} },
% endfor
      },
      .first_verx10 = { ${', '.join(str(u) for u in f.uses)} },
   },
% endfor
};
''')


def main():
    with open(sys.argv[2], encoding='utf-8') as file:
        try:
            formats = load(file.read())
        except TableError as error:
            sys.exit(f'{sys.argv[2]}: error: {error}')
    template = HEADER if sys.argv[1] == '--header' else TABLE
    with open(sys.argv[3], 'w', encoding='utf-8') as out:
        out.write(template.render(formats=formats, use_names=USE_NAMES))


if __name__ == '__main__':
    main()
