# SPDX-License-Identifier: MIT
"""Tokenized program format ("TPF") of Direct3D 10 to 12, SM4 to SM5.1, as
rows.

Everything that reads, writes, prints, checks or translates the format takes
its facts from here. Numbers: the Direct3D 11 tokenized program format of the
Windows Driver Kit; what compilers emit agrees with them (tests).

Versions are major * 10 + minor: 40, 41, 50, 51.
"""

import re
from dataclasses import dataclass, field

STAGES = ('ps', 'vs', 'gs', 'hs', 'ds', 'cs')
ANY = frozenset(STAGES)
VERSIONS = (40, 41, 50, 51)


@dataclass
class Op:
    """One instruction: what stands after its token and what it does.

    `operands`, a letter each, in the order of the tokens:
      F I U B D  destination: float, int, uint, any bits, double
      f i u b d  source of that type
      t          a resource, UAV or shared memory     s  a sampler
      M          memory that is written through a mask
      o          the register that is declared        l  a label
      n x        a dword that is a number, a float    r  four return types
    `control`: what bits 11 to 23 hold, see CONTROLS.
    `sem`: map (per component), dot, dual (two results), double, flow, tex,
    mem, decl, data, special.
    `nir` makes the result from s[0], s[1]...
    """
    id: str
    code: int
    operands: str
    sem: str
    nir: str = None
    control: str = 'none'
    since: int = 40
    stages: frozenset = ANY
    flags: frozenset = field(default_factory=frozenset)
    name: str = None


# Bits of the opcode token that a control may use; every instruction but a
# declaration may have `precise`, bits 19-22, as well.
CONTROLS = {
    'none': 0, 'sat': 0x2000, 'test': 0x40000,
    'resinfo': 0x1800, 'sampleinfo': 0x800, 'sync': 0x7800,
    'dim': 0x7ff800, 'access': 0x800, 'sampler': 0x7800, 'flags': 0xfff800,
    'interp': 0x7800, 'topology': 0x1f800, 'primitive': 0x1f800,
    'count': 0x1f800, 'domain': 0x1800, 'partition': 0x3800,
    'outprim': 0x3800, 'uav': 0x3f800, 'rawuav': 0x30000,
    'structuav': 0x830000, 'class': 0, 'interface': 0x800,
}
PRECISE = 0x780000

OPCODES = []


def _op(id, code, operands='', sem='special', nir=None, **more):
    more['flags'] = frozenset(more.get('flags', '').split())
    if 'stages' in more:
        more['stages'] = frozenset(more['stages'].split())
    OPCODES.append(Op(id, code, operands, sem, nir, **more))


def _map(id, code, operands, nir, **more):
    """Arithmetic: floats and doubles may saturate."""
    sem = 'double' if set(operands) & set('Dd') else 'map'
    if operands[0] in 'FBD':
        more.setdefault('control', 'sat')
    more['flags'] = 'alu ' + more.get('flags', '')
    _op(id, code, operands, sem, nir, **more)


def _dual(id, code, operands, nir, **more):
    _op(id, code, operands, 'dual', nir, flags='alu',
        control='sat' if operands[0] == 'F' else 'none', **more)


def _flow(id, code, operands='', flags='', **more):
    _op(id, code, operands, 'flow', flags=flags, **more)


def _tex(id, code, operands, **more):
    more['flags'] = 'alu ' + more.get('flags', '')
    _op(id, code, operands, 'tex', **more)


def _mem(id, code, operands, since=50, **more):
    _op(id, code, operands, 'mem', since=since, **more)


def _eval(id, code, operands):
    _op(id, code, operands, 'eval', since=50, stages=PS, flags='alu')


def _status(id, code, operands, sem='tex', **more):
    """Its second destination takes the status of what it touched."""
    more['flags'] = 'status ' + more.get('flags', '')
    _op(id, code, operands, sem, since=50, **more)


def _dcl(id, code, operands='', **more):
    _op(id, code, operands, 'decl', **more)


GS, HS, PS, CS = 'gs', 'hs', 'ps', 'cs'
PSCS = 'ps cs'

_map('add', 0, 'Fff', 'nir_fadd(b, s[0], s[1])')
_map('and', 1, 'Uuu', 'nir_iand(b, s[0], s[1])')
_flow('break', 2)
_flow('breakc', 3, 'u', control='test')
_flow('call', 4, 'l')
_flow('callc', 5, 'ul', control='test')
_flow('case', 6, 'u')
_flow('continue', 7)
_flow('continuec', 8, 'u', control='test')
_op('cut', 9, stages=GS)
_flow('default', 10)
_map('deriv_rtx', 11, 'Ff', 'nir_fddx(b, s[0])', stages=PS)
_map('deriv_rty', 12, 'Ff', 'nir_fddy(b, s[0])', stages=PS)
_op('discard', 13, 'u', control='test', stages=PS)
_map('div', 14, 'Fff', 'nir_fdiv(b, s[0], s[1])')
for n in (2, 3, 4):
    _op('dp%d' % n, 13 + n, 'Fff', 'dot', 'tpf_dot(t, s[0], s[1], %d)' % n,
        control='sat', flags='alu')
