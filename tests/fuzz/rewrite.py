# SPDX-License-Identifier: MIT
"""SPIR-V modules, changed at random such that they mean the same.

Each rewrite is a function of a Module and a random number generator, and says
whether it found a place. What compilers cannot know is the truth of
(x | 1) != 0 for some integer of the module: conditions that always hold stand
on it. A module has no names and no debug lines after it was read.
"""
import struct

MAGIC = 0x07230203
# Opcodes that are named here (SPIR-V specification, 3.42).
(SOURCE_EXTENSION, NAME, MEMBER_NAME, STRING, LINE, NO_LINE, PROCESSED,
 SOURCE, SOURCE_CONTINUED) = 4, 5, 6, 7, 8, 317, 330, 3, 2
TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR = 20, 21, 22, 23
TYPE_POINTER, TYPE_FUNCTION = 32, 33
CONSTANT, UNDEF, FUNCTION, PARAMETER, FUNCTION_END, CALL = \
    43, 1, 54, 55, 56, 57
VARIABLE, LOAD, STORE, DECORATE, COPY_OBJECT = 59, 61, 62, 71, 83
SELECT, OR, NOT_EQUAL, COPY_LOGICAL = 169, 197, 171, 400
PHI, LOOP_MERGE, SELECTION_MERGE, LABEL, BRANCH, BRANCH_IF, SWITCH = \
    245, 246, 247, 248, 249, 250, 251
KILL, RETURN, RETURN_VALUE, UNREACHABLE = 252, 253, 254, 255
TERMINATORS = (BRANCH, BRANCH_IF, SWITCH, KILL, RETURN, RETURN_VALUE,
               UNREACHABLE, 4416)
NAMES = (SOURCE_EXTENSION, NAME, MEMBER_NAME, STRING, LINE, NO_LINE,
         PROCESSED, SOURCE, SOURCE_CONTINUED)
# Of two operands of the result's type, without side effects.
BINARY = {128, 129, 130, 131, 132, 133, 197, 198, 199}
# Unary, binary, and of vectors and scalars.
FLOAT_ARITHMETIC = {127, 129, 131, 133, 136, 140, 141, 142, 148}
NO_CONTRACTION = 42
# Arithmetic: all operands are values (unary, binary, comparisons, bits).
ARITHMETIC = BINARY | set(range(126, 142)) | set(range(170, 192)) | \
    {194, 195, 196, 200}


class Block:
    """From a label to its terminator."""

    def __init__(self, label):
        self.label, self.code = label, []

    def tail(self):
        """Where a merge instruction or the terminator is."""
        n = len(self.code) - 1
        if n and self.code[n - 1][0] in (LOOP_MERGE, SELECTION_MERGE):
            n -= 1
        return n

    def head(self):
        """The first place behind phis and variables."""
        n = 0
        while self.code[n][0] in (PHI, VARIABLE):
            n += 1
        return n

    def is_loop_header(self):
        return any(i[0] == LOOP_MERGE for i in self.code[-2:])

    def targets(self):
        last = self.code[-1]
        if last[0] == BRANCH:
            return [last[1]]
        if last[0] == BRANCH_IF:
            return last[2:4]
        if last[0] == SWITCH:
            return [last[2]] + last[4::2]
        return []


class Function:
    """The instructions before its first label, and its blocks."""

    def __init__(self, head):
        self.head, self.blocks = head, []


