# SPDX-License-Identifier: MIT
"""uncalled: functions of these folders, and macros that look like functions,
are reached from product code: from other folders, generators or tables.

Calls are words: what stands in the body of a function that is reached is
reached. Names that generators put together are in MADE; what only tests
need, with its reason, in FOR_TESTS.
"""
import re

from tree import Find, is_test, line_at, without_comments

FOLDERS = ('src/compiler/nir/',)
FOR_TESTS = {
    'nir_interp_run': 'what a shader means; every differential test asks it',
    'nir_shader_as_str': 'what tests of passes compare, and fuzzers keep',
    'glsl_double_type': 'one of the scalar types',
    'glsl_dvec_type': 'one of the vector types',
    'VARYING_SLOT_VAR': 'a location by its number',
}
MADE = re.compile(r'nir_(build_alu\d|search_is_\w+|(load|store)_f\d+|'
                  r'half_to_float\w*|step)')
WORD = re.compile(r'[A-Za-z_]\w*')
# A function: its name starts a line, and the brace that ends it does.
PARAMETERS = r'\((?:[^;{}()]|\([^;{}()]*\))*\)'
FUNCTION = re.compile(r'^(?:\w[^\n;{}#()=]*[\s*])?(\w+)' + PARAMETERS +
                      r'\s*\{.*?^\}', re.M | re.S)
PROTOTYPE = re.compile(r'^(?!typedef)\w[^\n;{}#()=]*[\s*](\w+)' + PARAMETERS +
                       r'(?:\s*\w+\(\d+(?:, \d+)?\))?;', re.M)
# The linker's start-up code calls these.
UNASKED = re.compile(r'__attribute__\(\((?:con|de)structor\)\)[\w\s*]*?(\w+)\(')
MACRO = re.compile(r'^#define (\w+)\((?:[^\n]*\\\n)*[^\n]*', re.M)


def parts(text):
    """{name: words of its body} of functions and macros, the words that are
    left, and (offset, name) of what is declared or defined."""
    bodies, names = {}, []
    for pattern in (MACRO, FUNCTION, PROTOTYPE):
        def take(match):
            names.append((match.start(1), match[1]))
            if pattern is not PROTOTYPE:
                bodies.setdefault(match[1], set()).update(
                    w for w in WORD.findall(match[0]) if w != match[1])
            return re.sub(r'[^\n]', ' ', match[0])
        text = pattern.sub(take, text)
    return bodies, set(WORD.findall(text)), names


def reached(roots, bodies):
    todo, seen = list(roots), set(roots)
    while todo:
        for word in bodies.get(todo.pop(), ()):
            if word not in seen:
                seen.add(word)
                todo.append(word)
    return seen


def check(tree):
    roots, bodies, declared = set(FOR_TESTS), {}, {}
    for path in tree.ours('.c', '.h', '.py'):
        if is_test(path) or not path.startswith(('src/', 'demo/')):
            continue
        text = tree.text(path)
        if path.endswith('.py'):
            roots.update(WORD.findall(text))
            continue
        text = without_comments(text)
        if not path.startswith(FOLDERS):
            roots.update(WORD.findall(text))
            continue
        roots.update(UNASKED.findall(text))
        own, rest, names = parts(text)
        roots.update(rest)
        for name, words in own.items():
            bodies.setdefault(name, set()).update(words)
        for offset, name in names:
            if name not in declared or path.endswith('.h'):
                declared[name] = (path, line_at(text, offset))
    roots.update(n for n in bodies if MADE.fullmatch(n))
    seen = reached(roots, bodies)
    for name, (path, line) in declared.items():
        if name not in seen and not MADE.fullmatch(name):
            yield Find(path, line, name, f'no product code calls {name}')