_flow('else', 18, flags='else')
_op('emit', 19, stages=GS)
_op('emit_then_cut', 20, stages=GS)
_flow('endif', 21, flags='close')
_flow('endloop', 22, flags='close')
_flow('endswitch', 23, flags='close')
_map('eq', 24, 'Uff', 'tpf_bool(t, nir_feq(b, s[0], s[1]))')
_map('exp', 25, 'Ff', 'nir_fexp2(b, s[0])')
_map('frc', 26, 'Ff', 'nir_ffract(b, s[0])')
_map('ftoi', 27, 'If', 'nir_f2i32(b, s[0])')
_map('ftou', 28, 'Uf', 'nir_f2u32(b, s[0])')
_map('ge', 29, 'Uff', 'tpf_bool(t, nir_fge(b, s[0], s[1]))')
_map('iadd', 30, 'Iii', 'nir_iadd(b, s[0], s[1])')
_flow('if', 31, 'u', control='test', flags='open')
_map('ieq', 32, 'Uii', 'tpf_bool(t, nir_ieq(b, s[0], s[1]))')
_map('ige', 33, 'Uii', 'tpf_bool(t, nir_ige(b, s[0], s[1]))')
_map('ilt', 34, 'Uii', 'tpf_bool(t, nir_ilt(b, s[0], s[1]))')
_map('imad', 35, 'Iiii', 'nir_iadd(b, nir_imul(b, s[0], s[1]), s[2])')
_map('imax', 36, 'Iii', 'nir_imax(b, s[0], s[1])')
_map('imin', 37, 'Iii', 'nir_imin(b, s[0], s[1])')
_dual('imul', 38, 'IIii', ('nir_imul_high(b, s[0], s[1])',
                           'nir_imul(b, s[0], s[1])'))
_map('ine', 39, 'Uii', 'tpf_bool(t, nir_ine(b, s[0], s[1]))')
_map('ineg', 40, 'Ii', 'nir_ineg(b, s[0])')
_map('ishl', 41, 'Iiu', 'nir_ishl(b, s[0], s[1])')
_map('ishr', 42, 'Iiu', 'nir_ishr(b, s[0], s[1])')
_map('itof', 43, 'Fi', 'nir_i2f32(b, s[0])')
_flow('label', 44, 'l')
_tex('ld', 45, 'Bit')
_tex('ld_ms', 46, 'Biti', name='ldms')
_map('log', 47, 'Ff', 'nir_flog2(b, s[0])')
_flow('loop', 48, flags='open loop')
_map('lt', 49, 'Uff', 'tpf_bool(t, nir_flt(b, s[0], s[1]))')
_map('mad', 50, 'Ffff', 'nir_ffma(b, s[0], s[1], s[2])')
_map('min', 51, 'Fff', 'nir_fmin(b, s[0], s[1])')
_map('max', 52, 'Fff', 'nir_fmax(b, s[0], s[1])')
_op('customdata', 53, '', 'data', control='class')
_map('mov', 54, 'Bb', 's[0]')
_map('movc', 55, 'Bubb',
     'nir_bcsel(b, nir_ine(b, s[0], nir_imm_int(b, 0)), s[1], s[2])')
_map('mul', 56, 'Fff', 'nir_fmul(b, s[0], s[1])')
_map('ne', 57, 'Uff', 'tpf_bool(t, nir_fneu(b, s[0], s[1]))')
_op('nop', 58)
_map('not', 59, 'Uu', 'nir_inot(b, s[0])')
_map('or', 60, 'Uuu', 'nir_ior(b, s[0], s[1])')
_tex('resinfo', 61, 'Bit', control='resinfo')
_flow('ret', 62)
_flow('retc', 63, 'u', control='test')
_map('round_ne', 64, 'Ff', 'nir_fround_even(b, s[0])')
_map('round_ni', 65, 'Ff', 'nir_ffloor(b, s[0])')
_map('round_pi', 66, 'Ff', 'nir_fceil(b, s[0])')
_map('round_z', 67, 'Ff', 'nir_ftrunc(b, s[0])')
_map('rsq', 68, 'Ff', 'nir_frsq(b, s[0])')
_tex('sample', 69, 'Bfts', stages=PS, flags='derivative')
_tex('sample_c', 70, 'Bftsf', stages=PS, flags='derivative')
_tex('sample_c_lz', 71, 'Bftsf')
_tex('sample_l', 72, 'Bftsf')
_tex('sample_d', 73, 'Bftsff')
_tex('sample_b', 74, 'Bftsf', stages=PS, flags='derivative')
_map('sqrt', 75, 'Ff', 'nir_fsqrt(b, s[0])')
_flow('switch', 76, 'u', flags='open')
_dual('sincos', 77, 'FFf', ('nir_fsin(b, s[0])', 'nir_fcos(b, s[0])'))
_dual('udiv', 78, 'UUuu', ('tpf_udiv(t, s[0], s[1])',
                           'tpf_umod(t, s[0], s[1])'))