class Module:
    """What a binary says, in order."""

    def __init__(self, data):
        words = list(struct.unpack(f'<{len(data) // 4}I', data))
        if words[0] != MAGIC:
            raise ValueError('no SPIR-V')
        self.version, self.bound = words[1], words[3]
        self.start, self.functions = [], []
        self.types = {}
        at = 5
        while at < len(words):
            size = words[at] >> 16
            self.add([words[at] & 0xffff] + words[at + 1:at + size])
            at += size
        self.decorated = {i[1] for i in self.start if i[0] == DECORATE}

    def add(self, code):
        op = code[0]
        if op in NAMES:
            return
        if op == FUNCTION:
            self.functions.append(Function([code]))
        elif not self.functions:
            self.start.append(code)
            if has_result(op):
                self.types[code[2]] = code[1]
            return
        elif op == LABEL:
            self.functions[-1].blocks.append(Block(code[1]))
        elif op == PARAMETER:
            self.functions[-1].head.append(code)
        elif op != FUNCTION_END:
            self.functions[-1].blocks[-1].code.append(code)
        if has_result(op):
            self.types[code[2]] = code[1]

    def data(self):
        words = [MAGIC, self.version, 0, self.bound, 0]

        def put(code):
            words.append((len(code) << 16) | code[0])
            words.extend(code[1:])
        for code in self.start:
            put(code)
        for f in self.functions:
            for code in f.head:
                put(code)
            for b in f.blocks:
                put([LABEL, b.label])
                for code in b.code:
                    put(code)
            put([FUNCTION_END])
        return struct.pack(f'<{len(words)}I', *words)

    def new(self):
        self.bound += 1
        return self.bound - 1

    def declared(self, op, *operands):
        """A type like that, which is made if there is none."""
        for code in self.start:
            if code[0] == op and tuple(code[2:]) == operands:
                return code[1]
        self.start.append([op, self.new(), *operands])
        return self.start[-1][1]

    def constant(self, kind, value):
        for code in self.start:
            if code[0] == CONSTANT and code[1] == kind and code[3:] == [value]:
                return code[2]
        self.start.append([CONSTANT, kind, self.new(), value])
        self.types[self.start[-1][2]] = kind
        return self.start[-1][2]

    def integers(self):
        """Types of integers of 32 bits."""
        return [c[1] for c in self.start if c[0] == TYPE_INT and c[2] == 32]

    def values(self):
        """Types that a variable in memory of a function may have: numbers
        and vectors."""
        return {c[1] for c in self.start
                if c[0] in (TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR)}

    def blocks(self):
        return [(f, b) for f in self.functions for b in f.blocks]


def has_result(op):
    """Whether operands begin with a type and a result."""
    return op in (UNDEF, 12, CALL, VARIABLE, LOAD, 60, 65, 66, 68, FUNCTION,
                  PARAMETER, PHI, SELECT) or 41 <= op <= 52 or \
        77 <= op <= 84 or 86 <= op <= 98 or 100 <= op <= 107 or \
        109 <= op <= 191 or 194 <= op <= 215 or 227 <= op <= 242 and \
        op != 228 or op == COPY_LOGICAL


# ---- pieces ----

def truth(module, rnd, code, before):
    """Appends what computes a condition that holds, of a value that `before`
    (instructions of the same block) computed, or of a constant."""
    boolean = module.declared(TYPE_BOOL)
    kinds = module.integers() or [module.declared(TYPE_INT, 32, 0)]
    there = [c for c in before if has_result(c[0]) and c[1] in kinds]
    if there:
        chosen = rnd.choice(there)
        kind, value = chosen[1], chosen[2]
    else:
        kind = kinds[0]
        value = module.constant(kind, rnd.choice((0, 7, 0xffffffff)))
    some, cond = module.new(), module.new()
    code.append([OR, kind, some, value, module.constant(kind, 1)])
    code.append([NOT_EQUAL, boolean, cond, some, module.constant(kind, 0)])
    return cond


def split_at(module, function, block, place):
    """The rest of the block from there, as a block of its own: the first part
    lacks a terminator."""
    rest = Block(module.new())
    rest.code, block.code = block.code[place:], block.code[:place]
    function.blocks.insert(function.blocks.index(block) + 1, rest)
    targets = rest.targets()
    for b in function.blocks:
        if b.label not in targets:
            continue
        for code in b.code:
            if code[0] == PHI:
                code[4::2] = [rest.label if p == block.label else p
                              for p in code[4::2]]
    return rest


def place_in(module, rnd):
    """(function, block, place) where a block can be split; or None."""
    there = [(f, b) for f, b in module.blocks()
             if not b.is_loop_header() and b.tail() >= b.head()]
    if not there:
        return None
    function, block = rnd.choice(there)
    return function, block, rnd.randint(block.head(), block.tail())


def insert_after(function, block, *new):
    at = function.blocks.index(block) + 1
    function.blocks[at:at] = new


def block_of(module, *code):
    b = Block(module.new())
    b.code = list(code)
    return b


def segment(module, rnd):
    """(function, first, middle, last): a block cut in three."""
    found = place_in(module, rnd)
    if not found:
        return None
    function, block, place = found
    middle = split_at(module, function, block, place)
    end = rnd.randint(0, middle.tail())
    last = split_at(module, function, middle, end)
    return function, block, middle, last


# ---- rewrites ----

def split(module, rnd):
    found = place_in(module, rnd)
    if found:
        rest = split_at(module, *found)
        found[1].code.append([BRANCH, rest.label])
    return bool(found)


def continues(function):
    """Labels of blocks between a continue target and its loop's header: from
    there nothing but the header, or the loop's end, may follow."""
    by_label = {b.label: b for b in function.blocks}
    found = set()
    for header in function.blocks:
        for code in header.code[-2:]:
            if code[0] != LOOP_MERGE:
                continue
            ends, stack = {header.label, code[1]}, [code[2]]
            while stack:
                label = stack.pop()
                if label not in ends:
                    ends.add(label)
                    found.add(label)
                    stack += by_label[label].targets()
    return found


