/* SPDX-License-Identifier: MIT */
/*
 * The strict mode: each rule has a row with a batch that breaks it and is
 * reported, and one that keeps it, which is not. test_rules.py counts the
 * rows.
 */
#include "sim_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/dev/intel_device_info.h"
#include "strict_text.h"

struct row {
   const char *rule, *gens, *broken, *kept;
   bool again; /* once more, in a second batch */
};

/* Draws and dispatches of nothing: what the registers say is zero. */
#define DRAW "3DPRIMITIVE IndirectParameterEnable=1;"
#define SELECT_3D "PIPELINE_SELECT PipelineSelection=0;"
#define SELECT_GPGPU "PIPELINE_SELECT PipelineSelection=2;"
#define FLUSH "PC target depth data cs;"
#define STALL "PC scoreboard cs;"
#define INVALIDATE "PC texture constant state code cs scoreboard;"
#define GPGPU_MODE FLUSH INVALIDATE SELECT_GPGPU
#define DESCRIPTORS                                                          \
   "MEDIA_INTERFACE_DESCRIPTOR_LOAD InterfaceDescriptorTotalLength=32 "      \
   "InterfaceDescriptorDataStartAddress=0x200800;"
#define WALKER "GPGPU_WALKER PredicateEnable=1;"
#define COMPUTE GPGPU_MODE DESCRIPTORS WALKER
#define WALK_PAYLOAD                                                         \
   "GPGPU_WALKER PredicateEnable=1 IndirectDataLength=32 "                   \
   "IndirectDataStartAddress=0x200000 "
#define SCRATCH_VS(code, address)                                            \
   "3DSTATE_VS Enable=1 PerThreadScratchSpace=" #code                        \
   " ScratchSpaceBasePointer=" #address ";"
/* A register that everybody may write, and a statistics one. */
#define LRI(reg, value)                                                      \
   "MI_LOAD_REGISTER_IMM RegisterOffset=" #reg " DataDWord=" #value ";"
#define LRM                                                                  \
   "MI_LOAD_REGISTER_MEM RegisterAddress=0x2434 "                            \
   "MemoryAddress=0x200000;"
#define SRM(reg)                                                             \
   "MI_STORE_REGISTER_MEM RegisterAddress=" #reg " MemoryAddress=0x200000;"
#define DEPTHS                                                               \
   "3DSTATE_DEPTH_BUFFER SurfaceType=7; 3DSTATE_STENCIL_BUFFER;"             \
   "3DSTATE_HIER_DEPTH_BUFFER; 3DSTATE_CLEAR_PARAMS;"
#define HZ_CLEAR "3DSTATE_WM_HZ_OP DepthBufferClearEnable=1;"
#define CONSTANTS                                                            \
   "3DSTATE_CONSTANT_VS; 3DSTATE_CONSTANT_HS; 3DSTATE_CONSTANT_DS;"          \
   "3DSTATE_CONSTANT_GS; 3DSTATE_CONSTANT_PS;"
#define STORE(address) "MI_STORE_DATA_IMM length=4 Address=" #address ";"
#define GENERAL_SIZE                                                         \
   "STATE_BASE_ADDRESS GeneralStateBufferSize=1 "                            \
   "GeneralStateBufferSizeModifyEnable=1;"
/* Descriptors that run() puts after the first. */
#define SHARED(at)                                                           \
   GPGPU_MODE                                                                \
   "MEDIA_INTERFACE_DESCRIPTOR_LOAD InterfaceDescriptorTotalLength=32 "      \
   "InterfaceDescriptorDataStartAddress=0x200" #at ";"
#define BLEND(at)                                                            \
   "3DSTATE_BLEND_STATE_POINTERS BlendStatePointerValid=1 "                  \
   "BlendStatePointer=0x200" #at ";"
#define DEPTH_OF(format)                                                     \
   "3DSTATE_DEPTH_BUFFER SurfaceType=1 SurfaceFormat=" #format ";"
#define DEPTH_TEST                                                           \
   "3DSTATE_WM_DEPTH_STENCIL DepthTestEnable=1 DepthBufferWriteEnable=1 "
#define HZ_CLEAR_TO(x)                                                       \
   "3DSTATE_WM_HZ_OP DepthBufferClearEnable=1 ClearRectangleXMax=" #x        \
   " ClearRectangleXMin=" #x ";"
#define DEPTH_RANGE                                                          \
   "3DSTATE_VIEWPORT_STATE_POINTERS_CC CCViewportPointer=0x200b00;"
#define GUARD_BAND(at)                                                       \
   "3DSTATE_SF ViewportTransformEnable=1; "                                  \
   "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP SFClipViewportPointer=0x200" #at \
   ";"
#define LARGE_PATCH                                                          \
   "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=46;"                           \
   "3DSTATE_GS Enable=1 IncludeVertexHandles=1 DispatchMode=3;"
/* The parts of a small URB that is right everywhere. */
#define URB(vs, hs)                                                          \
   "3DSTATE_URB_VS VSNumberofURBEntries=" #vs " VSURBStartingAddress=4;"     \
   "3DSTATE_URB_HS HSNumberofURBEntries=" #hs " HSURBStartingAddress=7;"     \
   "3DSTATE_URB_DS DSNumberofURBEntries=0 DSURBStartingAddress=8;"           \
   "3DSTATE_URB_GS GSNumberofURBEntries=0 GSURBStartingAddress=8;"
/* One of 4 KB, with a pitch of 16 bytes. */
#define VERTICES(address)                                                    \
   "3DSTATE_VERTEX_BUFFERS length=5 dw1=0x4010 dw4=4096 "                    \
   "at2=" #address ";"
#define VERTICES_GEN7(address)                                               \
   "3DSTATE_VERTEX_BUFFERS length=5 dw1=0x4010 dw3=0x201003 "                \
   "dw2=" #address ";"
/* The pixel shader is not looked for while nothing is drawn. */
#define PIXELS DRAW
/* Of 16 vertices, `n` registers each; SINGLE_PATCH. */
#define PATCHES(n)                                                           \
   "3DSTATE_HS Enable=1 DispatchGRFStartRegisterForURBData=2 "               \
   "VertexURBEntryReadLength=" #n ";"
#define DRAW_PATCHES_GEN7                                                    \
   "3DPRIMITIVE IndirectParameterEnable=1 PrimitiveTopologyType=47;"
#define DRAW_PATCHES "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=47;" DRAW
/* Ivybridge, Haswell: a draw that clears depth, to a value of the format. */
#define DEPTH_CLEAR_GEN7(format, value)                                      \
   DEPTH_OF(format)                                                          \
   DEPTH_RANGE "3DSTATE_CLEAR_PARAMS dw1=" #value ";"                        \
               "3DSTATE_WM DepthBufferClear=1;" DRAW
#define ALLOC_VS "3DSTATE_PUSH_CONSTANT_ALLOC_VS ConstantBufferSize=2;"

