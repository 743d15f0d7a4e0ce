#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules that must be refused: where, and by which rule.

Each row changes one good module. The expected place is an instruction: the
n-th one of an opcode (from 1), whose word offset is looked up in the
assembled binary. spirv-val must refuse the module as well, unless the row
stands among those that it misses, or that are valid and only not supported.

usage: test_refused.py SPIRV-AS SPIRV-VAL SPIRV_CHECK GRAMMAR.json
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

GOOD = '''
OpCapability Shader
OpCapability Float64
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformQuad
OpCapability GroupNonUniformClustered
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %ubo DescriptorSet 0
OpDecorate %ubo Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%vec4 = OpTypeVector %float 4
%block = OpTypeStruct %vec4
%p_in = OpTypePointer Input %vec4
%p_out = OpTypePointer Output %vec4
%p_ubo = OpTypePointer Uniform %block
%p_ubo_vec = OpTypePointer Uniform %vec4
%p_fn = OpTypePointer Function %float
%p_void = OpTypePointer Function %void
%ff = OpTypeFunction %float %float
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c3 = OpConstant %int 3
%f1 = OpConstant %float 1
%d1 = OpConstant %double 1
%true = OpConstantTrue %bool
%in = OpVariable %p_in Input
%out = OpVariable %p_out Output
%ubo = OpVariable %p_ubo Uniform
%twice = OpFunction %float None %ff
%px = OpFunctionParameter %float
%tl = OpLabel
%t2 = OpFAdd %float %px %px
OpReturnValue %t2
OpFunctionEnd
%main = OpFunction %void None %fn
%l0 = OpLabel
%v = OpVariable %p_fn Function
%x = OpLoad %vec4 %in
%a = OpAccessChain %p_ubo_vec %ubo %c0
%y = OpLoad %vec4 %a
%z = OpFMul %vec4 %x %y
%e = OpCompositeExtract %float %z 3
%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e
%t = OpFunctionCall %float %twice %e
%g = OpFOrdLessThan %bool %t %f1
OpSelectionMerge %merge None
OpBranchConditional %g %then %merge
%then = OpLabel
%s = OpExtInst %float %ext Sqrt %t
OpBranch %merge
%merge = OpLabel
%phi = OpPhi %float %t %l0 %s %then
OpBranch %loop
%loop = OpLabel
%i = OpPhi %int %c0 %merge %i2 %cont
%less = OpSLessThan %bool %i %c1
OpLoopMerge %done %cont None
OpBranchConditional %less %body %done
%body = OpLabel
OpStore %v %phi
OpBranch %cont
%cont = OpLabel
%i2 = OpIAdd %int %i %c1
OpBranch %loop
%done = OpLabel
%w = OpVectorTimesScalar %vec4 %z %phi
OpStore %out %w
OpReturn
OpFunctionEnd
'''

# From the last constants to the first instruction.
MIDDLE = GOOD[GOOD.index('%true ='):GOOD.index('%x = OpLoad')]
EMPTY_STRUCTS = '''%empty = OpTypeStruct
%both = OpTypeStruct %empty %int
%p_both = OpTypePointer Function %both
%ce = OpConstantComposite %empty
%cb = OpConstantComposite %both %ce %c1
%nb = OpConstantNull %both
%ue = OpUndef %both
'''

# Twice as many parts with each: walks over such a type had no end.
DOUBLED = ''.join(f'%s{i} = OpTypeStruct %s{i - 1} %s{i - 1}\n'
                  for i in range(1, 60))

