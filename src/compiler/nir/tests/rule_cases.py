# SPDX-License-Identifier: MIT
"""What a rule of nir_opt_algebraic.py can match: components, types, sizes.
The folder of the tables is in the caller's path."""
import itertools

from nir_algebraic import Expr, collect_sizes, key_of, nodes_of
from nir_opcodes import type_base


def components(root):
    """Components of every node, by key, from the opcodes above it."""
    out = {}

    def walk(node, n):
        key = key_of(node)
        out[key] = max(out.get(key, 1), n)
        if not isinstance(node, Expr):
            return
        per = n if node.opcode.output_size == 0 else 1
        for i, s in enumerate(node.sources):
            walk(s, node.opcode.input_sizes[i] or per)
    walk(root, root.opcode.output_size or 1)
    return out


def source_types(root):
    """The type of the source that each constant and variable stands in."""
    out = {}
    for node in nodes_of(root):
        if isinstance(node, Expr):
            for s, t in zip(node.sources, node.opcode.input_types):
                base = type_base(t)
                # A select moves bits: what else uses the value says more.
                if key_of(s) not in out or base == 'float':
                    out[key_of(s)] = base
    return out


def size_choices(rule):
    """All assignments of bit sizes to the classes of the search."""
    sizes = collect_sizes(rule.search, 'result')
    roots = sorted({sizes.find(key_of(n)) for n in nodes_of(rule.search)},
                   key=str)
    for pick in itertools.product(*(sorted(sizes.of(r)) for r in roots)):
        by_root = dict(zip(roots, pick))
        yield {key_of(n): by_root[sizes.find(key_of(n))]
               for n in nodes_of(rule.search)}
