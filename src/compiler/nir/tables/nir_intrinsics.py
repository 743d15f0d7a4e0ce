# SPDX-License-Identifier: MIT
"""The intrinsics of NIR: one row each, and the const indices they carry.

In a row, `src_comp` has one number for each source: its components, 0 for
'as many as the instruction's num_components', -1 for 'any number'.
`dest_comp` is None without a destination, else as above; `bit_sizes` lists
the sizes that the destination may have (empty: any). `bit_size_src` is the
source whose bit size the destination has.
"""

CAN_ELIMINATE = 'NIR_INTRINSIC_CAN_ELIMINATE'
CAN_REORDER = 'NIR_INTRINSIC_CAN_REORDER'
# Sees which lanes run it: may not move to where others do.
CONVERGENT = 'NIR_INTRINSIC_CONVERGENT'
PURE = (CAN_ELIMINATE, CAN_REORDER)
SUBGROUP = (CAN_ELIMINATE, CONVERGENT)


class Index:
    """A const index: its C type and how dumps name and print it."""

    def __init__(self, name, c_type='int', text=None):
        self.name = name
        self.c_type = c_type
        self.text = text or name


indices = {}


def index(name, c_type='int', text=None):
    indices[name] = Index(name, c_type, text)
    return name


BASE = index('base')
WRITE_MASK = index('write_mask', 'unsigned', 'wrmask')
STREAM_ID = index('stream_id', 'unsigned')
UCP_ID = index('ucp_id', 'unsigned')
RANGE_BASE = index('range_base', 'unsigned')
RANGE = index('range', 'unsigned')
DESC_SET = index('desc_set', 'unsigned')
BINDING = index('binding', 'unsigned')
COMPONENT = index('component', 'unsigned')
INTERP_MODE = index('interp_mode', 'unsigned')
REDUCTION_OP = index('reduction_op', 'unsigned')
CLUSTER_SIZE = index('cluster_size', 'unsigned')
PARAM_IDX = index('param_idx', 'unsigned')
IMAGE_DIM = index('image_dim', 'enum glsl_sampler_dim')
IMAGE_ARRAY = index('image_array', 'bool')
FORMAT = index('format', 'enum pipe_format')
ACCESS = index('access', 'enum gl_access_qualifier')
SRC_ACCESS = index('src_access', 'enum gl_access_qualifier')
DST_ACCESS = index('dst_access', 'enum gl_access_qualifier')
ALIGN_MUL = index('align_mul', 'unsigned')
ALIGN_OFFSET = index('align_offset', 'unsigned')
DESC_TYPE = index('desc_type', 'unsigned')
SRC_TYPE = index('src_type', 'nir_alu_type')
DEST_TYPE = index('dest_type', 'nir_alu_type')
SWIZZLE_MASK = index('swizzle_mask', 'unsigned')
MEMORY_SEMANTICS = index('memory_semantics', 'nir_memory_semantics',
                         'mem_semantics')
MEMORY_MODES = index('memory_modes', 'nir_variable_mode', 'mem_modes')
MEMORY_SCOPE = index('memory_scope', 'nir_scope', 'mem_scope')
EXECUTION_SCOPE = index('execution_scope', 'nir_scope', 'exec_scope')
IO_SEMANTICS = index('io_semantics', 'nir_io_semantics', 'io')
ROUNDING_MODE = index('rounding_mode', 'nir_rounding_mode')
SATURATE = index('saturate', 'bool')


class Intrinsic:
    """One row; refuses one that contradicts itself."""

    def __init__(self, name, src_comp, dest_comp, indices_, flags, sysval,
                 bit_sizes, bit_size_src):
        assert len(src_comp) <= 11, name
        assert len(indices_) <= 8, name
        if len(set(indices_)) != len(indices_):
            raise ValueError(f'{name}: an index twice')
        if bit_size_src >= len(src_comp):
            raise ValueError(f'{name}: no source {bit_size_src}')
        if bit_size_src >= 0 and dest_comp is None:
            raise ValueError(f'{name}: bit size of no destination')
        self.name = name
        self.src_comp = list(src_comp)
        self.has_dest = dest_comp is not None
        self.dest_comp = dest_comp or 0
        self.indices = list(indices_)
        self.flags = list(flags)
        self.sysval = sysval
        self.bit_sizes = list(bit_sizes)
        self.bit_size_src = bit_size_src

    @property
    def num_derefs(self):
        """How many of the sources, the first ones, are derefs."""
        if self.name == 'copy_deref':
            return 2
        return int('deref' in self.name or self.name == 'buffer_pointer')

    @property
    def bit_mask(self):
        mask = 0
        for b in self.bit_sizes:
            mask |= b
        return mask

    @property
    def variable_components(self):
        return (self.has_dest and self.dest_comp == 0) or 0 in self.src_comp