# Pointers that are numbers.
POINTERS = '''
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpCapability VariablePointers
OpExtension "SPV_KHR_physical_storage_buffer"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main" %b
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %physical ArrayStride 4
OpDecorate %buffer ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%c0 = OpConstant %uint 0
%l0 = OpConstant %ulong 0
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pblock = OpTypePointer StorageBuffer %block
%buffer = OpTypePointer StorageBuffer %uint
%bare = OpTypePointer StorageBuffer %ulong
%loose = OpTypePointer StorageBuffer %uint
%true = OpConstantTrue %bool
%physical = OpTypePointer PhysicalStorageBuffer %uint
%b = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%p = OpBitcast %physical %l0
%n = OpBitcast %ulong %p
%s = OpAccessChain %buffer %b %c0 %c0
%u = OpAccessChain %loose %b %c0 %c0
%t = OpSelect %loose %true %u %u
%near = OpPtrDiff %uint %u %t
%diff = OpPtrDiff %uint %s %s
%same = OpPtrEqual %bool %s %s
OpReturn
OpFunctionEnd
'''

# A column of a row-major matrix in memory, as a value and by its pointer.
DECLARED = POINTERS[POINTERS.index('OpDecorate %array'):
                    POINTERS.index('%s = OpAccessChain')]
COLUMN = DECLARED.replace('%true =', '''%float = OpTypeFloat 32
%vec = OpTypeVector %float 2
%mat = OpTypeMatrix %vec 2
%rows = OpTypeStruct %mat
%prows = OpTypePointer PhysicalStorageBuffer %rows
%pcolumn = OpTypePointer PhysicalStorageBuffer %vec
%true =''').replace('%void =', '''OpDecorate %rows Block
OpMemberDecorate %rows 0 Offset 0
OpMemberDecorate %rows 0 RowMajor
OpMemberDecorate %rows 0 MatrixStride 8
%void =''') + '''%matrix = OpBitcast %prows %l0
%column = OpAccessChain %pcolumn %matrix %c0 %c0
'''
POINTER_UNSUPPORTED = [
    (DECLARED, COLUMN + '%either = OpSelect %pcolumn %true %column %column\n',
     'OpSelect', 1, 'column of a row-major matrix'),
]
POINTER_ACCEPTED = [
    (DECLARED, COLUMN + '%v = OpLoad %vec %column Aligned 4\n'),
]

POINTER_ROWS = [
    ('OpPtrDiff %uint %s %s', 'OpPtrDiff %uint %p %p', 'OpPtrDiff', 2,
     'PhysicalStorageBuffer'),
    ('OpPtrEqual %bool %s %s', 'OpPtrEqual %bool %p %p', 'OpPtrEqual', 1,
     'PhysicalStorageBuffer'),
    ('OpPtrEqual %bool %s %s', 'OpPtrNotEqual %bool %s %p', 'OpPtrNotEqual',
     1, 'different types'),
    ('OpPtrDiff %uint %s %s', 'OpPtrDiff %bool %s %s', 'OpPtrDiff', 2,
     'no integer'),
]

# spirv-val misses these.
POINTER_MISSED = [
    ('%diff = OpPtrDiff %uint %s %s', '%diff = OpPtrDiff %uint %t %t',
     'OpPtrDiff', 2, 'without ArrayStride'),
    ('OpBitcast %physical %l0', 'OpBitcast %buffer %l0', 'OpBitcast', 1,
     'StorageBuffer'),
    ('%same = OpPtrEqual %bool %s %s', '%same = OpBitcast %ulong %s',
     'OpBitcast', 3, 'StorageBuffer'),
]