_map('ult', 79, 'Uuu', 'tpf_bool(t, nir_ult(b, s[0], s[1]))')
_map('uge', 80, 'Uuu', 'tpf_bool(t, nir_uge(b, s[0], s[1]))')
_dual('umul', 81, 'UUuu', ('nir_umul_high(b, s[0], s[1])',
                           'nir_imul(b, s[0], s[1])'))
_map('umad', 82, 'Uuuu', 'nir_iadd(b, nir_imul(b, s[0], s[1]), s[2])')
_map('umax', 83, 'Uuu', 'nir_umax(b, s[0], s[1])')
_map('umin', 84, 'Uuu', 'nir_umin(b, s[0], s[1])')
_map('ushr', 85, 'Uuu', 'nir_ushr(b, s[0], s[1])')
_map('utof', 86, 'Fu', 'nir_u2f32(b, s[0])')
_map('xor', 87, 'Uuu', 'nir_ixor(b, s[0], s[1])')
_dcl('dcl_resource', 88, 'or', control='dim')
_dcl('dcl_constant_buffer', 89, 'o', control='access',
     name='dcl_constantbuffer')
_dcl('dcl_sampler', 90, 'o', control='sampler')
_dcl('dcl_index_range', 91, 'on', name='dcl_indexrange')
_dcl('dcl_output_topology', 92, control='topology', stages=GS,
     name='dcl_outputtopology')
_dcl('dcl_input_primitive', 93, control='primitive', stages=GS,
     name='dcl_inputprimitive')
_dcl('dcl_max_output_vertex_count', 94, 'n', stages=GS, name='dcl_maxout')
_dcl('dcl_input', 95, 'o')
_dcl('dcl_input_sgv', 96, 'on')
_dcl('dcl_input_siv', 97, 'on')
_dcl('dcl_input_ps', 98, 'o', control='interp', stages=PS)
_dcl('dcl_input_ps_sgv', 99, 'on', control='interp', stages=PS)
_dcl('dcl_input_ps_siv', 100, 'on', control='interp', stages=PS)
_dcl('dcl_output', 101, 'o')
_dcl('dcl_output_sgv', 102, 'on')
_dcl('dcl_output_siv', 103, 'on')
_dcl('dcl_temps', 104, 'n')
_dcl('dcl_indexable_temp', 105, 'nnn', name='dcl_indexableTemp')
_dcl('dcl_global_flags', 106, control='flags', name='dcl_globalFlags')
_tex('lod', 108, 'Ffts', since=41, stages=PS, flags='derivative')
_tex('gather4', 109, 'Bfts', since=41)
_tex('sample_pos', 110, 'Fti', since=41, name='samplepos')
_tex('sample_info', 111, 'Bt', since=41, control='sampleinfo',
     name='sampleinfo')
_flow('hs_decls', 113, since=50, stages=HS)
_flow('hs_control_point_phase', 114, since=50, stages=HS)
_flow('hs_fork_phase', 115, since=50, stages=HS)
_flow('hs_join_phase', 116, since=50, stages=HS)
_op('emit_stream', 117, 't', since=50, stages=GS)
_op('cut_stream', 118, 't', since=50, stages=GS)
_op('emit_then_cut_stream', 119, 't', since=50, stages=GS)
_op('interface_call', 120, 'nt', since=50, name='fcall')
_mem('bufinfo', 121, 'Ut')
_map('deriv_rtx_coarse', 122, 'Ff', 'nir_fddx_coarse(b, s[0])', since=50,
     stages=PS)
_map('deriv_rtx_fine', 123, 'Ff', 'nir_fddx_fine(b, s[0])', since=50,
     stages=PS)
_map('deriv_rty_coarse', 124, 'Ff', 'nir_fddy_coarse(b, s[0])', since=50,
     stages=PS)
_map('deriv_rty_fine', 125, 'Ff', 'nir_fddy_fine(b, s[0])', since=50,
     stages=PS)
_tex('gather4_c', 126, 'Bftsf', since=50)
_tex('gather4_po', 127, 'Bfits', since=50)
_tex('gather4_po_c', 128, 'Bfitsf', since=50)
_map('rcp', 129, 'Ff', 'nir_frcp(b, s[0])', since=50)
_map('f32tof16', 130, 'Uf',
     'nir_pack_half_2x16_split(b, s[0], nir_imm_float(b, 0.0f))', since=50)
_map('f16tof32', 131, 'Fu', 'nir_unpack_half_2x16_split_x(b, s[0])',
     since=50, control='none')
_dual('uaddc', 132, 'UUuu', ('nir_iadd(b, s[0], s[1])',
                             'nir_uadd_carry(b, s[0], s[1])'), since=50)