intrinsics = {}


def intrinsic(name, src_comp=(), dest_comp=None, indices=(), flags=(),
              sysval=False, bit_sizes=(), bit_size_src=-1):
    if name in intrinsics:
        raise ValueError(f'{name} is there twice')
    intrinsics[name] = Intrinsic(name, src_comp, dest_comp, indices, flags,
                                 sysval, bit_sizes, bit_size_src)


# --- Variables and derefs ----------------------------------------------------

intrinsic('load_deref', [-1], 0, [ACCESS], [CAN_ELIMINATE])
intrinsic('store_deref', [-1, 0], None, [WRITE_MASK, ACCESS])
intrinsic('copy_deref', [-1, -1], None, [DST_ACCESS, SRC_ACCESS])
intrinsic('deref_buffer_array_length', [-1], 1, [ACCESS], PURE,
          bit_sizes=[32])
# What a deref of a storage buffer leads to: the lower half is the byte offset,
# the upper half what *_ssbo know the buffer by. Of shared memory: 1.
intrinsic('buffer_pointer', [-1], 1, (), PURE, bit_sizes=[64])
for name, extra in (('centroid', []), ('sample', [1]), ('offset', [2]),
                    ('vertex', [1])):
    intrinsic(f'interp_deref_at_{name}', [1] + extra, 0, (), PURE)
intrinsic('load_param', [], 0, [PARAM_IDX], [CAN_ELIMINATE])
# The operation of doubles that BASE names (a nir_op), by the code of a
# function of that name, which loads its operands as parameters and ends with
# its result. An operation of one operand has it twice.
intrinsic('call_routine', [1, 1], 1, [BASE], [CAN_ELIMINATE], bit_sizes=[64])
intrinsic('routine_result', [1])

# --- Inputs and outputs ------------------------------------------------------


def load(name, src_comp, idx, flags=(), bit_sizes=(), dest_comp=0):
    intrinsic('load_' + name, src_comp, dest_comp, idx, flags,
              bit_sizes=bit_sizes)


def store(name, src_comp, idx):
    intrinsic('store_' + name, [0] + src_comp, None, idx)


load('uniform', [1], [BASE, RANGE, DEST_TYPE], PURE)
load('ubo', [-1, 1], [ACCESS, ALIGN_MUL, ALIGN_OFFSET, RANGE_BASE, RANGE],
     PURE)
load('ubo_vec4', [-1, 1], [ACCESS, BASE, COMPONENT], PURE)
load('input', [1], [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS], PURE)
load('per_vertex_input', [1, 1], [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS],
     PURE)
load('interpolated_input', [2, 1],
     [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS], PURE)
load('input_vertex', [1, 1], [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS],
     PURE)
load('ssbo', [-1, 1], [ACCESS, ALIGN_MUL, ALIGN_OFFSET], [CAN_ELIMINATE])
load('output', [1], [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS],
     [CAN_ELIMINATE])
load('per_vertex_output', [1, 1], [BASE, COMPONENT, DEST_TYPE, IO_SEMANTICS],
     [CAN_ELIMINATE])
load('shared', [1], [BASE, ALIGN_MUL, ALIGN_OFFSET], [CAN_ELIMINATE])
load('push_constant', [1], [BASE, RANGE], PURE)
load('constant', [1], [BASE, RANGE, ALIGN_MUL, ALIGN_OFFSET], PURE)
load('global', [1], [ACCESS, ALIGN_MUL, ALIGN_OFFSET], [CAN_ELIMINATE])
load('global_constant', [1], [ACCESS, ALIGN_MUL, ALIGN_OFFSET], PURE)
load('scratch', [1], [ALIGN_MUL, ALIGN_OFFSET], [CAN_ELIMINATE])

store('output', [1], [BASE, WRITE_MASK, COMPONENT, SRC_TYPE, IO_SEMANTICS])
store('per_vertex_output', [1, 1],
      [BASE, WRITE_MASK, COMPONENT, SRC_TYPE, IO_SEMANTICS])
store('ssbo', [-1, 1], [WRITE_MASK, ACCESS, ALIGN_MUL, ALIGN_OFFSET])
store('shared', [1], [BASE, WRITE_MASK, ALIGN_MUL, ALIGN_OFFSET])
store('global', [1], [WRITE_MASK, ACCESS, ALIGN_MUL, ALIGN_OFFSET])
store('scratch', [1], [WRITE_MASK, ALIGN_MUL, ALIGN_OFFSET])

intrinsic('get_ssbo_size', [-1], 1, [ACCESS], PURE, bit_sizes=[32])
intrinsic('get_ubo_size', [-1], 1, (), PURE, bit_sizes=[32])

# --- Atomics -----------------------------------------------------------------

