# SPDX-License-Identifier: MIT
"""The state of graphics pipelines, a row for each that can be dynamic.

usage: gfx_state.py TEMPLATE OUTPUT

Fills a Mako template with ROWS. To add a state, add a row here, read it where
packets are written and name its bit there (genX_groups.c); where `command`
and `read` are given, nothing else has to know of it.
"""
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
    fields   of struct saf_gfx_state, as 'type name' or 'type name[size]';
             several rows may name members of one
    paths    what is compared and copied, if not all of the fields; x[].y is
             y of each of SAF_MAX_RTS
    command  vkCmd... and the types of its arguments, which are the fields'
             values in order; None: it is written by hand
    read     create info structure and members, by field; None as above
    equals   the field is whether the value is this
    key      shaders are compiled for it
    """
    name: str
    vk: list
    part: str
    fields: list = field(default_factory=list)
    paths: list = None
    command: tuple = None
    read: tuple = None
    equals: str = None
    key: bool = False

    def members(self):
        """Paths of what is compared and copied."""
        return self.paths or [member(f) for f in self.fields]

    def parameters(self):
        """Of the command, each as it is declared."""
        return [f'const {kind} {declaration.split()[-1]}'
                if '[' in declaration else f'{kind} {member(declaration)}'
                for kind, declaration in zip(self.command[1:], self.fields)]

    def converted(self, value):
        """What the field becomes of a value that the API gives."""
        return f'{value} == {self.equals}' if self.equals else value


def member(declaration):
    """The name in 'type name[size]'."""
    return declaration.split()[-1].split('[')[0]


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
        key=True),
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
        command=('SetPatchControlPointsEXT', 'uint32_t'), key=True),
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
        PRE_RASTER, ['uint32_t viewport_count']),
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
    Row('DEPTH_CLIP', ['DEPTH_CLIP_ENABLE_EXT'], PRE_RASTER,
        ['enum saf_depth_clip depth_clip'],
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
              'rasterizationStream'), key=True),

    # ---- samples ----
    Row('SAMPLES', ['RASTERIZATION_SAMPLES_EXT'], SAMPLES,
        ['uint32_t samples'],
        command=('SetRasterizationSamplesEXT', 'VkSampleCountFlagBits'),
        key=True),
    Row('SAMPLE_MASK', ['SAMPLE_MASK_EXT'], SAMPLES,
        ['uint32_t sample_mask']),
    Row('ALPHA_TO_COVERAGE', ['ALPHA_TO_COVERAGE_ENABLE_EXT'], SAMPLES,
        ['bool alpha_to_coverage'],
        command=('SetAlphaToCoverageEnableEXT', 'VkBool32'),
        read=(MS, 'alphaToCoverageEnable'), key=True),
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
        ['uint32_t color_writes']),
    Row('BLEND_ENABLE', ['COLOR_BLEND_ENABLE_EXT'], OUTPUT,
        ['struct saf_blend_target blend[SAF_MAX_RTS]'], ['blend[].enable']),
    Row('BLEND_EQUATION', ['COLOR_BLEND_EQUATION_EXT'], OUTPUT,
        paths=['blend[].src_color', 'blend[].dst_color', 'blend[].src_alpha',
               'blend[].dst_alpha', 'blend[].color_op', 'blend[].alpha_op']),
    Row('WRITE_MASK', ['COLOR_WRITE_MASK_EXT'], OUTPUT,
        paths=['blend[].write_mask']),
    Row('BLEND_CONSTANTS', ['BLEND_CONSTANTS'], OUTPUT,
        ['float blend_constants[4]'],
        command=('SetBlendConstants', 'float')),
]

# States of no effect: the part that has each, and its command. There is no
# feature depthBounds, and maxExtraPrimitiveOverestimationSize is 0.
NOTHING = {
    'DEPTH_BOUNDS': (FRAGMENT, 'SetDepthBounds', 'float', 'float'),
    'DEPTH_BOUNDS_TEST_ENABLE': (FRAGMENT, 'SetDepthBoundsTestEnable',
                                 'VkBool32'),
    'EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT': (
        PRE_RASTER, 'SetExtraPrimitiveOverestimationSizeEXT', 'float'),
}


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
    if len(rows) > 48:
        faults.append('more than 48 rows: enum saf_dirty begins there')
    return faults


def by_state(rows):
    """Rows that each VK_DYNAMIC_STATE makes dynamic, in order."""
    states = {}
    for row in rows:
        for vk in row.vk:
            states.setdefault(vk, []).append(row)
    return states


def readers(rows):
    """{structure: [(field, member, row)]} of create infos."""
    out = {}
    for row in rows:
        if row.read:
            for declaration, name in zip(row.fields, row.read[1:]):
                out.setdefault(row.read[0], []).append(
                    (member(declaration), name, row))
    return out


def reader_name(struct):
    """The function that reads a structure: saf_gfx_read_line_state()."""
    name = struct.removeprefix('VkPipeline').removesuffix('EXT')
    name = name.removesuffix('CreateInfo')
    return 'saf_gfx_read' + ''.join(
        '_' + c.lower() if c.isupper() else c for c in name)


def main():
    """See the head of the file."""
    faults = check(ROWS)
    if faults:
        sys.exit('gfx_state.py: ' + '\n'.join(faults))
    template, output = sys.argv[1:]
    text = Template(filename=str(Path(template).resolve())).render(
        rows=ROWS, nothing=NOTHING, states=by_state(ROWS),
        readers=readers(ROWS), reader_name=reader_name)
    # What stays the same is not built again.
    out = Path(output)
    if not out.exists() or out.read_text('utf-8') != text:
        out.write_text(text, 'utf-8')


if __name__ == '__main__':
    main()