_dual('usubb', 133, 'UUuu', ('nir_isub(b, s[0], s[1])',
                             'nir_usub_borrow(b, s[0], s[1])'), since=50)
_map('countbits', 134, 'Uu', 'nir_bit_count(b, s[0])', since=50)
_map('firstbit_hi', 135, 'Uu', 'nir_ufind_msb_rev(b, s[0])', since=50)
_map('firstbit_lo', 136, 'Uu', 'nir_find_lsb(b, s[0])', since=50)
_map('firstbit_shi', 137, 'Ui', 'nir_ifind_msb_rev(b, s[0])', since=50)
_map('ubfe', 138, 'Uuuu', 'nir_ubfe(b, s[2], s[1], s[0])', since=50)
_map('ibfe', 139, 'Iuui', 'nir_ibfe(b, s[2], s[1], s[0])', since=50)
_map('bfi', 140, 'Uuuuu',
     'nir_bfi(b, nir_bfm(b, s[0], s[1]), s[2], s[3])', since=50)
_map('bfrev', 141, 'Uu', 'nir_bitfield_reverse(b, s[0])', since=50)
_dual('swapc', 142, 'BBubb', (
    'nir_bcsel(b, nir_ine(b, s[0], nir_imm_int(b, 0)), s[2], s[1])',
    'nir_bcsel(b, nir_ine(b, s[0], nir_imm_int(b, 0)), s[1], s[2])'),
    since=50)
_dcl('dcl_stream', 143, 'o', since=50, stages=GS)
_dcl('dcl_function_body', 144, 'n', since=50)
_dcl('dcl_function_table', 145, 'n*', since=50)
_dcl('dcl_interface', 146, 'n*', since=50, control='interface')
_dcl('dcl_input_control_point_count', 147, control='count', since=50)
_dcl('dcl_output_control_point_count', 148, control='count', since=50,
     stages=HS)
_dcl('dcl_tess_domain', 149, control='domain', since=50,
     name='dcl_tessellator_domain')
_dcl('dcl_tess_partitioning', 150, control='partition', since=50,
     stages=HS, name='dcl_tessellator_partitioning')
_dcl('dcl_tess_output_primitive', 151, control='outprim', since=50,
     stages=HS, name='dcl_tessellator_output_primitive')
_dcl('dcl_hs_max_tessfactor', 152, 'x', since=50, stages=HS)
_dcl('dcl_hs_fork_phase_instance_count', 153, 'n', since=50, stages=HS)
_dcl('dcl_hs_join_phase_instance_count', 154, 'n', since=50, stages=HS)
# Compute shaders came to 4_0 and 4_1 with Direct3D 11.
_dcl('dcl_thread_group', 155, 'nnn', stages=CS)
_dcl('dcl_uav_typed', 156, 'or', control='uav', since=50)
_dcl('dcl_uav_raw', 157, 'o', control='rawuav')
_dcl('dcl_uav_structured', 158, 'on', control='structuav')
_dcl('dcl_tgsm_raw', 159, 'on', stages=CS)
_dcl('dcl_tgsm_structured', 160, 'onn', stages=CS)
_dcl('dcl_resource_raw', 161, 'o')
_dcl('dcl_resource_structured', 162, 'on')
_mem('ld_uav_typed', 163, 'Bit')
_mem('store_uav_typed', 164, 'Mib')
_mem('ld_raw', 165, 'But', since=40)
_mem('store_raw', 166, 'Mub', since=40)
_mem('ld_structured', 167, 'Buut', since=40)
_mem('store_structured', 168, 'Muub', since=40)
for n, name in enumerate(('and', 'or', 'xor', 'cmp_store', 'iadd', 'imax',
                          'imin', 'umax', 'umin')):
    _mem('atomic_' + name, 169 + n,
         'tuuu' if name == 'cmp_store' else 'tuu')
_mem('imm_atomic_alloc', 178, 'Ut')
_mem('imm_atomic_consume', 179, 'Ut')
for n, name in enumerate(('iadd', 'and', 'or', 'xor', 'exch', 'cmp_exch',
                          'imax', 'imin', 'umax', 'umin')):
    _mem('imm_atomic_' + name, 180 + n,
         'Utuuu' if name == 'cmp_exch' else 'Utuu')
