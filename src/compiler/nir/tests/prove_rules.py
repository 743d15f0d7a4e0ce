#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves rewrite rules with z3: for every value of the variables, search and
replacement have the same bits.

usage: prove_rules.py [--timeout=S] [-v] [WORD...]

Each rule of nir_opt_algebraic.py without floats, at each combination of bit
sizes that it can match; opcodes mean what their rows say (smt_opcodes.py).
With words, only rules in whose text all of them are. A variable that must be a
power of two is each of them in turn. Lowerings of operations that are
undefined for some operands (`near`) are proven for the others, see DEFINED.
Rules that give back what a front end has taken apart wrongly (`corrects`)
have other bits by their nature, and are left out.

Prints what is wrong with an example, what z3 did not decide in time, and
figures. Exit codes: 0 all proven, 1 wrong or not decided, 2 wrong use, 77
without z3.
"""
import argparse
import itertools
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
TABLES = Path(__file__).resolve().parent.parent / 'tables'
sys.path.insert(0, str(TABLES))

try:
    import z3
except ImportError:
    print('prove_rules.py: python3-z3 is not installed', file=sys.stderr)
    sys.exit(77)

# pylint: disable=wrong-import-position
from nir_algebraic import (Const, Expr, Var, collect_sizes, key_of,
                           nodes_of)
from nir_opcodes import type_base, type_size
import nir_opt_algebraic
import smt_opcodes
from rule_cases import components, size_choices


def in_word(offset, count):
    """A field that lies in 32 bits; GLSL 4.60, 8.8: else undefined."""
    wide = z3.ZeroExt(1, offset) + z3.ZeroExt(1, count)
    return z3.And(offset >= 0, count >= 0, z3.ULE(wide, 32))


# What of an operation's operands is defined, for rules that are `near`.
DEFINED = {
    'ubitfield_extract': lambda s: in_word(s[1], s[2]),
    'ibitfield_extract': lambda s: in_word(s[1], s[2]),
    'bitfield_insert': lambda s: in_word(s[2], s[3]),
}


def has_floats(rule):
    rows = [n.opcode for side in (rule.search, rule.replace)
            for n in nodes_of(side) if isinstance(n, Expr)]
    return any(type_base(t) == 'float' for row in rows
               for t in [row.output_type] + row.input_types) or \
        any(isinstance(n, Const) and n.kind == 'float'
            for side in (rule.search, rule.replace) for n in nodes_of(side))


class Side:
    """Evaluates one side of a rule, with the same variables as the other."""

    def __init__(self, bits, comps, variables):
        self.bits = bits
        self.comps = comps
        self.variables = variables
        self.defined = []

    def value(self, node, count):
        """The components of a node, of which `count` are wanted."""
        if isinstance(node, Const):
            size = self.bits[key_of(node)]
            value = -1 if node.value is True else int(node.value)
            return [z3.BitVecVal(value, size)] * count
        if isinstance(node, Var):
            v = self.variables[node.name]
            return v if node.component is None else [v[node.component]]
        row = node.opcode
        per = count if row.output_size == 0 else 1
        sources = [self.value(s, size or per)
                   for s, size in zip(node.sources, row.input_sizes)]
        if row.name in DEFINED:
            self.defined += [DEFINED[row.name](s) for s in zip(*sources)]
        return smt_opcodes.evaluate(row, sources, self.free_size(node))

    def free_size(self, node):
        """The size of the row's types that have none of their own."""
        row = node.opcode
        for key, t in [(key_of(node), row.output_type)] + \
                [(key_of(s), t) for s, t in zip(node.sources,
                                                row.input_types)]:
            if not type_size(t):
                return self.bits[key]
        return 0


def replacement_sizes(rule, bits):
    """The size of each node of the replacement, given those of the match."""
    sizes = collect_sizes(rule.replace, 'result')
    known = {sizes.find('result'): bits[key_of(rule.search)]}
    for key, size in bits.items():
        if key in sizes.parent:
            known[sizes.find(key)] = size
    found = {}
    for node in nodes_of(rule.replace):
        key = key_of(node)
        allowed = sizes.of(key)
        found[key] = known.get(sizes.find(key)) or min(allowed)
    return found


