# SPDX-License-Identifier: MIT
"""What an instruction may not be: the one table of its rules.

A row is a call of rule(). It is read by the validator, with which the
compiler checks what it makes, by the simulated EU, which refuses or reports
what a program breaks, by `saffron rules`, and by the pages of the reference.

name       short and stable: tests, messages and lists refer to it
chip       the rule of src/intel/sim/strict/rules that it is part of, or None
gens       the generations that have it
text       what is not allowed, one sentence
source     manual, volume, section
evidence   what shipped code says: who emits such a form, or one beside it
severity   FAULT: a chip hangs, or does something else. STRICT: only a manual
           forbids it, and the evidence names who emits it on chips that were
           sold; it is executed, and a report in strict mode. COMPILER: it is
           legal and never meant
condition  the name by which C has what to look at, isa_breaks_CONDITION():
           as a rule the row's own

Types that go together are rows of isa_opcodes.py, lengths of messages of
isa_messages.py.
"""
import re
from collections import namedtuple

from isa_opcodes import GENS

FAULT, STRICT, COMPILER = 'fault', 'strict', 'compiler'
SEVERITIES = {
    FAULT: 'an instruction that breaks it is a fault',
    STRICT: 'only a manual forbids it: such an instruction runs, and is a '
            'report in strict mode',
    COMPILER: 'it is legal and never meant: the compiler may not make it',
}

# The chips of low power, of Gen8 and later: Cherryview, Broxton, Gemini Lake.
LOW = 'low-power'
ALL = GENS
IVB, BDW, SKL = GENS[:1], GENS[2:3], GENS[3:]
G7, G75UP, G8UP, UP_TO_8 = GENS[:2], GENS[1:], GENS[2:], GENS[:3]
LOW_POWER = G8UP + (LOW,)

Rule = namedtuple('Rule', 'name chip gens text source evidence severity '
                  'condition')
RULES = []


def rule(name, chip, gens, text, source, evidence=None, severity=FAULT,
         condition=''):
    """One row; `condition` None: only a whole program shows it."""
    RULES.append(Rule(name, chip, gens, text, source, evidence, severity,
                      name if condition == '' else condition))


def check(rules=None):
    """Faults of the table as sentences."""
    rules = RULES if rules is None else rules
    faults, names = [], [r.name for r in rules]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            faults.append(f'rule "{name}" has two rows')
    for r in rules:
        def fault(words, r=r):
            faults.append(f'rule "{r.name}": {words}')
        if not re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)*', r.name):
            fault('its name')
        if r.chip is not None and not re.fullmatch(r'EU-\d\d', r.chip):
            fault(f'no rule of the chips is "{r.chip}"')
        if not r.gens or set(r.gens) - set(ALL) - {LOW} or \
                set(r.gens) == {LOW}:
            fault('its generations')
        if not r.text or not r.source:
            fault('it wants a text and a source')
        if r.severity not in SEVERITIES:
            fault(f'no severity is "{r.severity}"')
        elif r.severity != FAULT and not r.evidence:
            fault(f'what is no fault but "{r.severity}" wants evidence')
        if r.condition and r.condition not in names:
            fault(f'its condition is that of no row, "{r.condition}"')
    return faults


def conditions():
    """Names of the conditions, each once."""
    return list(dict.fromkeys(r.condition for r in RULES if r.condition))


def function(condition):
    """The name in C of a condition."""
    return 'isa_breaks_' + condition.replace('-', '_')


# --------------------------------------------------------------------------
# Types, modifiers and immediates; comparisons: isa_rules_operand.c.

rule('dst-type', 'EU-46', ALL,
     'the opcode does not write this type of destination',
     "SKL vol 2a, the opcode's page, table of types",
     evidence='rows of isa_opcodes.py that the manual has not name who emits '
              'them')
rule('src-type', 'EU-46', ALL,
     'the opcode does not read sources of these types together, or not with '
     'this type of destination',
     "SKL vol 2a, the opcode's page, table of types",
     evidence='rows of isa_opcodes.py that the manual has not name who emits '
              'them')
rule('int-and-float', 'EU-46', ALL,
     'the sources are of integer and of float type',
     'SKL vol 7, Execution Data Types')
rule('cond-mod-missing', 'EU-71', ALL,
     'the opcode wants a conditional modifier',
     'SKL vol 2a, cmp, csel')
