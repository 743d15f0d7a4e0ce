# SPDX-License-Identifier: MIT
"""Instructions, payloads and messages.

See table.py.
"""
from table import (DESCRIBES, ELSEWHERE, ENFORCED, FAULT, NO_DRIVER, OTHERS,
                   UNSEEN, rule)

rule('EU-01',
     gens='7 75 8 9',
     confidence='H',
     title='Destination and source hazards on GRF and on a0 are covered',
     effect='fine',
     text='Destination and source hazards on GRF (SEND results too) and on '
          'a0 (one scoreboard for the whole register) are covered by '
          'hardware; ALU results retire in order. Nothing to do unless '
          'NoDDClr/NoDDChk is set',
     source='IVB4.3 section 3.7, section 3.3.3',
     status=DESCRIBES)

rule('EU-02',
     gens='7 75 8 9',
     confidence='H',
     title='cr0 without {Switch}',
     effect='undef',
     text='Explicit write to cr0 (as any operand) needs {Switch}, otherwise '
          'instructions already fetched run under the old mode',
     source='IVB4.3 section 3.3.3.8; BRW eu_emit brw_float_controls_mode',
     missing='{Switch}',
     status=ENFORCED)

rule('EU-04',
     gens='7 75 8 9',
     confidence='H',
     title='a part of tm0',
     effect='wrong',
     text='tm0: the event bit tells of a context switch or frequency change '
          'since any part was last read, so read the register whole in one '
          'instruction, NoMask',
     source='IVB4.3 section 3.3.3; BRW get_timestamp',
     missing='all four dwords, NoMask',
     status=ENFORCED)

rule('EU-05',
     gens='7 75',
     confidence='H',
     title='a comparison to null without {Switch}',
     effect='wrong flags',
     text='CMP/CMPN with null destination needs {Switch}. No fault: 1318 '
          'comparisons in the shipped kernels of intel-vaapi-driver have '
          'none',
     source='IVB4.3; BRW eu_emit CMP (WaCMPInstNullDstForcesThreadSwitch)',
     missing='{Switch}',
     status=ENFORCED)

rule('EU-06',
     gens='7',
     confidence='H',
     title='a comparison of 16 channels to registers',
     effect='wrong flags',
     text='SIMD16 CMP with a GRF destination clears its flag dependency too '
          'early: split to SIMD8, or make the destination null',
     source='BRW get_lowered_simd_width (WaCMPInstFlagDepClearedEarly)',
     missing='SIMD8, or a null destination',
     status=ENFORCED)

rule('EU-07',
     gens='8 9',
     confidence='M',
     title='Flags written must be sourced by someone before the EOT send',
     effect='hang, corrupt',
     text='Flags written must be sourced by someone before the EOT send (a '
          'dummy ARF read), else the dependency outlives the thread. 9: no '
          'NoSrcDepSet on the sends just before EOT',
     source='CHV16, SKL16 #262,#265; IGC',
     reason="of compilers IGC alone does it; Mesa's do not",
     status=NO_DRIVER)

rule('EU-09',
     gens='7 75 8 9',
     confidence='H',
     title='a dependency that nothing clears',
     effect='hang (register never released)',
     text='NoDDClr opens a block and NoDDChk continues it; the last '
          'instruction must clear (no NoDDClr) and must execute with at '
          'least one channel: no predicate, not in possibly empty control '
          'flow',
     source='IVB4.3 section 3.7; BRW vec4 opt_set_dependency_control',
     missing='a last write with NoDDChk alone, not predicated, in a straight line',
     status=ENFORCED)

rule('EU-10',
     gens='7 75 8 9',
     confidence='M',
     title='dependency control where it is not safe',
     effect='corrupt, hang',
     text='NoDDChk not on SEND (send does not check its posted '
          'destination), NoDDClr allowed; neither on predicated '
          'instructions, nor around MATH or spilled registers (both found '
          'by experiment)',
     source='IVB4.3; BRW vec4 is_dep_ctrl_unsafe',
     missing='no dependency control',
     status=ENFORCED)

rule('EU-11',
     gens='7 75 8',
     confidence='H',
     title='dependency control with 64-bit operands',
     effect='hang',
     text='No dependency control on 64-bit operands; on Cherryview, '
          'Broxton and Gemini Lake none with DxD multiply, either',
     source='BRW eu_validate 64-bit rules; Mesa 2a857104e41 (hung Gen7)',
     missing='neither NoDDClr nor NoDDChk',
     status=ENFORCED)

