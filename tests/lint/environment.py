# SPDX-License-Identifier: MIT
"""environment: libraries read the environment by environment_get() alone.

They are loaded into programs of others, set-user-id ones among them;
environment_get() gives those nothing. Tools and tests are programs of their
own.
"""
import re

from tree import Find, is_test, without_comments

THE_READER = 'src/util/environment.c'
READS = re.compile(r'\b(?:secure_|__secure_)?getenv\s*\(|\benviron\b|\benvp\b')


def check(tree):
    for path in tree.sources():
        if (not path.startswith('src/') or is_test(path) or
                path == THE_READER or '/tools/' in path):
            continue
        code = without_comments(tree.text(path)).split('\n')
        for number, line in enumerate(code, 1):
            if READS.search(line):
                yield Find(path, number, path, 'the environment is read by '
                           'environment_get() alone: ' + line.strip())
