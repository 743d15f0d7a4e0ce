#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules by which the chips punish a wrong driver: one table.

usage: table.py list [--gen=G] [ID...]   what there is, or all about some
       table.py rst [FILE]               the page of the reference
       table.py c                        rules.h, included by strict_rules.c

A row is a call of rule() in one of the files beside this one, which are
named after what the rules are about. An id is never used again. Whatever has
confidence H or M in the sources is a row, enforced or not. What a single
instruction may not be has a table of its own, isa_rules.py, and is told here
with the others.
"""
import importlib
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# In the sources, isa_rules.py is the instruction set's; installed, it is here.
sys.path[:0] = [str(HERE), str(HERE.parents[2] / 'isa')]
# The rows import this file by its name.
sys.modules.setdefault('table', sys.modules[__name__])
import isa_rules  # pylint: disable=wrong-import-position

UNITS = {
    'cache': 'Caches',
    'pipe_control': 'PIPE_CONTROL',
    'order': 'The order of commands',
    'resource': 'Resources',
    'fixed': 'Fixed functions',
    'eu': 'Execution unit and messages',
    'kernel': "The kernel's side",
}
GENS = {'7': 'ivb', '75': 'hsw', '8': 'bdw', '9': 'skl'}
CONFIDENCE = {
    'H': 'documented, and implemented by a driver or seen on silicon',
    'M': 'only documented, or only done by drivers',
}

# What a status may be: words for it, by name.
ENFORCED = 'enforced'
FAULT = 'not a strict rule: breaking it is a fault without strict, too'
DESCRIBES = 'not a strict rule: says how the chip is; nothing breaks it'
ELSEWHERE = 'not enforced: no chip that is simulated has it'
NO_DRIVER = 'not enforced: no driver is known to keep it, and all run'
OTHERS = ('not a rule of its own: the simulator is as it says; who forgets '
          'that sees wrong pixels, or another rule')
UNSEEN = 'not enforced: cannot be broken, or not be seen, here'
STATUSES = (ENFORCED, FAULT, DESCRIBES, ELSEWHERE, NO_DRIVER, OTHERS, UNSEEN)
# These say why.
REASONED = (NO_DRIVER, OTHERS, UNSEEN)

# Words that the sources use for bits of PIPE_CONTROL and the like.
ABBREVIATIONS = {
    'PC': 'PIPE_CONTROL', 'EOP': 'end of pipe', 'CSS': 'CS stall',
    'RTF': 'render target cache flush', 'DEF': 'depth cache flush',
    'DCF': 'data cache flush', 'TXI': 'texture cache invalidate',
    'CNI': 'constant cache invalidate', 'STI': 'state cache invalidate',
    'INI': 'instruction cache invalidate',
    'VFI': 'vertex fetch cache invalidate', 'PSO': 'post-sync operation',
    'SBA': 'STATE_BASE_ADDRESS',
    'LRI, LRM, SRM, LRR': 'MI commands that load and store registers',
    'BTP': 'binding table pointers', 'SAS': 'stall at the pixel scoreboard',
    'DST': 'depth stall', 'CL': 'cache line, 64 bytes',
    'MSF': 'MEDIA_STATE_FLUSH', 'ISP': 'indirect state pointers',
    'SOL': 'stream output', 'SLM': 'shared local memory',
    'RO': 'read only', 'MBZ': 'must be zero',
}

ROWS = []
_UNIT = []


class Row:
    """One rule; `gens` are the keys of GENS that it holds for."""

    def __init__(self, unit, name, values):
        self.unit = unit
        self.name = name
        self.gens = values.pop('gens').split()
        self.only = values.pop('only', '')
        self.confidence = values.pop('confidence')
        self.title = values.pop('title')
        self.effect = values.pop('effect', '')
        self.text = values.pop('text')
        self.source = values.pop('source')
        self.missing = values.pop('missing', '')
        # Why it is not enforced; "FILE: WORDS", where a FAULT is tested.
        self.reason = values.pop('reason', '')
        self.tested = values.pop('tested', '')
        # What an enforced rule says and nothing looks at, and why.
        self.beside = values.pop('beside', '')
        self.status = values.pop('status')
        self.rest = values

    def problems(self):
        """What is wrong with the row, as words."""
        if not re.fullmatch(r'[A-Z]{2,3}-\d\d', self.name):
            yield 'the id'
        if set(self.gens) - set(GENS):
            yield 'the generations'
        if self.confidence not in CONFIDENCE:
            yield 'the confidence'
        if self.status not in STATUSES:
            yield 'the status'
        if self.status == ENFORCED and not (self.missing and self.gens):
            yield 'an enforced rule says what is missing, and where'
        if self.status in REASONED and not self.reason:
            yield 'why it is not enforced'
        if self.beside and self.status != ENFORCED:
            yield 'what is not looked at'
        if (self.status == FAULT) != bool(self.tested):
            yield 'where its fault is tested'
        if not (self.title and self.text and self.source):
            yield 'title, text and source'
        if self.rest:
            yield 'unknown: ' + ', '.join(self.rest)

    def heading(self):
        """The title, with dots where it ends within the text's sentence."""
        rest = self.text[len(self.title):]
        cut = self.text.startswith(self.title) and re.match(r'[ ,](?!\()',
                                                            rest)
        return f'{self.title} ...' if cut else self.title

    def where(self):
        """The generations as words; a rule without any is one of chips that
        `only` names."""
        words = ' '.join(GENS[g] for g in self.gens)
        if not words and self.status != ELSEWHERE:
            return self.only
        words = words or 'none simulated'
        return f'{words} ({self.only})' if self.only else words


