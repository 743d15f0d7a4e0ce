# SPDX-License-Identifier: MIT
"""Search and replace over NIR expressions: rules in Python, tables in C.

A rule is `Rule(search, replace, when=..., exact=...)`. Expressions are built
from `op.NAME(...)`, where NAME is an opcode of nir_opcodes.py, from variables
and from Python numbers:

    a, b = Var('a'), Var('b')
    Rule(op.iadd(a, 0), a)
    Rule(op.udiv(a, b.pow2()), op.ushr(a, op.find_lsb(b)))

`exact=False` (`inexact(...)`) says that the bits of the result may change:
such a rule leaves instructions alone that are marked exact. `when` is a C
expression over `options` (nir_shader_compiler_options).

Where one Expr object stands in a search more than once, all of its places are
the same value: it is described once and compared after that.

Bit sizes. Every node has a size; an opcode row says which of them are fixed
and which are the same. check_sizes() proves for each rule, and for every
size that its search can match, that the replacement's sizes follow from the
match, and that no row or constant forbids one of them. A rule that fails is
refused when the table is generated.

Matching. The search expressions become a bottom-up tree automaton: the state
of an instruction is the set of (sub)patterns that it may match, found by
table lookup from the states of its sources. Only the rules whose pattern is
in the set of an instruction's state are tried in full (nir_search.c).
"""

import itertools
import struct

from mako.template import Template

from nir_opcodes import COMMUTATIVE, opcodes, type_base, type_size

MAX_SOURCES = 4


class RuleError(Exception):
    """A rule that contradicts the opcode table or itself."""


class Node:
    """Base of all expressions."""

    @staticmethod
    def of(value):
        if isinstance(value, Node):
            return value
        if isinstance(value, (bool, int, float)):
            return Const(value)
        raise RuleError(f'{value!r} is no expression')


