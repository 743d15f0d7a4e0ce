# SPDX-License-Identifier: MIT
"""The table of the chip's rules: every rule that is enforced has rows in a
test for a batch that breaks it and for one that keeps it, on each of its
generations, and `bin/saffron rules` answers."""
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


# The rows of the sources (PRMs, lists of work-arounds, drivers, i915) that are
# of confidence H or M, by number: each is a rule, or a row that says why not.
REFERENCE = {
    'CM': '1-20',
    'CC': '1-30',
    'PC': '1-17 19-30 32 34-35',
    'CO': '1-55 57',
    'RL': '1-12 14-44',
    'FF': '1-64 66-67',
    'EU': '1-2 4-7 9-12 14-18 20-21 25-26 29-32 34-35 40-44 46-62 65-69 '
          '71-73 75-76 78-83 85-90 92-96',
    'KR': '1-8 10-13 15-17 20-23 30-35 37 40-47',
}
# Rules of reserved bits and unused fields, which come from the descriptions,
# and what was found in the manuals later.
OWN = {'CC-31', 'RSV-01', 'RSV-02', 'CO-58', 'RL-45', 'FF-68', 'FF-69', 'FF-70',
       'FF-71', 'FF-72', 'FF-73', 'FF-74', 'FF-75', 'FF-76', 'FF-77', 'FF-78',
       'FF-79', 'FF-81', 'FF-82', 'FF-83', 'FF-84',
       'FF-85', 'FF-86', 'FF-87', 'RL-46', 'RL-47', 'RL-48', 'CO-59',
       'EU-97', 'EU-98', 'EU-99', 'KR-48', 'PC-36',
       'CO-60'}

# Where the tests of some generation are others, which take more than a row.
BESIDE_ROWS = {
    # What is blended is looked at when a message writes it.
    ('FF-05', 'bdw'): 'test_strict_draw.c: expect("FF-05"',
    ('FF-05', 'skl'): 'test_strict_draw.c: expect("FF-05"',
    # Of one size of the chip.
    ('FF-83', 'skl'): 'test_strict.c: { "FF-83", "skl-gt4"',
    ('PC-25', 'skl'): 'test_strict.c: { "PC-25", "skl-gt4"',
}


FIX = re.compile(r'((?:[a-z0-9-]+:)?[0-9a-f]{11}) ([a-z ]+) '
                 r'\| ([A-Z0-9a-z -]+) \| (.+)')
SEEN = {'fault', 'result', 'chaos', 'nothing'}
OURS = {'has it', 'does without', 'part', 'lacks it'}


def wrong_fixes(text, rows):
    """What is wrong in real_fixes.txt, as words; `rows` by name."""
    commits = []
    blocks = re.findall(r'^([^#\s].*)\n((?:   .*\n)*)', text, re.M)
    for line, words in blocks:
        match = FIX.fullmatch(line)
        if not match or not words:
            yield f'{line}: no row'
            continue
        commit, gens, seen, ours = match.groups()
        commits.append(commit)
        if set(gens.split()) - set(table.GENS.values()) or ours not in OURS:
            yield f'{line}: generations, or our driver'
        for word in set(seen.split()) - SEEN:
            row = rows.get(word)
            if not row or row.status != table.ENFORCED:
                yield f'{line}: {word} is no enforced rule'
            elif set(gens.split()) - {table.GENS[g] for g in row.gens}:
                yield f'{line}: {word} is not for all of these chips'
    if len(set(commits)) != len(commits):
        yield 'a commit stands twice'
    if not commits:
        yield 'no row'


def check_fixes(rows):
    """The real fixes name rules that there are; bad rows are told."""
    rows = {row.name: row for row in rows}
    text = (RULES / 'real_fixes.txt').read_text(encoding='utf-8')
    for problem in wrong_fixes(text, rows):
        expect(f'real_fixes.txt: {problem}', False)
    words = '   words\n'
    for bad in ('', '0123456789a skl | CO-01 | has it\n',
                '0123456789a skl | ZZ-01 | has it\n' + words,
                '0123456789a bdw | FF-68 | has it\n' + words,
                '0123456789a gen | CO-01 | has it\n' + words,
                '0123456789a skl | CO-01 | maybe\n' + words,
                ('0123456789a skl | CO-01 | has it\n' + words) * 2):
        expect(f'no complaint of {bad!r}', list(wrong_fixes(bad, rows)))