rule('src-mods', None, ALL,
     'the opcode has no source modifiers',
     "SKL vol 2a, the opcode's page, Source Modifier")
rule('logic-abs', None, G8UP,
     'a logic operation knows NOT but no absolute value',
     'BDW vol 7, Source Modifiers')
rule('byte-64bit', 'EU-58', ALL,
     'there is no conversion between bytes and 64-bit types',
     'BDW vol 2a, mov')
rule('hf-64bit', 'EU-58', G8UP,
     'there is no conversion between HF and 64-bit types',
     'BDW vol 2a, mov')
rule('hf-int', 'EU-58', G8UP,
     'a conversion between integer and HF writes to whole dwords',
     'BDW vol 2a, mov')
rule('packed-byte', 'EU-42', ALL,
     'only a raw mov writes packed bytes',
     'SKL vol 7, Register Region Restrictions, operand types')
rule('dst-stride', 'EU-42', ALL,
     "the destination's stride is less than that of the execution type",
     'SKL vol 7, Register Region Restrictions, operand types',
     evidence='wider: IGC 1.0.12504, intel-vaapi-driver 2.4.1, 35 times '
              '(bdw, skl)')
rule('dst-alignment', 'EU-42', ALL,
     'the destination is not aligned to the execution type',
     'SKL vol 7, Register Region Restrictions, operand types')
rule('vector-imm-align', None, ALL,
     'with a packed vector the destination is aligned to 16 bytes',
     'SKL vol 7, Register Region Restrictions, packed vector immediates',
     evidence='intel-vaapi-driver 2.4.1, 4 times (bdw)',
     severity=STRICT)
rule('vector-imm-stride', 'EU-42', ALL,
     "with a packed vector the destination's stride is a word or a dword, "
     "for VF a dword",
     'SKL vol 7, Register Region Restrictions, packed vector immediates',
     evidence='dwords: IGC 1.0.12504')
rule('vector-imm-dwords', None, ALL,
     'with V or UV more than four dwords have no elements of their own',
     'SKL vol 7, Register Region Restrictions, packed vector immediates',
     evidence='IGC 1.0.12504, of four channels',
     severity=STRICT)
rule('64bit-dep-ctrl', 'EU-11', UP_TO_8,
     'no dependency control with 64-bit types',
     'BDW vol 7, Register Region Restrictions, 64-bit types',
     evidence='Mesa 2a857104e41: it hangs Ivybridge and Haswell')
rule('64bit-imm-narrow', 'EU-52', G8UP,
     'an immediate double is not moved to a narrower type under the mask',
     'BDW vol 15, work-arounds; docs/eu-fp64-facts.rst, 1.4, row 12',
     evidence='Mesa 4b225762349: channels are enabled wrongly')
rule('64bit-sel', None, G7,
     'no SEL by a predicate of more than four 64-bit channels in Align16',
     'found on chips: docs/eu-fp64-facts.rst, 1.3, row 15',
     evidence='Mesa f4b8649: the predicate is misread')
rule('64bit-align16', 'EU-52', G8UP,
     'in Align16 a 64-bit destination with a narrower source has two '
     'channels at most',
     'BDW vol 7, Register Region Restrictions, 64-bit types')
rule('64bit-rep-ctrl', None, ALL,
     'no RepCtrl with 64-bit sources',
     'BDW vol 7, p 944; IVB vol 4 part 3, 3.3.9')
rule('df-indirect-rows', 'EU-55', IVB,
     'no rows with addresses of their own for DF',
     'IVB vol 4 part 3, Indirect Addressing')
rule('src3-simd16', 'EU-50', IVB,
     'three sources with eight channels at most',
     'IVB vol 4 part 3, 3.3.9')
rule('cmp-null-switch', 'EU-05', G7,
     'a comparison to null wants {Switch}',
     'IVB vol 4 part 3, p 166; HSW vol 2b, p 77',
     evidence='intel-vaapi-driver 2.4.1, 1318 times',
     severity=STRICT)
rule('cmp-arf', 'EU-71', G7,
     'a comparison writes to a general register or to null',
     'IVB vol 4 part 3, p 166; HSW vol 2b, p 77')
rule('simd32-cond-mod', 'EU-49', G7,
     'no conditional modifier with 32 channels',
     'IVB vol 4 part 3, Flag Register')