def dead_branch(module, rnd):
    """Code behind a condition that always holds: nothing, or the end."""
    found = place_in(module, rnd)
    if not found:
        return False
    function, block, _ = found
    continues_before = continues(function)
    rest = split_at(module, *found)
    cond = truth(module, rnd, block.code, block.code)
    dead = block_of(module)
    result = function.head[0][1]
    void = any(c[0] == 19 and c[1] == result for c in module.start)
    kind = rnd.choice((BRANCH, RETURN, UNREACHABLE))
    if block.label in continues_before:
        kind = BRANCH
    if kind == RETURN and void:
        dead.code.append([RETURN])
    elif kind == UNREACHABLE:
        dead.code.append([UNREACHABLE])
    else:
        dead.code.append([BRANCH, rest.label])
    block.code += [[SELECTION_MERGE, rest.label, 0],
                   [BRANCH_IF, cond, rest.label, dead.label]]
    insert_after(function, block, dead)
    return True


def wrapped_loop(module, rnd):
    """A loop around some code, which runs once."""
    found = segment(module, rnd)
    if not found:
        return False
    function, first, middle, last = found
    header = block_of(module)
    again = block_of(module, [BRANCH, header.label])
    first.code.append([BRANCH, header.label])
    header.code += [[LOOP_MERGE, last.label, again.label, 0],
                    [BRANCH, middle.label]]
    cond = truth(module, rnd, middle.code, first.code + middle.code)
    middle.code.append([BRANCH_IF, cond, last.label, again.label])
    insert_after(function, first, header)
    insert_after(function, middle, again)
    return True


def wrapped_switch(module, rnd):
    """A switch around some code, all of whose cases are that."""
    found = segment(module, rnd)
    if not found:
        return False
    _, first, middle, last = found
    kinds = module.integers() or [module.declared(TYPE_INT, 32, 0)]
    there = [c for c in first.code if has_result(c[0]) and c[1] in kinds]
    value = rnd.choice(there)[2] if there else module.constant(kinds[0], 3)
    cases = []
    for n in rnd.sample(range(9), rnd.randint(0, 3)):
        cases += [n, middle.label]
    first.code += [[SELECTION_MERGE, last.label, 0],
                   [SWITCH, value, middle.label, *cases]]
    middle.code.append([BRANCH, last.label])
    return True


def phi(module, rnd):
    """Values that two ways bring, one of which is never gone."""
    found = place_in(module, rnd)
    if not found:
        return False
    function, block, place = found
    kinds = module.values()
    there = [c for c in block.code[:place] if has_result(c[0]) and
             c[1] in kinds and c[2] not in module.decorated]
    rest = split_at(module, *found)
    if not there:
        block.code.append([BRANCH, rest.label])
        return True
    value = rnd.choice(there)
    cond = truth(module, rnd, block.code, block.code)
    one, two = (block_of(module, [BRANCH, rest.label]) for _ in range(2))
    block.code += [[SELECTION_MERGE, rest.label, 0],
                   [BRANCH_IF, cond, one.label, two.label]]
    other = value[2] if rnd.random() < 0.5 else rnd.choice(
        [c[2] for c in there if c[1] == value[1]])
    name = module.new()
    replace_values(rest.code, value[2], name)
    rest.code.insert(0, [PHI, value[1], name, value[2], one.label, other,
                         two.label])
    insert_after(function, block, one, two)
    return True


def replace_values(code, old, new):
    """In what has values as operands alone."""
    for c in code:
        if c[0] in ARITHMETIC or c[0] == SELECT:
            c[3:] = [new if o == old else o for o in c[3:]]
        elif c[0] == STORE:
            c[2] = new if c[2] == old else c[2]


def operand(module, rnd, wanted):
    """(block, place, operand) of an arithmetic instruction."""
    there = [(b, n, k) for _, b in module.blocks()
             for n, c in enumerate(b.code) if c[0] in ARITHMETIC
             for k in range(3, len(c)) if wanted(c[k])]
    return rnd.choice(there) if there else None