_mem('sync', 190, '', control='sync', since=40)
_map('dadd', 191, 'Ddd', 'nir_fadd(b, s[0], s[1])', since=50)
_map('dmax', 192, 'Ddd', 'nir_fmax(b, s[0], s[1])', since=50)
_map('dmin', 193, 'Ddd', 'nir_fmin(b, s[0], s[1])', since=50)
_map('dmul', 194, 'Ddd', 'nir_fmul(b, s[0], s[1])', since=50)
_map('deq', 195, 'Udd', 'tpf_bool(t, nir_feq(b, s[0], s[1]))', since=50)
_map('dge', 196, 'Udd', 'tpf_bool(t, nir_fge(b, s[0], s[1]))', since=50)
_map('dlt', 197, 'Udd', 'tpf_bool(t, nir_flt(b, s[0], s[1]))', since=50)
_map('dne', 198, 'Udd', 'tpf_bool(t, nir_fneu(b, s[0], s[1]))', since=50)
_map('dmov', 199, 'Dd', 's[0]', since=50)
_map('dmovc', 200, 'Dudd',
     'nir_bcsel(b, nir_ine(b, s[0], nir_imm_int(b, 0)), s[1], s[2])',
     since=50)
_map('dtof', 201, 'Fd', 'nir_f2f32(b, s[0])', since=50)
_map('ftod', 202, 'Df', 'nir_f2f64(b, s[0])', since=50)
_eval('eval_snapped', 203, 'Ffi')
_eval('eval_sample_index', 204, 'Ffi')
_eval('eval_centroid', 205, 'Ff')
_dcl('dcl_gs_instance_count', 206, 'n', since=50, stages=GS,
     name='dcl_gsinstances')
_op('abort', 207, since=50)
_op('debug_break', 208, since=50)
_map('ddiv', 210, 'Ddd', 'nir_fdiv(b, s[0], s[1])', since=50)
_map('dfma', 211, 'Dddd', 'nir_ffma(b, s[0], s[1], s[2])', since=50)
_map('drcp', 212, 'Dd', 'nir_frcp(b, s[0])', since=50)
_map('msad', 213, 'Uuuu', 'tpf_msad(t, s[0], s[1], s[2])', since=50)
_map('dtoi', 214, 'Id', 'nir_f2i32(b, s[0])', since=50)
_map('dtou', 215, 'Ud', 'nir_f2u32(b, s[0])', since=50)
_map('itod', 216, 'Di', 'nir_i2f64(b, s[0])', since=50)
_map('utod', 217, 'Du', 'nir_u2f64(b, s[0])', since=50)
# Tiled resources: the same with a status, and a least level of detail.
_status('gather4_s', 219, 'BUfts')
_status('gather4_c_s', 220, 'BUftsf')
_status('gather4_po_s', 221, 'BUfits')
_status('gather4_po_c_s', 222, 'BUfitsf')
_status('ld_s', 223, 'BUit')
_status('ld_ms_s', 224, 'BUiti', name='ldms_s')
_status('ld_uav_typed_s', 225, 'BUit', sem='mem')
_status('ld_raw_s', 226, 'BUut', sem='mem')
_status('ld_structured_s', 227, 'BUuut', sem='mem')
_status('sample_l_s', 228, 'BUftsf')
_status('sample_c_lz_s', 229, 'BUftsf')
_status('sample_cl_s', 230, 'BUftsf', stages=PS, flags='derivative')
_status('sample_b_cl_s', 231, 'BUftsff', stages=PS, flags='derivative')
_status('sample_d_cl_s', 232, 'BUftsfff')
_status('sample_c_cl_s', 233, 'BUftsff', stages=PS, flags='derivative')
_map('check_access_mapped', 234, 'Uu', 's[0]', since=50)

NUM_CODES = 235

# Register files: id, number, text, indices (least, most), what may be done.
# kind: data (four components), scalar or vector that is there once, memory.
FILES = [
    # id, code, text, least, most, read, write
    ('r', 0, 'r', 1, 1, True, True),
    ('v', 1, 'v', 1, 2, True, False),
    ('o', 2, 'o', 1, 2, True, True),
    ('x', 3, 'x', 2, 2, True, True),
    ('imm32', 4, 'l', 0, 0, True, False),
    ('imm64', 5, 'd', 0, 0, True, False),
    ('s', 6, 's', 1, 1, False, False),
    ('t', 7, 't', 1, 1, False, False),
    ('cb', 8, 'cb', 2, 2, True, False),
    ('icb', 9, 'icb', 1, 1, True, False),
    ('label', 10, 'label', 1, 1, False, False),
    ('v_prim', 11, 'vPrim', 0, 0, True, False),
    ('o_depth', 12, 'oDepth', 0, 0, False, True),
    ('null', 13, 'null', 0, 0, False, True),
    ('rasterizer', 14, 'rasterizer', 0, 0, False, False),
    ('o_mask', 15, 'oMask', 0, 0, False, True),
    ('m', 16, 'm', 1, 1, False, False),
    ('fb', 17, 'fb', 1, 1, False, False),
    ('ft', 18, 'ft', 1, 1, False, False),
    ('fp', 19, 'fp', 1, 2, False, False),
    ('v_output_control_point_id', 22, 'vOutputControlPointID', 0, 0, True,
     False),
    ('v_fork_instance_id', 23, 'vForkInstanceID', 0, 0, True, False),
    ('v_join_instance_id', 24, 'vJoinInstanceID', 0, 0, True, False),
    ('vicp', 25, 'vicp', 1, 2, True, False),
    ('vocp', 26, 'vocp', 1, 2, True, False),
    ('vpc', 27, 'vpc', 1, 2, True, False),
    ('v_domain', 28, 'vDomain', 0, 0, True, False),
    ('this', 29, 'this', 1, 2, True, False),
    ('u', 30, 'u', 1, 1, False, False),
    ('g', 31, 'g', 1, 1, False, False),
    ('v_thread_id', 32, 'vThreadID', 0, 0, True, False),
    ('v_thread_group_id', 33, 'vThreadGroupID', 0, 0, True, False),
    ('v_thread_id_in_group', 34, 'vThreadIDInGroup', 0, 0, True, False),
    ('v_coverage', 35, 'vCoverage', 0, 0, True, False),
    ('v_thread_id_in_group_flattened', 36, 'vThreadIDInGroupFlattened', 0, 0,
     True, False),
    ('v_gs_instance_id', 37, 'vGSInstanceID', 0, 0, True, False),
    ('o_depth_ge', 38, 'oDepthGE', 0, 0, False, True),
    ('o_depth_le', 39, 'oDepthLE', 0, 0, False, True),
    ('v_cycle_counter', 40, 'vCycleCounter', 0, 0, True, False),
    ('o_stencil_ref', 41, 'oStencilRef', 0, 0, False, True),
    ('v_inner_coverage', 42, 'vInnerCoverage', 0, 0, True, False),
]