def rule(name, **values):
    """One row of the table, in the file that is being read."""
    ROWS.append(Row(_UNIT[-1], name, values))


def load():
    """All rows, by unit; a ValueError names a bad one."""
    if not ROWS:
        for unit in UNITS:
            _UNIT.append(unit)
            importlib.import_module(unit + '_rules')
    seen = set()
    for row in ROWS:
        for problem in row.problems():
            raise ValueError(f'{row.name}: {problem}')
        if row.name in seen:
            raise ValueError(f'{row.name}: twice')
        seen.add(row.name)
    return ROWS


def instructions():
    """The rules of single instructions; a ValueError names a bad row."""
    chips = {row.name for row in load()}
    for r in isa_rules.RULES:
        if r.chip and r.chip not in chips:
            raise ValueError(f'{r.name}: there is no {r.chip}')
    return isa_rules.RULES


def parts(row):
    """Names of the rules of instructions that are part of one of the chips."""
    return ', '.join(r.name for r in instructions() if r.chip == row.name)


DRIVERS = ('iris', 'crocus', 'anv', 'hasvk', 'neo')
SETTLED = re.compile(r'([A-Z]{2,3}-\d\d) ((?:ivb|hsw|bdw|skl| )+) '
                     r'\| ([a-z ]+)')


class Settled:
    """What drivers do against a rule, and where."""

    def __init__(self, rule_name, gens, drivers, words):
        self.rule = rule_name
        self.gens = gens.split()
        self.drivers = drivers.split()
        self.words = words


def settled(text=None):
    """The rows of settled.txt; a ValueError names a bad one."""
    if text is None:
        text = (HERE / 'settled.txt').read_text(encoding='utf-8')
    rows = {row.name: row for row in load()}
    out = []
    for head, words in re.findall(r'^([^#\s].*)\n((?:   .*\n)*)', text, re.M):
        match = SETTLED.fullmatch(head)
        if not match or not words:
            raise ValueError(f'settled.txt: {head}: no row')
        row = Settled(*match.groups(), ' '.join(words.split()))
        known = rows.get(row.rule)
        if not known or known.status != ENFORCED:
            raise ValueError(f'settled.txt: {head}: no enforced rule')
        if set(row.gens) - {GENS[g] for g in known.gens}:
            raise ValueError(f'settled.txt: {head}: not for these chips')
        if set(row.drivers) - set(DRIVERS):
            raise ValueError(f'settled.txt: {head}: no such driver')
        out.append(row)
    return out


