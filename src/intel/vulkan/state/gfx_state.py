# SPDX-License-Identifier: MIT
"""The state of graphics pipelines, a row for each that can be dynamic.

usage: gfx_state.py TEMPLATE OUTPUT

Fills a Mako template with ROWS. To add a state, add a row here, read it where
packets are written and name its bit there (genX_groups.c); where `command`
and `read` are given, nothing else has to know of it.
"""
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from mako.template import Template

# Parts of a pipeline that a library may have.
VERTEX_INPUT = 'SAF_PART_VERTEX_INPUT'
PRE_RASTER = 'SAF_PART_PRE_RASTERIZATION'
FRAGMENT = 'SAF_PART_FRAGMENT_SHADER'
OUTPUT = 'SAF_PART_FRAGMENT_OUTPUT'
SAMPLES = FRAGMENT + ' | ' + OUTPUT


@dataclass
class Row:
    """One state.

    name     of its bit, SAF_GFX_NAME
    vk       VK_DYNAMIC_STATE_... that make it dynamic
    part     of a pipeline that has it
    fields   of struct saf_gfx_state, as 'type name' or 'type name[size]', and
             '= value' where a pipeline that says nothing has not zero;
             several rows may name members of one
    paths    what is compared and copied, if not all of the fields; x[].y is
             y of each of SAF_MAX_RTS
    command  vkCmd... and the types of its arguments, which are the fields'
             values in order, or pointers to them, which may be NULL; None: it
             is written by hand
    read     create info structure, of a pipeline or chained to one, and
             members, by field (pName: a pointer, as above); None as above
    equals   fields that are bool are whether the value is this
    key      VK_SHADER_STAGE_..._BIT whose shader is compiled for it
    """
    name: str
    vk: list
    part: str
    fields: list = field(default_factory=list)
    paths: list = None
    command: tuple = None
    read: tuple = None
    equals: str = None
    key: str = None

    def members(self):
        """Paths of what is compared and copied."""
        return self.paths or [member(f) for f in self.fields]

    def parameters(self):
        """Of the command, each as it is declared."""
        return [f'const {kind} {variable(declaration).split()[-1]}'
                if '[' in declaration else f'{kind} {member(declaration)}'
                for kind, declaration in zip(self.command[1:], self.fields)]

    def assignment(self, struct, declaration, value, points=False):
        """A statement: the field of `struct` becomes a value that the API
        gives; `points`: or what that points to."""
        place = f'{struct}{member(declaration)}'
        if '[' in declaration:
            return f'memcpy({place}, {value}, sizeof({place}));'
        if points:
            return f'if ({value})\n      {place} = *{value};'
        if self.equals and declaration.startswith('bool '):
            value += f' == {self.equals}'
        return f'{place} = {value};'

    def sets(self):
        """The statements of the command."""
        return [self.assignment('cmd->draw.gfx.', d, member(d), '*' in kind)
                for kind, d in zip(self.command[1:], self.fields)]

    def reads(self):
        """The statements that read its create info."""
        return [self.assignment('s->', d, f'info->{name}',
                                re.match('p[A-Z]', name))
                for name, d in zip(self.read[1:], self.fields)]


def variable(declaration):
    """What C declares."""
    return declaration.split(' = ')[0]


def member(declaration):
    """The name in 'type name[size] = value'."""
    return variable(declaration).split()[-1].split('[')[0]


IA = 'VkPipelineInputAssemblyStateCreateInfo'
RASTER = 'VkPipelineRasterizationStateCreateInfo'
LINES = 'VkPipelineRasterizationLineStateCreateInfoEXT'
DEPTH = 'VkPipelineDepthStencilStateCreateInfo'
BLEND = 'VkPipelineColorBlendStateCreateInfo'
MS = 'VkPipelineMultisampleStateCreateInfo'

