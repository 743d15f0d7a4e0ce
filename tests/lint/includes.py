# SPDX-License-Identifier: MIT
"""includes: a module includes only what docs/architecture.rst lets it.

The modules are the folders of the code map, and "Who may include whom" has
the arrows: 'a, b <- c, d' lets c and d include a and b. Everything may
include `util`, and tests, tools and programs may include everything. A
module's private headers are its own.
"""
import re

from tree import Find, is_test

DOC = 'docs/architecture.rst'
EVERYWHERE = 'src/util'
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
MAP = re.compile(r'^``(src/[\w/-]+)``', re.M)


def code_map(doc):
    return MAP.findall(doc)


def arrows(doc, modules):
    """{module: those that it may include}; a ValueError names what is in an
    arrow and not in the map."""
    allowed = {m: {m, EVERYWHERE} for m in modules}

    def folders(words):
        for word in re.split(r',\s*', words.strip()):
            found = [m for m in modules if m.endswith('/' + word)]
            if not found:
                raise ValueError(word)
            yield min(found, key=lambda m: m.count('/'))

    text = doc.split('Who may include whom')[-1]
    for line in re.findall(r'^   (\S.*<-.*)$', text, re.M):
        parts = [list(folders(p)) for p in line.split('<-')]
        for lower, upper in zip(parts, parts[1:]):
            for module in upper:
                allowed[module].update(lower)
    return allowed


def module_of(path, modules):
    """The module with the longest path that `path` lies in, or None."""
    found = [m for m in modules if path.startswith(m + '/')]
    return max(found, key=len, default=None)


def check(tree):
    doc = tree.text(DOC)
    modules = code_map(doc)
    try:
        allowed = arrows(doc, modules)
    except ValueError as unknown:
        yield Find(DOC, 1, DOC, f'{unknown} is not in the code map')
        return
    for path in tree.sources():
        if not path.startswith('src/') or '/tools/' in path:
            continue
        module = module_of(path, modules)
        if not module:
            yield Find(path, 1, path, 'its folder is not in the code map of '
                       + DOC)
            continue
        text = tree.text(path)
        for match in INCLUDE.finditer(text):
            name = 'src/' + match[1]
            other = module_of(name, modules)
            if not other or other == module or is_test(path):
                continue
            line = text.count('\n', 0, match.start()) + 1
            if other not in allowed[module]:
                yield Find(path, line, path,
                           f'{module} may not include {match[1]}')
            elif '_private' in match[1]:
                yield Find(path, line, path,
                           f'{match[1]} is private to {other}')