def selected_operand(module, rnd, wanted):
    """An operand chosen by a condition that always holds."""
    kinds = module.values()
    scalars = {c[1] for c in module.start
               if c[0] in (TYPE_BOOL, TYPE_INT, TYPE_FLOAT)}
    if module.version >= 0x10400:
        scalars = kinds
    found = operand(module, rnd, lambda o: module.types.get(o) in scalars and
                    wanted(o))
    if not found:
        return False
    block, place, k = found
    value = block.code[place][k]
    kind = module.types[value]
    others = [c[2] for c in block.code[:place]
              if has_result(c[0]) and c[1] == kind] + [value]
    code = []
    cond = truth(module, rnd, code, block.code[:place])
    name = module.new()
    code.append([SELECT, kind, name, cond, value, rnd.choice(others)])
    block.code[place][k] = name
    block.code[place:place] = code
    return True


def constant_operand(module, rnd):
    constants = {c[2] for c in module.start if c[0] in (CONSTANT, 44)}
    return selected_operand(module, rnd, constants.__contains__)


def any_operand(module, rnd):
    return selected_operand(module, rnd, lambda o: True)


def copied_operand(module, rnd):
    found = operand(module, rnd, lambda o: o in module.types)
    if not found:
        return False
    block, place, k = found
    value = block.code[place][k]
    name = module.new()
    block.code[place][k] = name
    block.code.insert(place, [COPY_OBJECT, module.types[value], name, value])
    return True


def outlined(module, rnd):
    """An operation in a function of its own."""
    there = [c for _, b in module.blocks() for c in b.code
             if c[0] in BINARY and c[2] not in module.decorated and
             all(module.types.get(o) == c[1] for o in c[3:])]
    if not there:
        return False
    code = rnd.choice(there)
    op, kind = code[0], code[1]
    signature = module.declared(TYPE_FUNCTION, kind, kind, kind)
    name, a, b, result = (module.new() for _ in range(4))
    f = Function([[FUNCTION, kind, name, 0, signature], [PARAMETER, kind, a],
                  [PARAMETER, kind, b]])
    f.blocks.append(block_of(module, [op, kind, result, a, b],
                             [RETURN_VALUE, result]))
    module.functions.append(f)
    code[:] = [CALL, kind, code[2], name, *code[3:]]
    return True


def dominators(blocks):
    """{label: immediate dominator} of what is reached from the first."""
    by_label = {b.label: b for b in blocks}
    order, seen = [], set()
    stack = [(blocks[0].label, iter(blocks[0].targets()))]
    seen.add(blocks[0].label)
    while stack:
        label, rest = stack[-1]
        for t in rest:
            if t not in seen:
                seen.add(t)
                stack.append((t, iter(by_label[t].targets())))
                break
        else:
            order.append(label)
            stack.pop()
    number = {label: n for n, label in enumerate(order)}
    idom = {order[-1]: order[-1]}
    before = {label: [] for label in order}
    for label in order:
        for t in by_label[label].targets():
            before[t].append(label)
    changed = True
    while changed:
        changed = False
        for label in reversed(order[:-1]):
            new = None
            for p in before[label]:
                if p not in idom:
                    continue
                q = p if new is None else new
                while q != p:
                    if number[q] < number[p]:
                        q = idom[q]
                    else:
                        p = idom[p]
                new = q
            if idom.get(label) != new:
                idom[label], changed = new, True
    return idom


def permuted(module, rnd):
    """Blocks in another order, each behind what dominates it."""
    function = rnd.choice(module.functions)
    if not function.blocks:
        return False
    blocks = function.blocks
    idom = dominators(blocks)
    below = {}
    for b in blocks[1:]:
        below.setdefault(idom.get(b.label, blocks[0].label), []).append(b)
    order, ready = [], [blocks[0]]
    while ready:
        b = ready.pop(rnd.randrange(len(ready)))
        order.append(b)
        ready += below.get(b.label, [])
    function.blocks = order
    return True


REWRITES = (split, dead_branch, wrapped_loop, wrapped_switch, phi,
            constant_operand, any_operand, copied_operand, outlined, permuted)


def rewrite(data, rnd, count):
    """(SPIR-V, names of what was done to it)."""
    module = Module(data)
    done = []
    for _ in range(count):
        f = rnd.choice(REWRITES)
        if f(module, rnd):
            done.append(f.__name__)
    return module.data(), done


def without_contraction(data):
    """SPIR-V in which no product and sum may be one rounding."""
    module = Module(data)
    floats = {c[1] for c in module.start if c[0] == TYPE_FLOAT}
    floats |= {c[1] for c in module.start
               if c[0] == TYPE_VECTOR and c[2] in floats}
    found = [[DECORATE, c[2], NO_CONTRACTION] for _, b in module.blocks()
             for c in b.code if c[0] in FLOAT_ARITHMETIC and c[1] in floats]
    place = next(k for k, c in enumerate(module.start)
                 if 19 <= c[0] <= 39 or 41 <= c[0] <= VARIABLE)
    module.start[place:place] = found
    return module.data()