ROWS = [
    # ---- vertex input ----
    Row('VERTEX_INPUT', ['VERTEX_INPUT_EXT'], VERTEX_INPUT,
        ['struct saf_vertex_attribute attributes[SAF_MAX_VERTEX_ATTRIBS]',
         'struct saf_vertex_input_binding bindings[SAF_MAX_VERTEX_BINDINGS]'],
        key='VERTEX'),
    # Dynamic ones come with the buffers, the others are in `bindings`.
    Row('VERTEX_STRIDE', ['VERTEX_INPUT_BINDING_STRIDE'], VERTEX_INPUT),
    Row('TOPOLOGY', ['PRIMITIVE_TOPOLOGY'], VERTEX_INPUT,
        ['VkPrimitiveTopology topology'],
        command=('SetPrimitiveTopology', 'VkPrimitiveTopology'),
        read=(IA, 'topology')),
    Row('PRIMITIVE_RESTART', ['PRIMITIVE_RESTART_ENABLE'], VERTEX_INPUT,
        ['bool primitive_restart'],
        command=('SetPrimitiveRestartEnable', 'VkBool32'),
        read=(IA, 'primitiveRestartEnable')),

    # ---- before rasterisation ----
    Row('PATCH', ['PATCH_CONTROL_POINTS_EXT'], PRE_RASTER,
        ['uint32_t patch_control_points'],
        command=('SetPatchControlPointsEXT', 'uint32_t'), key='TESSELLATION_CONTROL'),
    Row('DOMAIN_ORIGIN', ['TESSELLATION_DOMAIN_ORIGIN_EXT'], PRE_RASTER,
        ['bool domain_origin_lower_left'],
        command=('SetTessellationDomainOriginEXT',
                 'VkTessellationDomainOrigin'),
        read=('VkPipelineTessellationDomainOriginStateCreateInfo',
              'domainOrigin'),
        equals='VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT'),
    Row('VIEWPORT', ['VIEWPORT', 'VIEWPORT_WITH_COUNT'], PRE_RASTER,
        ['VkViewport viewports[SAF_MAX_VIEWPORTS]']),
    Row('SCISSOR', ['SCISSOR', 'SCISSOR_WITH_COUNT'], PRE_RASTER,
        ['VkRect2D scissors[SAF_MAX_VIEWPORTS]']),
    # And as many scissors.
    Row('VIEWPORT_COUNT', ['VIEWPORT_WITH_COUNT', 'SCISSOR_WITH_COUNT'],
        PRE_RASTER, ['uint32_t viewport_count = 1']),
    Row('NEGATIVE_ONE_TO_ONE', ['DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT'],
        PRE_RASTER, ['bool negative_one_to_one'],
        command=('SetDepthClipNegativeOneToOneEXT', 'VkBool32'),
        read=('VkPipelineViewportDepthClipControlCreateInfoEXT',
              'negativeOneToOne')),
    Row('RASTERIZER_DISCARD', ['RASTERIZER_DISCARD_ENABLE'], PRE_RASTER,
        ['bool rasterizer_discard'],
        command=('SetRasterizerDiscardEnable', 'VkBool32'),
        read=(RASTER, 'rasterizerDiscardEnable')),
    Row('DEPTH_CLAMP', ['DEPTH_CLAMP_ENABLE_EXT'], PRE_RASTER,
        ['bool depth_clamp'],
        command=('SetDepthClampEnableEXT', 'VkBool32'),
        read=(RASTER, 'depthClampEnable')),
    # To what, if not to the range of each viewport.
    Row('DEPTH_CLAMP_RANGE', ['DEPTH_CLAMP_RANGE_EXT'], PRE_RASTER,
        ['bool own_clamp_range', 'VkDepthClampRangeEXT clamp_range'],
        command=('SetDepthClampRangeEXT', 'VkDepthClampModeEXT',
                 'const VkDepthClampRangeEXT *'),
        read=('VkPipelineViewportDepthClampControlCreateInfoEXT',
              'depthClampMode', 'pDepthClampRange'),
        equals='VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT'),
    Row('DEPTH_CLIP', ['DEPTH_CLIP_ENABLE_EXT'], PRE_RASTER,
        ['enum saf_depth_clip depth_clip = SAF_DEPTH_CLIP_IF_NOT_CLAMPED'],
        command=('SetDepthClipEnableEXT', 'VkBool32'),
        read=('VkPipelineRasterizationDepthClipStateCreateInfoEXT',
              'depthClipEnable')),
    Row('POLYGON_MODE', ['POLYGON_MODE_EXT'], PRE_RASTER,
        ['VkPolygonMode polygon_mode'],
        command=('SetPolygonModeEXT', 'VkPolygonMode'),
        read=(RASTER, 'polygonMode')),
    Row('CULL_MODE', ['CULL_MODE'], PRE_RASTER, ['VkCullModeFlags cull_mode'],
        command=('SetCullMode', 'VkCullModeFlags'), read=(RASTER, 'cullMode')),
    Row('FRONT_FACE', ['FRONT_FACE'], PRE_RASTER, ['VkFrontFace front_face'],
        command=('SetFrontFace', 'VkFrontFace'), read=(RASTER, 'frontFace')),
    Row('DEPTH_BIAS_ENABLE', ['DEPTH_BIAS_ENABLE'], PRE_RASTER,
        ['bool depth_bias'],
        command=('SetDepthBiasEnable', 'VkBool32'),
        read=(RASTER, 'depthBiasEnable')),
    Row('DEPTH_BIAS', ['DEPTH_BIAS'], PRE_RASTER,
        ['float depth_bias_constant', 'float depth_bias_clamp',
         'float depth_bias_slope'],
        command=('SetDepthBias', 'float', 'float', 'float'),
        read=(RASTER, 'depthBiasConstantFactor', 'depthBiasClamp',
              'depthBiasSlopeFactor')),
    Row('LINE_WIDTH', ['LINE_WIDTH'], PRE_RASTER, ['float line_width'],
        command=('SetLineWidth', 'float'), read=(RASTER, 'lineWidth')),
    Row('LINE_MODE', ['LINE_RASTERIZATION_MODE_EXT'], PRE_RASTER,
        ['VkLineRasterizationModeEXT line_mode'],
        command=('SetLineRasterizationModeEXT', 'VkLineRasterizationModeEXT'),
        read=(LINES, 'lineRasterizationMode')),
    Row('LINE_STIPPLE_ENABLE', ['LINE_STIPPLE_ENABLE_EXT'], PRE_RASTER,
        ['bool line_stipple'],
        command=('SetLineStippleEnableEXT', 'VkBool32'),
        read=(LINES, 'stippledLineEnable')),
    Row('LINE_STIPPLE', ['LINE_STIPPLE_EXT'], PRE_RASTER,
        ['uint32_t line_stipple_factor', 'uint16_t line_stipple_pattern'],
        command=('SetLineStipple', 'uint32_t', 'uint16_t'),
        read=(LINES, 'lineStippleFactor', 'lineStipplePattern')),
    Row('PROVOKING_VERTEX', ['PROVOKING_VERTEX_MODE_EXT'], PRE_RASTER,
        ['bool provoking_last'],
        command=('SetProvokingVertexModeEXT', 'VkProvokingVertexModeEXT'),
        read=('VkPipelineRasterizationProvokingVertexStateCreateInfoEXT',
              'provokingVertexMode'),
        equals='VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT'),
    # All pixels that triangles touch.
    Row('CONSERVATIVE', ['CONSERVATIVE_RASTERIZATION_MODE_EXT'], PRE_RASTER,
        ['bool conservative'],
        command=('SetConservativeRasterizationModeEXT',
                 'VkConservativeRasterizationModeEXT'),
        read=('VkPipelineRasterizationConservativeStateCreateInfoEXT',
              'conservativeRasterizationMode'),
        equals='VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT'),
    Row('STREAM', ['RASTERIZATION_STREAM_EXT'], PRE_RASTER,
        ['uint32_t rasterization_stream'],
        command=('SetRasterizationStreamEXT', 'uint32_t'),
        read=('VkPipelineRasterizationStateStreamCreateInfoEXT',
              'rasterizationStream'), key='GEOMETRY'),

    # ---- samples ----
    Row('SAMPLES', ['RASTERIZATION_SAMPLES_EXT'], SAMPLES,
        ['uint32_t samples = 1'],
        command=('SetRasterizationSamplesEXT', 'VkSampleCountFlagBits'),
        read=(MS, 'rasterizationSamples'), key='FRAGMENT'),
    Row('SAMPLE_MASK', ['SAMPLE_MASK_EXT'], SAMPLES,
        ['uint32_t sample_mask = ~0u']),
    # Of samples, how many are shaded at least; never dynamic.
    Row('SAMPLE_SHADING', [], SAMPLES, ['float min_sample_shading']),
    Row('ALPHA_TO_COVERAGE', ['ALPHA_TO_COVERAGE_ENABLE_EXT'], SAMPLES,
        ['bool alpha_to_coverage'],
        command=('SetAlphaToCoverageEnableEXT', 'VkBool32'),
        read=(MS, 'alphaToCoverageEnable'), key='FRAGMENT'),
    Row('ALPHA_TO_ONE', ['ALPHA_TO_ONE_ENABLE_EXT'], SAMPLES,
        ['bool alpha_to_one'],
        command=('SetAlphaToOneEnableEXT', 'VkBool32'),
        read=(MS, 'alphaToOneEnable')),
    # Positions that are not the standard ones, in sixteenths of a pixel.
    Row('OWN_POSITIONS', ['SAMPLE_LOCATIONS_ENABLE_EXT'], SAMPLES,
        ['bool own_positions'],
        command=('SetSampleLocationsEnableEXT', 'VkBool32'),
        read=('VkPipelineSampleLocationsStateCreateInfoEXT',
              'sampleLocationsEnable')),
    Row('POSITIONS', ['SAMPLE_LOCATIONS_EXT'], SAMPLES,
        ['uint8_t positions[SAF_MAX_SAMPLES][2]']),

    # ---- depth and stencil ----
    Row('DEPTH_TEST', ['DEPTH_TEST_ENABLE'], FRAGMENT, ['bool depth_test'],
        command=('SetDepthTestEnable', 'VkBool32'),
        read=(DEPTH, 'depthTestEnable')),
    Row('DEPTH_WRITE', ['DEPTH_WRITE_ENABLE'], FRAGMENT, ['bool depth_write'],
        command=('SetDepthWriteEnable', 'VkBool32'),
        read=(DEPTH, 'depthWriteEnable')),
    Row('DEPTH_COMPARE', ['DEPTH_COMPARE_OP'], FRAGMENT,
        ['VkCompareOp depth_compare'],
        command=('SetDepthCompareOp', 'VkCompareOp'),
        read=(DEPTH, 'depthCompareOp')),
    Row('STENCIL_TEST', ['STENCIL_TEST_ENABLE'], FRAGMENT,
        ['bool stencil_test'],
        command=('SetStencilTestEnable', 'VkBool32'),
        read=(DEPTH, 'stencilTestEnable')),
    Row('STENCIL_OP', ['STENCIL_OP'], FRAGMENT,
        ['struct saf_stencil_side front', 'struct saf_stencil_side back'],
        [f'{side}.{m}' for side in ('front', 'back')
         for m in ('fail', 'pass', 'depth_fail', 'compare')]),
    Row('STENCIL_COMPARE_MASK', ['STENCIL_COMPARE_MASK'], FRAGMENT,
        paths=['front.compare_mask', 'back.compare_mask']),
    Row('STENCIL_WRITE_MASK', ['STENCIL_WRITE_MASK'], FRAGMENT,
        paths=['front.write_mask', 'back.write_mask']),
    Row('STENCIL_REFERENCE', ['STENCIL_REFERENCE'], FRAGMENT,
        paths=['front.reference', 'back.reference']),

    # ---- output ----
    Row('LOGIC_OP_ENABLE', ['LOGIC_OP_ENABLE_EXT'], OUTPUT,
        ['bool logic_op_enable'],
        command=('SetLogicOpEnableEXT', 'VkBool32'),
        read=(BLEND, 'logicOpEnable')),
    Row('LOGIC_OP', ['LOGIC_OP_EXT'], OUTPUT, ['VkLogicOp logic_op'],
        command=('SetLogicOpEXT', 'VkLogicOp'), read=(BLEND, 'logicOp')),
    # A bit for each attachment that is written at all.
    Row('COLOR_WRITES', ['COLOR_WRITE_ENABLE_EXT'], OUTPUT,
        ['uint32_t color_writes = ~0u']),
    Row('BLEND_ENABLE', ['COLOR_BLEND_ENABLE_EXT'], OUTPUT,
        ['struct saf_blend_target blend[SAF_MAX_RTS]'], ['blend[].enable']),
    Row('BLEND_EQUATION', ['COLOR_BLEND_EQUATION_EXT'], OUTPUT,
        paths=['blend[].src_color', 'blend[].dst_color', 'blend[].src_alpha',
               'blend[].dst_alpha', 'blend[].color_op', 'blend[].alpha_op']),
    Row('WRITE_MASK', ['COLOR_WRITE_MASK_EXT'], OUTPUT,
        paths=['blend[].write_mask']),
    Row('BLEND_CONSTANTS', ['BLEND_CONSTANTS'], OUTPUT,
        ['float blend_constants[4]'],
        command=('SetBlendConstants', 'float'), read=(BLEND, 'blendConstants')),
]