rule('EU-12',
     gens='7 75 8 9',
     confidence='H',
     title='a render target reached out of order',
     effect='wrong order of blending',
     text='sendc waits until older threads covering the same pixels have '
          'retired (thread dependency in TDR, at most 8 entries). Use it '
          'for the first render-target write or read, and for interlock; a '
          'plain send first breaks API order',
     source='IVB4.3 section sendc; BRW eu_emit brw_fb_WRITE',
     missing='sendc',
     status=ENFORCED)

rule('EU-14',
     gens='7 75 8 9',
     confidence='H',
     title='EOT send',
     effect='hang',
     text='EOT send: sources r112-r127 (both payloads of sends), null '
          'destination, response length 0; not to sampler or null unit. '
          'Each thread ends exactly once',
     source='IVB4.3 send; BRW eu_validate send_restrictions',
     tested='src/intel/isa/tests/validate_rows.h: { "send-eot"',
     status=FAULT)

rule('EU-15',
     gens='7 75 8 9',
     confidence='H',
     title='a thread that ends by another message',
     effect='hang',
     text='PS ends by an RT write with EOT (last RT bit set); VS/HS/DS/GS '
          'by URB write with EOT; CS/media by thread-spawner EOT (message '
          'header r0). A gateway message wanting an acknowledgement may not '
          'carry EOT',
     source='IVB4.2; IVB4.3',
     missing='the message that the stage ends with',
     status=ENFORCED)

rule('EU-16',
     gens='7 75 8 9',
     confidence='H',
     title='SEND: payload direct, GRF only',
     effect='hang, corrupt',
     text='SEND: payload direct, GRF only (no MRF on 7+); mlen 1..15; rlen '
          'must equal what the message returns; destination null only with '
          'rlen 0 (other than write-commit); no saturate, no cond-mod, no '
          'AccWrEn, no source modifiers',
     source='BRW eu_validate; IVB4.3 send',
     tested='src/intel/isa/tests/validate_rows.h: { "send-mlen"',
     status=FAULT)

rule('EU-17',
     gens='8 9',
     confidence='H',
     title='r127 not a send destination if source and destination overlap',
     effect='corrupt',
     text='r127 not a send destination if source and destination overlap; '
          'IGC keeps r127 out of every return',
     source='BRW eu_validate; IGC',
     tested='src/intel/isa/tests/validate_rows.h: { "send-r127"',
     status=FAULT)

rule('EU-18',
     gens='9',
     confidence='H',
     title='SENDS: src1 GRF/null, direct',
     effect='corrupt',
     text='SENDS: src1 GRF/null, direct; the two payloads may not overlap; '
          'extended mlen + mlen within file',
     source='SKL16 #732; BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "sends-overlap"',
     status=FAULT)

rule('EU-20',
     gens='7 75 8 9',
     confidence='H',
     title='Descriptor register',
     effect='hang',
     text='Descriptor register: 7 only a0.0<0;1,0>:ud. Surface index must '
          'be masked to 8 bits when or-ed in: wild upper bits change '
          'lengths and type',
     source='IVB4.3 section 3.3.3; BRW brw_send_indirect_surface_message',
     reason='what the register has is what the message is: lengths that do '
            'not fit are faults',
     status=OTHERS)

rule('EU-21',
     gens='7 75 8 9',
     confidence='H',
     title='NoMask sends where no channel is alive still run',
     effect='hang, page fault',
     text='NoMask sends where no channel is alive still run: take index '
          'values from a live channel, not lane 0',
     source='BRW emit_uniformize, find_live_channel',
     reason='the lane has what an earlier thread left: EU-73',
     status=OTHERS)

rule('EU-25',
     gens='7 75 8 9',
     confidence='M',
     title='brc or brd without {Switch}',
     effect='undef',
     text='brc/brd need {Switch}. Erratum: immediate offsets only, not '
          'inside if/else/endif',
     source='IVB4.3',
     missing='{Switch}',
     status=ENFORCED)

