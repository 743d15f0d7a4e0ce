# SPDX-License-Identifier: MIT
"""
Reads the packet descriptions (gen*.xml, schema in README.rst) into rows and
refuses those that contradict themselves: fields that overlap, leave their
packet or clash with the opcode, unknown attributes and types, two commands
that one first dword matches. A file may name a base, whose groups it
replaces by name or removes.
"""

import os
import re
import xml.etree.ElementTree as ElementTree


class SpecError(Exception):
    """A description that cannot be true, with the place that says so."""


SIMPLE_TYPES = ('uint', 'int', 'bool', 'float', 'address', 'offset')
FIXED_RE = re.compile(r'^([us])(\d+)\.(\d+)$')
AT_RE = re.compile(r'^(\d+)(?:\[(\d+)(?::(\d+))?\])?$')
FIELD_ATTRS = {'name', 'at', 'type', 'count', 'stride', 'values', 'default',
               'overlay'}
GROUP_ATTRS = {
    'struct': {'name', 'dwords', 'bits'},
    'register': {'name', 'at', 'dwords', 'count', 'stride'},
    'command': {'name', 'mi', 'op', 'blt', 'dwords', 'for', 'length',
                'minimum'},
    'enum': {'name', 'values', 'prefix'},
}


def c_name(text):
    """A packet's or field's name as a C identifier."""
    return '_' + text if text[0].isdigit() else text