ATOMICS = ('add', 'imin', 'umin', 'imax', 'umax', 'and', 'or', 'xor',
           'exchange', 'comp_swap', 'fadd', 'fmin', 'fmax', 'fcomp_swap')
for op in ATOMICS:
    data = [1, 1] if op.endswith('comp_swap') else [1]
    intrinsic(f'deref_atomic_{op}', [-1] + data, 1, [ACCESS])
    intrinsic(f'ssbo_atomic_{op}', [-1, 1] + data, 1, [ACCESS])
    intrinsic(f'shared_atomic_{op}', [1] + data, 1, [BASE])
    intrinsic(f'global_atomic_{op}', [1] + data, 1, [BASE])

# --- Images ------------------------------------------------------------------


def image(name, src_comp, dest_comp=None, extra=(), flags=(), bit_sizes=()):
    """The forms that name an image by deref, by index and by handle."""
    for prefix, src0, base in (('image_deref', -1, []),
                               ('image', 1, [BASE]),
                               ('bindless_image', -1, [])):
        intrinsic(f'{prefix}_{name}', [src0] + src_comp, dest_comp,
                  [IMAGE_DIM, IMAGE_ARRAY, FORMAT, ACCESS] + base
                  + list(extra), flags, bit_sizes=bit_sizes)


image('load', [4, 1, 1], 0, [DEST_TYPE], [CAN_ELIMINATE])
image('sparse_load', [4, 1, 1], 0, [DEST_TYPE], [CAN_ELIMINATE])
image('store', [4, 1, 0, 1], None, [SRC_TYPE])
for op in ATOMICS:
    data = [1, 1] if op.endswith('comp_swap') else [1]
    image(f'atomic_{op}', [4, 1] + data, 1)
for op in ('inc_wrap', 'dec_wrap'):
    image(f'atomic_{op}', [4, 1, 1], 1)
image('size', [1], 0, (), PURE, bit_sizes=[32])
image('samples', [], 1, (), PURE, bit_sizes=[32])
image('load_raw_intel', [1], 0, (), [CAN_ELIMINATE])
image('store_raw_intel', [1, 0], None)
intrinsic('image_deref_load_param_intel', [1], 0, [BASE], PURE)

# --- Barriers, vertices, discards ----------------------------------------------

for name in ('control_barrier', 'memory_barrier', 'group_memory_barrier',
             'memory_barrier_atomic_counter', 'memory_barrier_buffer',
             'memory_barrier_image', 'memory_barrier_shared',
             'memory_barrier_tcs_patch', 'begin_invocation_interlock',
             'end_invocation_interlock', 'nop'):
    intrinsic(name, flags=[CONVERGENT] if name == 'control_barrier' else [])
intrinsic('scoped_barrier', (), None,
          [EXECUTION_SCOPE, MEMORY_SCOPE, MEMORY_SEMANTICS, MEMORY_MODES],
          [CONVERGENT])
intrinsic('shader_clock', (), 2, [MEMORY_SCOPE], [CAN_ELIMINATE],
          bit_sizes=[32])
for name in ('discard', 'demote', 'terminate'):
    intrinsic(name)
    intrinsic(name + '_if', [1])
intrinsic('is_helper_invocation', (), 1, (), [CAN_ELIMINATE],
          bit_sizes=[1, 32])
for name, src in (('emit_vertex', []), ('end_primitive', []),
                  ('emit_vertex_with_counter', [1, 1]),
                  ('end_primitive_with_counter', [1, 1]),
                  ('set_vertex_and_primitive_count', [1, 1])):
    intrinsic(name, src, None, [STREAM_ID])

# --- Subgroups -----------------------------------------------------------------

intrinsic('ballot', [1], 0, (), SUBGROUP)
for name in ('read_invocation', 'shuffle', 'shuffle_xor', 'shuffle_up',
             'shuffle_down', 'quad_broadcast'):
    intrinsic(name, [0, 1], 0, (), SUBGROUP, bit_size_src=0)
for name in ('read_first_invocation', 'quad_swap_horizontal',
             'quad_swap_vertical', 'quad_swap_diagonal'):
    intrinsic(name, [0], 0, (), SUBGROUP, bit_size_src=0)
for name in ('vote_any', 'vote_all'):
    intrinsic(name, [1], 1, (), SUBGROUP, bit_sizes=[1, 32])
for name in ('vote_feq', 'vote_ieq'):
    intrinsic(name, [0], 1, (), SUBGROUP, bit_sizes=[1, 32])
intrinsic('elect', (), 1, (), SUBGROUP, bit_sizes=[1, 32])
intrinsic('first_invocation', (), 1, (), SUBGROUP, bit_sizes=[32])
for name in ('reduce', 'inclusive_scan', 'exclusive_scan'):
    intrinsic(name, [0], 0, [REDUCTION_OP] + (
        [CLUSTER_SIZE] if name == 'reduce' else []), SUBGROUP,
        bit_size_src=0)