rule('EU-26',
     gens='8 9',
     confidence='M',
     title='call without {Switch}',
     effect='hang',
     text='call needs {Switch} and a dummy {Switch} instruction on both '
          'return paths',
     source='BDW15, SKL16 #242,#257 WaThreadSwitchAfterCall, '
            'WaCallForcesThreadSwitch; IGC',
     missing='{Switch}',
     status=ENFORCED)

rule('EU-29',
     gens='7 75 8 9',
     confidence='H',
     title='a jmpi of several channels, or under the mask',
     effect='undef, hang',
     text='All flow control is Align1; if/else/endif have one exec size, '
          'also break/cont/while. JMPI: exec size 1, NoMask (CHV: quarter '
          'control Q1 only)',
     source='IVB4.3; CHV16',
     missing='one channel and NoMask',
     status=ENFORCED)

rule('EU-30',
     gens='7 75 8 9',
     confidence='H',
     title='a jump to where no instruction starts',
     effect='hang',
     text='JIP/UIP units: 7/75 64-bit chunks in 16-bit fields; 8+ bytes in '
          '32-bit fields; target must be a (compacted or native) '
          'instruction start inside the kernel',
     source='BRW eu_emit brw_jump_scale; eu_validate',
     missing='the start of an instruction',
     status=ENFORCED)

rule('EU-31',
     gens='7 75 8 9',
     confidence='H',
     effect='hang, sparkles',
     text='HALT: UIP of every HALT is the instruction behind one final HALT '
          'near program end that all channels execute, with that UIP, too; '
          'otherwise some channels never come back',
     source='BRW fs_generator patch_halt_jumps',
     title='where HALT leads',
     missing='the place behind a last HALT that all channels reach',
     status=ENFORCED)

rule('EU-32',
     gens='7 75 8 9',
     confidence='H',
     title='break or cont that leads elsewhere than to a while',
     effect='hang',
     text='break/cont: UIP is the WHILE (7-9), JIP the end of innermost '
          'block; wrong UIP leaves channels stuck',
     source='BRW eu_emit brw_set_uip_jip',
     missing='the WHILE of the loop',
     status=ENFORCED)

rule('EU-34',
     gens='7 75 8 9',
     confidence='H',
     title='Barrier message or WAIT in divergent group never ends',
     effect='hang',
     text='Barrier message or WAIT in divergent group (one thread never '
          'gets there) never ends; barrier count = threads of the group',
     source='IVB4.2 gateway',
     tested='src/intel/sim/tests/cs/test_gpgpu.c: waits for a barrier',
     status=FAULT)

rule('EU-35',
     gens='7 75 8 9',
     confidence='H',
     title='a barrier with more than its id',
     effect='hang',
     text='Barrier payload: all zero, or the same, but dword 2, where the id '
          'copied from r0.2 stays under a mask: CS 27:24 (7,75,8), plus bit 31 on 9; '
          'TCS id from r0.2 15:12 (7) or 16:13 (75+), with barrier count '
          'and enable bit added',
     source='BRW fs_visitor emit_barrier, vec4_generator '
            'generate_tcs_create_barrier_header; IVB4.2; IGC 1.0.12504 (the '
            'id in all dwords)',
     missing='zeros around the id',
     status=ENFORCED)

rule('EU-40',
     gens='7 75 8 9',
     confidence='H',
     title='Region law',
     effect='undef',
     text='Region law: ExecSize >= Width; ExecSize = Width and HStride != 0 '
          '=> VStride = Width*HStride; Width 1 => HStride 0; both 1 => both '
          'strides 0; both strides 0 => Width 1; destination HStride != 0',
     source='IVB4.3 section 3.3.9; BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "region-width"',
     status=FAULT)

rule('EU-41',
     gens='7 75 8 9',
     confidence='H',
     title='Elements inside one Width row may not cross a GRF border',
     effect='corrupt',
     text='Elements inside one Width row may not cross a GRF border; an '
          'operand spans at most two adjacent GRFs; ExecSize*type size <= '
          '64 bytes',
     source='same',
     tested='src/intel/isa/tests/validate_rows.h: { "region-row"',
     status=FAULT)

rule('EU-42',
     gens='7 75 8 9',
     confidence='H',
     title='Destination stride must equal execution size / destination',
     effect='corrupt',
     text='Destination stride must equal execution size / destination type '
          'size, sub-register aligned to execution type; packed-byte '
          'destination only by raw MOV; vector immediates: destination '
          '128-bit aligned, stride word (V/UV) or dword (VF)',
     source='BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "dst-alignment"',
     status=FAULT)

