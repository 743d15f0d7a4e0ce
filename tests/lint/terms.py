# SPDX-License-Identifier: MIT
"""terms: names are the field's.

A part of an identifier or of a file's name that the field has another word
for. Words of plain English that comments need as well are looked at in
identifiers of several parts alone.
"""
import re

from tree import Find, line_at

TERMS = {
    'heed': 'sanitise, handle',
    'heeded': 'sanitised',
    'wish': 'affinity',
    'wishes': 'affinities',
    'relieve': 'prespill, reduce pressure',
    'rung': 'arm of an if-chain',
    'ladder': 'if-chain',
    'seldom': 'unlikely',
    'rested': 'unchanged since',
    'careful': 'pressure mode',
    'eights': 'SIMD8',
    'unsent': 'uninitialised',
    'answers': 'responses',
    'forget': 'unregister, invalidate, release',
    'settle': 'finalise',
    'guide': 'priority function',
    'guided': 'has a priority',
}
# Where nothing else can be meant.
GONE = ('bring_up', 'by_need', 'meta_words', 'dead_loops', 'let_go')
PARTS = re.compile(r'(?<![A-Za-z0-9_])(?:[A-Za-z0-9]+_)*(%s)(?:_[A-Za-z0-9_]+)?'
                   r'(?![A-Za-z0-9_])' % '|'.join(TERMS), re.I)
WHOLE = re.compile('|'.join(GONE))
SUFFIXES = ('.c', '.h', '.py', '.mako')


def check(tree):
    for path in tree.ours(*SUFFIXES):
        if path.startswith(('tests/lint/', 'include/')):
            continue
        name = path.rsplit('/', 1)[-1].rsplit('.', 1)[0]
        text = tree.text(path)
        for match in PARTS.finditer(text):
            if '_' in match[0] or is_called(text, match.end()):
                yield found(path, line_at(text, match.start()), match[0],
                            TERMS[match[1].lower()])
        for match in WHOLE.finditer(text):
            yield found(path, line_at(text, match.start()), match[0], None)
        match = PARTS.fullmatch(name)
        if match:
            yield found(path, 1, name, TERMS[match[1].lower()])


def is_called(text, end):
    return text[end:end + 1] == '('


def found(path, line, name, term):
    return Find(path, line, path, f'{name}: ' + (
        f'the field says {term}' if term else 'the field has another word'))
