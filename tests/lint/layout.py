# SPDX-License-Identifier: MIT
"""layout: 78 columns, no tabs, nothing after the text of a line, one
newline at the end, an SPDX line at the start.

Python and Meson files, and documents with their tables, may go to 100
columns. So may a line of one word, as long names of Vulkan are.
"""
import re

from tree import Find

COLUMNS = {'.c': 78, '.h': 78}
WIDE = 100
ONE_WORD = re.compile(r'\s*(?:case )?\w+[:;,)]*$')


def check(tree):
    for path in tree.ours('.c', '.h', '.py', '.rst', 'meson.build'):
        text = tree.text(path)
        limit = COLUMNS.get(path[-2:], WIDE)
        if path.endswith(('.c', '.h', '.py')) and \
                'SPDX-License-Identifier' not in text[:300]:
            yield Find(path, 1, path, 'no SPDX-License-Identifier')
        if not text.endswith('\n') or text.endswith('\n\n'):
            yield Find(path, text.count('\n'), path,
                       'does not end with one newline')
        for number, line in enumerate(text.split('\n'), 1):
            if len(line) > (WIDE if ONE_WORD.match(line) else limit):
                yield Find(path, number, path,
                           f'{len(line)} columns (not above {limit})')
            if '\t' in line or line != line.rstrip():
                yield Find(path, number, path,
                           'a tab, or a blank at the end of a line')
