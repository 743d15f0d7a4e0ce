# SPDX-License-Identifier: MIT
"""Which rules the lists of expectations were last run with.

ran.txt has a line a list and part of a profile that ran and ended as expected:

   DRIVER GEN PROFILE PART MODE RULES # COUNTS

DRIVER is driver, stock or opencl; PART is 1/N (--every=N); MODE is strict, chaos
or plain; RULES is digest() of the tree that ran. A run of a larger part counts for
a smaller one. What refuses an instruction, a command or a state is in what
digest() reads: a list is current if nothing of that has changed since it ran.
"""
import ast
import hashlib
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE = HERE / 'ran.txt'
RULES = ROOT / 'src/intel/sim/strict/rules'
# Where it is said what is refused: the rules and codes of instructions, the
# tables of commands, and the simulator, as any part of it can come to a fault
# by what another one gives it.
FOLDERS = ('src/intel/isa', 'src/intel/genxml', 'src/intel/sim')
# Parts of them that refuse nothing: they are asked, or look on.
ASIDE = ('tests', 'trace', 'deviate', 'rules')
ASIDE_FILES = re.compile(r'isa_(print|parse\w*|lexer|timing|text|samples)'
                         r'\.[ch]|isa_rules\.py')
LINE = re.compile(r'(driver|stock|opencl) (\S+) (\S+) 1/(\d+) '
                  r'(plain|strict|chaos) ([0-9a-f]{12}) # (.+)')
HEAD = '''# Which rules the lists were last run with: ran.py says what a line means, and
# `bin/saffron piglit --record` writes it.
'''


def meaning(source):
    """C without comments, and with one blank where there are some."""
    bare = re.sub(r'/\*.*?\*/|//[^\n]*', ' ', source, flags=re.S)
    return ' '.join(bare.split())


def python_meaning(source):
    """The same of a table in Python, without its head."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body
                 if not (isinstance(node, ast.Expr) and
                         isinstance(node.value, ast.Constant))]
    return ast.dump(tree)


MEANING = {'.c': meaning, '.h': meaning, '.mako': meaning, '.xml': str,
           '.py': python_meaning}


def sources():
    """Files whose text is part of the digest."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob('*.*')):
            if path.suffix in MEANING and \
                    not ASIDE_FILES.fullmatch(path.name) and \
                    not set(path.relative_to(ROOT).parts) & set(ASIDE):
                yield path


def rules():
    """The table of the rules."""
    sys.path.insert(0, str(RULES))
    import table  # pylint: disable=import-outside-toplevel,import-error
    sys.path.remove(str(RULES))
    return table


def digest():
    """Twelve digits for all that refuses something: rules by what they demand
    of which generations, not by their words; code without its comments."""
    total = hashlib.sha256()
    table = rules()
    for row in sorted(table.load(), key=lambda r: r.name):
        total.update(f'{row.name} {row.gens} {row.status}\n'.encode())
    for row in table.instructions():
        total.update(f'{row.name} {row.gens} {row.severity} {row.condition}\n'
                     .encode())
    for path in sources():
        text = MEANING[path.suffix](path.read_text(encoding='utf-8'))
        total.update(f'{path.name} {text}\n'.encode())
    return total.hexdigest()[:12]


def read(path=FILE):
    """[(key, part, rules, counts)], key being (driver, gen, profile, mode)."""
    rows = []
    if path.exists():
        for number, line in enumerate(
                path.read_text(encoding='utf-8').splitlines(), 1):
            if not line or line.startswith('#'):
                continue
            match = LINE.fullmatch(line)
            if not match:
                sys.exit(f'saffron: {path}:{number}: no line of a run')
            driver, gen, profile, part, mode, rules, counts = match.groups()
            rows.append(((driver, gen, profile, mode), int(part), rules,
                         counts))
    return rows


def record(key, part, counts, path=FILE):
    """Notes a run that ended as expected, in place of those of the same list
    that it says more than: of no larger part, or with other rules."""
    rules = digest()
    rows = [row for row in read(path)
            if row[0] != key or (row[1] < part and row[2] == rules)]
    rows.append((key, part, rules, counts))
    lines = [f'{k[0]} {k[1]} {k[2]} 1/{p} {k[3]} {r} # {c}\n'
             for k, p, r, c in sorted(rows)]
    new = Path(f'{path}.part')
    new.write_text(HEAD + '\n' + ''.join(lines), encoding='utf-8')
    os.replace(new, path)


def report(driver, gen, path=FILE):
    """Prints what ran of a driver's lists on a generation; 0 if all of them
    are current, else 1."""
    rules = digest()
    rows = [row for row in read(path) if row[0][:2] == (driver, gen)]
    for key, part, old, counts in rows:
        state = 'current' if old == rules else 'older than the rules'
        print(f'{driver} {gen} {key[2]} 1/{part} {key[3]}: {state}; {counts}')
    if not rows:
        print(f'{driver} {gen}: no run is recorded')
    return 0 if rows and all(row[2] == rules for row in rows) else 1