# --- System values ---------------------------------------------------------------


def sysval(name, comp, bit_sizes=(32,), idx=(), flags=PURE):
    intrinsic('load_' + name, (), comp, idx, flags, sysval=True,
              bit_sizes=bit_sizes)


sysval('frag_coord', 4)
sysval('point_coord', 2)
sysval('line_coord', 1)
sysval('front_face', 1, (1, 32))
for name in ('vertex_id', 'vertex_id_zero_base', 'first_vertex',
             'is_indexed_draw', 'base_vertex', 'instance_id',
             'instance_index', 'base_instance', 'draw_id', 'sample_id',
             'sample_id_no_per_sample', 'sample_mask_in', 'layer_id',
             'view_index', 'primitive_id', 'invocation_id',
             'patch_vertices_in', 'device_index', 'num_vertices',
             'subgroup_size', 'subgroup_invocation', 'num_subgroups',
             'subgroup_id', 'local_invocation_index', 'workgroup_index',
             'workgroup_id_zero_base', 'global_invocation_index',
             'num_samples', 'dispatch_width', 'frag_shading_rate'):
    if name == 'workgroup_id_zero_base':
        sysval(name, 3)
    else:
        sysval(name, 1)
sysval('helper_invocation', 1, (1, 32), flags=[CAN_ELIMINATE])
sysval('sample_pos', 2)
sysval('sample_pos_or_center', 2)
sysval('tess_coord', 3)
sysval('tess_level_outer', 4)
sysval('tess_level_inner', 2)
sysval('tess_level_outer_default', 4)
sysval('tess_level_inner_default', 2)
for name in ('workgroup_id', 'num_workgroups'):
    sysval(name, 3, (32, 64))
for name in ('local_invocation_id', 'workgroup_size'):
    sysval(name, 3)
sysval('global_invocation_id', 3, (32, 64))
sysval('global_invocation_id_zero_base', 3, (32, 64))
sysval('base_workgroup_id', 3, (32, 64))
sysval('base_global_invocation_id', 3, (32, 64))
for name in ('eq', 'ge', 'gt', 'le', 'lt'):
    sysval(f'subgroup_{name}_mask', 0, (32, 64))
sysval('user_clip_plane', 4, idx=[UCP_ID])
sysval('color0', 4)
sysval('color1', 4)
sysval('blend_const_color_rgba', 4)
sysval('scratch_base_ptr', 0, (32, 64), idx=[BASE])
sysval('sample_positions_pan', 1, (64,))
for name in ('pixel', 'centroid', 'sample'):
    intrinsic(f'load_barycentric_{name}', (), 2, [INTERP_MODE], PURE,
              bit_sizes=[32])
intrinsic('load_barycentric_model', (), 3, [INTERP_MODE], PURE,
          bit_sizes=[32])
intrinsic('load_barycentric_at_sample', [1], 2, [INTERP_MODE], PURE,
          bit_sizes=[32])
intrinsic('load_barycentric_at_offset', [2], 2, [INTERP_MODE], PURE,
          bit_sizes=[32])
intrinsic('load_sample_pos_from_id', [1], 2, (), PURE, bit_sizes=[32])
# Attribute coefficients of the triangle: dx, dy, (unused), constant.
intrinsic('load_fs_input_interp_deltas', [1], 3,
          [BASE, COMPONENT, IO_SEMANTICS], PURE, bit_sizes=[32])

# --- Vulkan descriptors ------------------------------------------------------------

intrinsic('vulkan_resource_index', [1], 0, [DESC_SET, BINDING, DESC_TYPE],
          PURE)
intrinsic('vulkan_resource_reindex', [0, 1], 0, [DESC_TYPE], PURE)
intrinsic('load_vulkan_descriptor', [-1], 0, [DESC_TYPE], PURE)

# --- Intel ------------------------------------------------------------------------

intrinsic('load_ssbo_uniform_block_intel', [-1, 1], 0,
          [ACCESS, ALIGN_MUL, ALIGN_OFFSET], [CAN_ELIMINATE])
intrinsic('load_ubo_uniform_block_intel', [-1, 1], 0,
          [ACCESS, ALIGN_MUL, ALIGN_OFFSET, RANGE_BASE, RANGE], PURE)
intrinsic('load_global_const_block_intel', [1, 1], 0, [BASE], PURE)
intrinsic('load_num_vertices_intel', (), 1, (), PURE, bit_sizes=[32])
intrinsic('load_reloc_const_intel', (), 1, [PARAM_IDX, BASE], PURE,
          bit_sizes=[32])
