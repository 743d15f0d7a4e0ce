#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of complete.py."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'api'))
import complete  # pylint: disable=wrong-import-position


class Command:
    def __init__(self, name, target):
        self.name, self.target = name, target


class Missing(unittest.TestCase):
    COMMANDS = [Command('vkA', 'A'), Command('vkAKHR', 'A'),
                Command('vkB', 'B')]

    def missing(self, *functions):
        return complete.missing(self.COMMANDS, functions, ['gen8', 'gen9'])

    def test_all_there(self):
        self.assertEqual(self.missing('saf_A', 'gen8_B', 'gen9_B'), [])

    def test_one_missing(self):
        self.assertEqual(self.missing('saf_A'), ['vkB'])
        self.assertEqual(self.missing('saf_B'), ['vkA', 'vkAKHR'])

    def test_missing_in_one_generation(self):
        self.assertEqual(self.missing('saf_A', 'gen9_B'), ['vkB'])


if __name__ == '__main__':
    unittest.main()