# Values that the pipeline gives a meaning, by number.
NAMES = [
    'undefined', 'position', 'clip_distance', 'cull_distance',
    'rendertarget_array_index', 'viewport_array_index', 'vertex_id',
    'primitive_id', 'instance_id', 'is_front_face', 'sampleIndex',
    'finalQuadUeq0EdgeTessFactor', 'finalQuadVeq0EdgeTessFactor',
    'finalQuadUeq1EdgeTessFactor', 'finalQuadVeq1EdgeTessFactor',
    'finalQuadUInsideTessFactor', 'finalQuadVInsideTessFactor',
    'finalTriUeq0EdgeTessFactor', 'finalTriVeq0EdgeTessFactor',
    'finalTriWeq0EdgeTessFactor', 'finalTriInsideTessFactor',
    'finalLineDetailTessFactor', 'finalLineDensityTessFactor',
]
# Resource dimensions: text, sampler dimension of NIR, array, coordinates.
DIMS = [
    ('unknown', None, 0, 0), ('buffer', 'BUF', 0, 1),
    ('texture1d', '1D', 0, 1), ('texture2d', '2D', 0, 2),
    ('texture2dms', 'MS', 0, 2), ('texture3d', '3D', 0, 3),
    ('texturecube', 'CUBE', 0, 3), ('texture1darray', '1D', 1, 2),
    ('texture2darray', '2D', 1, 3), ('texture2dmsarray', 'MS', 1, 3),
    ('texturecubearray', 'CUBE', 1, 4), ('raw_buffer', None, 0, 1),
    ('structured_buffer', None, 0, 1),
]
RETURN_TYPES = [None, 'unorm', 'snorm', 'sint', 'uint', 'float', 'mixed',
                'double', '<continued>', 'unused']
INTERPOLATIONS = ['', 'constant', 'linear', 'linear centroid',
                  'linear noperspective', 'linear noperspective centroid',
                  'linear sample', 'linear noperspective sample']
# Bits from 11 on.
GLOBAL_FLAGS = [
    'refactoringAllowed', 'enableDoublePrecisionFloatOps',
    'forceEarlyDepthStencil', 'enableRawAndStructuredBuffers',
    'skipOptimization', 'enableMinimumPrecision',
    'enable11_1DoubleExtensions', 'enable11_1ShaderExtensions',
]
SAMPLER_MODES = ['mode_default', 'mode_comparison', 'mode_mono']
TOPOLOGIES = [None, 'pointlist', 'linelist', 'linestrip', 'trianglelist',
              'trianglestrip']
PRIMITIVES = [None, 'point', 'line', 'triangle', None, None, 'lineadj',
              'triangleadj']
DOMAINS = [None, 'domain_isoline', 'domain_tri', 'domain_quad']
PARTITIONS = [None, 'partitioning_integer', 'partitioning_pow2',
              'partitioning_fractional_odd', 'partitioning_fractional_even']
OUTPUT_PRIMITIVES = [None, 'output_point', 'output_line',
                     'output_triangle_cw', 'output_triangle_ccw']

