# SPDX-License-Identifier: MIT
"""rooms: folders of a module include each other one way only.

A module whose README.rst has a section "Who may include whom" has its arrows
there, as docs/architecture.rst has those between modules: 'a <- b, c' lets b
and c include a, and what a may include, too. Headers in the module's own
folder are for all of its rooms, and sources there may include all of them.
Templates of generated files are in their folder. Tests include what they
want. Keys of exceptions are 'MODULE: ROOM -> ROOM'.
"""
import os
import re

from tree import Find, is_test

TITLE = 'Who may include whom'
ARROWS = re.compile(r'^   (\S.* <- .*)$', re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def words(text):
    return re.split(r',\s*', text.strip())


def arrows(text):
    """{room: those that it may include} of a README."""
    allowed = {}
    section = text.split(TITLE, 1)[1]
    for line in ARROWS.findall(re.split(r'\n\n(?=\S[^\n]*\n[=-]{3})',
                                        section)[0]):
        parts = [words(p) for p in line.split(' <- ')]
        for lower, upper in zip(parts, parts[1:]):
            for room in lower + upper:
                allowed.setdefault(room, set())
            for room in upper:
                allowed[room].update(lower)
    for _ in allowed:
        for room in allowed:
            allowed[room].update(*(allowed[r] for r in set(allowed[room])))
    return allowed


def room_of(path, module):
    """The folder of the module that a path lies in; '': its own."""
    inner = path[len(module) + 1:]
    return inner.split('/')[0] if '/' in inner else ''


def target(path, name, module, files):
    """The module's file that an #include names, or the template of it; or
    None."""
    near = os.path.normpath(os.path.join(os.path.dirname(path), name))
    for known in (near, 'src/' + name):
        if known in files:
            return known if known.startswith(module + '/') else None
    return next((f for f in files if f.startswith(module + '/') and
                 f.endswith(f'/{name}.mako')), None)


def check_file(tree, path, module, allowed, files):
    room = room_of(path, module)
    text = tree.text(path)
    for match in INCLUDE.finditer(text):
        other = target(path, match[1], module, files)
        found = room_of(other, module) if other else ''
        if not found or found == room:
            continue
        if room == '' and path.endswith('.c'):
            continue
        if found not in allowed.get(room, ()):
            yield Find(path, text.count('\n', 0, match.start()) + 1,
                       f'{module}: {room or "its own"} -> {found}',
                       f'{room or "the module"} may not include {match[1]}')


def check(tree):
    for readme in tree.files:
        if not readme.startswith('src/') or \
                not readme.endswith('/README.rst') or \
                TITLE not in tree.text(readme):
            continue
        module = readme.rsplit('/', 1)[0]
        files = set(tree.ours('.c', '.h', '.mako'))
        allowed = arrows(tree.text(readme))
        for path in sorted(files):
            if not path.startswith(module + '/') or is_test(path):
                continue
            room = room_of(path, module)
            if room and room not in allowed:
                yield Find(path, 1, path,
                           f'{room} is in no arrow of {readme}')
            else:
                yield from check_file(tree, path, module, allowed, files)