/* clang-format off */
static const struct row rows[] = {
   { "CO-05", "skl", COMPUTE FLUSH INVALIDATE SELECT_3D DRAW,
     COMPUTE FLUSH INVALIDATE "MEDIA_VFE_STATE;" SELECT_3D DRAW },

   /* PIPE_CONTROL */
   { "PC-01", "ivb hsw bdw", "PC cs", "PC cs scoreboard" },
   { "PC-02", "ivb", "PC depth; PC depth; PC depth; PC depth",
     "PC depth; PC depth; PC depth; PC depth cs; PC texture; PC depth" },
   { "PC-03", "ivb hsw", "PC stalldepth depth", "PC stalldepth; PC depth" },
   { "PC-05", "ivb hsw bdw skl", "PC time scoreboard",
     "PC scoreboard; PC time" },
   { "PC-05", "skl", "PC count stalldepth target", "PC count stalldepth" },
   { "PC-06", "ivb hsw bdw skl", "PC scoreboard target",
     "PC scoreboard; PC target" },
   { "PC-07", "ivb hsw bdw", "PC state", "PC state cs" },
   { "PC-07", "ivb hsw bdw", "PC cs scoreboard; PC null; PC state",
     "PC cs scoreboard; PC state" },
   { "PC-08", "bdw", "PC cs depth; PC state", "PC cs scoreboard; PC state" },
   { "PC-10", "bdw skl", "PC null; PC vf", "PC null; PC vf write" },
   { "PC-11", "skl", "PC null; MI_NOOP; PC vf write",
     "PC null; PC vf write" },
   { "PC-12", "bdw", "PC null; PC vf write", "PC vf write" },
   { "PC-13", "skl", GPGPU_MODE DESCRIPTORS WALKER "PC write",
     GPGPU_MODE DESCRIPTORS WALKER "PC cs; PC write" },
   { "PC-14", "skl", GPGPU_MODE "PC texture", GPGPU_MODE "PC texture cs" },
   { "PC-15", "bdw", GPGPU_MODE "PC data",
     GPGPU_MODE "PC data cs; PC texture" },
   { "PC-16", "ivb hsw bdw skl", "PC write lri Address=0x2434",
     "PC lri Address=0x2434" },
   { "PC-17", "ivb hsw bdw skl", "PC llc cs depth",
     "PC llc cs depth write" },
   { "PC-19", "ivb hsw", "PC tlb write", "PC tlb write cs" },
   { "PC-20", "bdw", "PC tlb write", "PC tlb cs depth" },
   { "PC-20", "skl", "PC tlb", "PC tlb write" },
   { "PC-21", "ivb hsw bdw skl", "PC snapshot", "PC null" },
   { "PC-22", "ivb hsw bdw skl", "PC clear", "PC clear cs scoreboard" },
   { "PC-23", "bdw", "PC pointers cs scoreboard",
     "PC pointers cs scoreboard write" },
   { "PC-24", "ivb hsw bdw skl",
     "PC cs scoreboard; PC pointers cs scoreboard write;" DRAW,
     "PC cs scoreboard; PC pointers cs scoreboard write;" CONSTANTS DRAW },
   { "PC-24", "ivb hsw bdw skl", NULL,
     "PC cs scoreboard; PC pointers cs scoreboard write;"
     "3DSTATE_CONSTANT_PS;" DRAW },
   { "PC-24", "ivb hsw bdw skl", DRAW "PC pointers cs write",
     DRAW "PC cs scoreboard; PC pointers cs write" },
   { "PC-25", "skl-gt4", "PC time", "PC time cs" },
   { "PC-25", "skl-gt4", "PC count stalldepth", "PC count stalldepth cs" },
   { "PC-25", "skl", NULL, "PC time" },
   { "PC-26", "ivb hsw bdw skl", "PC count", "PC count stalldepth" },
   { "PC-36", "ivb hsw bdw skl", "PC write dw2=0x200004", "PC write" },
   { "PC-28", "ivb hsw bdw skl", DRAW SRM(0x2310), DRAW STALL SRM(0x2310) },
   { "PC-28", "ivb hsw bdw skl", DRAW SRM(0x5200), DRAW SRM(0x2434) },
   { "PC-34", "ivb hsw", "PC notify", "PC write" },
   { "PC-34", "bdw skl", NULL, "PC notify" },

   /* PIPELINE_SELECT, STATE_BASE_ADDRESS, registers */
   { "CO-01", "ivb hsw bdw skl", SELECT_3D DRAW SELECT_GPGPU,
     SELECT_3D DRAW FLUSH INVALIDATE SELECT_GPGPU },
   { "CO-01", "ivb hsw bdw skl", SELECT_3D DRAW FLUSH SELECT_GPGPU,
     SELECT_3D SELECT_GPGPU },
   { "CO-02", "ivb", SELECT_3D DRAW,
     SELECT_3D "PC cs write; 3DPRIMITIVE;" DRAW },
   { "CO-03", "bdw skl",
     "3DSTATE_CC_STATE_POINTERS ColorCalcStatePointerValid=1;" SELECT_GPGPU,
     "3DSTATE_CC_STATE_POINTERS ColorCalcStatePointerValid=1;"
     "3DSTATE_CC_STATE_POINTERS;" SELECT_GPGPU },
   { "CO-07", "ivb hsw bdw skl", SELECT_GPGPU "3DSTATE_SAMPLE_MASK",
     SELECT_GPGPU SELECT_3D "3DSTATE_SAMPLE_MASK" },
   { "CO-07", "ivb hsw bdw skl", SELECT_3D DESCRIPTORS,
     SELECT_GPGPU DESCRIPTORS },
   { "CO-08", "skl", "PIPELINE_SELECT PipelineSelection=2 MaskBits=1",
     SELECT_GPGPU },
   { "CO-09", "ivb hsw bdw skl",
     "3DSTATE_SF ViewportTransformEnable=1;"
     "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP dw1=0x40; STATE_BASE_ADDRESS "
     "DynamicStateBaseAddress=0x200000 DynamicStateBaseAddressModifyEnable=1;"
     DRAW,
     "STATE_BASE_ADDRESS DynamicStateBaseAddress=0x200000 "
     "DynamicStateBaseAddressModifyEnable=1;"
     "3DSTATE_SF ViewportTransformEnable=1;"
     "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP dw1=0x40;" DRAW },
   { "CO-09", "ivb hsw bdw skl", NULL,
     "3DSTATE_SCISSOR_STATE_POINTERS dw1=0x40; STATE_BASE_ADDRESS "
     "DynamicStateBaseAddress=0x200000 DynamicStateBaseAddressModifyEnable=1;"
     DRAW },
   { "CO-09", "ivb hsw bdw skl",
     "3DSTATE_BINDING_TABLE_POINTERS_PS; STATE_BASE_ADDRESS "
     "SurfaceStateBaseAddress=0x200000 SurfaceStateBaseAddressModifyEnable=1;"
     DRAW,
     "3DSTATE_BINDING_TABLE_POINTERS_HS; STATE_BASE_ADDRESS "
     "SurfaceStateBaseAddress=0x200000 SurfaceStateBaseAddressModifyEnable=1;"
     DRAW },
   { "CO-11", "bdw skl",
     "STATE_BASE_ADDRESS DynamicStateBaseAddress=0xfffffffff000 "
     "DynamicStateBufferSize=2",
     "STATE_BASE_ADDRESS DynamicStateBaseAddress=0xfffffffff000 "
     "DynamicStateBufferSize=1 GeneralStateBufferSize=0xfffff" },
   { "CO-12", "skl", "STATE_BASE_ADDRESS BindlessSurfaceStateSize=1",
     "STATE_BASE_ADDRESS" },
   { "CO-29", "ivb hsw bdw skl", DRAW LRI(0x7004, 0x10000),
     DRAW STALL LRI(0x7004, 0x10000) },
   { "CO-59", "ivb hsw bdw skl", LRI(0x7004, 0x1), LRI(0x7004, 0x10001) },
   { "CO-59", "hsw", LRI(0xe49c, 0x40), LRI(0xe49c, 0x400040) },
   { "CO-36", "bdw skl", DRAW LRI(0x7004, 0x08000800),
     DRAW "PC cs depth;" LRI(0x7004, 0x08000800) "PC stalldepth depth;"
     DRAW },
   { "CO-36", "bdw skl", LRI(0x7004, 0x08000800) DRAW,
     LRI(0x7004, 0x10000) DRAW },
   { "CO-47", "ivb", DRAW LRM, DRAW STALL LRM },
   { "CO-48", "ivb hsw bdw skl", "3DSTATE_STREAMOUT SOFunctionEnable=1;" DRAW
     LRI(0x5280, 0), DRAW LRI(0x5280, 0) },
   { "CO-48", "ivb hsw bdw skl", "3DSTATE_STREAMOUT SOFunctionEnable=1;" DRAW
     SRM(0x5240), "3DSTATE_STREAMOUT SOFunctionEnable=1;" DRAW STALL
     SRM(0x5240) },
   { "CO-58", "hsw", DRAW "PC target cs", DRAW "PC target cs;"
     "3DSTATE_CC_STATE_POINTERS; PC target cs" },
   { "CO-58", "hsw", DRAW "3DSTATE_CC_STATE_POINTERS; PC target;",
     COMPUTE FLUSH },
   { "CC-17", "bdw skl", DRAW LRI(0x7034, 0x60000060),
     DRAW "PC data cs; PC texture constant code state; PC data cs;"
     LRI(0x7034, 0x60000060) },
   { "CC-17", "ivb hsw", DRAW STALL LRI(0xb020, 0x40),
     LRI(0xb020, 0x40) },
   { "CC-18", "bdw skl", LRI(0x7034, 0x80000341), LRI(0x7034, 0x80000340) },
   { "CC-18", "bdw skl", LRI(0x7034, 0x60000320), LRI(0x7034, 0x60000321) },
   { "CC-18", "skl", LRI(0x7034, 0x60000062), LRI(0x7034, 0x60000060) },
   { "CC-18", "bdw", LRI(0x7034, 0x40000021), LRI(0x7034, 0x60000060) },
   { "CC-18", "ivb hsw", LRI(0xb020, 0x02000038) LRI(0xb024, 0) DRAW,
     LRI(0xb020, 0x02040040) LRI(0xb024, 0) DRAW },
   /* With shared memory; clients apart. */
   { "CC-18", "ivb hsw", LRI(0xb020, 0x010000a1) LRI(0xb024, 0x80408) DRAW,
     LRI(0xb020, 0x010000a1) LRI(0xb024, 0x40810) DRAW },
   /* Bay Trail has 32 ways more of the URB than the register says; one bank
    * is divided in its own way. */
   { "CC-18", "byt", LRI(0xb020, 0x02040020) LRI(0xb024, 0) DRAW,
     LRI(0xb020, 0x02040040) LRI(0xb024, 0) DRAW },
   { "CC-18", "bxt-2x6", LRI(0x7034, 0x60000060), LRI(0x7034, 0x60000040) },
   { "CC-18", "chv bxt glk-2x6", LRI(0x7034, 0x60000040),
     LRI(0x7034, 0x60000060) },
   { "CC-27", "ivb hsw bdw skl", DRAW STALL "STATE_BASE_ADDRESS",
     DRAW "PC target cs; STATE_BASE_ADDRESS" },
   { "CC-27", "ivb hsw bdw skl",
     DRAW "PC target cs; STATE_BASE_ADDRESS;" DRAW,
     DRAW "PC target cs; STATE_BASE_ADDRESS;" INVALIDATE DRAW },
   { "CC-27", "ivb hsw bdw skl", NULL, "STATE_BASE_ADDRESS;" DRAW },
   { "CC-21", "skl", LRI(0xb118, 0x400000), LRI(0xb118, 0x1000) },
   { "KR-37", "ivb hsw bdw skl", LRI(0x7004, 0x800),
     LRI(0x7004, 0x08000800) },

   { "RSV-02", "ivb hsw bdw skl",
     "3DSTATE_DRAWING_RECTANGLE DrawingRectangleOriginX=1",
     "3DSTATE_DRAWING_RECTANGLE ClippedDrawingRectangleXMax=1" },
   { "RSV-02", "ivb hsw", "MEDIA_VFE_STATE", "MEDIA_VFE_STATE GPGPUMode=1" },

   /* Draws */
   { "CO-17", "ivb", "3DSTATE_URB_VS;" DRAW "3DSTATE_URB_VS",
     "PC stalldepth write; 3DSTATE_URB_VS; 3DSTATE_CONSTANT_VS" },
   { "CO-17", "byt", NULL, "3DSTATE_URB_VS;" DRAW "3DSTATE_URB_VS" },
   { "CO-18", "ivb hsw bdw skl", "3DSTATE_URB_VS;" DRAW, URB(64, 0) DRAW },
   { "CO-19", "ivb hsw bdw skl", "3DSTATE_PUSH_CONSTANT_ALLOC_PS;" DRAW,
     "3DSTATE_PUSH_CONSTANT_ALLOC_PS; 3DSTATE_CONSTANT_PS;" STALL DRAW },
   /* A stage that is off wants none. */
   { "CO-19", "ivb hsw bdw skl", NULL, ALLOC_VS DRAW },
   { "CO-19", "ivb", "3DSTATE_PUSH_CONSTANT_ALLOC_PS; 3DSTATE_CONSTANT_PS;"
     DRAW, "3DSTATE_PUSH_CONSTANT_ALLOC_PS; 3DSTATE_CONSTANT_PS;" STALL
     DRAW },
   { "CO-20", "skl", "3DSTATE_CONSTANT_GS;" DRAW,
     "3DSTATE_CONSTANT_GS; 3DSTATE_BINDING_TABLE_POINTERS_GS;" DRAW },
   { "CO-21", "hsw bdw skl",
     "3DSTATE_CONSTANT_GS;" DRAW "3DSTATE_CONSTANT_GS dw1=1;" DRAW,
     "3DSTATE_CONSTANT_GS;" DRAW STALL "3DSTATE_CONSTANT_GS dw1=1;" DRAW },
   { "CO-21", "hsw bdw skl",
     "3DSTATE_CONSTANT_VS;" DRAW "3DSTATE_CONSTANT_VS dw1=1;" DRAW,
     "3DSTATE_CONSTANT_VS dw2=0x10000;" DRAW "3DSTATE_CONSTANT_VS dw1=1;"
     DRAW },
   { "CO-23", "ivb", DRAW "3DSTATE_GS Enable=1;" DRAW,
     DRAW "3DSTATE_GS Enable=1;" STALL DRAW },
   /* Of GT2 alone. */
   { "CO-23", "ivb-gt1 byt", NULL, DRAW "3DSTATE_GS Enable=1;" DRAW },
   { "CO-24", "bdw", DRAW "3DSTATE_HS Enable=1 InstanceCount=1;" DRAW,
     DRAW "3DSTATE_HS Enable=1 InstanceCount=1;" STALL DRAW },
   { "CO-25", "bdw skl", "3DSTATE_VF_SGVS VertexIDEnable=1 "
     "VertexIDElementOffset=1;" DRAW, "3DSTATE_VF_SGVS;" DRAW },
   { "CO-26", "skl", "3DSTATE_VF ComponentPackingEnable=1;"
     "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x2000000;" DRAW,
     "3DSTATE_VF ComponentPackingEnable=1;"
     "3DSTATE_VF_COMPONENT_PACKING dw1=1;"
     "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x2000000;" DRAW },
   { "CO-28", "skl", "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=6;"
     LRI(0x2580, 0x10001) DRAW, "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=4;"
     LRI(0x2580, 0x10001) DRAW },
   { "CO-28", "skl", "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=16;"
     LRI(0x2580, 0x10001) DRAW,
     "3DSTATE_VF_TOPOLOGY PrimitiveTopologyType=16;" DRAW },
   { "CO-30", "ivb hsw", DRAW "PC stalldepth;" DEPTHS,
     DRAW "PC stalldepth; PC depth; PC stalldepth;" DEPTHS },
   { "CO-32", "ivb hsw bdw skl", "3DSTATE_DEPTH_BUFFER SurfaceType=7;" DRAW,
     DEPTHS DRAW },
   { "CO-32", "ivb hsw bdw skl", "3DSTATE_STENCIL_BUFFER;"
     "3DSTATE_DEPTH_BUFFER SurfaceType=7; 3DSTATE_HIER_DEPTH_BUFFER;"
     "3DSTATE_CLEAR_PARAMS;" DRAW, DEPTHS DEPTHS DRAW },
   { "CO-33", "bdw skl", DEPTHS
     "3DSTATE_WM_HZ_OP DepthBufferClearEnable=1 NumberofMultisamples=2",
     DEPTHS "3DSTATE_MULTISAMPLE NumberofMultisamples=2;"
     "3DSTATE_WM_HZ_OP DepthBufferClearEnable=1 NumberofMultisamples=2" },
   { "CO-34", "bdw skl", DEPTHS HZ_CLEAR "3DSTATE_WM_HZ_OP;",
     DEPTHS HZ_CLEAR "PC write; 3DSTATE_WM_HZ_OP;" DRAW },
   { "CO-34", "bdw skl", DEPTHS HZ_CLEAR "PC write;" DRAW,
     "3DSTATE_WM_HZ_OP;" DRAW },
   { "CO-34", "bdw skl", DEPTHS "3DSTATE_WM ForceThreadDispatchEnable=2;"
     HZ_CLEAR, DEPTHS "3DSTATE_WM ForceThreadDispatchEnable=1;" HZ_CLEAR },
   { "CO-35", "bdw skl", DRAW, "3DSTATE_WM_HZ_OP;" DRAW },
   { "CO-37", "skl", "3DSTATE_WM_DEPTH_STENCIL StencilTestEnable=1;" DRAW,
     "3DSTATE_WM_DEPTH_STENCIL StencilTestEnable=1;"
     "3DSTATE_STENCIL_BUFFER StencilBufferEnable=1;" DRAW },
   { "CO-39", "hsw", "3DSTATE_PS SampleMask=255; 3DSTATE_SAMPLE_MASK "
     "SampleMask=0;" DRAW, "3DSTATE_PS SampleMask=255; 3DSTATE_SAMPLE_MASK "
     "SampleMask=1;" DRAW },
   { "CO-39", "hsw", "3DSTATE_PS SampleMask=1;" DRAW,
     "3DSTATE_PS SampleMask=1; 3DSTATE_SAMPLE_MASK SampleMask=1;" DRAW },
   { "CO-39", "hsw", /* a number of samples that is reserved */
     "3DSTATE_MULTISAMPLE NumberofMultisamples=7; 3DSTATE_PS SampleMask=1;"
     DRAW, "3DSTATE_MULTISAMPLE NumberofMultisamples=3; 3DSTATE_PS "
     "SampleMask=1; 3DSTATE_SAMPLE_MASK SampleMask=1;" DRAW },
   { "KR-17", "ivb hsw bdw skl", DRAW, SELECT_3D },
   { "KR-48", "skl", DRAW, LRI(0x7004, 0x02000200) DRAW },
   { "KR-48", "skl", LRI(0x7004, 0x00000200) DRAW,
     LRI(0x7004, 0x02000200) LRI(0x7004, 0x00100010) DRAW },

   /* Compute */
   { "CO-40", "ivb hsw bdw skl", DRAW "MEDIA_VFE_STATE",
     DRAW STALL "MEDIA_VFE_STATE" },
   { "CO-41", "ivb hsw bdw skl", COMPUTE WALKER,
     COMPUTE "MEDIA_STATE_FLUSH;" WALKER "MEDIA_STATE_FLUSH" },
   { "CO-41", "ivb hsw bdw skl", COMPUTE, COMPUTE "MEDIA_STATE_FLUSH" },
   { "CO-42", "ivb hsw bdw skl", COMPUTE STALL "MEDIA_VFE_STATE;" WALKER,
     COMPUTE STALL "MEDIA_VFE_STATE;" DESCRIPTORS WALKER },
   { "CO-44", "bdw", GPGPU_MODE DESCRIPTORS
     WALK_PAYLOAD "IndirectParameterEnable=1", GPGPU_MODE DESCRIPTORS
     WALK_PAYLOAD },
   { "CO-43", "ivb hsw bdw", GPGPU_MODE DESCRIPTORS
     "GPGPU_WALKER IndirectParameterEnable=1", GPGPU_MODE DESCRIPTORS
     "GPGPU_WALKER IndirectParameterEnable=1 PredicateEnable=1" },

   /* Resources */
   { "RL-02", "ivb hsw bdw skl", "3DSTATE_URB_VS VSNumberofURBEntries=65",
     "3DSTATE_URB_VS VSNumberofURBEntries=65 VSURBEntryAllocationSize=8" },
   { "RL-03", "ivb hsw bdw skl", URB(16, 0) DRAW, URB(64, 0) DRAW },
   { "RL-03", "ivb hsw bdw skl", URB(4096, 0) DRAW, URB(640, 0) DRAW },
   { "RL-04", "bdw", "3DSTATE_HS Enable=1;" URB(64, 8) DRAW,
     "3DSTATE_HS Enable=1;" URB(192, 8) DRAW },
   { "RL-04", "bdw", "3DSTATE_HS Enable=1;" URB(192, 192) DRAW,
     "3DSTATE_HS Enable=1;" URB(192, 184) DRAW },
   { "RL-05", "ivb hsw bdw skl", URB(448, 8) DRAW, URB(64, 8) DRAW },
   { "RL-05", "ivb hsw bdw skl", ALLOC_VS "3DSTATE_URB_VS "
     "VSNumberofURBEntries=64;" DRAW, ALLOC_VS URB(64, 0) DRAW },
   { "RL-05", "bdw skl", LRI(0x7034, 0x60000002) URB(64, 0) DRAW,
     LRI(0x7034, 0x60000060) URB(64, 0) DRAW },
   { "RL-06", "bdw", "3DSTATE_URB_VS VSURBStartingAddress=3;" DRAW,
     URB(64, 0) DRAW },
   { "RL-10", "ivb hsw bdw skl", "3DSTATE_CONSTANT_PS dw1=65",
     "3DSTATE_CONSTANT_PS dw1=64" },
   { "RL-10", "ivb hsw bdw skl", ALLOC_VS "3DSTATE_CONSTANT_VS dw1=1 "
     "dw2=0x400000;" DRAW, ALLOC_VS "3DSTATE_CONSTANT_VS dw2=0x400000;"
     DRAW },
   { "RL-12", "bdw", "3DSTATE_CONSTANT_VS MOCS=1", "3DSTATE_CONSTANT_VS" },
   { "RL-14", "ivb", "3DSTATE_PS MaximumNumberofThreads=1",
     "3DSTATE_PS MaximumNumberofThreads=1 _8PixelDispatchEnable=1" },
   { "RL-15", "bdw", "3DSTATE_PS MaximumNumberofThreadsPerPSD=63",
     "3DSTATE_PS MaximumNumberofThreadsPerPSD=62" },
   { "RL-15", "skl", "3DSTATE_PS MaximumNumberofThreadsPerPSD=64",
     "3DSTATE_PS MaximumNumberofThreadsPerPSD=63" },

   /* Fixed functions */
   { "CC-11", "bdw skl", VERTICES(0x200000) "3DSTATE_VERTEX_ELEMENTS "
     "length=3 dw1=0x2000000;" DRAW VERTICES(0x180000000) DRAW,
     VERTICES(0x200000) "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x2000000;" DRAW
     "PC cs depth; PC vf write;" VERTICES(0x180000000) DRAW },
   { "RL-34", "ivb hsw bdw", "3DSTATE_VERTEX_BUFFERS length=5 dw1=2049",
     "3DSTATE_VERTEX_BUFFERS length=5 dw1=2048" },
   { "RL-34", "ivb hsw bdw skl", "3DSTATE_VERTEX_ELEMENTS length=3 dw1=2048",
     "3DSTATE_VERTEX_ELEMENTS length=3 dw1=2047" },
   /* R64_FLOAT. */
   { "RL-35", "bdw skl", VERTICES(0x200004) "3DSTATE_VERTEX_ELEMENTS "
     "length=3 dw1=0x28d0000;" DRAW, VERTICES(0x200004)
     "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x28d0004;" DRAW },
   { "RL-35", "ivb hsw", VERTICES_GEN7(0x200004) "3DSTATE_VERTEX_ELEMENTS "
     "length=3 dw1=0x28d0000;" DRAW, VERTICES_GEN7(0x200004)
     "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x28d0004;" DRAW },
   /* R8G8B8A8_UNORM_SRGB; R8G8B8_UINT, which Haswell has. */
   { "FF-78", "ivb hsw bdw skl", "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x2c80000 dw2=0x11110000;" DRAW, "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x2c70000 dw2=0x11110000;" DRAW },
   { "FF-78", "ivb", "3DSTATE_VERTEX_ELEMENTS length=3 dw1=0x3c80000 "
     "dw2=0x11110000;" DRAW, "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x2c80000 dw2=0x22220000;" DRAW },
   { "FF-78", "hsw bdw skl", NULL, "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x3c80000 dw2=0x11110000;" DRAW },
   { "FF-07", "bdw skl", "3DSTATE_PS dw6=3; 3DSTATE_PS_EXTRA "
     "PixelShaderValid=1 PixelShaderIsPerSample=1;" PIXELS,
     "3DSTATE_PS dw6=2; 3DSTATE_PS_EXTRA PixelShaderValid=1 "
     "PixelShaderIsPerSample=1;" PIXELS },
   { "FF-08", "skl", "3DSTATE_MULTISAMPLE NumberofMultisamples=4;"
     "3DSTATE_PS dw6=4; 3DSTATE_PS_EXTRA PixelShaderValid=1;" PIXELS,
     "3DSTATE_MULTISAMPLE NumberofMultisamples=4;"
     "3DSTATE_PS dw6=2; 3DSTATE_PS_EXTRA PixelShaderValid=1;" PIXELS },
   { "FF-12", "skl", "3DSTATE_PS_EXTRA PixelShaderValid=1;" PIXELS,
     "3DSTATE_PS_EXTRA PixelShaderValid=1 AttributeEnable=1;" PIXELS },
   { "FF-12", "skl", NULL, "3DSTATE_WM BarycentricInterpolationMode=1;"
     "3DSTATE_PS_EXTRA PixelShaderValid=1;" PIXELS },
   { "FF-18", "bdw skl", DRAW DEPTHS HZ_CLEAR,
     DRAW "PC depth stalldepth;" DEPTHS HZ_CLEAR },
   { "FF-18", "bdw skl", DEPTHS HZ_CLEAR "PC write; 3DSTATE_WM_HZ_OP;" DRAW,
     DEPTHS HZ_CLEAR "PC write; 3DSTATE_WM_HZ_OP; PC depth stalldepth;"
     DRAW },
   { "FF-25", "skl", "3DSTATE_DEPTH_BUFFER SurfaceType=0",
     "3DSTATE_DEPTH_BUFFER SurfaceType=1" },
   { "FF-38", "ivb hsw bdw skl", "3DSTATE_SBE VertexURBEntryReadLength=2 "
     "NumberofSFOutputAttributes=2;" DRAW, "3DSTATE_SBE "
     "VertexURBEntryReadLength=2 NumberofSFOutputAttributes=3;" DRAW },
   { "FF-38", "bdw skl", NULL, "3DSTATE_SBE VertexURBEntryReadLength=2 "
     "NumberofSFOutputAttributes=1 AttributeSwizzleEnable=1;"
     "3DSTATE_SBE_SWIZ dw1=3;" DRAW },
   { "FF-39", "ivb hsw bdw skl",
     "3DSTATE_SBE NumberofSFOutputAttributes=33;" DRAW,
     "3DSTATE_SBE NumberofSFOutputAttributes=32;" DRAW },
   { "FF-41", "ivb hsw bdw skl", "3DSTATE_VERTEX_ELEMENTS length=5 "
     "dw2=0x11110000 dw3=0x2000000 dw4=0x11110000",
     "3DSTATE_VERTEX_ELEMENTS length=5 dw1=0x2000000 dw2=0x11110000 "
     "dw3=0x2000000 dw4=0x11230000" },
   { "FF-41", "ivb hsw bdw skl", "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x2000000 dw2=0x12110000", "3DSTATE_VERTEX_ELEMENTS length=3 "
     "dw1=0x2000000 dw2=0x22220000" },
   { "FF-44", "hsw", "3DSTATE_HS Enable=1 VertexURBEntryReadLength=1;" DRAW,
     "3DSTATE_HS Enable=1;" DRAW },
   { "FF-45", "ivb", "3DSTATE_INDEX_BUFFER CutIndexEnable=1;"
     "3DPRIMITIVE IndirectParameterEnable=1 VertexAccessType=1 "
     "PrimitiveTopologyType=6;", "3DSTATE_INDEX_BUFFER CutIndexEnable=1;"
     "3DPRIMITIVE IndirectParameterEnable=1 VertexAccessType=1 "
     "PrimitiveTopologyType=5;" },

   { "CC-09", "bdw", SRM(0x2400) LRM, SRM(0x2400) STALL LRM },
   { "CC-09", "bdw", NULL, SRM(0x2400) "MI_LOAD_REGISTER_MEM "
     "RegisterAddress=0x2434 MemoryAddress=0x200008;" },
   { "CC-19", "ivb hsw", LRI(0xb020, 0x40) DRAW,
     LRI(0xb010, 0xf000000) LRI(0xb020, 0x40) DRAW },
   { "CC-19", "ivb hsw", LRI(0xb010, 0xf000000) LRI(0xb020, 0x21) DRAW,
     LRI(0xb010, 0xf000000) LRI(0xb020, 0xa1) DRAW },
   { "CC-20", "hsw", LRI(0xb020, 0x40) LRI(0xb038, 0) DRAW,
     LRI(0xb020, 0x200040) LRI(0xb038, 0) DRAW },
   { "CC-20", "hsw", LRI(0xb020, 0x40) LRI(0xe49c, 0x400000) DRAW,
     LRI(0xb020, 0x40) LRI(0xe49c, 0x400040) DRAW },
   { "CC-24", "bdw skl", SHARED(840) WALKER,
     GENERAL_SIZE SHARED(840) WALKER },
   { "CO-60", "bdw skl", "STATE_BASE_ADDRESS InstructionBufferSize=1;",
     "STATE_BASE_ADDRESS InstructionBufferSize=1 "
     "InstructionBuffersizeModifyEnable=1;" },
   { "CC-24", "bdw skl", GENERAL_SIZE "STATE_BASE_ADDRESS "
     "GeneralStateBufferSizeModifyEnable=1;" SHARED(840) WALKER, GENERAL_SIZE
     "STATE_BASE_ADDRESS SurfaceStateBaseAddressModifyEnable=1;"
     SHARED(840) WALKER },
   { "CC-25", "bdw", LRI(0x7034, 0x60000060) SHARED(840) WALKER,
     LRI(0x7034, 0x60000021) SHARED(840) WALKER },
   { "CO-10", "ivb", "STATE_BASE_ADDRESS "
     "DynamicStateAccessUpperBoundModifyEnable=1", "STATE_BASE_ADDRESS "
     "DynamicStateAccessUpperBoundModifyEnable=1 "
     "DynamicStateAccessUpperBound=0xfffff000" },
   { "CO-10", "ivb", "STATE_BASE_ADDRESS GeneralStateBaseAddress=0x200000 "
     "GeneralStateBaseAddressModifyEnable=1 "
     "GeneralStateAccessUpperBoundModifyEnable=1 "
     "GeneralStateAccessUpperBound=0x100000", "STATE_BASE_ADDRESS "
     "GeneralStateAccessUpperBoundModifyEnable=1" },
   { "CO-14", "bdw skl", GPGPU_MODE DESCRIPTORS "PC clear cs scoreboard;"
     WALKER, GPGPU_MODE DESCRIPTORS
     "PC clear cs scoreboard; MEDIA_VFE_STATE;" WALKER },
   { "CO-16", "ivb hsw bdw skl", STORE(0x100040), STORE(0x100800) },
   { "CO-16", "ivb hsw bdw skl", NULL, "MI_NOOP;" STORE(0x100000) },
   { "CO-38", "ivb hsw", DEPTH_OF(5) "3DSTATE_SF DepthBufferSurfaceFormat=1 "
     "GlobalDepthOffsetEnableSolid=1;" DRAW, DEPTH_OF(5)
     "3DSTATE_SF DepthBufferSurfaceFormat=5 GlobalDepthOffsetEnableSolid=1;"
     DRAW },
   { "CO-50", "ivb hsw", "3DSTATE_SO_BUFFER SurfaceBaseAddress=0x200000 "
     "SurfaceEndAddress=0x100000", "3DSTATE_SO_BUFFER; 3DSTATE_SO_BUFFER "
     "SurfaceBaseAddress=0x200000 SurfaceEndAddress=0x200100" },

   { "RL-07", "skl", "3DSTATE_URB_VS VSURBStartingAddress=126 "
     "VSNumberofURBEntries=64;" DRAW, URB(64, 0) DRAW },
   { "RL-08", "ivb hsw", LRI(0xb020, 0x20) URB(64, 0) LRI(0xb020, 0x40) DRAW,
     LRI(0xb020, 0x20) LRI(0xb020, 0x40) URB(64, 0) DRAW },
   { "RL-08", "bdw skl", LRI(0x7034, 0x60000040) URB(64, 0)
     LRI(0x7034, 0x60000060) DRAW, LRI(0x7034, 0x60000060) URB(64, 0)
     LRI(0x7034, 0x40000060) DRAW },
   { "RL-09", "ivb hsw", "3DSTATE_PUSH_CONSTANT_ALLOC_PS "
     "ConstantBufferOffset=15 ConstantBufferSize=4",
     "3DSTATE_PUSH_CONSTANT_ALLOC_PS ConstantBufferOffset=15 "
     "ConstantBufferSize=1" },
   { "RL-09", "bdw skl", "3DSTATE_PUSH_CONSTANT_ALLOC_PS "
     "ConstantBufferSize=3", "3DSTATE_PUSH_CONSTANT_ALLOC_PS "
     "ConstantBufferSize=4 ConstantBufferOffset=28" },
   { "RL-16", "bdw", "3DSTATE_GS Enable=1 MaximumNumberofThreads=255",
     "3DSTATE_GS Enable=1 MaximumNumberofThreads=251" },
   { "RL-19", "ivb hsw bdw skl", "3DSTATE_PS PerThreadScratchSpace=12",
     "3DSTATE_PS PerThreadScratchSpace=11" },
   { "RL-19", "ivb hsw bdw skl", "MEDIA_VFE_STATE PerThreadScratchSpace=15",
     "MEDIA_VFE_STATE PerThreadScratchSpace=11" },
   /* The object has room for four threads. */
   { "RL-20", "ivb hsw bdw skl", "3DSTATE_VS Enable=1 "
     "ScratchSpaceBasePointer=0x200000;" DRAW,
     "3DSTATE_VS ScratchSpaceBasePointer=0x200000;" DRAW },
   { "RL-20", "ivb hsw bdw skl", "3DSTATE_GS Enable=1 "
     "ScratchSpaceBasePointer=0x200000;" DRAW, "3DSTATE_GS Enable=1;" DRAW },
   { "RL-20", "ivb hsw bdw skl", "MEDIA_VFE_STATE "
     "ScratchSpaceBasePointer=0x200000;" SHARED(840) WALKER,
     "MEDIA_VFE_STATE;" SHARED(840) WALKER },
   { "RL-36", "ivb hsw bdw skl", "3DSTATE_SO_DECL_LIST length=5 dw2=1 dw3=5",
     "3DSTATE_SO_DECL_LIST length=5 dw2=1 dw3=6" },
   { "RL-37", "ivb hsw bdw", SHARED(880) WALKER, SHARED(840) WALKER },
   { "RL-37", "skl", SHARED(900) WALKER, SHARED(880) WALKER },
   { "RL-38", "ivb hsw bdw skl", SHARED(8c0) WALKER,
     SHARED(840) WALKER },
   { "RL-39", "ivb hsw bdw skl", "MEDIA_VFE_STATE CURBEAllocationSize=3",
     "MEDIA_VFE_STATE CURBEAllocationSize=2016" },
   { "RL-39", "bdw skl", LRI(0x7034, 0x60000002)
     "MEDIA_VFE_STATE CURBEAllocationSize=1024", LRI(0x7034, 0x60000060)
     "MEDIA_VFE_STATE CURBEAllocationSize=1024" },
   { "RL-40", "ivb hsw bdw skl", "MEDIA_VFE_STATE "
     "MaximumNumberofThreads=4095", "MEDIA_VFE_STATE "
     "MaximumNumberofThreads=63" },
   { "RL-41", "ivb hsw bdw skl", "3DSTATE_GS Enable=1 OutputVertexSize=2;"
     DRAW, "3DSTATE_GS Enable=1 OutputVertexSize=3;" DRAW },
   { "RL-41", "ivb hsw bdw skl", "3DSTATE_GS Enable=1 OutputVertexSize=63;"
     DRAW, "3DSTATE_GS Enable=1 OutputVertexSize=2;"
     "3DSTATE_STREAMOUT RenderingDisable=1;" DRAW },
   { "RL-42", "bdw skl", LARGE_PATCH "3DSTATE_CONSTANT_GS dw1=1;" DRAW,
     LARGE_PATCH DRAW },
   { "RL-43", "ivb hsw bdw skl", "3DSTATE_VS Enable=1 "
     "DispatchGRFStartRegisterForURBData=31;"
     "3DSTATE_CONSTANT_VS dw1=100;" DRAW, "3DSTATE_VS Enable=1 "
     "DispatchGRFStartRegisterForURBData=31;"
     "3DSTATE_CONSTANT_VS dw1=97;" DRAW },

   { "RL-43", "ivb hsw", PATCHES(8) DRAW_PATCHES_GEN7,
     PATCHES(7) DRAW_PATCHES_GEN7 },
   { "RL-43", "bdw skl", PATCHES(8) DRAW_PATCHES, PATCHES(7) DRAW_PATCHES },
   { "RL-43", "ivb hsw bdw skl", "3DSTATE_DS Enable=1 "
     "DispatchGRFStartRegisterForURBData=5 PatchURBEntryReadLength=60;"
     "3DSTATE_CONSTANT_DS dw1=64;" DRAW, "3DSTATE_DS Enable=1 "
     "DispatchGRFStartRegisterForURBData=5 PatchURBEntryReadLength=60;"
     "3DSTATE_CONSTANT_DS dw1=63;" DRAW },
   { "RL-43", "bdw skl", "3DSTATE_GS Enable=1 ExpectedVertexCount=6 "
     "DispatchMode=3 DispatchGRFStartRegisterForURBData=9 "
     "VertexURBEntryReadLength=3;" DRAW, "3DSTATE_GS Enable=1 "
     "ExpectedVertexCount=6 DispatchMode=3 "
     "DispatchGRFStartRegisterForURBData=9 VertexURBEntryReadLength=2;"
     DRAW },

   { "RL-45", "ivb hsw bdw skl", "3DSTATE_SCISSOR_STATE_POINTERS dw1=0x60",
     "3DSTATE_SCISSOR_STATE_POINTERS dw1=0x40" },

   { "RL-47", "bdw skl", GPGPU_MODE "MEDIA_CURBE_LOAD "
     "CURBETotalDataLength=32 CURBEDataStartAddress=0x200000", GPGPU_MODE
     "MEDIA_CURBE_LOAD CURBETotalDataLength=64 "
     "CURBEDataStartAddress=0x200000" },
   { "RL-48", "ivb hsw bdw skl", SCRATCH_VS(0, 0x200000) DRAW
     SCRATCH_VS(1, 0x200000) DRAW, SCRATCH_VS(0, 0x200000) DRAW STALL
     SCRATCH_VS(1, 0x200000) DRAW },
   { "RL-48", "ivb hsw bdw skl", SCRATCH_VS(1, 0x200000) DRAW
     SCRATCH_VS(0, 0x210000) DRAW, SCRATCH_VS(1, 0x200000) DRAW
     SCRATCH_VS(0, 0x300000) DRAW },
   { "RL-48", "ivb hsw bdw skl", "MEDIA_VFE_STATE "
     "ScratchSpaceBasePointer=0x200000;" SHARED(840) WALKER
     "MEDIA_VFE_STATE PerThreadScratchSpace=3 "
     "ScratchSpaceBasePointer=0x200000;" WALKER, "MEDIA_VFE_STATE "
     "ScratchSpaceBasePointer=0x200000;" SHARED(840) WALKER WALKER },

   { "FF-02", "bdw", "3DSTATE_PS_EXTRA PixelShaderHasUAV=1",
     "3DSTATE_WM ForceThreadDispatchEnable=2" },
   { "FF-03", "ivb hsw", "3DSTATE_WM PixelShaderKillsPixel=1;" DRAW,
     "3DSTATE_WM PixelShaderKillsPixel=1 ThreadDispatchEnable=1;" DRAW },
   { "FF-04", "ivb hsw", "3DSTATE_PS DualSourceBlendEnable=1;"
     BLEND(a00) DRAW, "3DSTATE_PS DualSourceBlendEnable=1;" BLEND(a40)
     DRAW },
   { "FF-05", "ivb hsw", BLEND(a40) DRAW, BLEND(a00) DRAW },
   { "FF-06", "ivb hsw bdw skl", BLEND(a80) DRAW, BLEND(a00) DRAW },
   { "FF-10", "ivb hsw", "3DSTATE_WM ThreadDispatchEnable=1 "
     "MultisampleDispatchMode=1;" DRAW, "3DSTATE_WM ThreadDispatchEnable=1;"
     DRAW },
   { "FF-10", "ivb hsw", "3DSTATE_MULTISAMPLE NumberofMultisamples=2;"
     "3DSTATE_PS PositionXYOffsetSelect=3; 3DSTATE_WM "
     "ThreadDispatchEnable=1 MultisampleDispatchMode=1;" DRAW,
     "3DSTATE_MULTISAMPLE NumberofMultisamples=2; 3DSTATE_WM "
     "ThreadDispatchEnable=1 MultisampleDispatchMode=1;" DRAW },
   { "FF-19", "bdw", DEPTH_OF(1) "3DSTATE_WM_HZ_OP "
     "DepthBufferResolveEnable=1 ClearRectangleXMin=12 "
     "ClearRectangleXMax=12", DEPTH_OF(1) "3DSTATE_WM_HZ_OP "
     "DepthBufferResolveEnable=1 ClearRectangleXMin=16 "
     "ClearRectangleXMax=16" },
   { "FF-20", "bdw skl", DEPTH_OF(5) HZ_CLEAR_TO(12), DEPTH_OF(5)
     HZ_CLEAR_TO(16) },
   { "FF-20", "bdw skl", DEPTH_OF(1) HZ_CLEAR_TO(16384), DEPTH_OF(1)
     HZ_CLEAR_TO(16383) },
   { "FF-22", "bdw skl", DEPTH_OF(1) DEPTH_RANGE "3DSTATE_CLEAR_PARAMS "
     "dw1=0x3f800000;" HZ_CLEAR_TO(16), DEPTH_OF(1) DEPTH_RANGE
     "3DSTATE_CLEAR_PARAMS dw1=0x3e800000;" HZ_CLEAR_TO(16) },
   { "FF-22", "ivb hsw", DEPTH_CLEAR_GEN7(5, 0xc000),
     DEPTH_CLEAR_GEN7(5, 0x4000) },
   { "FF-22", "ivb hsw", DEPTH_CLEAR_GEN7(3, 0xc00000),
     DEPTH_CLEAR_GEN7(3, 0x400000) },
   { "FF-22", "ivb hsw", DEPTH_CLEAR_GEN7(1, 0x3f800000),
     DEPTH_CLEAR_GEN7(1, 0x3e800000) },
   { "FF-23", "ivb hsw bdw skl", DEPTH_OF(2), DEPTH_OF(3) },
   { "FF-23", "ivb hsw bdw skl", "3DSTATE_DEPTH_BUFFER SurfaceType=1 "
     "SurfaceFormat=1 HierarchicalDepthBufferEnable=1;" DRAW,
     "3DSTATE_DEPTH_BUFFER SurfaceType=1 SurfaceFormat=1 "
     "HierarchicalDepthBufferEnable=1; 3DSTATE_HIER_DEPTH_BUFFER "
     "SurfaceBaseAddress=0x200000;" DRAW },
   { "FF-28", "ivb hsw bdw skl", DRAW
     "3DSTATE_PS RenderTargetFastClearEnable=1;" DRAW,
     DRAW "PC target cs; 3DSTATE_PS RenderTargetFastClearEnable=1;" DRAW },
   { "FF-28", "ivb hsw bdw skl", "3DSTATE_PS RenderTargetFastClearEnable=1;"
     DRAW "3DSTATE_PS;" DRAW, "3DSTATE_PS RenderTargetFastClearEnable=1;"
     DRAW "PC target cs; 3DSTATE_PS;" DRAW },
   /* Other work, which writes no colour, may come between. */
   { "FF-28", "ivb hsw bdw skl", "3DSTATE_PS RenderTargetFastClearEnable=1;"
     DRAW "PC target; PC depth; 3DSTATE_PS;" DRAW,
     "3DSTATE_PS RenderTargetFastClearEnable=1;"
     DRAW "PC target; PC depth cs; 3DPRIMITIVE; 3DSTATE_PS;" DRAW },
   { "FF-83", "skl-gt4", "3DSTATE_VS; 3DSTATE_DS Enable=1;" DRAW,
     "3DSTATE_VS VertexCacheDisable=1; 3DSTATE_DS Enable=1;" DRAW },
   { "FF-83", "skl-gt4", NULL, "3DSTATE_VS; 3DSTATE_DS;" DRAW },
   { "FF-83", "skl", NULL, "3DSTATE_VS; 3DSTATE_DS Enable=1;" DRAW },
   { "FF-79", "skl", "3DSTATE_WM ForceThreadDispatchEnable=2;" DRAW,
     "3DSTATE_WM ForceThreadDispatchEnable=1;" DRAW },
   { "FF-79", "skl", NULL,
     "3DSTATE_WM ForceThreadDispatchEnable=2;"
     "3DSTATE_PS_BLEND HasWriteableRT=1;" DRAW },
   { "FF-82", "bdw", "3DSTATE_PS _16PixelDispatchEnable=1;" BLEND(a40) DRAW,
     "3DSTATE_PS _8PixelDispatchEnable=1;" BLEND(a40) DRAW },
   { "FF-82", "bdw", NULL, "3DSTATE_PS _16PixelDispatchEnable=1;" BLEND(a00)
     DRAW },
   { "FF-69", "bdw skl", DEPTH_OF(1) DEPTH_TEST "DepthTestFunction=3;" DRAW,
     DEPTH_OF(1) DEPTH_TEST "DepthTestFunction=4;" DRAW },
   { "FF-69", "bdw skl", NULL, DEPTH_OF(1) "3DSTATE_WM_DEPTH_STENCIL "
     "DepthTestEnable=1 DepthTestFunction=3;" DRAW },
   { "FF-37", "bdw skl", LRI(0x7004, 0x08000800) DRAW,
     LRI(0x7004, 0x08000000) DRAW },
   { "FF-61", "bdw", "3DSTATE_CLIP GuardbandClipTestEnable=1;"
     GUARD_BAND(b40) DRAW, "3DSTATE_CLIP GuardbandClipTestEnable=1;"
     GUARD_BAND(b80) DRAW },
   { "FF-62", "bdw skl",
     "3DSTATE_SAMPLE_PATTERN dw8=0x88770000 dw7=0x888877",
     "3DSTATE_SAMPLE_PATTERN dw7=0x77777777 dw8=0x7777" },

   /* The rest */
   { "KR-31", "ivb hsw", LRI(0x7004, 0x10000), LRI(0x2400, 1) },
   { "KR-32", "hsw", LRI(0xb038, 1), LRI(0xb038, 0x8000000) },
   { "KR-32", "hsw", "MI_LOAD_REGISTER_MEM RegisterAddress=0xb038 "
     "MemoryAddress=0x200000", LRI(0xe49c, 0x400040) LRI(0x2600, 7) },
   { "KR-33", "ivb hsw", "MI_USER_INTERRUPT", "MI_NOOP" },
   { "KR-33", "ivb", "MEDIA_VFE_STATE GatewayMMIOAccessControl=2",
     "MEDIA_VFE_STATE" },
   { "KR-33", "hsw", "PC notify", "PC write" },
   /* Nothing is at 0x900000; an object that is there still may be read. */
   { "KR-20", "bdw skl", "3DSTATE_CONSTANT_VS dw1=1 dw3=0x900000",
     "3DSTATE_CONSTANT_VS dw1=1 dw3=0x200000", true },
   { "KR-20", "bdw skl", "3DSTATE_CONSTANT_PS dw2=0x10000 dw9=0x900000",
     "3DSTATE_CONSTANT_PS dw2=0x10000 dw9=0x900000; PC cs scoreboard;"
     "PC pointers cs", true },
   { "KR-20", "bdw skl", "3DSTATE_CONSTANT_HS dw1=0x10000 dw5=0x900000",
     "3DSTATE_CONSTANT_HS dw1=0x10000 dw5=0x900000; 3DSTATE_CONSTANT_HS",
     true },
   { "KR-34", "bdw skl", LRI(0x2094, 1), LRI(0x7004, 0x10000) },
   /* The mode of barriers is Gemini Lake's. */
   { "KR-34", "skl bxt", LRI(0x731c, 0x800080), LRI(0x7004, 0x10000) },
   { "KR-34", "glk", NULL, LRI(0x731c, 0x800080) },
   { "KR-12", "ivb hsw", "MI_BATCH_BUFFER_START AddressSpaceIndicator=1 "
     "BatchBufferStartAddress=0x200000", "PC write" },
   { "RSV-01", "ivb hsw bdw skl", "MI_BATCH_BUFFER_END dw0=0x200",
     "MI_NOOP; PC write" },
   { "RSV-01", "skl", "3DSTATE_SAMPLE_MASK dw1=0x10000",
     "3DSTATE_SAMPLE_MASK dw1=0xffff" },
};
/* clang-format on */