class Const(Node):
    """A number; every component of a constant source must equal it. The type
    of the source that it stands in says how it is meant."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return repr(self.value)

    @property
    def kind(self):
        if isinstance(self.value, bool):
            return 'bool'
        return 'float' if isinstance(self.value, float) else 'int'


class Var(Node):
    """Any source; the same name is the same source."""

    def __init__(self, name, size=0, const=False, condition=None,
                 component=None):
        self.name = name
        self.bits = size
        self.is_const = const
        self.condition = condition
        self.component = component

    def __repr__(self):
        return self.name + (f'@{self.bits}' if self.bits else '')

    def copy(self, **change):
        args = {'name': self.name, 'size': self.bits, 'const': self.is_const,
                'condition': self.condition, 'component': self.component}
        args.update(change)
        return Var(**args)

    def size(self, bits):
        """Only of this bit size."""
        return self.copy(size=bits)

    def const(self):
        """Only a constant."""
        return self.copy(const=True)

    def pow2(self):
        """Only a constant whose components are powers of two."""
        return self.copy(const=True, condition='is_pow2')

    def used_once(self):
        """Only a value that nothing else uses."""
        return self.copy(condition='is_used_once')

    def not_const(self):
        """Anything but a constant."""
        return self.copy(condition='is_not_const')

    def where(self, condition):
        """Only if the named C function, one of CONDITIONS, says so."""
        return self.copy(condition=condition)

    @property
    def x(self):
        """In a replacement: the first component; also y, z, w."""
        return self.copy(component=0)

    @property
    def y(self):
        return self.copy(component=1)

    @property
    def z(self):
        return self.copy(component=2)

    @property
    def w(self):
        return self.copy(component=3)


# Predicates on a variable; C functions of nir_search.c.
CONDITIONS = ('is_pow2', 'is_used_once', 'is_not_const', 'is_not_negative',
              'is_finite_const', 'is_never_negative')


class Expr(Node):
    """An opcode with its sources."""

    def __init__(self, opcode, sources, bits=0, used_once=False,
                 only_added=False):
        self.opcode = opcode
        self.sources = sources
        self.bits = bits
        self.once = used_once
        self.added = only_added

    def __repr__(self):
        at = f'@{self.bits}' if self.bits else ''
        return f'{self.opcode.name}{at}({", ".join(map(repr, self.sources))})'

    def size(self, bits):
        """Only if the result is of this bit size."""
        return Expr(self.opcode, self.sources, bits, self.once, self.added)

    def used_once(self):
        """Only if nothing else uses the result."""
        return Expr(self.opcode, self.sources, self.bits, True)

    def only_added(self):
        """Only if nothing but sums, and negations in sums, use the result."""
        return Expr(self.opcode, self.sources, self.bits, only_added=True)


class OpcodeNames:
    """op.NAME(sources...)"""

    def __getattr__(self, name):
        if name not in opcodes:
            raise RuleError(f'there is no opcode {name}')
        row = opcodes[name]

        def build(*sources):
            if len(sources) != row.num_inputs:
                raise RuleError(f'{name} has {row.num_inputs} sources, '
                                f'not {len(sources)}')
            if row.num_inputs > MAX_SOURCES:
                raise RuleError(f'{name} has more than {MAX_SOURCES} sources')
            return Expr(row, [Node.of(s) for s in sources])

        return build


op = OpcodeNames()


class Rule:
    def __init__(self, search, replace, when='true', exact=True,
                 close_only=False, restores_op=False, comparable=True):
        self.search = search
        self.replace = Node.of(replace)
        self.when = when
        self.exact = exact
        self.close_only = close_only
        self.restores_op = restores_op
        self.comparable = comparable
        if not isinstance(search, Expr):
            raise RuleError(f'{search!r}: a search is an expression')
        check_variables(self)
        check_sizes(self)
        check_ends(self)

    def __repr__(self):
        return f'{self.search!r} -> {self.replace!r}'


def inexact(search, replace, when='true'):
    return Rule(search, replace, when, exact=False)


def near(search, replace, when='true'):
    """A lowering that exact instructions need as well, though its result is
    only close, or differs where the operation is undefined."""
    return Rule(search, replace, when, close_only=True)


def restores(search, replace, when):
    """The operation that a front end has taken apart, also in exact code. The
    bits may differ for zeros and what is not normal, where the expansion is
    not what the operation is defined to be; so `when` must say that it is
    one."""
    return Rule(search, replace, when, close_only=True, restores_op=True)


def corrects(search, replace, when):
    """The same of an expansion in which constants are folded that belong
    together, or that are what it is wrong about: nothing says what it is
    worth with others, so it is not compared with what replaces it."""
    return Rule(search, replace, when, close_only=True, restores_op=True,
                comparable=False)


def shared_of(expr):
    """Ids of the expressions of a search that stand in it more than once, but
    for parts of such ones."""
    parents = {id(n): n for n in nodes_of(expr) if isinstance(n, Expr)}
    places = [id(s) for p in parents.values() for s in p.sources
              if isinstance(s, Expr)]
    return {p for p in places if places.count(p) > 1}


def nodes_of(expr):
    """All nodes, parents first."""
    yield expr
    if isinstance(expr, Expr):
        for source in expr.sources:
            yield from nodes_of(source)


def check_variables(rule):
    known = {n.name for n in nodes_of(rule.search) if isinstance(n, Var)}
    for n in nodes_of(rule.search):
        if isinstance(n, Var):
            if n.component is not None:
                raise RuleError(f'{rule!r}: component of {n!r} in a search')
            if n.condition and n.condition not in CONDITIONS:
                raise RuleError(f'{rule!r}: no condition {n.condition}')
    for n in nodes_of(rule.replace):
        if isinstance(n, Var):
            if n.name not in known:
                raise RuleError(f'{rule!r}: {n!r} is not in the search')
            if n.is_const or n.condition:
                raise RuleError(f'{rule!r}: a condition in a replacement')
    if isinstance(rule.replace, Const):
        return


def is_constant(node, known):
    """True, False, or None: either."""
    if not isinstance(node, Var):
        return isinstance(node, Const)
    of = known[node.name]
    return True if of.is_const else \
        False if of.condition == 'is_not_const' else None


def may_match(pattern, node, known, bound):
    """Whether a part of a search may match one of a replacement, in which
    variables that may be constants may be the same one."""
    constant = is_constant(node, known)
    if isinstance(pattern, Var):
        if (pattern.is_const and constant is False) or \
                (pattern.condition == 'is_not_const' and constant) or \
                (pattern.bits and isinstance(node, Expr) and type_size(
                    node.opcode.output_type) not in (0, pattern.bits)):
            return False
        old = bound.setdefault(pattern.name, node)
        return repr(old) == repr(node) or \
            is_constant(old, known) is not False and constant is not False
    if isinstance(pattern, Const):
        return isinstance(node, Const) and pattern.value == node.value
    if not isinstance(node, Expr) or node.opcode is not pattern.opcode:
        return False
    orders = [node.sources]
    if node.opcode.props & COMMUTATIVE:
        orders.append([node.sources[1], node.sources[0], *node.sources[2:]])
    for sources in orders:
        tried = dict(bound)
        if all(may_match(p, s, known, tried)
               for p, s in zip(pattern.sources, sources)):
            bound.update(tried)
            return True
    return False


def check_ends(rule):
    """What a rule makes must not be what it looks for: it would be replaced by
    itself for ever."""
    known = {}
    for n in nodes_of(rule.search):
        if isinstance(n, Var) and (n.is_const or n.condition or
                                   n.name not in known):
            known[n.name] = n
    for n in nodes_of(rule.replace):
        if isinstance(n, Expr) and may_match(rule.search, n, known, {}):
            raise RuleError(f'{rule!r}: matches what it makes')


# --- Bit sizes --------------------------------------------------------------


class Sizes:
    """Classes of nodes that have the same bit size (union-find), and what is
    known of each class: the set of sizes that it may have."""

    ALL = frozenset((1, 8, 16, 32, 64))

    def __init__(self):
        self.parent = {}
        self.allowed = {}

    def add(self, key, allowed=ALL):
        self.parent.setdefault(key, key)
        self.allowed.setdefault(key, self.ALL)
        self.restrict(key, allowed)

    def find(self, key):
        while self.parent[key] != key:
            key = self.parent[key]
        return key

    def restrict(self, key, allowed):
        root = self.find(key)
        self.allowed[root] = self.allowed[root] & frozenset(allowed)

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[b] = a
            self.allowed[a] = self.allowed[a] & self.allowed[b]

    def of(self, key):
        return self.allowed[self.find(key)]


def key_of(node):
    return ('var', node.name) if isinstance(node, Var) else ('node', id(node))


def collect_sizes(root, root_key):
    """The size classes of one expression; `root_key` names the result's."""
    sizes = Sizes()
    sizes.add(root_key)
    for node in nodes_of(root):
        sizes.add(key_of(node))
        bits = getattr(node, 'bits', 0)
        if bits:
            sizes.restrict(key_of(node), [bits])
    sizes.join(root_key, key_of(root))
    for node in nodes_of(root):
        if not isinstance(node, Expr):
            continue
        row = node.opcode
        free = ('free', id(node))
        sizes.add(free, row.bit_sizes() if row.bit_sizes() != [0]
                  else Sizes.ALL)
        for key, t in ([(key_of(node), row.output_type)] +
                       [(key_of(s), t)
                        for s, t in zip(node.sources, row.input_types)]):
            if type_size(t):
                sizes.restrict(key, [type_size(t)])
            else:
                sizes.join(free, key)
    return sizes