# Commands of states of no effect. There is no feature depthBounds, and
# maxExtraPrimitiveOverestimationSize is 0.
NOTHING = [
    ('SetDepthBounds', 'float', 'float'),
    ('SetDepthBoundsTestEnable', 'VkBool32'),
    ('SetExtraPrimitiveOverestimationSizeEXT', 'float'),
]


def check(rows):
    """What is wrong with the table, a line each."""
    faults = []
    seen = set()
    for row in rows:
        if row.name in seen:
            faults.append(f'{row.name}: twice')
        seen.add(row.name)
        if row.command and len(row.command) != 1 + len(row.fields):
            faults.append(f'{row.name}: an argument for each field')
        if row.read and len(row.read) != 1 + len(row.fields):
            faults.append(f'{row.name}: a member for each field')
    if len(rows) > 51:
        faults.append('more than 51 rows: SAF_DIRTY_... begin there')
    return faults


def by_state(rows):
    """Rows that each VK_DYNAMIC_STATE makes dynamic, in order."""
    states = {}
    for row in rows:
        for vk in row.vk:
            states.setdefault(vk, []).append(row)
    return states


def readers(rows):
    """{structure: statements that read it} of create infos."""
    out = {}
    for row in rows:
        if row.read:
            out.setdefault(row.read[0], []).extend(row.reads())
    return out


