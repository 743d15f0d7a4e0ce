# SPDX-License-Identifier: MIT
"""includes: a module includes only what docs/architecture.rst lets it.

The modules are the folders of the code map, and "Who may include whom" has
the arrows: 'a, b <- c, d' lets c and d include a and b. Everything may
include `util`, and tools and programs may include everything; so may tests,
but what is behind a wall: 'a | b, c' keeps a from b and c, and these from a.
A module's private headers are its own.
"""
import re

from tree import Find, is_test

DOC = 'docs/architecture.rst'
EVERYWHERE = 'src/util'
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
MAP = re.compile(r'^``(src/[\w/-]+)``', re.M)


def code_map(doc):
    return MAP.findall(doc)


def folders(words, modules):
    """The modules that words name; a ValueError names one that is none."""
    for word in re.split(r',\s*', words.strip()):
        found = [m for m in modules if m.endswith('/' + word)]
        if not found:
            raise ValueError(word)
        yield min(found, key=lambda m: m.count('/'))


def sides(doc, modules, sign):
    """Pairs of lists of modules, left and right of the sign in a line."""
    text = doc.split('Who may include whom')[-1]
    for line in re.findall(r'^   (\S.* %s .*)$' % re.escape(sign), text, re.M):
        parts = [list(folders(p, modules)) for p in line.split(f' {sign} ')]
        yield from zip(parts, parts[1:])


def arrows(doc, modules):
    """{module: those that it may include}; a ValueError names what is in an
    arrow and not in the map."""
    allowed = {m: {m, EVERYWHERE} for m in modules}
    for lower, upper in sides(doc, modules, '<-'):
        for module in upper:
            allowed[module].update(lower)
    return allowed


def walls(doc, modules):
    """{module: those that its tests may not include, either}."""
    apart = {m: set() for m in modules}
    for left, right in sides(doc, modules, '|'):
        for module in left:
            apart[module].update(right)
        for module in right:
            apart[module].update(left)
    return apart


def module_of(path, modules):
    """The module with the longest path that `path` lies in, or None."""
    found = [m for m in modules if path.startswith(m + '/')]
    return max(found, key=len, default=None)


def check(tree):
    doc = tree.text(DOC)
    modules = code_map(doc)
    try:
        allowed, apart = arrows(doc, modules), walls(doc, modules)
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
            if not other or other == module:
                continue
            line = text.count('\n', 0, match.start()) + 1
            if is_test(path):
                if other in apart[module]:
                    yield Find(path, line, path, 'tests of '
                               f'{module} may not include {match[1]}')
            elif other not in allowed[module]:
                yield Find(path, line, path,
                           f'{module} may not include {match[1]}')
            elif '_private' in match[1]:
                yield Find(path, line, path,
                           f'{match[1]} is private to {other}')