def check_sizes(rule):
    search = collect_sizes(rule.search, 'result')
    replace = collect_sizes(rule.replace, 'result')
    for node in nodes_of(rule.search):
        if not search.of(key_of(node)):
            raise RuleError(f'{rule!r}: {node!r} can have no bit size')

    # Classes of the replacement that the match decides.
    names = {n.name for n in nodes_of(rule.replace) if isinstance(n, Var)}
    known = {}
    for key in ['result'] + [('var', n) for n in names]:
        known.setdefault(replace.find(key), []).append(key)
    for node in nodes_of(rule.replace):
        root = replace.find(key_of(node))
        if root in known or len(replace.of(key_of(node))) == 1:
            continue
        raise RuleError(f'{rule!r}: the bit size of {node!r} in the '
                        'replacement does not follow from the match')

    # Each class gets, from the match, every size that the search allows.
    for root, keys in known.items():
        first = search.find(keys[0])
        for other in keys[1:]:
            if search.find(other) != first and \
               len(search.of(other) | search.of(keys[0])) != 1:
                raise RuleError(f'{rule!r}: the replacement needs '
                                f'{keys[0]} and {other} of one bit size, '
                                'the search does not')
        beyond = search.of(keys[0]) - replace.of(root)
        if beyond:
            raise RuleError(f'{rule!r}: the search matches bit sizes '
                            f'{sorted(beyond)} that the replacement does '
                            'not allow')


# --- The automaton ----------------------------------------------------------

WILD, CONST = '*', '#'


def pattern_of(node):
    """What the automaton sees of a node: hashable."""
    if isinstance(node, Const) or (isinstance(node, Var) and node.is_const):
        return CONST
    if isinstance(node, Var):
        return WILD
    return (node.opcode.name,) + tuple(pattern_of(s) for s in node.sources)


