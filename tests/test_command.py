#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bin/saffron itself: test_command.py BIN_SAFFRON BUILD"""
import os
import subprocess
import sys
import unittest

SAFFRON, BUILD = sys.argv[1:3]


class Build(unittest.TestCase):
    def icd(self, build, directory):
        """What a program in `directory` is told to load."""
        done = subprocess.run([SAFFRON, 'run', '--', 'printenv',
                               'VK_ICD_FILENAMES'], cwd=directory,
                              env=dict(os.environ, SAFFRON_BUILD_DIR=build),
                              stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    def test_relative(self):
        """A build that is named from here is the same one elsewhere."""
        parent, name = os.path.split(BUILD)
        path = self.icd(name, parent)
        self.assertEqual(path, self.icd(BUILD, '/'))
        self.assertTrue(os.path.isabs(path))
        self.assertTrue(os.path.exists(path))

    def test_mistyped(self):
        """A build that is not there is not made by the way."""
        build = BUILD + '-mistyped'
        for command in (['run', '--', 'true'], ['compile', '/dev/null']):
            done = subprocess.run([SAFFRON, *command], timeout=60,
                                  env=dict(os.environ,
                                           SAFFRON_BUILD_DIR=build),
                                  stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"there is no build in '{build}'", done.stdout)
            self.assertFalse(os.path.exists(build))


class Options(unittest.TestCase):
    def device(self, *options):
        """The device that a program is told to take."""
        env = dict(os.environ, SAFFRON_BUILD_DIR=BUILD)
        env.pop('SAFFRON_DEVICE', None)
        return subprocess.run([SAFFRON, 'run', *options, '--', 'printenv',
                               'SAFFRON_DEVICE'], env=env, text=True,
                              stdout=subprocess.PIPE, check=True
                              ).stdout.strip()

    def test_value_of_its_own(self):
        """An option's value may be the next word, in any command."""
        self.assertEqual(self.device('--gen', 'hsw'), 'sim:hsw')
        self.assertEqual(self.device('--gen=ivb'), 'sim:ivb')
        done = subprocess.run([SAFFRON, 'piglit', '--gen', 'hsv', '--list',
                               '/dev/null'], stdout=subprocess.PIPE,
                              env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD),
                              stderr=subprocess.STDOUT, text=True,
                              check=False)
        self.assertIn("unknown generation 'hsv'", done.stdout)
        self.assertEqual(done.returncode, 2)

    def test_no_value(self):
        done = subprocess.run([SAFFRON, 'run', '--gen'], text=True,
                              stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.STDOUT)
        self.assertIn("run: '--gen' wants a value", done.stdout)
        self.assertEqual(done.returncode, 2)

    def test_looking(self):
        """Before the program runs, which might not complain of no GPU."""
        for option, words in (('--chaos=abc', 'is a seed'),
                              ('--chaos=1:noise', "not '1:noise'"),
                              ('--rules=ZZ-99', "no rule 'ZZ-99'"),
                              ('--strict=maybe', 'report or fault'),
                              ('--trace=/no/where', 'cannot be written'),
                              ('--stats=/no/where', 'cannot be written')):
            for command in ('run', 'shim'):
                done = subprocess.run([SAFFRON, command, option, '--', 'echo',
                                       'ran'], stdout=subprocess.PIPE,
                                      env=dict(os.environ,
                                               SAFFRON_BUILD_DIR=BUILD),
                                      stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertIn(words, done.stderr)
                self.assertEqual((done.returncode, done.stdout), (2, ''))

    def test_of_the_program(self):
        """What follows the program's name is the program's."""
        done = subprocess.run([SAFFRON, 'run', '--', 'echo', '--gen', 'hsw'],
                              env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD),
                              stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, '--gen hsw\n')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