rule('EU-43',
     gens='7 75',
     confidence='H',
     title='Two-register destination',
     effect='corrupt',
     text='Two-register destination: sources span two registers too (except '
          'scalar, and packed W to packed 4-byte type); each destination '
          'register comes from one source register at the same offset',
     source='BRW eu_validate region_alignment_rules',
     tested='src/intel/isa/tests/validate_rows.h: { "src-straddles"',
     status=FAULT)

rule('EU-44',
     gens='7 75 8 9',
     only='Gen9: MATH only',
     confidence='H',
     title='Two-register destination',
     effect='corrupt',
     text='Two-register destination: elements evenly split. Two-register '
          'source with one-register destination (7-8): writes stay in one '
          'OWord half or split evenly',
     source='same',
     tested='src/intel/isa/tests/validate_rows.h: { "dst-even"',
     status=FAULT)

rule('EU-46',
     gens='7 75 8 9',
     confidence='H',
     title='Float and integer types not mixed among sources of one',
     effect='undef',
     text='Float and integer types not mixed among sources of one '
          'instruction (except MOV conversion); src1 type must follow for '
          'immediates; null as source undefined',
     source='IVB4.3; BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "dst-type"',
     status=FAULT)

rule('EU-47',
     gens='7 75 8 9',
     confidence='H',
     title='the second half reads what the first has written',
     effect='wrong',
     text='Compressed (2-register) instruction: second half must not read '
          'what the first half wrote',
     source='IVB4.3 section 3.3; BRW has_source_and_destination_hazard',
     missing='two instructions, or other registers',
     status=ENFORCED)

rule('EU-48',
     gens='7 75',
     confidence='H',
     title='Second half of a compressed instruction uses QtrCtrl+1 (8',
     effect='wrong channels',
     text='Second half of a compressed instruction uses QtrCtrl+1 (8 '
          'channels a register; DF on 75: NibCtrl+1). 7: DF uses the same '
          'mask for both halves, so SIMD4. SIMD32 under masks: low 16 bits '
          'serve both halves',
     source='BRW get_fpu_lowered_simd_width',
     status=DESCRIBES)

rule('EU-49',
     gens='7 75 8 9',
     confidence='H',
     title='SIMD32 with a conditional modifier is forbidden on 7,75',
     effect='wrong flags',
     text='SIMD32 with a conditional modifier is forbidden on 7,75; on 8,9 '
          'for 3-source only',
     source='BRW get_fpu_lowered_simd_width',
     tested='src/intel/isa/tests/validate_rows.h: { "simd32-cond-mod"',
     status=FAULT)

rule('EU-50',
     gens='7',
     confidence='H',
     title='3-source at most SIMD8 for DW types',
     effect='undef',
     text='3-source at most SIMD8 for DW types; 75+ SIMD16. 3-source is '
          'Align16 only, sources GRF, no immediates, no acc, replicate or '
          'swizzle only',
     source='BRW fs; IVB4.3',
     tested='src/intel/isa/tests/validate_rows.h: { "src3-simd16"',
     status=FAULT)

rule('EU-51',
     gens='7 75 8 9',
     confidence='H',
     title='Align16',
     effect='corrupt',
     text='Align16: destination HStride encodes 1; VStride 0 or 4 (7), 0, 2 '
          'or 4 (75+); ExecSize 4/8/16 by pairs of vec4; each destination '
          'register from one source register',
     source='IVB4.3; BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "align16-vstride"',
     status=FAULT)

rule('EU-52',
     gens='8 9',
     confidence='M',
     title='Align16 DF->F from immediate wrong',
     effect='wrong',
     text='Align16 DF->F from immediate wrong; Align16 half-float MAD with '
          'source sub-offset and half-float ddy broken (8); Align16 64-bit '
          'destination with other source type <= SIMD2',
     source='CHV16, SKL16 #671; BRW eu_validate, fs_generator ddy',
     tested='src/intel/isa/tests/validate_rows.h: { "64bit-align16"',
     status=FAULT)