class Field:
    """Bits lo..hi (from bit 0 of dword 0), perhaps repeated."""

    def __init__(self, spec, group, element, stage):
        self.where = f'{spec.path}: {group}'
        unknown = set(element.attrib) - FIELD_ATTRS
        if element.tag != 'field' or unknown:
            raise SpecError(f'{self.where}: unknown {element.tag} '
                            f'{" ".join(sorted(unknown))}')
        self.name = element.attrib['name'].replace('{}', stage)
        if not re.fullmatch(r'\w+', self.name):
            raise SpecError(f'{self.where}: bad field name {self.name}')
        self.c_name = c_name(self.name)
        self.where += '.' + self.name
        match = AT_RE.match(element.attrib['at'])
        if not match:
            raise SpecError(f'{self.where}: bad place {element.attrib["at"]}')
        dword = int(match[1])
        hi = 31 if match[2] is None else int(match[2])
        lo = (0 if match[2] is None else hi) if match[3] is None \
            else int(match[3])
        if lo > hi:
            raise SpecError(f'{self.where}: bits {hi}:{lo} run backwards')
        self.lo, self.hi = dword * 32 + lo, dword * 32 + hi
        self.bits = hi - lo + 1
        self.overlay = element.get('overlay') == 'yes'
        count = element.get('count', '1')
        self.variable = count == '*'
        self.is_array = 'count' in element.attrib and not self.variable
        self.count = 1 if self.variable else int(count)
        self.stride = int(element.get('stride', self.bits))
        if self.stride < self.bits:
            raise SpecError(f'{self.where}: elements overlap each other')
        self.default = element.get('default')
        self.set_type(spec, element)

    def set_type(self, spec, element):
        """Resolves the type; every named type must be known."""
        name = element.get('type', 'uint')
        fixed = FIXED_RE.match(name)
        self.struct = self.enum = None
        self.fraction = 0
        self.values = parse_values(self.where, element.get('values', ''), '')
        if name in SIMPLE_TYPES:
            self.kind = name
        elif fixed:
            self.kind = fixed[1] + 'fixed'
            self.fraction = int(fixed[3])
            whole = int(fixed[2]) + (fixed[1] == 's')
            if whole + self.fraction != self.bits:
                raise SpecError(f'{self.where}: {name} is not {self.bits} '
                                'bits')
        elif name in spec.enums:
            self.kind, self.enum = 'uint', name
            self.values = spec.enums[name].values
        elif name in spec.structs:
            self.kind, self.struct = 'struct', spec.structs[name]
            if self.bits != self.struct.bits:
                raise SpecError(f'{self.where}: {name} has '
                                f'{self.struct.bits} bits')
        else:
            raise SpecError(f'{self.where}: unknown type {name}')
        if self.kind == 'bool' and self.bits != 1:
            raise SpecError(f'{self.where}: a bool of {self.bits} bits')
        if self.kind == 'float' and self.bits != 32:
            raise SpecError(f'{self.where}: a float of {self.bits} bits')
        if self.kind != 'struct' and (
                self.bits > 64 or self.lo // 32 + 1 < self.hi // 32):
            raise SpecError(f'{self.where}: more than two dwords')
        if any(v >> self.bits for v in self.values.values()):
            raise SpecError(f'{self.where}: a value does not fit')

    def places(self):
        """(lo, hi) of each repetition that the packet surely holds."""
        for i in range(0 if self.variable else self.count):
            yield self.lo + i * self.stride, self.hi + i * self.stride


class Enum:
    """Named numbers; `prefix` goes in front of each name."""

    def __init__(self, spec, element):
        self.name = element.attrib['name']
        check_attrs(spec, element)
        prefix = element.get('prefix', '')
        self.values = parse_values(self.name, element.get('values', ''),
                                   prefix and prefix + '_')


class Group:
    """A command, structure or register."""

    def __init__(self, spec, element, stage='', index=0):
        self.spec, self.tag = spec, element.tag
        self.name = element.attrib['name'].replace('{}', stage)
        self.where = f'{spec.path}: {self.name}'
        check_attrs(spec, element)
        self.match = self.mask = self.address = 0
        self.length_field = None
        self.bias = 0
        dwords = element.get('dwords', '1')
        self.variable = dwords.endswith('+')
        self.dwords = int(dwords.rstrip('+'))
        self.bits = int(element.get('bits', self.dwords * 32))
        if self.tag == 'command':
            self.set_opcode(element, index)
        elif self.tag == 'register':
            self.address = int(element.attrib['at'], 0) + \
                index * int(element.get('stride', '4'))
        self.fields = [Field(spec, self.name, f, stage) for f in element]
        self.check()

    def set_opcode(self, element, index):
        """Command type 31:29 and opcode; SKL PRM volume 2a, headers."""
        attrs = element.attrib
        if sum(k in attrs for k in ('mi', 'op', 'blt')) != 1:
            raise SpecError(f'{self.where}: one of mi, op, blt is needed')
        if 'mi' in attrs:
            self.mask = 0xff800000
            self.match = int(attrs['mi'], 0) << 23
        elif 'blt' in attrs:
            self.mask = 0xffc00000
            self.match = 2 << 29 | int(attrs['blt'], 0) << 22
        else:
            op = attrs['op'].split()[index]
            parts = [int(p, 0) for p in op.split('.')]
            if len(parts) != 3:
                raise SpecError(f'{self.where}: bad opcode {op}')
            self.mask = 0xffff0000
            self.match = 3 << 29 | parts[0] << 27 | parts[1] << 24 | \
                parts[2] << 16
        if self.dwords == 1 and not self.variable:
            return
        if attrs.get('length') == 'none':
            return
        self.bias = 2
        hi, lo = (int(b) for b in attrs.get('length', '7:0').split(':'))
        self.length_field = (lo, hi)

    def check(self):
        """Each bit has one owner; overlays may share with anything."""
        owner = {}
        names = set()
        for bit in range(32):
            if self.mask >> bit & 1:
                owner[bit] = 'the opcode'
        if self.length_field:
            for bit in range(self.length_field[0], self.length_field[1] + 1):
                owner[bit] = 'the length'
        for field in self.fields:
            if field.c_name in names:
                raise SpecError(f'{field.where}: named twice')
            names.add(field.c_name)
            if field.variable and (not self.variable or
                                   field is not self.fields[-1]):
                raise SpecError(f'{field.where}: only the last field of a '
                                'variable packet may have count="*"')
            for lo, hi in field.places():
                if hi >= self.bits:
                    raise SpecError(f'{field.where}: outside of the packet')
                for bit in range(lo, hi + 1):
                    if bit in owner and (not field.overlay or bit < 32 and
                                         self.mask >> bit & 1):
                        raise SpecError(f'{field.where}: bit {bit} belongs '
                                        f'to {owner[bit]}')
                    if not field.overlay:
                        owner[bit] = field.name

    @property
    def c_name(self):
        return f'{self.spec.prefix}_{self.name}'


def check_attrs(spec, element):
    unknown = set(element.attrib) - GROUP_ATTRS[element.tag]
    if unknown:
        raise SpecError(f'{spec.path}: {element.get("name")}: unknown '
                        f'attribute {" ".join(sorted(unknown))}')


def parse_values(where, text, prefix):
    """'A=0 B=1' -> {'A': 0, 'B': 1}, in that order."""
    values = {}
    for item in text.split():
        name, _, number = item.partition('=')
        name = c_name(prefix + name)
        if not re.fullmatch(r'\w+', name) or not number or name in values:
            raise SpecError(f'{where}: bad value {item}')
        values[name] = int(number, 0)
    return values


class Spec:
    """One generation: enums, structs, commands, registers by name."""

    def __init__(self, path):
        self.enums, self.structs = {}, {}
        self.commands, self.registers = {}, {}
        self.inputs = []
        elements = self.load(path)
        self.path = os.path.basename(path)
        self.prefix = f'GEN{self.gen}'
        for element in elements.values():
            if element.tag == 'enum':
                self.enums[element.get('name')] = Enum(self, element)
        self.add_structs([e for e in elements.values() if e.tag == 'struct'])
        for element in elements.values():
            if element.tag == 'command':
                self.add_commands(element)
            elif element.tag == 'register':
                self.add_registers(element)
        self.check()

    def load(self, path):
        """Elements by (tag, name): the base's, then this file's."""
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            raise SpecError(f'{path}: {error}') from error
        self.inputs.append(path)
        elements = {}
        if root.get('base'):
            elements = self.load(os.path.join(os.path.dirname(path),
                                              root.get('base')))
        self.gen = root.get('gen')
        self.verx10 = int(root.get('verx10'))
        seen = set()
        for element in root:
            key = (element.tag, element.get('name'))
            if element.tag == 'remove':
                key = (element.get('kind'), element.get('name'))
                if key not in elements:
                    raise SpecError(f'{path}: nothing to remove: {key}')
                del elements[key]
                continue
            if element.tag not in GROUP_ATTRS:
                raise SpecError(f'{path}: unknown element {element.tag}')
            if key in seen:
                raise SpecError(f'{path}: {key[1]} is described twice')
            seen.add(key)
            elements[key] = element
        return elements

    def add_structs(self, pending):
        """In an order in which the members of a struct come first."""
        while pending:
            known = [e for e in pending if not any(
                f.get('type') in {p.get('name') for p in pending}
                for f in e)]
            if not known:
                raise SpecError(f'{self.path}: structs hold each other')
            for element in known:
                group = Group(self, element)
                self.structs[group.name] = group
                pending.remove(element)

    @staticmethod
    def add(groups, group):
        """Two elements may make one name: `for` and `count` without {}."""
        if group.name in groups:
            raise SpecError(f'{group.where}: named twice')
        groups[group.name] = group

    def add_commands(self, element):
        stages = element.get('for', '').split() or ['']
        for i, stage in enumerate(stages):
            self.add(self.commands, Group(self, element, stage, i))

    def add_registers(self, element):
        for i in range(int(element.get('count', '1'))):
            many = 'count' in element.attrib
            self.add(self.registers,
                     Group(self, element, str(i) if many else '', i))

    def check(self):
        opcodes, addresses = {}, {}
        for group in self.commands.values():
            key = (group.mask, group.match)
            if key in opcodes:
                raise SpecError(f'{group.where}: {opcodes[key]} has that '
                                'opcode')
            opcodes[key] = group.name
        for group in self.registers.values():
            for dword in range(group.dwords):
                address = group.address + 4 * dword
                if address in addresses:
                    raise SpecError(f'{group.where}: {addresses[address]} '
                                    'is there')
                addresses[address] = group.name
        values = {}
        for name, number in self.all_values():
            if values.setdefault(name, number) != number:
                raise SpecError(f'{self.path}: {name} has two values')

    def groups(self):
        yield from self.structs.values()
        yield from self.commands.values()
        yield from self.registers.values()

    def all_values(self):
        for enum in self.enums.values():
            yield from enum.values.items()
        for group in self.groups():
            for field in group.fields:
                if not field.enum:
                    yield from field.values.items()