def words(struct):
    """Those of a structure's name, ['PIPELINE', 'LINE', 'STATE', 'EXT']."""
    return [word.upper() for word in
            re.findall('[A-Z]+(?![a-z])|[A-Z][a-z0-9]+', struct[2:])]


def parts(rows):
    """{part: rows that it has}, a row in several of some."""
    out = {}
    for row in rows:
        for part in row.part.split(' | '):
            out.setdefault(part, []).append(row)
    return out


def keys(rows):
    """{stage: rows that its shader is compiled for}."""
    out = {}
    for row in rows:
        if row.key:
            out.setdefault(row.key, []).append(row)
    return out


def defaults(rows):
    """(field, value) of those that are not zero."""
    return [(member(d), d.split(' = ')[1])
            for row in rows for d in row.fields if ' = ' in d]


def main():
    """See the head of the file."""
    faults = check(ROWS)
    if faults:
        sys.exit('gfx_state.py: ' + '\n'.join(faults))
    template, output = sys.argv[1:]
    text = Template(filename=str(Path(template).resolve())).render(
        rows=ROWS, nothing=NOTHING, states=by_state(ROWS), parts=parts(ROWS),
        keys=keys(ROWS), readers=readers(ROWS), words=words, defaults=defaults(ROWS),
        variable=variable)
    # What stays the same is not built again.
    out = Path(output)
    if not out.exists() or out.read_text('utf-8') != text:
        out.write_text(text, 'utf-8')


if __name__ == '__main__':
    main()
