# SPDX-License-Identifier: MIT
"""The files that lints look at, and what rules have in common."""
import re
import subprocess
from collections import namedtuple
from pathlib import Path

# A rule's find: `key` is what an exception names, beside the rule.
Find = namedtuple('Find', 'path line key text')


class Tree:
    """The files of a source tree: those that git knows or would add. Paths
    are relative to the root, with slashes."""

    def __init__(self, root):
        self.root = Path(root)
        listed = subprocess.run(
            ['git', '-C', str(root), 'ls-files', '-z', '--cached',
             '--others', '--exclude-standard'], stdout=subprocess.PIPE,
            text=True, check=True).stdout.split('\0')
        self.files = sorted({f for f in listed
                             if f and (self.root / f).is_file()})
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text(
                encoding='utf-8', errors='replace')
        return self.texts[path]

    def lines(self, path):
        return self.text(path).split('\n')

    def ours(self, *suffixes):
        """Files of ours (not the headers of others) that end so."""
        return [f for f in self.files if f.endswith(suffixes) and
                not f.startswith(('include/drm-uapi/', 'include/vulkan/'))]

    def sources(self):
        return self.ours('.c', '.h')


def is_test(path):
    return 'tests' in path.split('/')[:-1]


COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                     r"'(?:\\.|[^'\\\n])'", re.S)


def line_at(text, offset):
    return text.count('\n', 0, offset) + 1


def comments(text):
    """(offset, text) of C comments."""
    for match in COMMENT.finditer(text):
        if match[0].startswith('/'):
            yield match.start(), match[0]


def without_comments(text):
    """C text with comments and strings blank, line for line."""
    return COMMENT.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]), text)