# (what is replaced, by what, instruction, n-th, words of the message)
ROWS = [
    ('%true =', '%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n'
     '%holder = OpTypeStruct %int %image\n%null = OpConstantNull %holder\n'
     '%true =', 'OpConstantNull', 1, 'the type has no constants'),
    # Subgroups.
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %float %c1 Reduce %e',
     'OpGroupNonUniformFAdd', 1, 'not Subgroup'),
    # Types of operands.
    ('%z = OpFMul %vec4 %x %y', '%z = OpFMul %vec4 %x %f1',
     'OpFMul', 1, 'wrong type'),
    ('%z = OpFMul %vec4 %x %y', '%z = OpIMul %vec4 %x %y',
     'OpIMul', 1, 'wrong result type'),
    ('%t2 = OpFAdd %float %px %px', '%t2 = OpFAdd %float %px %d1',
     'OpFAdd', 1, 'wrong type'),
    ('%i2 = OpIAdd %int %i %c1', '%i2 = OpIAdd %int %i %f1',
     'OpIAdd', 1, 'wrong type'),
    ('%e = OpCompositeExtract %float %z 3',
     '%e = OpCompositeExtract %float %z 4',
     'OpCompositeExtract', 1, 'outside of the composite'),
    ('%e = OpCompositeExtract %float %z 3',
     '%e = OpCompositeExtract %vec4 %z 3',
     'OpCompositeExtract', 1, 'another type'),
    ('%w = OpVectorTimesScalar %vec4 %z %phi',
     '%w = OpVectorTimesScalar %vec4 %z %d1',
     'OpVectorTimesScalar', 1, 'wrong type'),
    ('OpStore %out %w', 'OpStore %out %phi', 'OpStore', 2, 'not of the type'),
    ('OpStore %out %w', 'OpStore %in %w', 'OpStore', 2, 'read-only'),
    ('OpStore %out %w', 'OpStore %a %w', 'OpStore', 2, 'read-only'),
    ('%x = OpLoad %vec4 %in', '%x = OpLoad %float %in',
     'OpLoad', 1, 'result type'),
    ('%x = OpLoad %vec4 %in', '%x = OpLoad %vec4 %f1',
     'OpLoad', 1, 'not a pointer'),
    ('%s = OpExtInst %float %ext Sqrt %t',
     '%s = OpExtInst %float %ext Sqrt %i2',
     'OpExtInst', 1, ''),
    ('%s = OpExtInst %float %ext Sqrt %t',
     '%s = OpExtInst %float %ext Sqrt %d1',
     'OpExtInst', 1, 'wrong type'),
    # Access chains and variables.
    ('%a = OpAccessChain %p_ubo_vec %ubo %c0',
     '%a = OpAccessChain %p_ubo_vec %ubo %c1',
     'OpAccessChain', 1, 'no member 1'),
    ('%a = OpAccessChain %p_ubo_vec %ubo %c0',
     '%a = OpAccessChain %p_in %ubo %c0',
     'OpAccessChain', 1, 'result type'),
    ('%a = OpAccessChain %p_ubo_vec %ubo %c0',
     '%a = OpAccessChain %p_ubo_vec %ubo %f1',
     'OpAccessChain', 1, 'no integer'),
    ('%v = OpVariable %p_fn Function', '%v = OpVariable %p_fn Private',
     'OpVariable', 4, 'no pointer to class'),
    # Ids.
    ('%y = OpLoad %vec4 %a', '%y = OpLoad %vec4 %w',
     'OpLoad', 2, 'not defined before'),
    ('%w = OpVectorTimesScalar %vec4 %z %phi',
     '%w = OpVectorTimesScalar %vec4 %z %s',
     'OpVectorTimesScalar', 1, 'does not dominate'),
    ('%i2 = OpIAdd %int %i %c1', '%i2 = OpIAdd %main %i %c1',
     'OpIAdd', 1, 'not a type'),
    # Control flow.
    ('OpSelectionMerge %merge None\n', '', 'OpBranchConditional', 1, '2.11'),
    ('OpLoopMerge %done %cont None\n', '', None, 0, ''),
    ('OpBranchConditional %g %then %merge',
     'OpBranchConditional %t %then %merge',
     'OpBranchConditional', 1, 'not bool'),
    ('OpBranch %loop\n%loop', 'OpBranch %l0\n%loop',
     'OpBranch', 2, 'entry block'),
    ('%phi = OpPhi %float %t %l0 %s %then', '%phi = OpPhi %float %t %l0',
     'OpPhi', 1, 'no variable for predecessor'),
    ('%phi = OpPhi %float %t %l0 %s %then',
     '%phi = OpPhi %float %d1 %l0 %s %then',
     'OpPhi', 1, 'another type'),
    ('OpReturnValue %t2', 'OpReturn', 'OpReturn', 1, 'with a result'),
    ('OpReturnValue %t2', 'OpReturnValue %d1', 'OpReturnValue', 1,
     'result type'),
    # Functions.
    ('%t = OpFunctionCall %float %twice %e',
     '%t = OpFunctionCall %float %twice %z',
     'OpFunctionCall', 1, 'another type'),
    ('%t = OpFunctionCall %float %twice %e',
     '%t = OpFunctionCall %float %twice',
     'OpFunctionCall', 1, '0 arguments of 1'),
    ('%t2 = OpFAdd %float %px %px',
     '%t2 = OpFunctionCall %float %twice %px',
     'OpFunctionCall', 1, 'calls itself'),
    ('%twice = OpFunction %float None %ff',
     '%twice = OpFunction %vec4 None %ff',
     'OpFunction', 1, 'type is not that of a function'),
    # Types and layout of the module.
    ('%vec4 = OpTypeVector %float 4', '%vec4 = OpTypeVector %float 5',
     'OpTypeVector', 1, '5 components'),
    ('%vec4 = OpTypeVector %float 4', '%vec4 = OpTypeVector %void 4',
     'OpTypeVector', 1, 'no scalar'),
    ('%true = OpConstantTrue %bool', '%true = OpConstantTrue %int',
     'OpConstantTrue', 1, 'not bool'),
    ('OpMemoryModel Logical GLSL450\n', '', None, 0, 'OpMemoryModel'),
    ('OpMemberDecorate %block 0 Offset 0',
     'OpMemberDecorate %block 3 Offset 0', None, 0, 'member 3'),
    ('OpDecorate %in Location 0\n', '', None, 0, 'without Location'),
    # Each of the targets doubled what the group had.
    ('%void =', '%group = OpDecorationGroup\n'
     'OpGroupDecorate %group' + ' %group' * 60 + '\n%void =',
     'OpGroupDecorate', 1, 'is a group'),
]