rule('EU-53',
     gens='7 75 8 9',
     confidence='H',
     effect='corrupt',
     text='Indirect: a0 has 8 words on 7,75 (on 7 words 2-7 hold only 12 '
          'bits), 16 on 8,9; destination region 1x1; Vx1/VxH not with exec '
          '32 and one register per channel on 7/75; address must stay in '
          'r0-r127',
     source='IVB4.3 section 3.3; BRW mov_indirect',
     title='more rows than words of addresses',
     missing='8 words on Gen7, 16 since; no 32 channels',
     status=ENFORCED)

rule('EU-54',
     gens='7 75',
     confidence='H',
     effect='wrong register',
     text='Indirect immediate offset: carry out of the low 5 bits of a0+imm '
          'is lost between sub-register and register parts; keep a0 '
          'GRF-aligned or compute whole sum in a0',
     source='BRW fs_generator mov_indirect',
     title='an indirect address whose carry is lost',
     missing='the whole sum in a0',
     status=ENFORCED)

rule('EU-97',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='VxH: each channel has an address register of its own, and the '
          'chip follows those of channels that are off, too. One that is '
          'misaligned for the type or beyond r127 hangs; what such a channel '
          'computes is anything, so the base goes to all of a0 without masks '
          'before the masked sum',
     source='Mesa 45d4665dc74, f93dfb509cb (fs_generator mov_indirect and '
            'shuffle; seen to hang)',
     title='the address of a channel that is off',
     missing='all of a0 written without masks, within the registers, aligned '
             'to the type',
     status=ENFORCED)

rule('EU-55',
     gens='7',
     confidence='H',
     title='64-bit VxH reads two address components per channel',
     effect='wrong',
     text='64-bit VxH reads two address components per channel: emulate by '
          'two 32-bit moves. CHV/BXT: no indirect with 64-bit at all',
     source='BRW fs_generator',
     tested='src/intel/isa/tests/validate_rows.h: { "df-indirect-rows"',
     status=FAULT)

rule('EU-56',
     gens='',
     only='bxt glk chv',
     confidence='H',
     title='64-bit or DxD multiply',
     effect='corrupt',
     text='64-bit or DxD multiply: in Align1 strides, of whole quadwords, and '
          'sub-offsets of source and destination must match but for scalars; '
          'nothing indirect, no ARF but null',
     source='BRW eu_validate; vISA no64bitRegioning()',
     tested='src/intel/isa/tests/validate_rows.h: { "qword-stride"',
     status=FAULT)

rule('EU-57',
     gens='7',
     confidence='H',
     title='DF: regions and exec size are in 32-bit units',
     effect='wrong',
     text='DF: regions and exec size are in 32-bit units (double them); '
          'F->DF ignores odd channels; DF->F writes rubbish in odd dwords. '
          'No 64-bit integers before 8',
     source='BRW fs_generator (IVB DF notes), fs lower_conversions',
     status=DESCRIBES)

rule('EU-58',
     gens='7 75 8 9',
     confidence='H',
     title='No direct conversion between B/UB or HF and 64-bit',
     effect='corrupt',
     text='No direct conversion between B/UB or HF and 64-bit; '
          'integer<->HF: destination dword-strided and aligned; '
          'float->integer rounds toward zero',
     source='BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "hf-int"',
     status=FAULT)

rule('EU-59',
     gens='9',
     confidence='H',
     title='Mixed F/HF: no SIMD16 to F destination, no indirect',
     effect='corrupt',
     text='Mixed F/HF: no SIMD16 to F destination but by MOV, no indirect, '
          'packed HF destination OWord-aligned and <= SIMD8, no acc in '
          'Align16, HF MATH strided',
     source='BRW eu_validate; MOV: what Mesa 25 emits',
     tested='src/intel/isa/tests/validate_rows.h: { "mixed-indirect"',
     status=FAULT)

rule('EU-60',
     gens='75',
     confidence='H',
     title='bfi of more than eight channels',
     effect='wrong',
     text='BFI1/BFI2 SIMD8 only',
     source='BRW fs (WaForceSIMD8ForBFIInstruction)',
     missing='SIMD8',
     status=ENFORCED)

rule('EU-61',
     gens='7 75',
     confidence='H',
     title='f32to16 to another destination',
     effect='wrong',
     text='f32->f16 destination is W, stride 2, dword-aligned',
     source='BRW fs_generator, eu_emit brw_F32TO16',
     missing='W, stride 2, at a dword',
     status=ENFORCED)

