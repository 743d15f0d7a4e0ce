# SPDX-License-Identifier: MIT
"""temporaries: no temporary file under a name that can be guessed.

Who can guess it makes it first, as a link to a file of the victim's. In C and
Python the functions that only make up a name are refused; everywhere a name
below /tmp that is not a template of mkstemp() or mkdtemp().
"""
import re

from tree import Find, line_at

NAMES = {
    '.c': r'\b(?:tmpnam|tmpnam_r|tempnam|mktemp)\s*\(',
    '.h': r'\b(?:tmpnam|tmpnam_r|tempnam|mktemp)\s*\(',
    '.py': r'\btempfile\.mktemp\b|\bos\.(?:tmpnam|tempnam)\b',
    '': r'\bmktemp\s+(?:-\w*\s+)*(?:-u|--dry-run)\b',
}
# The folder of X servers' sockets has its name by the protocol.
FIXED = re.compile(r'''["'](?:/var)?/tmp/(?!\.X11-unix)[^"'\n]*["']|'''
                   r'''\$\{TMPDIR(?::?-[^}]*)?\}/[^"'\s]*|\$TMPDIR/\S*''')
RANDOM = 'XXXXXX'
# A path that is only compared, or looked for in a message.
COMPARED = re.compile(r'''\bin\s*$|\bnot in\s*$|[!=]=\s*$|\bstartswith\(\s*$''')


def kind(tree, path):
    """What of NAMES a file is, or None: one that is not run."""
    for suffix in ('.c', '.h', '.py'):
        if path.endswith(suffix):
            return suffix
    shell = path.endswith('.sh') or path.startswith('bin/') and \
        tree.text(path).startswith('#!')
    return '' if shell else None


def check(tree):
    for path in tree.files:
        what = None if path.startswith(('include/', 'tests/lint/')) \
            else kind(tree, path)
        if what is None:
            continue
        text = tree.text(path)
        for match in re.finditer(NAMES[what], text):
            yield Find(path, line_at(text, match.start()), path,
                       'makes up a name without the file: ' + match[0])
        for match in FIXED.finditer(text):
            before = text[:match.start()]
            after = text[match.end():match.end() + 8]
            if (RANDOM not in match[0] and not COMPARED.search(before) and
                    not re.match(r'\s*(?:not )?in\b', after)):
                yield Find(path, line_at(text, match.start()), path,
                           'a temporary name that can be guessed: ' +
                           match[0])