# What the writer makes of NIR: opcode, bits of the first source, ours, and
# the operands in their order: d the result, 0 to 3 a source, n nothing (null);
# - before a source negates it, | takes its absolute value; #hex is an
# immediate.
SELECT = [
    ('mov', 32, 'mov', 'd 0'), ('fneg', 32, 'mov', 'd -0'),
    ('fabs', 32, 'mov', 'd |0'), ('fsat', 32, 'mov_sat', 'd 0'),
    ('fadd', 32, 'add', 'd 0 1'), ('fsub', 32, 'add', 'd 0 -1'),
    ('fmul', 32, 'mul', 'd 0 1'), ('fdiv', 32, 'div', 'd 0 1'),
    ('fdot2', 32, 'dp2', 'd 0 1'), ('fdot3', 32, 'dp3', 'd 0 1'),
    ('fdot4', 32, 'dp4', 'd 0 1'),
    ('ffma', 32, 'mad', 'd 0 1 2'), ('fmin', 32, 'min', 'd 0 1'),
    ('fmax', 32, 'max', 'd 0 1'), ('frcp', 32, 'rcp', 'd 0'),
    ('frsq', 32, 'rsq', 'd 0'), ('fsqrt', 32, 'sqrt', 'd 0'),
    ('fexp2', 32, 'exp', 'd 0'), ('flog2', 32, 'log', 'd 0'),
    ('ffract', 32, 'frc', 'd 0'), ('ffloor', 32, 'round_ni', 'd 0'),
    ('fceil', 32, 'round_pi', 'd 0'), ('ftrunc', 32, 'round_z', 'd 0'),
    ('fround_even', 32, 'round_ne', 'd 0'),
    ('fsin', 32, 'sincos', 'd n 0'), ('fcos', 32, 'sincos', 'n d 0'),
    ('fddx', 32, 'deriv_rtx', 'd 0'), ('fddy', 32, 'deriv_rty', 'd 0'),
    ('fddx_coarse', 32, 'deriv_rtx_coarse', 'd 0'),
    ('fddy_coarse', 32, 'deriv_rty_coarse', 'd 0'),
    ('fddx_fine', 32, 'deriv_rtx_fine', 'd 0'),
    ('fddy_fine', 32, 'deriv_rty_fine', 'd 0'),
    ('flt32', 32, 'lt', 'd 0 1'), ('fge32', 32, 'ge', 'd 0 1'),
    ('feq32', 32, 'eq', 'd 0 1'), ('fneu32', 32, 'ne', 'd 0 1'),
    ('ilt32', 32, 'ilt', 'd 0 1'), ('ige32', 32, 'ige', 'd 0 1'),
    ('ieq32', 32, 'ieq', 'd 0 1'), ('ine32', 32, 'ine', 'd 0 1'),
    ('ult32', 32, 'ult', 'd 0 1'), ('uge32', 32, 'uge', 'd 0 1'),
    ('iadd', 32, 'iadd', 'd 0 1'), ('isub', 32, 'iadd', 'd 0 -1'),
    ('ineg', 32, 'ineg', 'd 0'), ('imul', 32, 'imul', 'n d 0 1'),
    ('iabs', 32, 'imax', 'd 0 -0'), ('imin', 32, 'imin', 'd 0 1'),
    ('imax', 32, 'imax', 'd 0 1'), ('umin', 32, 'umin', 'd 0 1'),
    ('umax', 32, 'umax', 'd 0 1'), ('imul_high', 32, 'imul', 'd n 0 1'),
    ('umul_high', 32, 'umul', 'd n 0 1'), ('udiv', 32, 'udiv', 'd n 0 1'),
    ('umod', 32, 'udiv', 'n d 0 1'), ('uadd_carry', 32, 'uaddc', 'n d 0 1'),
    ('usub_borrow', 32, 'usubb', 'n d 0 1'),
    ('iand', 32, 'and', 'd 0 1'), ('ior', 32, 'or', 'd 0 1'),
    ('ixor', 32, 'xor', 'd 0 1'), ('inot', 32, 'not', 'd 0'),
    ('ishl', 32, 'ishl', 'd 0 1'), ('ishr', 32, 'ishr', 'd 0 1'),
    ('ushr', 32, 'ushr', 'd 0 1'),
    ('i2f32', 32, 'itof', 'd 0'), ('u2f32', 32, 'utof', 'd 0'),
    ('f2i32', 32, 'ftoi', 'd 0'), ('f2u32', 32, 'ftou', 'd 0'),
    ('i2i32', 32, 'mov', 'd 0'), ('u2u32', 32, 'mov', 'd 0'),
    ('f2f32', 32, 'mov', 'd 0'), ('b2b32', 32, 'mov', 'd 0'),
    ('b2f32', 32, 'and', 'd 0 #3f800000'), ('b2i32', 32, 'and', 'd 0 #1'),
    ('f2b32', 32, 'ne', 'd 0 #0'), ('i2b32', 32, 'ine', 'd 0 #0'),
    ('b32csel', 32, 'movc', 'd 0 1 2'),
    ('bit_count', 32, 'countbits', 'd 0'),
    ('bitfield_reverse', 32, 'bfrev', 'd 0'),
    ('find_lsb', 32, 'firstbit_lo', 'd 0'),
    ('ufind_msb_rev', 32, 'firstbit_hi', 'd 0'),
    ('ifind_msb_rev', 32, 'firstbit_shi', 'd 0'),
    ('ubfe', 32, 'ubfe', 'd 2 1 0'), ('ibfe', 32, 'ibfe', 'd 2 1 0'),
    ('bfm', 32, 'bfi', 'd 0 1 #ffffffff #0'),
    ('unpack_half_2x16_split_x', 32, 'f16tof32', 'd 0'),
    ('fadd', 64, 'dadd', 'd 0 1'), ('fsub', 64, 'dadd', 'd 0 -1'),
    ('fmul', 64, 'dmul', 'd 0 1'), ('fdiv', 64, 'ddiv', 'd 0 1'),
    ('ffma', 64, 'dfma', 'd 0 1 2'), ('frcp', 64, 'drcp', 'd 0'),
    ('fmin', 64, 'dmin', 'd 0 1'), ('fmax', 64, 'dmax', 'd 0 1'),
    ('fneg', 64, 'dmov', 'd -0'), ('fabs', 64, 'dmov', 'd |0'),
    ('mov', 64, 'mov', 'd 0'),
    ('flt32', 64, 'dlt', 'd 0 1'), ('fge32', 64, 'dge', 'd 0 1'),
    ('feq32', 64, 'deq', 'd 0 1'), ('fneu32', 64, 'dne', 'd 0 1'),
    ('f2f32', 64, 'dtof', 'd 0'), ('f2i32', 64, 'dtoi', 'd 0'),
    ('f2u32', 64, 'dtou', 'd 0'),
    ('f2f64', 32, 'ftod', 'd 0'), ('i2f64', 32, 'itod', 'd 0'),
    ('u2f64', 32, 'utod', 'd 0'), ('f2f64', 64, 'mov', 'd 0'),
]