/* Failures, which do not keep other rows from being tried. */
static unsigned num_failed;

struct heard {
   const char *rule;
   unsigned of_rule, others;
   char first_other[1024];
};

static void
hear(void *data, const char *line)
{
   struct heard *h = data;
   char start[32];
   snprintf(start, sizeof(start), "strict: %s ", h->rule);
   if (!strncmp(line, start, strlen(start)))
      h->of_rule++;
   else if (!strstr(line, " more") && !h->others++)
      strncpy(h->first_other, line, sizeof(h->first_other) - 1);
}

/* "PIPELINE_SELECT" has mask bits on Gen9 only. */
static const char *
with_mask(const char *gen, const char *text, char *room, size_t room_B)
{
   size_t n = 0;
   const char *words = "PIPELINE_SELECT PipelineSelection";
   for (const char *t = text; *t;) {
      const bool here = !strcmp(gen, "skl") &&
                        !strncmp(t, words, strlen(words)) &&
                        !strstr(text, "MaskBits");
      n += (size_t)snprintf(room + n, room_B - n, "%s%c",
                            here ? "PIPELINE_SELECT MaskBits=3 " : "",
                            here ? ' ' : *t);
      t += here ? strlen("PIPELINE_SELECT") : 1;
   }
   room[n] = 0;
   return room;
}

