# SPDX-License-Identifier: MIT
"""A SPIR-V grammar of the future: today's, and what no reader knows.

usage: newer_grammar.py spirv.core.grammar.json > newer.json

Instructions from 60000 and decorations from 70000, each with operands:
FUTURE says how they go, test_newer_grammar.py what has to become of them.
"""
import json
import sys

KINDS = [
    {'category': 'Literal', 'kind': 'LiteralFuture', 'doc': 'no reader knows'},
    {'category': 'Composite', 'kind': 'PairFuture',
     'bases': ['IdRef', 'LiteralFuture']},
    {'category': 'ValueEnum', 'kind': 'FutureMode', 'enumerants': [
        {'enumerant': 'Plain', 'value': 0, 'version': '9.0'},
        {'enumerant': 'Odd', 'value': 1, 'future': {'any': ['thing']},
         'parameters': [{'kind': 'LiteralFuture'}]}]},
]
# Decoration: its operands.
FUTURE = {
    'FutureLiteral': [{'kind': 'LiteralFuture'}],
    'FuturePair': [{'kind': 'LiteralInteger'}, {'kind': 'PairFuture'}],
    'FutureMaybe': [{'kind': 'LiteralFuture', 'quantifier': '?'}],
    'FutureCount': [{'kind': 'LiteralInteger', 'quantifier': '{2}'}],
    'FutureEnum': [{'kind': 'FutureMode'}],
    'FutureFloat': [{'kind': 'LiteralFloat'}],
}


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        core = json.load(f)
    core['operand_kinds'] += KINDS
    for kind in core['operand_kinds']:
        if kind['kind'] == 'Decoration':
            kind['enumerants'] += [
                {'enumerant': name, 'aliases': [name + 'EXT'],
                 'value': 70000 + i, 'parameters': operands}
                for i, (name, operands) in enumerate(FUTURE.items())]
    core['instructions'] += [
        {'opname': 'OpFuture', 'class': '@exclude', 'opcode': 60000,
         'aliases': ['OpFutureEXT'], 'operands': [
             {'kind': 'IdRef', 'importance': 'great'},
             {'kind': 'LiteralFuture', 'name': 'what'}]},
        {'opname': 'OpFutureBare', 'class': 'New', 'opcode': 60001}]
    json.dump(core, sys.stdout)


if __name__ == '__main__':
    main()