rule('EU-62',
     gens='8',
     confidence='M',
     title='csel',
     effect='wrong',
     text='No CSEL (fixed in 9); SMOV byte broken on CHV',
     source='BDW15; CHV16',
     missing='cmp and sel',
     status=ENFORCED)

rule('EU-65',
     gens='7 75 8 9',
     confidence='H',
     title='a product with an accumulator',
     effect='undef',
     text='Explicit acc source only as src0, never in 3-source; no swizzle, '
          'no modifiers on logic ops; source and destination must be the '
          'same acc; reading under another type than written is undefined. '
          'MUL: no acc source on 7,75, no integer acc source on 8,9; 8: DxD '
          'may not write acc',
     source='IVB4.3; BRW eu_validate instruction_restrictions; BXT6',
     missing='a copy, or other types',
     status=ENFORCED)

rule('EU-66',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong',
     text='acc1 holds floats only; integer SIMD16/2nd-quarter implicit '
          'access wrongly selects acc1 on 7: issue MUL/MACH as group 0 '
          'NoMask per 8 channels',
     source='BRW fs lower_mul, fs_generator MACH',
     title='integers in acc1',
     missing='the first eight channels, or floats',
     status=ENFORCED)

rule('EU-67',
     gens='7 75 8 9',
     confidence='H',
     title='an accumulator in math',
     effect='undef',
     text='SEND, MATH, WAIT and flow control may not use acc',
     source='IVB4.3',
     missing='a register',
     status=ENFORCED)

rule('EU-68',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong',
     text='MUL DxD full 32-bit only on 8+ except CHV/BXT (elsewhere src1 '
          'low 16 bits count). D with narrower: D must be src0. No saturate '
          'or cond-mod on D integer multiply. 7: float destination not from '
          'D sources',
     source='BRW fs lower_integer_multiplication, eu_validate',
     title='a product of integers',
     missing='the wider factor first, no saturation, no condition',
     status=ENFORCED)

rule('EU-69',
     gens='8 9',
     confidence='H',
     title='a modified second source of a long product',
     effect='wrong',
     text='src1 modifier on integer MUL/MACH pair wrong: copy first; '
          'negated UD operand overflows',
     source='SKL16 #236 WaAdditionalMovWhenSrc1ModOnMulMach; BRW fs '
            'lower_mulh',
     missing='a copy of the source',
     status=ENFORCED)

rule('EU-71',
     gens='7 75 8 9',
     confidence='H',
     title='CMP requires a conditional modifier',
     effect='undef',
     text='CMP requires a conditional modifier; acc destination only from '
          '8. SEL: either predicate or cond-mod, and cond-mod there writes '
          'no flags',
     source='IVB4.3; BRW eu_validate',
     tested='src/intel/isa/tests/validate_rows.h: { "cond-mod-missing"',
     status=FAULT)

rule('EU-72',
     gens='7 75 8 9',
     confidence='H',
     title='a branch by flags of channels that never wrote them',
     effect='wrong branch',
     text='Flag bits of disabled channels keep old values; ANY/ALL '
          'predicates read the whole group, so initialise the flag for dead '
          'lanes',
     source='BRW fs_nir votes',
     missing='the flag set for all channels of the group before',
     status=ENFORCED)

rule('EU-73',
     gens='7 75 8 9',
     confidence='H',
     title='undefined bits are used',
     effect='non-deterministic',
     text='GRF outside the payload, acc and flag bits start with leftovers '
          'of earlier threads; nothing clears them',
     source='IVB4.3 section 3.2',
     missing='a value in each bit that counts',
     status=ENFORCED)

rule('EU-75',
     gens='7 75 8 9',
     confidence='H',
     title='a header with undefined bits',
     effect='page fault, corruption',
     text='Message headers: reserved dwords 0. Scratch/OWord header dword 5 '
          'carries scratch base in 31:10 and thread id in low bits: mask as '
          'message asks; dword 2 global offset 0 for scattered',
     source='IVB4.2; BRW fs_generator scratch header',
     missing='all dwords of the header that the message reads',
     status=ENFORCED)

