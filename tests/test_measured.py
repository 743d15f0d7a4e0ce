# SPDX-License-Identifier: MIT
"""Tables of measured figures, and the marks of pages that they go between."""
import re
import tempfile
import unittest
from pathlib import Path

import measured


class Rst(unittest.TestCase):
    def test_columns(self):
        self.assertEqual(measured.rst(['what', 'n'], [['a', '9'],
                                                      ['long', '10']]),
                         '====  ==\nwhat   n\n====  ==\n'
                         'a      9\nlong  10\n====  ==')

    def test_texts_are_left(self):
        self.assertIn('\n1.0 (2)\n', measured.rst(['x'], [['1.0 (2)'], ['b']]))


class Write(unittest.TestCase):
    def setUp(self):
        self.tmp = tempfile.TemporaryDirectory()
        self.addCleanup(self.tmp.cleanup)
        root, measured.ROOT = measured.ROOT, Path(self.tmp.name)
        self.addCleanup(setattr, measured, 'ROOT', root)
        self.page = measured.ROOT / 'docs' / 'a.rst'
        self.page.parent.mkdir()

    def test_twice(self):
        self.page.write_text('x\n\n.. C begins\n\nold\n\n.. C ends\n\ny\n',
                             encoding='utf-8')
        for table in ('one', 'two'):
            measured.write('a.rst', 'C', 'today', table)
        self.assertEqual(self.page.read_text(encoding='utf-8'),
                         'x\n\n.. C begins\n\n``C``, today:\n\ntwo\n\n'
                         '.. C ends\n\ny\n')

    def test_no_marks(self):
        self.page.write_text('.. C --more begins\n\n.. C ends\n',
                             encoding='utf-8')
        with self.assertRaises(ValueError):
            measured.write('a.rst', 'C', 'today', 'one')


class Pages(unittest.TestCase):
    def test_marks(self):
        """Each table begins and ends, and says by which command."""
        for page in (measured.ROOT / 'docs').glob('*.rst'):
            text = page.read_text(encoding='utf-8')
            begins = re.findall(r'^\.\. (.*) begins\n\n``\1``', text, re.M)
            self.assertEqual(re.findall(r'^\.\. (.*) ends$', text, re.M),
                             begins, page)


if __name__ == '__main__':
    unittest.main()