def is_settled(name, gen, opencl=False):
    """Whether stock drivers are known to break the rule on a generation."""
    return any(row.rule == name and gen in row.gens and
               opencl == ('neo' in row.drivers) for row in settled())


def c_text():
    """Rows for the preprocessor: RULE(enumerator, "id", generations, ...)."""
    lines = ['/* Generated by table.py. */']
    for r in load():
        words = ', '.join('"' + w.replace('\\', '\\\\').replace('"', '\\"') +
                          '"' for w in (r.title, r.missing, r.source))
        gens = ' | '.join('STRICT_GEN' + g for g in r.gens) or '0'
        enforced = 'true' if r.status == ENFORCED else 'false'
        lines.append(f'RULE({r.name.replace("-", "_")}, "{r.name}", {gens}, '
                     f'{enforced}, {words})')
    return '\n'.join(lines) + '\n'


def wrapped(first, text, width=76):
    """Lines of `text` after `first`, under which the others start."""
    lines, line = [], first
    for word in text.split():
        if len(line) + 1 + len(word) > width and line.strip():
            lines.append(line)
            line = ' ' * len(first) + word
        else:
            line += (' ' if line.strip() and line != first else '') + word
    return lines + [line]


def escaped(text):
    """As text of reStructuredText."""
    return re.sub(r'([\\*`|_])', r'\\\1', text)


def rst_text():
    """The page of the reference."""
    rows = load()
    count = {s: sum(r.status == s for r in rows) for s in STATUSES}
    out = ['=' * 18, 'Rules of the chips', '=' * 18, '']
    out += wrapped('', 'The table is ``src/intel/sim/strict/rules``; the '
                   'sources of each rule are named there and by '
                   '``bin/saffron rules ID``. What is checked when, and how, '
                   'is in :doc:`strict`.')
    out += ['', f'{len(rows)} rules:', '']
    for status in STATUSES:
        out += wrapped('- ', f'{count[status]} {status}')
    out += ['', 'Their words:', '']
    for short, words in ABBREVIATIONS.items():
        out.append(f'- {short}: {words}')
    for unit, title in UNITS.items():
        out += ['', title, '=' * len(title)]
        for r in (r for r in rows if r.unit == unit):
            head = f'{r.name}: {escaped(r.heading())}'
            out += ['', head, '-' * len(head), '']
            out += wrapped('', escaped(r.text) + '.')
            out += ['']
            facts = [r.where(), 'confidence ' + r.confidence]
            facts += ['effect: ' + r.effect] if r.effect else []
            facts += ['needed: ' + r.missing] if r.missing else []
            out += wrapped('', escaped('; '.join(facts + [r.status])) + '.')
            if r.reason:
                out += [''] + wrapped('', escaped(f'Why: {r.reason}') + '.')
            if r.beside:
                out += [''] + wrapped('', escaped('Not looked at: '
                                                  f'{r.beside}') + '.')
            for s in (s for s in settled() if s.rule == r.name):
                out += [''] + wrapped('', escaped(
                    f'Broken by {", ".join(s.drivers)} on '
                    f'{", ".join(s.gens)}: {s.words}') + '.')
            if parts(r):
                out += [''] + wrapped('', f'Of instructions: {parts(r)}.')
    return '\n'.join(out + instructions_rst()) + '\n'


