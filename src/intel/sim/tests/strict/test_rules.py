# SPDX-License-Identifier: MIT
"""The table of the chip's rules: every rule that is enforced has rows in a
test for a batch that breaks it and for one that keeps it, docs/rules.rst is
what the table says, and `bin/saffron rules` answers."""
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[4]
RULES = ROOT / 'src/intel/sim/strict/rules'
sys.path.insert(0, str(RULES))
import table  # pylint: disable=wrong-import-position

FAILED = []


def expect(what, ok):
    """Notes a failure."""
    if not ok:
        FAILED.append(what)


def untested():
    """Enforced rules without a row that breaks and one that keeps them."""
    tests = ''.join(p.read_text(encoding='utf-8')
                    for p in sorted(HERE.glob('test_*.c')))
    for row in table.load():
        rows = re.findall(r'\{ "' + row.name + r'", (?:"[a-z ]+"|ALL),\s+(\S+)',
                          tests)
        if row.status == table.ENFORCED and \
                not [r for r in rows if r != 'NULL,']:
            yield row.name


def unfounded():
    """Rules that are faults, by files that do not test them; and ids that a
    reason names and that are none."""
    rows = table.load()
    names = {r.name for r in rows}
    for row in rows:
        if row.tested:
            path, words = row.tested.split(': ', 1)
            if words not in (ROOT / path).read_text(encoding='utf-8'):
                yield f'{row.name}: {path} has no {words!r}'
        for name in re.findall(r'\b[A-Z]{2,3}-\d\d\b', row.reason):
            if name not in names:
                yield f'{row.name}: there is no {name}'


def command(*args):
    """The output of `bin/saffron rules`, and its exit code."""
    done = subprocess.run([ROOT / 'bin/saffron', 'rules', *args],
                          capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


def refused(**change):
    """Whether a row with such a change is a bad one."""
    good = {'gens': '9', 'confidence': 'H', 'title': 't', 'text': 't',
            'source': 's', 'missing': 'm', 'status': table.ENFORCED}
    name = change.pop('name', 'XX-01')
    return bool(list(table.Row('eu', name, {**good, **change}).problems()))


def main():
    """See the head of the file."""
    for name in untested():
        FAILED.append(f'{name}: no batch that breaks it')
    FAILED.extend(unfounded())
    text = (ROOT / 'docs/rules.rst').read_text(encoding='utf-8')
    expect('docs/rules.rst is old: src/intel/sim/strict/rules/table.py rst '
           'docs/rules.rst', text == table.rst_text())
    expect('a good row', not refused())
    for change in ({'name': 'pc1'}, {'gens': '10'}, {'confidence': 'L'},
                   {'status': 'perhaps'}, {'missing': ''}, {'gens': ''},
                   {'text': ''}, {'titel': 'x'},
                   {'status': table.DESCRIBES, 'beside': 'x'}):
        expect(f'refused: {change}', refused(**change))
    out, code = command('PC-10')
    expect('rules PC-10', not code and 'post-sync' in out and
           'WaVfPostSyncWrite' in out)
    out, code = command('--gen=ivb')
    expect('rules --gen=ivb', not code and 'PC-02' in out and
           'PC-11' not in out)
    for bad in ('XX-99', '--gen=ark', '--what'):
        out, code = command(bad)
        expect(f'rules {bad}', code == 2 and out.count('\n') == 1)
    print('\n'.join(FAILED) or 'ok')
    return bool(FAILED)


if __name__ == '__main__':
    sys.exit(main())