def variable_choices(rule, bits, comps):
    """All variables by name, once for each power of two where they are
    such."""
    nodes = {}
    for n in nodes_of(rule.search):
        if isinstance(n, Var):
            nodes.setdefault(n.name, []).append(n)
    rows = []
    for name, ns in sorted(nodes.items()):
        key = ('var', name)
        count = comps.get(key, 1)
        if any(n.condition == 'is_pow2' for n in ns):
            rows.append([(name, [z3.BitVecVal(1 << i, bits[key])] * count)
                         for i in range(bits[key])])
        else:
            rows.append([(name, [z3.BitVec(f'{name}.{c}', bits[key])
                                 for c in range(count)])])
    for choice in itertools.product(*rows):
        yield dict(choice)


def prove(rule, bits, timeout_s):
    """'proven', 'not decided', or an example of values that differ."""
    comps = components(rule.search)
    count = comps[key_of(rule.search)]
    for variables in variable_choices(rule, bits, comps):
        before = Side(bits, comps, variables)
        after = Side(replacement_sizes(rule, bits), comps, variables)
        x = before.value(rule.search, count)
        y = after.value(rule.replace, count)
        solver = z3.Solver()
        solver.set('timeout', int(timeout_s * 1000))
        solver.add(z3.Or(*[a != b for a, b in zip(x, y)]))
        if rule.close_only:
            solver.add(*before.defined)
        answer = solver.check()
        if answer == z3.sat:
            model = solver.model()
            given = [f'{v} = {model.eval(v, True).as_long():#x}'
                     for vs in variables.values() for v in vs]
            sides = [hex(model.eval(v[0], True).as_long()) for v in (x, y)]
            return f'{sides[0]} became {sides[1]} with {", ".join(given)}'
        if answer == z3.unknown:
            return 'not decided'
    return 'proven'


class Figures:
    def __init__(self):
        self.rules = self.cases = 0
        self.bad = []


def prove_all(rules, timeout_s, verbose=False):
    """Figures of the integer rules among `rules`."""
    figures = Figures()
    for rule in rules:
        if has_floats(rule) or not rule.comparable:
            continue
        figures.rules += 1
        for bits in size_choices(rule):
            text = f'{rule!r} at ' + '/'.join(
                str(n) for n in sorted(set(bits.values())))
            start = time.monotonic()
            answer = prove(rule, bits, timeout_s)
            figures.cases += 1
            if answer != 'proven':
                figures.bad.append(f'{text}: {answer}')
                print(figures.bad[-1], flush=True)
            if verbose:
                print(f'{time.monotonic() - start:7.2f} s  {text}',
                      flush=True)
    return figures


def all_rules(module):
    """Each rule once: passes may share them."""
    rules = {}
    for table in module.PASSES.values():
        for rule in table:
            rules.setdefault(id(rule), rule)
    return list(rules.values())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--timeout', type=float, default=60, metavar='S',
                        help='seconds for each formula (default: 60)')
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='say how long each rule takes')
    parser.add_argument('words', nargs='*', metavar='WORD')
    args = parser.parse_args()

    rules = all_rules(nir_opt_algebraic)
    chosen = [r for r in rules if all(w in repr(r) for w in args.words)]
    if not chosen:
        print('prove_rules.py: no such rule', file=sys.stderr)
        return 2
    start = time.monotonic()
    figures = prove_all(chosen, args.timeout, args.verbose)
    print(f'{figures.rules} integer rules of {len(chosen)}, {figures.cases} '
          f'cases, {figures.cases - len(figures.bad)} proven, '
          f'{len(figures.bad)} not, {time.monotonic() - start:.0f} s')
    return 1 if figures.bad else 0


if __name__ == '__main__':
    sys.exit(main())
