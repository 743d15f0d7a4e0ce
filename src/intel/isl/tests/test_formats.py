# SPDX-License-Identifier: MIT
"""What gen_formats.py reads out of names, and what it refuses."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gen_formats  # noqa: E402


def one(line):
    return gen_formats.load(line)[0]


class Reads(unittest.TestCase):
    def test_channels_count_up_from_bit_0(self):
        f = one('B5G6R5_UNORM,0x100,S')
        self.assertEqual(f.bits, 16)
        self.assertEqual(f.channels, {'b': ('UNORM', 0, 5),
                                      'g': ('UNORM', 5, 6),
                                      'r': ('UNORM', 11, 5)})

    def test_types_by_run(self):
        f = one('R10G10B10_SNORM_A2_UNORM,0x0c5,S')
        self.assertEqual(f.channels['b'], ('SNORM', 20, 10))
        self.assertEqual(f.channels['a'], ('UNORM', 30, 2))

    def test_gaps(self):
        f = one('X32_TYPELESS_G8X24_UINT,0x089,S')
        self.assertEqual(f.channels, {'g': ('UINT', 32, 8)})
        self.assertEqual(f.bits, 64)

    def test_small_floats_have_no_sign(self):
        f = one('R11G11B10_FLOAT,0x0d3,S')
        self.assertEqual(f.channels['g'], ('UFLOAT', 11, 11))
        self.assertEqual(one('R16_FLOAT,1,S').channels['r'],
                         ('SFLOAT', 0, 16))

    def test_srgb(self):
        f = one('B8G8R8A8_UNORM_SRGB,0x0c1,S')
        self.assertTrue(f.srgb)
        self.assertEqual(f.channels['a'], ('UNORM', 24, 8))

    def test_uses(self):
        f = one('R8_UNORM,1,S F80')
        self.assertEqual(f.uses, [70, 80, 0, 0, 0, 0, 0, 0, 0])

    def test_blocks(self):
        f = one('ASTC_LDR_2D_10X6_U8SRGB,0x232,S90,astc10x6')
        self.assertEqual((f.txc, f.bits, f.block, f.srgb),
                         ('ASTC', 128, (10, 6), True))
        f = one('FXT1,0x192,S,fxt1')
        self.assertEqual((f.bits, f.block), (128, (8, 4)))
        f = one('EAC_SIGNED_RG11,0x1ae,S80,eac_rg11')
        self.assertEqual(f.channels['g'][0], 'SNORM')
        self.assertEqual(one('BC6H_UF16,1,S,bc6h').channels['r'][0],
                         'UFLOAT')

    def test_name_only(self):
        self.assertEqual(one('P2_UNORM_PALETTE0,0x184,,none').bits, 0)


class Refuses(unittest.TestCase):
    def refused(self, text):
        with self.assertRaises(gen_formats.TableError):
            gen_formats.load(text)

    def test_rows(self):
        self.refused('R8_UNORM,1,S Q')
        self.refused('R8_UNORN,1,S')
        self.refused('R8,1,S')
        self.refused('R8R8_UNORM,1,S')
        self.refused('Q8_UNORM,1,S')
        self.refused('R8_UNORM,1024,S')
        self.refused('ASTC_LDR,1,S,astc4')
        self.refused('BC9_UNORM,1,S,bc9')
        self.refused('R8_UNORM,1,S\nR8_UNORM,2,S')
        self.refused('R8_UNORM,1,S\nR8_SNORM,1,S')


if __name__ == '__main__':
    unittest.main()