/* What state of rows is at which address. */
static void
put_state(struct batch *b, bool gen7)
{
   uint32_t *map = b->data.map;
   const unsigned group = gen7 ? 5 : 6;
   /* Shared memory of sizes 1, 3 and 8; 200 threads. */
   map[0x840 / 4 + group] = 1 << 16 | 1;
   map[0x880 / 4 + group] = 3 << 16 | 1;
   map[0x8c0 / 4 + group] = 200;
   map[0x900 / 4 + group] = 8 << 16 | 1;
   map[0xc80 / 4] = 0x200d00;
   /* Blending with ONE and ZERO, with SRC1_COLOR, and with a logic op. */
   const uint32_t source = gen7 ? 5 : 26, enable = 1u << 31;
   const uint32_t on = gen7 ? enable | 1 << source | 0x11
                            : enable | 1 << source | 0x11 << 21;
   const unsigned at = gen7 ? 0 : 1;
   map[0xa00 / 4 + at] = on;
   map[0xa40 / 4 + at] = gen7 ? enable | 9 << source | 0x11
                              : enable | 9 << source | 0x11 << 21;
   map[0xa80 / 4 + at] = on;
   map[0xa80 / 4 + at + 1] = gen7 ? 1 << 22 : 1u << 31;
   /* Depths up to a half; scales of guard bands. */
   const float half = 0.5f, far = 40000.0f, near = 10000.0f, one = 1.0f;
   memcpy(&map[0xb00 / 4 + 1], &half, 4);
   memcpy(&map[0xb40 / 4], &one, 4);
   memcpy(&map[0xb40 / 4 + 9], &far, 4);
   memcpy(&map[0xb80 / 4], &one, 4);
   memcpy(&map[0xb80 / 4 + 9], &near, 4);
}