LETTERS = 'FIUBDfiubdtsMolnxr'


def plain(op):
    """The opcode that does the same without a status, else its own."""
    name = op.id.removesuffix('_s')
    same = any(other.id == name for other in OPCODES)
    return name if 'status' in op.flags and same else op.id


def stage_bits(op):
    return sum(1 << n for n, s in enumerate(STAGES) if s in op.stages)


def _check_op(op):
    faults = []
    if not re.fullmatch('[%s]*[*]?' % LETTERS, op.operands):
        faults.append('opcode %s: operands %s' % (op.id, op.operands))
    if op.control not in CONTROLS:
        faults.append('opcode %s: control %s' % (op.id, op.control))
    if op.sem in ('map', 'dot', 'dual', 'double') and not op.nir:
        faults.append('opcode %s has no meaning' % op.id)
    if op.sem == 'dual' and len(op.nir or '') != 2:
        faults.append('opcode %s needs two meanings' % op.id)
    if op.since not in VERSIONS or not op.stages:
        faults.append('opcode %s is in no profile' % op.id)
    if op.sem != 'decl' and CONTROLS.get(op.control, 0) & PRECISE:
        faults.append('opcode %s: its control is where precise stands' %
                      op.id)
    used = {int(n) for n in re.findall(r's\[(\d)\]', ' '.join(
        op.nir if isinstance(op.nir, tuple) else [op.nir or '']))}
    if used and used != set(range(sum(c.islower() for c in op.operands))):
        faults.append('opcode %s: not all sources have a meaning' % op.id)
    return faults


def _check_select(row):
    nir, bits, ours, operands = row
    op = next((op for op in OPCODES if op.id == ours.replace('_sat', '')),
              None)
    if not op:
        return ['%s becomes %s, which is no opcode' % (nir, ours)]
    words = operands.split()
    faults = []
    if len(words) != len(op.operands):
        faults.append('%s becomes %s with %d operands' % (nir, ours,
                                                          len(words)))
    for word, letter in zip(words, op.operands):
        if (word in 'dn') != letter.isupper() or \
           not re.fullmatch('[dn]|[-|]?[0-3]|#[0-9a-f]+', word):
            faults.append('%s becomes %s: operand %s' % (nir, ours, word))
    return faults


def check():
    """Sentences about what is wrong in the tables; empty if nothing is."""
    faults = []
    for what, rows in (('opcode', [(op.id, op.code) for op in OPCODES]),
                       ('file', [f[:2] for f in FILES])):
        for field_ in (0, 1):
            seen = [row[field_] for row in rows]
            faults += ['%s %s stands twice' % (what, x)
                       for x in sorted(set(seen), key=str)
                       if seen.count(x) > 1]
    keys = [row[:2] for row in SELECT]
    faults += ['%s of %d bits is selected twice' % key for key in
               sorted(set(keys)) if keys.count(key) > 1]
    for row in SELECT:
        faults += _check_select(row)
    for op in OPCODES:
        faults += _check_op(op)
        if op.code >= NUM_CODES:
            faults.append('opcode %s is beyond the last' % op.id)
    return faults