rule('EU-76',
     gens='9',
     confidence='M',
     title='SIMD8 URB write with mixed execution masks and mixed channel',
     effect='hang, corrupt',
     text='SIMD8 URB write with mixed execution masks and mixed channel '
          'masks; also a slot in the last OWord of a CL with more than 4 '
          'dwords under mixed masks (address wraps)',
     source='SKL16 #887, #888',
     reason="on Intel's list alone",
     status=NO_DRIVER)

rule('EU-78',
     gens='7 75 8 9',
     confidence='H',
     title='a write beyond the URB entry',
     effect='corruption of other entries',
     text='URB interleaved writes must not overlap; offset in range (0-2047 '
          "rows of HWord, 0-1023 others) and inside the handle's entry",
     source='IVB4.2 URB',
     missing='an offset inside of the entry',
     status=ENFORCED)

rule('EU-79',
     gens='7 75 8',
     confidence='H',
     title='Typed surface messages need a header before 9',
     effect='hang, corrupt',
     text='Typed surface messages need a header before 9; slot masks of '
          'lanes off must be clear',
     source='BRW lower_surface_logical_send',
     tested='src/intel/isa/tests/validate_rows.h: { "message-header"',
     status=FAULT)

rule('EU-80',
     gens='7 75 8 9',
     confidence='H',
     title='Sampler',
     effect='hang, wrong value',
     text='Sampler: parameter 0 always present; header required when '
          'offsets, gather channel, high sampler index (>=16) or partial '
          'writeback are used; header dword 2 reserved bits 0',
     source='IVB4.1; BRW lower_sampler_logical_send',
     tested='src/intel/isa/tests/validate_rows.h: { "message-header"',
     status=FAULT)

rule('EU-81',
     gens='9',
     confidence='M',
     effect='hang',
     text='SIMD16 sample with 16-bit return needs a header; response length '
          '1 in GPGPU mode broken on early steppings',
     source='SKL16 #294, #752',
     title='halves for 16 channels without header',
     missing='a header',
     status=ENFORCED)

rule('EU-82',
     gens='8',
     confidence='H',
     effect='corrupt',
     text='A32 stateless byte-scattered not supported: use A64 or a '
          'surface. A64 has no bounds check at all. OWord block through a '
          'surface: bounds check off on 8',
     source='BDW15 WaNoA32ByteScatteredStatelessMessages',
     title='bytes without a surface',
     missing='64-bit addresses, or a surface',
     status=ENFORCED)

rule('EU-83',
     gens='7 75 8 9',
     confidence='M',
     title='Atomic ops',
     effect='undef',
     text='Atomic ops: untyped 32-bit only through BTI (64-bit A64 from 8 '
          'on); CMPWR2W limits in A64; append-counter messages: '
          'INC/DEC/PREDEC only with header',
     source='SKL16 #284,#285; BDW15',
     reason='messages that a generation does not have are faults',
     status=OTHERS)

rule('EU-85',
     gens='7 75 8 9',
     confidence='H',
     effect='stale',
     text='Memory fence: needs commit (response) and its result must be '
          'read before dependants. 7: images go through the render cache, '
          'so fence both data and render cache. SLM fence may be dropped if '
          'the group is one thread',
     source='BRW eu_emit brw_memory_fence, fs_nir barriers',
     title='a fence that nobody can wait for',
     missing='a commit',
     beside='the render cache on Gen7, as a program may want to order buffers '
            'only; what the thread itself does after the fence',
     status=ENFORCED)

rule('EU-86',
     gens='7 75 8 9',
     confidence='H',
     title='Posted writes to one address through two SFIDs are unordered',
     effect='stale',
     text='Posted writes (no commit) to one address through two SFIDs are '
          'unordered, as are sampler reads after own writes',
     source='IVB1.3; IVB4.3',
     reason='the simulator finishes a message before the next; a race '
            'within a thread has no record',
     status=UNSEEN)

rule('EU-87',
     gens='7 75 8 9',
     confidence='H',
     title='PS: derivative and implicit-LOD samples need helper lanes',
     effect='wrong value, stray writes',
     text='PS: derivative and implicit-LOD samples need helper lanes alive: '
          'whole subspans in the mask. 8+: VectorMaskEnable chooses vmask; '
          'dmask keeps helpers off memory writes',
     source='HVK pipe; BRW fs',
     reason='what lanes that are off would give is EU-73',
     status=OTHERS)

