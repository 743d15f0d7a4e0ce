# SPDX-License-Identifier: MIT
"""HLSL in the tools, with a libvkd3d-shader of tests, with one that is too
old, and without one.

usage: test_hlsl.py SAFFRON-D3D SAFFRON-COMPILE USE CONTAINERS NEW OLD
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

D3D, COMPILE, USE, CONTAINERS, NEW, OLD = map(os.path.abspath, sys.argv[1:])
del sys.argv[1:]
VS_2_0 = 'fffe0200 02000001 c00f0000 a0e40001 0000ffff\n'
GOOD = 'float4 main() : SV_Target { return 1; }\n'


def container():
    """Dwords of a pixel shader."""
    for line in Path(CONTAINERS).read_text(encoding='ascii').splitlines():
        words = line.lstrip('=').split()
        if words and words[0] == '43425844':
            text = tool(None, D3D, 'dis', data=code(words)).stdout.decode()
            if re.search(r'(?m)^ps_', text):
                return ' '.join(words) + '\n'
    raise AssertionError('no pixel shader')


def code(words):
    return b''.join(int(w, 16).to_bytes(4, 'little') for w in words)


def tool(library, *args, data=b''):
    """With that library; None: with none but what the system may have."""
    with tempfile.TemporaryDirectory() as folder:
        if library:
            Path(folder, 'libvkd3d-shader.so.1').symlink_to(library)
        return subprocess.run(args, input=data, capture_output=True,
                              check=False,
                              env={**os.environ, 'LD_LIBRARY_PATH': folder})


class Test(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = Path(self.folder.name, name)
        path.write_text(text, encoding='ascii')
        return path

    def test_bytecode(self):
        text = container()
        for profile, source in (('vs_2_0', VS_2_0), ('ps_5_0', text),
                                ('ps_4_1', text)):
            path = self.file('a.hlsl', source)
            r = tool(NEW, D3D, 'emit', '-p', profile, path)
            self.assertEqual((r.returncode, r.stdout),
                             (0, code(source.split())), r.stderr)
            r = tool(NEW, D3D, 'emit', '-t', '-p', profile, path)
            self.assertEqual(r.stdout, tool(None, D3D, 'dis',
                                            data=code(source.split())).stdout)
            r = tool(NEW, COMPILE, f'--hlsl={profile}', '--stats', path)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn(b'instructions', r.stdout)
            r = tool(NEW, D3D, 'spirv', '-p', profile, path)
            self.assertEqual((r.returncode, r.stdout[:4]),
                             (0, b'\3\2\x23\7'), r.stderr)

    def test_stage(self):
        # The profile of a stage, if none is said.
        path = self.file('a.comp.hlsl', 'nonsense')
        r = tool(NEW, COMPILE, '--entry=f', path)
        self.assertEqual((r.returncode, r.stderr.decode()),
                         (1, f'{path}:2:7: E5000: cs_5_0 f\n'))

    def test_errors(self):
        path = self.file('a.hlsl', 'nonsense\n')
        for args in ((COMPILE, '--hlsl=ps_3_0'), (D3D, 'emit', '-pps_3_0'),
                     (D3D, 'spirv', '-pps_3_0')):
            r = tool(NEW, *args, path)
            self.assertEqual((r.returncode, r.stderr.decode()),
                             (1, f'{path}:2:7: E5000: ps_3_0 main\n'))
        path = self.file('a.hlsl', 'silent\n')
        r = tool(NEW, COMPILE, '--hlsl=ps_3_0', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'libvkd3d-shader gives up', r.stderr)
        # What is no bytecode, or is damaged, is refused where it is read.
        for text in ('1', 'fffe0200', VS_2_0[:-5], '43425844 1 2 3'):
            path = self.file('a.hlsl', text)
            r = tool(NEW, COMPILE, '--hlsl=vs_2_0', path)
            self.assertEqual(r.returncode, 1, r.stderr)
            self.assertTrue(r.stderr)

    def test_too_old(self):
        path = self.file('a.hlsl', GOOD)
        r = tool(OLD, COMPILE, '-f', 'hlsl-vkd3d', '--hlsl=ps_5_0', path)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'is of version 1.1; HLSL needs 2.0', r.stderr)
        # glslangValidator is there instead, and is named if it refuses.
        r = tool(OLD, COMPILE, '--hlsl=ps_5_0', '--stats', path)
        self.assertEqual(r.returncode, 0, r.stderr)
        path = self.file('a.hlsl', 'nonsense\n')
        r = tool(OLD, COMPILE, '--hlsl=ps_5_0', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'this was glslangValidator: libvkd3d-shader.so.1 is of '
                      b'version 1.1', r.stderr)
        r = tool(OLD, D3D, 'emit', '-p', 'ps_4_1', path)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'ps_4_1 is no profile that is written', r.stderr)

    def test_chosen(self):
        path = self.file('a.hlsl', GOOD)
        r = tool(NEW, COMPILE, '-f', 'hlsl-glslang', '--hlsl=ps_5_0',
                 '--stats', path)
        self.assertEqual(r.returncode, 0, r.stderr)

    def test_library(self):
        for library, said in ((NEW, 'there'), (OLD, 'absent')):
            r = tool(library, USE, said)
            self.assertEqual(r.returncode, 0, r.stdout + r.stderr)


unittest.main()