/* The state of rows, and a batch. */
static void
put_text(struct batch *b, const char *gen, const char *text)
{
   char room[8192];
   const unsigned verx10 = intel_device_info_by_name(gen)->verx10;
   const bool gen7 = verx10 < 80;
   b->data.map[0] = MI_BATCH_BUFFER_END;
   /* A descriptor of groups of one thread. */
   b->data.map[0x800 / 4] = 0x200c00;
   b->data.map[0x800 / 4 + (gen7 ? 5 : 6)] = 1;
   put_state(b, gen7);
   const unsigned n = strict_text(genxml_spec_get(verx10),
                                  with_mask(gen, text, room, sizeof(room)),
                                  b->next, 4096);
   b->next[n] = MI_BATCH_BUFFER_END;
}

/* How often the batch breaks the rule; anything else that is reported fails
 * the test. */
static unsigned
run(const char *rule, const char *gen, const char *text, bool again,
    const char *mode)
{
   struct heard h = { .rule = rule };
   void *state;
   setenv("SAFFRON_SIM_STRICT", mode, 1);
   setenv("SAFFRON_SIM_RULES", rule, 1);
   f_setup_gen(&state, gen);
   unsetenv("SAFFRON_SIM_STRICT");
   struct batch b = batch_start(&state);
   saffron_sim_set_report(b.f->sim, hear, &h);
   put_text(&b, gen, text);
   f_run(b.f, &b.bo);
   if (again)
      f_run(b.f, &b.bo);
   const unsigned resets = f_resets(b.f);
   f_teardown(&state);
   const bool fault = !strcmp(mode, "fault") && h.of_rule;
   if (h.others > (fault ? 1 : 0) || resets != (fault ? 1 : 0)) {
      print_message("%s on %s: '%s': %u resets: %s\n", rule, gen, text,
                    resets, h.first_other);
      num_failed++;
   }
   return h.of_rule;
}

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *r = &rows[i];
      char gens[32], *rest;
      strcpy(gens, r->gens);
      for (char *gen = strtok_r(gens, " ", &rest); gen;
           gen = strtok_r(NULL, " ", &rest)) {
         if (r->broken && !run(r->rule, gen, r->broken, r->again, "report")) {
            print_message("%s on %s: no report of '%s'\n", r->rule, gen,
                          r->broken);
            num_failed++;
         }
         if (run(r->rule, gen, r->kept, r->again, "report")) {
            print_message("%s on %s: a report of '%s'\n", r->rule, gen,
                          r->kept);
            num_failed++;
         }
      }
   }
   assert_int_equal(num_failed, 0);
}