rule('EU-88',
     gens='7 75 8 9',
     confidence='H',
     title='PS with discard',
     effect='stray pixels',
     text='PS with discard: RT write header pixel mask or predicate must '
          'hold the live mask; header present flag must equal mlen layout',
     source='BRW lower_fb_write',
     reason='the mask is that of the message: other pixels; lengths are '
            'message-payload',
     status=OTHERS)

rule('EU-89',
     gens='7 75',
     confidence='H',
     title='Compressed Align1 ddx/ddy regions cross halves',
     effect='wrong',
     text='Compressed Align1 ddx/ddy regions cross halves: use SIMD8 or '
          'Align16',
     source='BRW fs_generator generate_ddy',
     reason='on these chips the second half reads a register further on: '
            'other values',
     status=OTHERS)

rule('EU-90',
     gens='7 75 8 9',
     confidence='H',
     title='Dispatch GRF start, payload order and push length in',
     effect='wrong',
     text='Dispatch GRF start, payload order and push length in the packet '
          'must match what the kernel was compiled for',
     source='BRW; HVK pipe',
     reason='registers that the packet does not fill are EU-73',
     status=OTHERS)

rule('EU-92',
     gens='7 75 8 9',
     confidence='H',
     title='a form that math does not have',
     effect='undef',
     text='Destination GRF with stride 1; sources GRF, direct, no acc; '
          'rounding is nearest-even whatever cr0 says. Source modifiers are '
          'honoured on floats from 7 on (ignored on Gen6). Immediate src1 '
          'only from 8',
     source='IVB4.3 section 6.41; BRW eu_emit gfx6_math',
     missing='registers, stride 1',
     status=ENFORCED)

rule('EU-93',
     gens='7 75 8 9',
     confidence='H',
     title='INT DIV: both D or both UD, no modifiers , not SIMD16',
     effect='wrong, hang',
     text='INT DIV: both D or both UD, no modifiers (SKL16 #270), not '
          'SIMD16; combined quotient+remainder writes dst and dst+1 and can '
          'hang on CHV: split',
     source='IVB4.3; CHV16; BRW get_lowered_simd_width',
     tested='src/intel/isa/tests/validate_rows.h: { "int-div-simd16"',
     status=FAULT)

rule('EU-94',
     gens='8 9',
     confidence='H',
     title='two registers written directly after pow or fdiv',
     effect='corrupt',
     text='POW/FDIV must not be followed at once by an instruction writing '
          'two registers: put a nop between',
     source='BRW fs_generator; IGC FdivPowWA',
     missing='a nop between',
     status=ENFORCED)

rule('EU-95',
     gens='7 75 8 9',
     confidence='M',
     effect='wrong',
     text='FDIV not in ALT mode; both operands NaN gives the denominator '
          '(SKL16 #241); denormal FDIV wrong on 8',
     source='IVB4.3; BDW15, CHV16',
     title='a division in ALT mode',
     missing='IEEE mode',
     status=ENFORCED)

rule('EU-96',
     gens='8 9',
     confidence='M',
     title='HF operands only from 9 in Mesa, and then SIMD8',
     effect='undef',
     text='HF operands only from 9 in Mesa, and then SIMD8; F elsewhere',
     source='BRW eu_emit gfx6_math, fs get_lowered_simd_width',
     tested='src/intel/isa/tests/validate_rows.h: { "dst-type"',
     status=FAULT)

rule('EU-98',
     gens='9',
     confidence='H',
     title="a thread's own memory, coherent with the CPU",
     effect='slow; early steppings hang',
     text="A thread's own memory is reached by the index that is not "
          'coherent with the CPU (253), not by 255: Gen8 makes no difference '
          'between them, as its kernel switches coherence off',
     source='Mesa 55ffa64daf7 (a third faster; a GT4 before production hung)',
     missing='binding table index 253',
     status=ENFORCED)

rule('EU-99',
     gens='7 75 8 9',
     confidence='M',
     title='what a manual forbids and others ship',
     effect='none known',
     text='A form that only a sentence of a manual forbids: shipped programs '
          'have it, on all chips that were sold (each rule of single '
          'instructions whose severity is strict; the report begins with '
          'its name)',
     source='the rows of src/intel/isa/isa_rules.py',
     missing='what the rule named first asks for',
     status=ENFORCED)