def instructions_rst():
    """The part of the page about single instructions."""
    title = 'Single instructions'
    out = ['', title, '=' * len(title), '']
    out += wrapped('', 'What an instruction may not be by itself: the table is '
                   '``src/intel/isa/isa_rules.py``, which the compiler\'s '
                   'validator and the simulated GPU both go by. Severities:')
    out += ['']
    for name, words in isa_rules.SEVERITIES.items():
        out += wrapped('- ', f'{name}: {words}')
    for r in instructions():
        out += ['', r.name, '-' * len(r.name), '']
        out += wrapped('', escaped(r.text[0].upper() + r.text[1:]) + '.')
        facts = [' '.join(r.gens), r.severity] + ([r.chip] if r.chip else [])
        facts += ['source: ' + r.source]
        facts += ['evidence: ' + r.evidence] if r.evidence else []
        out += [''] + wrapped('', escaped('; '.join(facts)) + '.')
    return out


def show(row):
    """All about one rule, printed."""
    print(f'{row.name}: {row.heading()}')
    facts = [('', row.text), ('on', row.where()), ('effect', row.effect),
             ('needed', row.missing), ('source', row.source),
             ('confidence', CONFIDENCE[row.confidence]),
             ('status', row.status), ('why', row.reason),
             ('not looked at', row.beside), ('instructions', parts(row))]
    facts += [('settled', f'{", ".join(s.drivers)} on {", ".join(s.gens)}: '
               f'{s.words}') for s in settled() if s.rule == row.name]
    print_facts(facts)


def show_instruction(r):
    """All about one rule of instructions, printed."""
    print(f'{r.name}: {r.text}')
    print_facts([('on', ' '.join(r.gens)), ('part of', r.chip),
                 ('source', r.source), ('evidence', r.evidence),
                 ('severity', f'{r.severity}: '
                  f'{isa_rules.SEVERITIES[r.severity]}')])


def print_facts(facts):
    for name, text in facts:
        if text:
            print('\n'.join(wrapped(f'   {name + ":" if name else "":<14}',
                                    text)))


def list_rules(args):
    """The command `bin/saffron rules`; its exit code."""
    rows, insts, wanted = load(), instructions(), []
    for arg in args:
        if arg.startswith('--gen='):
            gen = [g for g, name in GENS.items() if name == arg[6:]]
            if not gen:
                print(f'rules: unknown generation {arg[6:]!r}',
                      file=sys.stderr)
                return 2
            rows = [r for r in rows if gen[0] in r.gens]
            insts = [r for r in insts if arg[6:] in r.gens]
        elif arg.startswith('-'):
            print(f'rules: unknown option {arg!r}', file=sys.stderr)
            return 2
        else:
            wanted.append(arg.upper())
    if not wanted:
        for r in rows:
            mark = '*' if r.status == ENFORCED else ' '
            print(f'{r.name:7}{mark} {r.heading()}')
        print(f'{len(rows)} rules; * enforced by --strict: '
              f'{sum(r.status == ENFORCED for r in rows)}')
        print('Of single instructions:')
        for r in insts:
            mark = '*' if r.severity == isa_rules.STRICT else ' '
            print(f'{r.name:20}{mark} {r.text}')
        own = sum(r.severity == isa_rules.COMPILER for r in insts)
        print(f'{len(insts)} rules; * reported by --strict; {own} for the '
              'compiler alone; the others are faults')
        return 0
    known = {r.name: (show, r) for r in rows}
    known.update((r.name.upper(), (show_instruction, r)) for r in insts)
    for name in wanted:
        if name not in known:
            print(f'rules: there is no rule {name}', file=sys.stderr)
            return 2
    for name, (words, r) in known.items():
        if name in wanted:
            words(r)
    return 0


def main():
    """See the head of the file."""
    command = sys.argv[1] if len(sys.argv) > 1 else ''
    if command == 'list':
        try:
            code = list_rules(sys.argv[2:])
            sys.stdout.flush()
        except OSError as error:
            # Who reads no further (BrokenPipeError) wants no more words.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):
                print(f'rules: standard output: {error.strerror}',
                      file=sys.stderr)
            return 2
        return code
    if command in ('rst', 'c') and len(sys.argv) <= 3:
        text = rst_text() if command == 'rst' else c_text()
        if len(sys.argv) == 3:
            Path(sys.argv[2]).write_text(text, encoding='utf-8')
        else:
            sys.stdout.write(text)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