def check_settled():
    """What drivers do is of enforced rules; bad rows are told."""
    table.settled()
    words = '   words\n'
    for bad in ('CO-01 skl | iris\n', 'CO-01 | iris\n' + words,
                'ZZ-01 skl | iris\n' + words, 'PC-08 skl | iris\n' + words,
                'CO-01 skl | i965\n' + words):
        try:
            table.settled(bad)
        except ValueError:
            continue
        expect(f'no complaint of {bad!r}', False)
    expect('what is settled', table.is_settled('PC-08', 'bdw') and
           not table.is_settled('PC-08', 'bdw', opencl=True) and
           not table.is_settled('PC-08', 'skl') and
           not table.is_settled('CO-01', 'bdw'))


def items(text, at):
    """What stands between the braces that open at `at`, by commas."""
    found, depth = [''], 0
    pieces = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|.', re.S)
    for piece in pieces.finditer(text, at):
        piece = piece[0]
        depth += piece in ('{', '(')
        depth -= piece in ('}', ')')
        if not depth:
            return [item.strip() for item in found]
        if piece == ',' and depth == 1:
            found.append('')
        elif not piece.startswith('/*'):
            found[-1] += piece
    return []


def tested():
    """{rule: ({generation with a batch that breaks it}, {that keeps it})}."""
    found = {}
    for path in sorted(HERE.glob('test_*.c')):
        text = path.read_text(encoding='utf-8')
        for match in re.finditer(r'\{ "([A-Z]{2,3}-\d\d)", ', text):
            _, gens, broken, kept = items(text, match.start())[:4]
            gens = list(table.GENS.values()) if gens == 'ALL' else \
                gens.strip('"').split()
            sets = found.setdefault(match[1], (set(), set()))
            for row, gens_of in zip((broken, kept), sets):
                gens_of.update(gens if row != 'NULL' else ())
    return found


def untested():
    """Enforced rules, and on which generation, without a row that breaks and
    one that keeps them."""
    rows = tested()
    for row in table.load():
        broken, kept = rows.get(row.name, (set(), set()))
        for gen in (table.GENS[g] for g in row.gens):
            other = BESIDE_ROWS.get((row.name, gen))
            if other:
                path, words = other.split(': ', 1)
                done = words in (HERE / path).read_text(encoding='utf-8')
            else:
                done = gen in broken and gen in kept
            if row.status == table.ENFORCED and not done:
                yield f'{row.name} on {gen}'


def reference():
    """The ids of REFERENCE."""
    for unit, numbers in REFERENCE.items():
        for span in numbers.split():
            first, last = (span + '-' + span).split('-')[:2]
            for number in range(int(first), int(last) + 1):
                yield f'{unit}-{number:02}'


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
        FAILED.append(f'{name}: no batch that breaks it, or none that '
                      'keeps it')
    FAILED.extend(unfounded())
    check_fixes(table.load())
    check_settled()
    names = {row.name for row in table.load()}
    for name in sorted(names ^ OWN ^ set(reference())):
        FAILED.append(f'{name}: a row of the sources without one of the '
                      'table, or the other way round')
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
    # Those of single instructions.
    expect('rules --gen=ivb, src3-simd16', 'src3-simd16' in out and
           'sends-overlap' not in out)
    out, code = command('cmp-null-switch', 'EU-44')
    expect('rules cmp-null-switch EU-44', not code and '1318 times' in out and
           'EU-05' in out and 'math-dst-even' in out)
    for bad in ('XX-99', '--gen=ark', '--what'):
        out, code = command(bad)
        expect(f'rules {bad}', code == 2 and out.count('\n') == 1)
    print('\n'.join(FAILED) or 'ok')
    return bool(FAILED)


if __name__ == '__main__':
    sys.exit(main())
