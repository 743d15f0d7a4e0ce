#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whose pipeline caches the driver takes: those of the same user alone.

usage: test_caches.py PROGRAM LIBRARY [TRIALS [SEED]]

TRIALS changed caches with sums made anew are offered (2000); by hand 100000,
in a build with sanitizers.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, LIBRARY = sys.argv[1:3]
TRIALS = sys.argv[3] if len(sys.argv) > 3 else '2000'
SEED = sys.argv[4] if len(sys.argv) > 4 else '1'


class Caches(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = Path(work.name)
        self.file = str(self.work / 'cache')
        self.key = self.work / 'state' / 'saffron' / 'cache-key'
        self.run_it('store')

    def run_it(self, what, *more, state='state', home=None):
        env = {k: v for k, v in os.environ.items()
               if k not in ('XDG_STATE_HOME', 'HOME')}
        env['SAFFRON_DEVICE'] = 'sim:skl'
        if state:
            env['XDG_STATE_HOME'] = str(self.work / state)
        if home:
            env['HOME'] = str(self.work / home)
        done = subprocess.run([PROGRAM, LIBRARY, what, self.file, *more],
                              env=env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout.strip(), done.stderr

    def test_own(self):
        self.assertEqual(self.run_it('load'), ('taken', ''))
        self.assertEqual(self.key.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.key.stat().st_size, 16)
        self.assertEqual(os.listdir(self.key.parent), ['cache-key'])

    def test_other_user(self):
        self.assertEqual(self.run_it('load', state='other')[0], 'refused')
        self.assertEqual(self.run_it('load', state=None)[0], 'refused')

    def test_home(self):
        self.run_it('store', state=None, home='home')
        self.assertTrue((self.work / 'home/.local/state/saffron/cache-key')
                        .exists())
        self.assertEqual(self.run_it('load', state=None, home='home')[0],
                         'taken')
        self.assertEqual(self.run_it('load')[0], 'refused')

    def test_key_that_others_know(self):
        self.key.chmod(0o644)
        said, complaint = self.run_it('load')
        self.assertEqual(said, 'refused')
        self.assertIn('only its owner may read', complaint)

    def test_key_that_is_a_link(self):
        real = self.key.with_name('real')
        self.key.rename(real)
        self.key.symlink_to(real)
        self.assertEqual(self.run_it('load')[0], 'refused')

    def test_key_that_is_too_short(self):
        self.key.write_bytes(b'short')
        self.assertEqual(self.run_it('load')[0], 'refused')

    def test_no_room_for_a_key(self):
        (self.work / 'file').write_text('not a folder', encoding='utf-8')
        self.assertEqual(self.run_it('load', state='file')[0], 'refused')

    def test_forged(self):
        self.assertEqual(self.run_it('forge', TRIALS, SEED)[0],
                         f'0 of {TRIALS} taken')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
