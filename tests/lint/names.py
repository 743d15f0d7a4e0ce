# SPDX-License-Identifier: MIT
"""names: a file that a comment or a document names is in the tree.

Files that a build generates are named in meson.build files. A file of
another project is named after it ("Mesa's brw_fs.cpp") or with `<>`.
"""
import re

from tree import Find, comments, line_at

NAME = re.compile(r"(?<![\w/<*.%$-])((?:[A-Za-z0-9_]+[/-])*[A-Za-z0-9_]+"
                  r"\.(?:c|h|py|rst|xml|build|shader_test))\b(?![\w/*(-]|\.\w)")
OF_OTHERS = re.compile(r"(?:'s|/usr/\S*|\bof)\s+[`\"]*$")
# Of other projects. N and capitals stand for something.
FOREIGN = {
    'cmocka.h': 'cmocka', 'gbm.h': 'Mesa', 'iris_state.c': 'Mesa',
    'dma-buf.h': 'Linux', 'linux/sync_file.h': 'Linux',
    'i915_vma.c': 'Linux', 'i915_getparam.c': 'Linux', 'i915_perf.c': 'Linux',
}
PLACEHOLDER = re.compile(r'^(?:[A-Z-]+|genN_.*|_.*)\.\w+$')
STANDARD = re.compile(r'^(?:std\w+|math|float|limits|unistd|errno|assert|'
                      r'string|fcntl|vk|vulkan\w*|i915_drm|drm)\.(?:h|xml)$')


def known_names(tree):
    """Paths and base names of what is there or is generated."""
    names = set()
    for path in tree.files:
        parts = path.split('/')
        names.update('/'.join(parts[i:]) for i in range(len(parts)))
    for path in tree.files:
        if path.endswith(('meson.build', '.py')):
            names.update(re.findall(r"'([\w.-]+\.[ch])'", tree.text(path)))
    return names


def passages(tree):
    """(path, line, text) of what people read."""
    for path in tree.sources():
        text = tree.text(path)
        for offset, comment in comments(text):
            yield path, line_at(text, offset), comment
    for path in tree.ours('.rst'):
        yield path, 1, tree.text(path)
    for path in tree.ours('.py'):
        for number, line in enumerate(tree.lines(path), 1):
            if '#' in line:
                yield path, number, line[line.index('#'):]


def check(tree):
    names = known_names(tree)
    for path, line, text in passages(tree):
        for match in NAME.finditer(text):
            if (match[1] in names or match[1] in FOREIGN or
                    STANDARD.match(match[1]) or
                    PLACEHOLDER.match(match[1]) or
                    OF_OTHERS.search(text[:match.start()])):
                continue
            at = line + text.count('\n', 0, match.start())
            yield Find(path, at, f'{path} {match[1]}',
                       f'there is no {match[1]}')