# The same; spirv-val misses these.
MISSED = [
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformShuffle %float %c3 %e %e',
     'OpGroupNonUniformShuffle', 1, '32-bit integer'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %vec4 %c3 Reduce %e',
     'OpGroupNonUniformFAdd', 1, 'value\'s type'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformIAdd %float %c3 Reduce %e',
     'OpGroupNonUniformIAdd', 1, 'kind of type'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %float %c3 ClusteredReduce %e %c3',
     'OpGroupNonUniformFAdd', 1, 'clusters of 3'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %float %c3 ClusteredReduce %e',
     'OpGroupNonUniformFAdd', 1, 'cluster'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %float %c3 PartitionedReduceNV %e',
     'OpGroupNonUniformFAdd', 1, 'without a ballot'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformFAdd %float %c3 PartitionedReduceNV %e %z',
     'OpGroupNonUniformFAdd', 1, 'four 32-bit integers'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformPartitionNV %uint %e',
     'OpGroupNonUniformPartitionNV', 1, 'wrong type'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformBallot %vec4 %c3 %e',
     'OpGroupNonUniformBallot', 1, 'not bool'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformBallot %float %c3 %true',
     'OpGroupNonUniformBallot', 1, 'wrong type'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformBallotFindLSB %uint %c3 %c1',
     'OpGroupNonUniformBallotFindLSB', 1, 'four 32-bit'),
    ('%sg = OpGroupNonUniformFAdd %float %c3 Reduce %e',
     '%sg = OpGroupNonUniformQuadSwap %float %c3 %e %c3',
     'OpGroupNonUniformQuadSwap', 1, 'direction'),
    ('OpStore %out %w', '%whole = OpExtInst %vec4 %ext Modf %w %a',
     'OpExtInst', 2, 'read-only'),
]