class Automaton:
    """States are sets of patterns. `table[op]` maps a tuple of filtered
    source states to a state; `filter[op]` maps a state to the part of it that
    patterns of the opcode can tell apart."""

    def __init__(self, rules):
        self.patterns = {}  # opcode name -> patterns rooted in it
        for rule in rules:
            for node in nodes_of(rule.search):
                if isinstance(node, Expr):
                    p = pattern_of(node)
                    self.patterns.setdefault(p[0], {})[p] = True
        self.relevant = {name: {s for p in ps for s in p[1:]}
                         for name, ps in self.patterns.items()}
        self.states = [frozenset([WILD]), frozenset([WILD, CONST])]
        self.index = {s: i for i, s in enumerate(self.states)}
        self.filter = {name: [] for name in self.patterns}
        self.filtered = {name: [] for name in self.patterns}
        self.table = {name: {} for name in self.patterns}
        self.build()

    def build(self):
        done = 0
        while done < len(self.states):
            count = len(self.states)
            for name in sorted(self.patterns):
                for state in self.states[done:count]:
                    part = frozenset(state & self.relevant[name])
                    if part not in self.filtered[name]:
                        self.filtered[name].append(part)
                    self.filter[name].append(self.filtered[name].index(part))
            done = count
            for name in sorted(self.patterns):
                self.extend(name)

    def extend(self, name):
        parts = self.filtered[name]
        n = opcodes[name].num_inputs
        for combo in itertools.product(range(len(parts)), repeat=n):
            if combo in self.table[name]:
                continue
            state = self.state_for(name, [parts[i] for i in combo])
            if state not in self.index:
                self.index[state] = len(self.states)
                self.states.append(state)
            self.table[name][combo] = self.index[state]

    def state_for(self, name, sources):
        found = {WILD}
        for p in self.patterns[name]:
            children = p[1:]
            orders = [children]
            if opcodes[name].props & COMMUTATIVE:
                orders.append((children[1], children[0]) + children[2:])
            if any(all(c in s for c, s in zip(o, sources)) for o in orders):
                found.add(p)
        return frozenset(found)


# --- C ----------------------------------------------------------------------

TEMPLATE = Template('''\
/* Generated by ${generator} from ${source}. */
#include "compiler/nir/opt/nir_search.h"

static const struct nir_search_node nodes[] = {
% for n in nodes:
   ${n},
% endfor
};

static const struct nir_search_rule rules[] = {
% for rule, search, replace, when in rules:
   /* ${repr(rule).replace('*/', '* /')} */
   { ${search}, ${replace}, ${when}, ${'true' if rule.exact else 'false'} },
% endfor
};

/* Rules to try in each state, in order; each list ends with -1. */
static const int16_t candidates[] = {
% for row in candidate_rows:
   ${' '.join(f'{r},' for r in row)} -1,
% endfor
};
static const uint32_t first_candidate[] = {
% for start in candidate_starts:
   ${start},
% endfor
};

% for name in names:
static const uint16_t filter_${name}[] = { ${', '.join(map(str, automaton.filter[name]))} };
static const uint16_t table_${name}[] = { ${', '.join(map(str, tables[name]))} };
% endfor

static const struct nir_search_op ops[nir_num_opcodes] = {
% for name in names:
   [nir_op_${name}] = { ${len(automaton.filtered[name])}, filter_${name}, table_${name} },
% endfor
};

static void
evaluate_conditions(const nir_shader_compiler_options *options, bool *c)
{
% for i, when in enumerate(conditions):
   c[${i}] = ${when};
% endfor
}

bool
${function}(nir_shader *shader)
{
   bool conditions[${len(conditions)}];
   evaluate_conditions(shader->options, conditions);
   static const struct nir_search_table table = {
      nodes, rules, candidates, first_candidate, ops,
   };
   return nir_search_run(shader, &table, conditions);
}
''')