/* Rules that are faults without strict mode. */
/* clang-format off */
static const struct {
   const char *rule, *gens, *text, *words;
} faults[] = {
   { "PC-27", "ivb hsw bdw skl", "PC write ggtt", "global GTT" },
   { "CO-52", "ivb", "MI_NOOP dw0=0x0d000000", "0x0d000000" },
   { "CO-54", "ivb hsw bdw skl", "MI_SET_CONTEXT", "not for user batches" },
   { "CO-55", "ivb hsw bdw skl",
     "MI_STORE_DATA_IMM length=4 UseGlobalGTT=1", "global GTT" },
};
/* clang-format on */

static void
hear_fault(void *data, const char *line)
{
   char *heard = data;
   if (!*heard)
      snprintf(heard, 256, "%s", line);
}

static void
test_faults(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(faults); i++) {
      char gens[32], *rest;
      strcpy(gens, faults[i].gens);
      for (char *gen = strtok_r(gens, " ", &rest); gen;
           gen = strtok_r(NULL, " ", &rest)) {
         char heard[256] = "";
         f_setup_gen(state, gen);
         struct batch b = batch_start(state);
         saffron_sim_set_report(b.f->sim, hear_fault, heard);
         put_text(&b, gen, faults[i].text);
         f_run(b.f, &b.bo);
         assert_int_equal(f_resets(b.f), 1);
         f_teardown(state);
         if (!strstr(heard, faults[i].words))
            fail_msg("%s on %s: '%s'", faults[i].rule, gen, heard);
      }
   }
}

