#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An internal error of the compiler is a call that fails, not the end of the
application: VK_ERROR_UNKNOWN, one line that says how to report it, the shader
in a file; what does not compile works on.

usage: test_internal.py PROGRAM LIBRARY SQUARE.SPV.H
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, LIBRARY, HEADER = sys.argv[1:4]
UNKNOWN = -13
# Steps of each part of the compiler, as NIR_DEBUG=skip: and INTEL_DEBUG=skip:
# name them.
STEPS = ('nir_lower_vars_to_ssa', 'nir_opt_dce', 'saf_nir_lower_views',
         'emission')
# Those that code can do without.
OPTIONAL_STEPS = ('fs_opt_dead_code', 'fs_opt_cse')


def shader():
    """The words of the SPIR-V that the program's pipeline is made of."""
    text = Path(HEADER).read_text(encoding='utf-8')
    words = re.findall(r'0x([0-9a-fA-F]+)', text)
    return b''.join(int(w, 16).to_bytes(4, 'little') for w in words)


class Internal(unittest.TestCase):
    def run_it(self, folder, step, gen='skl', words=()):
        env = dict(os.environ, TMPDIR=folder, SAFFRON_DEVICE='sim:' + gen)
        if step:
            env['SAFFRON_TEST_INTERNAL_ERROR'] = step
        done = subprocess.run([PROGRAM, LIBRARY, *words], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        self.assertEqual(done.returncode, 0, (step, done))
        self.assertTrue(done.stdout.endswith('closed\n'), done)
        return done

    def test_none(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_it(folder, None)
            self.assertEqual(re.findall(r'-?\d+', done.stdout), ['0'] * 4)
            self.assertEqual(os.listdir(folder), [])

    def test_steps(self):
        for gen in ('skl', 'ivb'):
            for step in STEPS:
                with tempfile.TemporaryDirectory() as folder:
                    self.check(folder, step, gen)

    def test_optional_steps(self):
        for step in OPTIONAL_STEPS:
            with tempfile.TemporaryDirectory() as folder:
                done = self.run_it(folder, step)
                self.assertEqual(re.findall(r'-?\d+', done.stdout),
                                 ['0'] * 4)
                self.assertIn('no SIMD8: internal error: ' + step,
                              done.stderr)
                self.assertEqual(os.listdir(folder), [])

    def test_no_code(self):
        """More shared memory than there is: no internal error."""
        for gen in ('skl', 'ivb'):
            with tempfile.TemporaryDirectory() as folder:
                self.check(folder, '131072 bytes of shared memory', gen,
                           'no code for a compute shader', ['32768'])

    def check(self, folder, step, gen,
              kind='internal error in a compute shader', words=()):
        done = self.run_it(folder, None if words else step, gen, words)
        results = re.findall(r'pipeline (-?\d+)', done.stdout)
        self.assertEqual(results, [str(UNKNOWN)] * 2, (step, done))
        fills = re.findall(r'fill (-?\d+)', done.stdout)
        self.assertTrue(set(fills) <= {'0', str(UNKNOWN)}, done)
        lines = [l for l in done.stderr.splitlines()
                 if kind in l]
        self.assertEqual(len(lines), 2, done)
        for line in lines:
            self.assertIn(step, line)
            path = line.rsplit(' ', 1)[1]
            self.assertIn('please report', line)
            self.assertEqual(os.path.dirname(path), folder)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            self.assertEqual(Path(path).read_bytes(), shader())


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