class Emitter:
    """Flattens expressions into the node table, equal ones once."""

    def __init__(self):
        self.rows = []
        self.index = {}
        self.shared = set()

    def row(self, text):
        if text not in self.index:
            self.index[text] = len(self.rows)
            self.rows.append(text)
        return self.index[text]

    def constant(self, value):
        if isinstance(value, bool):
            fields = f'.is_bool = true, .i = {int(value)}'
        elif isinstance(value, float):
            bits = struct.unpack('<Q', struct.pack('<d', value))[0]
            fields = f'.is_float = true, .i = 0x{bits:x}'
        else:
            fields = f'.i = (uint64_t){value}ll' if value < 2**63 \
                else f'.i = 0x{value:x}ull'
        return self.row('{ .kind = NIR_SEARCH_CONST, ' + fields + ' }')

    def variable(self, v, number, bits):
        fields = [f'.var = {number}', f'.bits = {bits}',
                  f'.component = {-1 if v.component is None else v.component}']
        if v.is_const:
            fields.append('.is_const = true')
        if v.condition:
            fields.append(f'.condition = nir_search_{v.condition}')
        return self.row('{ .kind = NIR_SEARCH_VAR, ' + ', '.join(fields)
                        + ' }')

    def expression(self, e, numbers, bits_of):
        sources = [self.emit(s, numbers, bits_of) for s in e.sources]
        fields = [f'.op = nir_op_{e.opcode.name}', f'.bits = {bits_of(e)}',
                  f'.num_srcs = {len(sources)}',
                  '.src = { ' + ', '.join(map(str, sources)) + ' }']
        if e.opcode.props & COMMUTATIVE:
            fields.append('.commutative = true')
        if e.once:
            fields.append('.used_once = true')
        if e.added:
            fields.append('.only_added = true')
        if id(e) in self.shared:
            number = numbers.setdefault(id(e), len(numbers))
            fields.append(f'.bound_to = {number + 1}')
        return self.row('{ .kind = NIR_SEARCH_EXPR, ' + ', '.join(fields)
                        + ' }')

    def emit(self, node, numbers, bits_of):
        if isinstance(node, Const):
            return self.sized_constant(node, bits_of)
        if isinstance(node, Var):
            number = numbers.setdefault(node.name, len(numbers))
            return self.variable(node, number, bits_of(node))
        return self.expression(node, numbers, bits_of)

    def sized_constant(self, node, bits_of):
        bits = bits_of(node)
        i = self.constant(node.value)
        if not bits:
            return i
        return self.row(self.rows[i].replace('CONST, ',
                                             f'CONST, .bits = {bits}, '))


def search_bits(node):
    return getattr(node, 'bits', 0)


def replace_bits(rule, numbers):
    """Sizes in a replacement: a number, 0 for the result's, or -1 - n for
    that of variable n."""
    sizes = collect_sizes(rule.replace, 'result')

    def bits_of(node):
        allowed = sizes.of(key_of(node))
        if len(allowed) == 1:
            return next(iter(allowed))
        root = sizes.find(key_of(node))
        if sizes.find('result') == root:
            return 0
        for name, number in numbers.items():
            key = ('var', name)
            if key in sizes.parent and sizes.find(key) == root:
                return -1 - number
        raise RuleError(f'{rule!r}: no bit size for {node!r}')

    return bits_of


def render(function, rules, generator, source):
    """The C file of one pass."""
    emitter = Emitter()
    conditions = []
    rows = []
    for rule in rules:
        numbers = {}
        emitter.shared = shared_of(rule.search)
        search = emitter.emit(rule.search, numbers, search_bits)
        emitter.shared = set()
        replace = emitter.emit(rule.replace, numbers,
                               replace_bits(rule, numbers))
        if len(numbers) > 8:
            raise RuleError(f'{rule!r}: more than 8 variables')
        if rule.when not in conditions:
            conditions.append(rule.when)
        rows.append((rule, search, replace, conditions.index(rule.when)))

    automaton = Automaton(rules)
    by_pattern = {}
    for number, rule in enumerate(rules):
        by_pattern.setdefault(pattern_of(rule.search), []).append(number)
    candidate_rows, starts, at = [], [], 0
    for state in automaton.states:
        row = sorted(n for p in state for n in by_pattern.get(p, []))
        candidate_rows.append(row)
        starts.append(at)
        at += len(row) + 1

    names = sorted(automaton.patterns)
    tables = {}
    for name in names:
        n = len(automaton.filtered[name])
        tables[name] = [automaton.table[name][combo]
                        for combo in itertools.product(
                            range(n), repeat=opcodes[name].num_inputs)]
    return TEMPLATE.render(function=function, nodes=emitter.rows, rules=rows,
                           candidate_rows=candidate_rows,
                           candidate_starts=starts, names=names,
                           automaton=automaton, tables=tables,
                           conditions=conditions, generator=generator,
                           source=source)