# Valid, or at least not our business: refused by name.
UNSUPPORTED = [
    ('OpCapability Float64', 'OpCapability Float64\nOpCapability Kernel',
     'OpCapability', 3, 'Kernel'),
    ('OpMemoryModel Logical GLSL450', 'OpMemoryModel Physical32 GLSL450',
     'OpMemoryModel', 1, 'addressing model'),
    ('OpMemoryModel Logical',
     '%cl = OpExtInstImport "OpenCL.std"\nOpMemoryModel Logical',
     'OpExtInstImport', 2, 'OpenCL.std'),
    ('OpDecorate %in Location 0', 'OpDecorate %in Location 32', None, 0,
     'location 32 and beyond'),
    ('OpDecorate %in Location 0',
     'OpDecorate %in Patch\nOpDecorate %in Location 64', None, 0,
     'location 64 and beyond'),
    ('%true =', '%s0 = OpTypeStruct %int\n' + DOUBLED +
     '%null = OpConstantNull %s59\n%true =', None, 0, '65536 parts'),
    ('%true =', '%s0 = OpTypeStruct\n' + DOUBLED +
     '%null = OpUndef %s59\n%true =', None, 0, '65536 parts'),
    ('%true =', '%s0 = OpTypeStruct\n%many = OpConstant %uint 0x7fffffff\n'
     '%s1 = OpTypeArray %s0 %many\n%null = OpConstantNull %s1\n%true =',
     'OpConstantNull', 1, '65536 scalars'),
]

# Changes that leave it good: text, other text.
ACCEPTED = [
    # Both sides of a selection are one block.
    ('OpBranchConditional %g %then %merge\n%then = OpLabel\n'
     '%s = OpExtInst %float %ext Sqrt %t\nOpBranch %merge\n'
     '%merge = OpLabel\n%phi = OpPhi %float %t %l0 %s %then',
     'OpBranchConditional %g %then %then\n%then = OpLabel\n'
     '%s = OpExtInst %float %ext Sqrt %t\nOpBranch %merge\n'
     '%merge = OpLabel\n%phi = OpPhi %float %s %then'),
    ('%true = OpConstantTrue %bool',
     '%sf = OpSpecConstant %float 1.5\n'
     '%sd = OpSpecConstantOp %double FConvert %sf\n'
     '%sq = OpSpecConstantOp %float QuantizeToF16 %sf\n'
     '%true = OpConstantTrue %bool'),
    ('%true = OpConstantTrue %bool',
     '%un = OpUndef %int\n'
     '%su = OpSpecConstantOp %int IAdd %un %c1\n'
     '%true = OpConstantTrue %bool'),
    # What is not defined, of any type; structs without members.
    ('%true = OpConstantTrue %bool',
     '%un = OpUndef %p_ubo_vec\n'
     '%true = OpConstantTrue %bool'),
    # A pointer that leads nowhere, and is not followed.
    ('%true = OpConstantTrue %bool',
     '%np = OpConstantNull %p_fn\n'
     '%true = OpConstantTrue %bool'),
    (MIDDLE,
     MIDDLE.replace('%true =', EMPTY_STRUCTS + '%true =') +
     '%ve = OpVariable %p_both Function\n'
     'OpStore %ve %cb\n'
     '%le = OpLoad %both %ve\n'
     '%lee = OpCompositeExtract %empty %le 0\n'
     '%cle = OpCompositeConstruct %both %lee %c0\n'
     'OpStore %ve %cle\n'
     'OpStore %ve %ue\n'
     'OpStore %ve %nb\n'),
]


def opcode_numbers(grammar):
    with open(grammar, encoding='utf-8') as f:
        return {i['opname']: i['opcode']
                for i in json.load(f)['instructions']}


def word_offset(binary, opcode, nth):
    """Offset in words of the nth instruction of an opcode."""
    words = struct.unpack(f'<{len(binary) // 4}I', binary)
    at = 5
    while at < len(words):
        if words[at] & 0xffff == opcode:
            nth -= 1
            if nth == 0:
                return at
        at += words[at] >> 16
    raise AssertionError('no such instruction in the module')