/* A descriptor without a number of threads is one of Ivybridge alone: there
 * the group goes on to its program, in which there is nothing. */
static void
test_group_without_number(void **state)
{
   static const char *const rows[][2] = {
      { "ivb", "illegal by definition" },
      { "hsw", "0 by the interface descriptor" },
      { "bdw", "0 by the interface descriptor" },
      { "skl", "0 by the interface descriptor" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char heard[256] = "";
      f_setup_gen(state, rows[i][0]);
      struct batch b = batch_start(state);
      saffron_sim_set_report(b.f->sim, hear_fault, heard);
      put_text(&b, rows[i][0],
               SHARED(c80) "MEDIA_VFE_STATE MaximumNumberofThreads=3;"
                           "GPGPU_WALKER ThreadGroupIDXDimension=1 "
                           "ThreadGroupIDYDimension=1 "
                           "ThreadGroupIDZDimension=1");
      f_run(b.f, &b.bo);
      f_teardown(state);
      if (!strstr(heard, rows[i][1]))
         fail_msg("%s: '%s'", rows[i][0], heard);
   }
}

static void
test_modes(void **state)
{
   /* In fault mode the first one ends the context, as a hang would. */
   assert_int_equal(run("PC-26", "skl", "PC count; PC count", false, "fault"),
                    1);
   /* A place is told once, others again. */
   assert_int_equal(
      run("PC-26", "skl", "PC count; PC count", false, "report"), 2);
   /* Rules of other generations are off. */
   assert_int_equal(run("PC-01", "skl", "PC cs", false, "report"), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_group_without_number),
      cmocka_unit_test(test_modes),
      cmocka_unit_test(test_faults),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