rule('flag-end', None, ALL,
     'the flag register has no bits for these channels',
     'SKL vol 7, Flag Register; Channel Enables, QtrCtrl')
rule('simd32-src3-cond-mod', 'EU-49', G8UP,
     'three sources with 32 channels have no conditional modifier',
     'BDW vol 7, Flag Register')
rule('channels-32', None, ALL,
     'channels beyond the 32 of a thread',
     'SKL vol 7, Channel Enables, QtrCtrl and NibCtrl')
rule('group', None, ALL,
     'the first channel is no multiple of the execution size',
     'SKL vol 7, Channel Enables, QtrCtrl and NibCtrl')
rule('mixed-simd16-f', 'EU-59', SKL,
     'F and HF mixed: eight channels at most with a destination of type F, '
     'but of MOV',
     'SKL vol 7, Requirements for Handling Mixed Mode Float',
     evidence='MOV has 16: Mesa 25 (anv, shader-f16)')
rule('mixed-simd16-hf', 'EU-59', SKL,
     'F and HF mixed: eight channels at most with packed HF',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-packed-align', 'EU-59', SKL,
     'F and HF mixed: packed HF is aligned to 16 bytes',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-indirect', 'EU-59', SKL,
     'F and HF mixed: no indirect source',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-math', 'EU-59', SKL,
     'F and HF mixed in math: HF sources have a stride',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-align16', 'EU-59', SKL,
     'F and HF mixed in Align16: the sources are packed',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-acc', 'EU-59', SKL,
     'F and HF mixed in Align16: no accumulator as a source',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')
rule('mixed-acc-offset', 'EU-59', SKL,
     'F and HF mixed to packed HF: an accumulator from its start on',
     'SKL vol 7, Requirements for Handling Mixed Mode Float')

# --------------------------------------------------------------------------
# Registers of the architecture: isa_rules_register.c.

rule('arf-none', None, ALL,
     'there is no such register of the architecture, or for macros only',
     'SKL vol 7, ARF Registers')
rule('arf-range', None, ALL,
     'an operand reaches beyond its register of the architecture',
     'SKL vol 7, ARF Registers',
     evidence="sizes as Intel's assembler has them (iga, Models.cpp)")
rule('arf-read-only', None, ALL,
     'channel enables and the time stamp are not written',
     'SKL vol 7, ARF Registers',
     evidence='tm0.4 is written: IGC 1.0.12504 (bdw, skl)')
rule('null-source', 'EU-46', ALL,
     'a source is the null register',
     'SKL vol 7, ARF Registers, Null Register')
rule('acc-src1', 'EU-65', ALL,
     'an accumulator is the second source',
     'IVB vol 4 part 3, 3.3.3.5, Accumulator Registers')
rule('acc-implicit-src', None, ALL,
     'an accumulator is read by name by what reads it anyway',
     'SKL vol 2a, mac, mach, sada2')
rule('acc-implicit-dst', None, ALL,
     'an accumulator is written by name by what writes it anyway',
     'SKL vol 2a, addc, mach, subb')
rule('acc-wr-en', None, ALL,
     'ADDC, MACH and SUBB want AccWrEn',
     'SKL vol 2a, addc, mach, subb')
rule('acc-swizzle', 'EU-65', ALL,
     'an accumulator has no swizzle',
     'IVB vol 4 part 3, 3.3.3.5, Accumulator Registers')
rule('acc-logic', 'EU-65', ALL,
     'an accumulator in a logic operation has no modifier',
     'IVB vol 4 part 3, 3.3.3.5, Accumulator Registers')
rule('acc-align', None, ALL,
     'an accumulator, or what it goes to, does not begin at 16 bytes',
     'SKL vol 7, Accumulator Registers',
     evidence='vISA, HWConformity::fixAcc()')
rule('acc-align-one', None, ALL,
     'one channel of an accumulator, or what it goes to, does not begin at '
     '16 bytes',
     'SKL vol 7, Accumulator Registers',
     evidence='intel-vaapi-driver 2.4.1, 100 times (ivb, hsw)',
     severity=STRICT)

# --------------------------------------------------------------------------
# Single opcodes and flow control: isa_rules_opcode.c.

rule('no-predicate', None, G75UP,
     'the opcode has no predicate',
     "SKL vol 2a, the opcode's page")
rule('no-cond-mod', None, ALL,
     'the opcode has no conditional modifier',
     "SKL vol 2a, the opcode's page")
rule('no-saturate', None, ALL,
     'the opcode does not saturate',
     "SKL vol 2a, the opcode's page")
rule('sel-either', 'EU-71', ALL,
     'SEL has a predicate or a conditional modifier, not both',
     'SKL vol 2a, sel')
rule('movi-direct', None, ALL,
     'MOVI reads where an address points',
     'SKL vol 2a, movi')
rule('movi-wide', None, ALL,
     'MOVI has eight channels at most',
     'SKL vol 2a, movi')
rule('dot-narrow', None, ALL,
     'a dot product has groups of four',
     'SKL vol 2a, dp4')
rule('pln-channels', None, ALL,
     'PLN has 8 or 16 channels',
     'SKL vol 2a, pln')
rule('pln-align16', None, ALL,
     'PLN is in Align1 only',
     'SKL vol 2a, pln')
rule('pln-plane', None, ALL,
     'coefficients of LINE and PLN are a scalar that begins at 16 bytes',
     'SKL vol 2a, line, pln')
rule('pln-registers', None, ALL,
     'the second source of PLN are whole registers',
     'SKL vol 2a, pln')
rule('wait-one', None, ALL,
     'WAIT has one channel',
     'SKL vol 2a, wait')
rule('int-div-mods', None, ALL,
     'integer division has no source modifiers',
     'SKL vol 2a, math')
rule('int-div-simd16', 'EU-93', ALL,
     'integer division has eight channels at most',
     'SKL vol 2a, math, INT DIV')
rule('int-div-type', None, ALL,
     'integer division of floats',
     'SKL vol 2a, math')
rule('math-type', None, ALL,
     'this math function computes with floats',
     'SKL vol 2a, math')
rule('math-double', None, G8UP,
     'only INVM and RSQRTM take doubles',
     'SKL vol 2a, math',
     evidence='IGC 1.0.12504 divides doubles so')
rule('math-regions', None, ALL,
     'sources of math that are no scalars lie as the destination does',
     'SKL vol 2a, math')
rule('jump-unit', 'EU-30', G75UP,
     'a jump into the middle of an instruction',
     'SKL vol 7, Instruction Pointer')
rule('flow-source', None, G8UP,
     'a branch with two offsets has no immediate as its source',
     'BDW vol 7, branch instructions, Source 0',
     evidence='Mesa 9584959123b: such branches hang a Broadwell')
rule('jump-register', None, ALL,
     'the target of a jump is in a general register or ip',
     'SKL vol 2a, jmpi, brd, brc, call, ret')
rule('jump-align', None, ALL,
     'the target of a jump is aligned to a dword, or to the two of BRC and '
     'RET',
     'SKL vol 2a, jmpi, brd, brc, call, ret')
rule('call-register', None, ALL,
     'CALL leaves two dwords in a general register',
     'SKL vol 2a, call')

# --------------------------------------------------------------------------
# Regions: isa_rules_region.c.

rule('region-width', 'EU-40', ALL,
     'a region is wider than the execution size',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('region-one-row', 'EU-40', ALL,
     'a region of one row has a vertical stride other than its length',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('region-width-1', 'EU-40', ALL,
     'a region of width 1 has a horizontal stride',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('region-one-channel', 'EU-40', ALL,
     'a region of one channel has strides',
     'SKL vol 7, Register Region Restrictions, regioning',
     evidence='intel-vaapi-driver 2.4.1, 38 times (ivb, hsw): it is not used',
     severity=STRICT)
rule('region-scalar', 'EU-40', ALL,
     'a region without strides has more than width 1',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('region-row', 'EU-41', ALL,
     'a row of a region crosses into the next register',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('dst-hstride-0', 'EU-40', ALL,
     'the destination has stride 0',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('region-rows', None, ALL,
     'rows with addresses of their own are not addressed indirectly',
     'SKL vol 7, VertStride')
rule('exec-bytes', 'EU-41', ALL,
     'channels of the widest type take more than two registers',
     'SKL vol 7, Register Region Restrictions, operand types')
rule('operand-align', None, ALL,
     "a sub-register is no multiple of its type's size",
     'SKL vol 7, Direct Register Addressing')
rule('src-span', 'EU-41', ALL,
     'a source spans more than two registers',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('dst-span', 'EU-41', ALL,
     'the destination spans more than two registers',
     'SKL vol 7, Register Region Restrictions, regioning')
rule('grf-range', None, ALL,
     'an operand reaches beyond r127',
     'SKL vol 7, General Register File')
rule('dst-even', 'EU-44', UP_TO_8,
     'a destination of two registers is not split evenly',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('math-dst-even', 'EU-44', SKL,
     'a destination of two registers of math is not split evenly',
     'SKL vol 7, Register Region Restrictions, alignment')
rule('dst-oword', 'EU-44', UP_TO_8,
     'a source of two registers wants the destination in one half of a '
     'register or even in both',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('src-even', 'EU-44', G7,
     'a source of two registers has half of the channels in each, if the '
     'destination has one',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('src-even-8', None, BDW,
     'a source of two registers has half of the channels in each, if the '
     'destination has one',
     'BDW vol 7, Register Region Restrictions',
     evidence='intel-vaapi-driver 2.4.1, 34 times (bdw)',
     severity=STRICT,
     condition='src-even')
rule('dst-2-src-1', 'EU-43', G7,
     'the destination spans two registers and a source only one',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('src-straddles', 'EU-43', G7,
     'a register of the destination comes from two of a source',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('src-offsets', 'EU-43', G7,
     'a source enters its two registers at different offsets',
     'HSW vol 7, Register Region Restrictions, alignment')
rule('df-scalar-2', None, IVB,
     'a scalar DF source with a destination of two registers',
     'IVB vol 4 part 3, 3.3.4, DF in compressed instructions',
     evidence='the second half is in the next register, which no compiler '
              'means (docs/eu-fp64-facts.rst, 1.2, row 5)',
     severity=COMPILER)

# --------------------------------------------------------------------------
# Align16, three sources, macros: isa_rules_align16.c.

rule('align16-dst', 'EU-51', ALL,
     'in Align16 the destination has stride 1',
     'IVB vol 4 part 3, Dst.HorzStride')
rule('align16-vstride', 'EU-51', ALL,
     'in Align16 the vertical stride is 0 or 4, or of 64 bits 2 from HSW on',
     'HSW vol 7, VertStride')
rule('align16-one', 'EU-51', ALL,
     'in Align16 there are two channels at least',
     'SKL vol 7, ExecSize')
rule('align16-wide', 'EU-51', IVB,
     'in Align16 there are eight channels at most',
     'IVB vol 4 part 3, 3.3.9')
rule('align16-swizzle', None, ALL,
     'a swizzle takes a double apart',
     'HSW vol 7, Align16 and 64 bits',
     evidence='docs/eu-fp64-facts.rst, 1.4')
rule('align16-df-imm', 'EU-52', G8UP,
     'in Align16 an immediate double is not moved to F',
     'BDW vol 15, work-arounds')
rule('src3-align', None, ALL,
     'operands of three sources that are not repeated begin at 16 bytes',
     'IVB vol 4 part 3, 3.3.9',
     evidence='vISA, FixAlign16Inst()')
rule('src3-half-align', 'EU-52', BDW,
     'HF sources of three that are not repeated begin at a register',
     'found on chips',
     evidence='Mesa, brw_fs_lower_regioning.cpp; vISA, '
              'HWConformity::isGoodAlign16Src()')
rule('macro-align', None, G8UP,
     'operands of macros begin at a register',
     'SKL vol 2a, madm')

# --------------------------------------------------------------------------
# Messages: isa_rules_message.c.

rule('send-grf', 'EU-16', ALL,
     'a message comes from general registers',
     'IVB vol 4 part 3, send')
rule('send-indirect', 'EU-16', UP_TO_8,
     'a payload is addressed directly',
     'IVB vol 4 part 3, send')
rule('send-align', 'EU-16', ALL,
     'a payload begins at a register',
     'SKL vol 2a, send')
rule('send-response-grf', 'EU-16', ALL,
     'a response goes to general registers or null',
     'SKL vol 2a, send')
rule('send-no-response', None, ALL,
     'what has no response names a register of the architecture for it',
     'SKL vol 2a, send',
     evidence="igt's fill kernels; intel-vaapi-driver 2.4.1, 29 times",
     severity=STRICT)
rule('send-response-align', 'EU-16', ALL,
     'a response begins at a register',
     'SKL vol 2a, send')
rule('send-function', None, ALL,
     'the generation has no shared function of this number',
     'SKL vol 7, Shared Function ID')
rule('send-eot-function', 'EU-14', ALL,
     'the last message goes to null or to the sampler',
     'IVB vol 4 part 3, send')
rule('sends-src1-length', 'EU-18', SKL,
     'a second payload and its length go together',
     'SKL vol 2a, sends')
rule('message-bits', None, ALL,
     'bits of the descriptor are set that no field has',
     'SKL vol 2d, message descriptor')
rule('fence-bti', None, ALL,
     'a fence has the index of a surface',
     'SKL vol 2d, memory fence',
     evidence='intel-vaapi-driver 2.4.1, 17 times',
     severity=STRICT)
rule('message-value', None, ALL,
     'a field of the descriptor has a reserved value',
     'SKL vol 2d, message descriptor')
rule('sends-src1', 'EU-16', SKL,
     'the second payload is a general register or null',
     'SKL vol 2a, sends')
rule('send-eot', 'EU-14', G8UP,
     'a message that ends the thread comes from r112 to r127',
     'SKL vol 2a, send')
rule('send-eot-7', None, G7,
     'a message that ends the thread comes from r112 to r127',
     'IVB vol 4 part 3, send',
     evidence='intel-vaapi-driver 2.4.1, whose kernels of ivb and hsw end '
              'from r64',
     severity=STRICT,
     condition='send-eot')
rule('send-eot-response', 'EU-14', ALL,
     'a message that ends the thread has no response, its destination is null',
     'SKL vol 2a, send')
rule('send-mlen', 'EU-16', ALL,
     'a message has no payload',
     'SKL vol 2d, message descriptor')
rule('send-rlen', 'EU-16', ALL,
     'a response has more than 16 registers',
     'SKL vol 2d, message descriptor')
rule('send-range', 'EU-16', ALL,
     'a payload reaches beyond r127',
     'SKL vol 2a, send')
rule('send-response-range', 'EU-16', ALL,
     'a response reaches beyond r127',
     'SKL vol 2a, send')
rule('send-response-null', 'EU-16', ALL,
     'a response is written to the null register',
     'SKL vol 2a, send')
rule('sends-overlap', 'EU-18', SKL,
     'the payloads of a split message overlap',
     'SKL vol 2a, sends')
rule('send-r127', 'EU-17', G8UP,
     'r127 is written by a response that overlaps its payload',
     'BDW vol 2a, send')
rule('message-header', 'EU-75', ALL,
     'the message needs a header',
     'SKL vol 7, Shared Functions')
rule('message-no-header', 'EU-75', ALL,
     'the message has no header',
     'SKL vol 7, Shared Functions')
rule('message-payload', 'EU-16', ALL,
     'the payload has not the length that the message asks for',
     'SKL vol 7, Shared Functions')
rule('message-response', 'EU-16', ALL,
     'the response has not the length that the message makes',
     'SKL vol 7, Shared Functions')

# --------------------------------------------------------------------------
# Chips of low power: isa_rules_low_power.c.

rule('qword-stride', 'EU-56', LOW_POWER,
     'with 64 bits, or in a product of dwords, channels are as many '
     'quadwords apart in a source as in the destination',
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='vISA, no64bitRegioning()')
rule('qword-rows', 'EU-56', LOW_POWER,
     'with 64 bits, or in a product of dwords, rows follow each other',
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='vISA, no64bitRegioning()')
rule('qword-offset', 'EU-56', LOW_POWER,
     "with 64 bits, or in a product of dwords, a source that is no scalar "
     "begins at the destination's sub-register",
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='vISA, no64bitRegioning()')
rule('qword-indirect', 'EU-56', LOW_POWER,
     'no indirect operands with 64 bits, or in a product of dwords',
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='vISA, no64bitRegioning()')
rule('qword-arf', 'EU-56', LOW_POWER,
     'no architecture register but null with 64 bits, or in a product of '
     'dwords',
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='vISA, no64bitRegioning()')
rule('qword-dep-ctrl', 'EU-11', LOW_POWER,
     'no dependency control with 64 bits, or in a product of dwords',
     'BXT vol 7, Register Region Restrictions, 64-bit types',
     evidence='Mesa 2a857104e41')

# --------------------------------------------------------------------------
# Of programs alone: isa_validate.c.

rule('jump-target', 'EU-30', ALL,
     'a jump leads out of the program or between two instructions',
     'SKL vol 7, Instruction Pointer',
     condition=None)