class Runner:
    def __init__(self, argv):
        self.assembler, self.validator, self.check = argv[1:4]
        self.opcodes = opcode_numbers(argv[4])
        self.folder = tempfile.mkdtemp()
        self.failures = 0
        self.use(GOOD, 'spv1.3', 'vulkan1.1')

    def use(self, good, *versions):
        self.good, self.versions = good, versions

    def assemble(self, text):
        path = os.path.join(self.folder, 'm.spv')
        subprocess.run([self.assembler, '--target-env', self.versions[0],
                        '-o', path, '-'], input=text.encode(), check=True)
        return path

    def fail(self, name, why):
        print(f'FAIL {name!r}: {why}')
        self.failures += 1

    def accepted_by_spirv_val(self, path):
        return subprocess.run([self.validator, '--target-env', self.versions[1],
                               '--scalar-block-layout', path],
                              capture_output=True, check=False).returncode == 0

    def row(self, kind, old, new, op, nth, message, missed=False):
        assert self.good.count(old) >= 1, old
        path = self.assemble(self.good.replace(old, new, 1))
        out = subprocess.run([self.check, path], capture_output=True,
                             check=False, timeout=60)
        text = out.stdout.decode().strip()
        if not text.startswith(kind):
            self.fail(new, f'not {kind}: {text!r} ({out.returncode})')
            return
        if op:
            with open(path, 'rb') as f:
                want = word_offset(f.read(), self.opcodes[op], nth)
            if not text.startswith(f'{kind} at {want}:'):
                self.fail(new, f'want offset {want}: {text}')
        if message not in text:
            self.fail(new, f'want {message!r}: {text}')
        if kind == 'invalid' and not missed and \
           self.accepted_by_spirv_val(path):
            self.fail(new, 'spirv-val accepts it')

    def accept(self, old, new):
        """A change of the good module that leaves it good."""
        assert self.good.count(old) >= 1, old
        path = self.assemble(self.good.replace(old, new, 1))
        if not self.accepted_by_spirv_val(path):
            self.fail(new, 'spirv-val refuses it')
        out = subprocess.run([self.check, path], capture_output=True,
                             check=False)
        if out.returncode:
            self.fail(new, f'refused: {out.stdout.decode().strip()}')

    def truncations(self):
        """Every prefix of the good module is refused."""
        path = self.assemble(self.good)
        with open(path, 'rb') as f:
            data = f.read()
        for words in list(range(0, 12)) + list(range(12, len(data) // 4, 7)):
            with open(path, 'wb') as f:
                f.write(data[:words * 4])
            out = subprocess.run([self.check, path], capture_output=True,
                                 check=False)
            if out.returncode not in (1, 2):
                self.fail(f'{words} words', f'status {out.returncode}')

    def good_module(self):
        path = self.assemble(self.good)
        if not self.accepted_by_spirv_val(path) or \
           subprocess.run([self.check, path], check=False).returncode:
            self.fail('the good module', 'is refused')

    def run(self):
        self.good_module()
        for row in ROWS:
            self.row('invalid', *row)
        for row in MISSED:
            self.row('invalid', *row, missed=True)
        for row in UNSUPPORTED:
            self.row('unsupported', *row)
        for row in ACCEPTED:
            self.accept(*row)
        self.truncations()
        self.use(POINTERS, 'spv1.5', 'vulkan1.2')
        self.good_module()
        for row in POINTER_ROWS:
            self.row('invalid', *row)
        for row in POINTER_MISSED:
            self.row('invalid', *row, missed=True)
        for row in POINTER_UNSUPPORTED:
            self.row('unsupported', *row)
        for row in POINTER_ACCEPTED:
            self.accept(*row)
        rows = sum(map(len, (ROWS, MISSED, UNSUPPORTED, ACCEPTED,
                             POINTER_ROWS, POINTER_MISSED,
                             POINTER_UNSUPPORTED, POINTER_ACCEPTED)))
        print(f'{rows} rows, '
              f'{self.failures} failures')
        return 1 if self.failures else 0


if __name__ == '__main__':
    sys.exit(Runner(sys.argv).run())
