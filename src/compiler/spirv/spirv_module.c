/* SPDX-License-Identifier: MIT */
/*
 * The words of a module: header, instruction boundaries, operands against
 * the grammar, the order of sections (2.4), single definition of ids. After
 * spv_check_words() every other file may read the operands that the grammar
 * promises without looking at the word count again; only operands whose
 * shape depends on a type (numbers, switch labels, OpSpecConstantOp) are
 * left to the place that knows the type.
 */
#include "compiler/spirv/kernel/spirv_kernel.h"

void
spv_read_header(struct spv *s)
{
   const uint32_t *w = s->words;

   s->cur = w;
   spv_check(s, s->n_words >= 5,
             "the module is shorter than the header of 5 words (2.3)");
   spv_check(s, w[0] == SpvMagicNumber,
             "the magic number is 0x%08x, not 0x%08x (2.3)", w[0],
             SpvMagicNumber);
   s->cur = w + 1;
   s->version = w[1];
   spv_check(s, (w[1] & 0xff0000ff) == 0 && (w[1] >> 16) == 1,
             "0x%08x is not a version of SPIR-V (2.3)", w[1]);
   if (w[1] > 0x00010600)
      spv_unsupported(s, "SPIR-V 1.%u", (w[1] >> 8) & 0xff);
   s->cur = w + 3;
   s->bound = w[3];
   spv_check(s, s->bound > 0, "the bound of ids is 0 (2.3)");
   if (s->bound > SPV_MAX_BOUND)
      spv_unsupported(s, "more than %u ids", SPV_MAX_BOUND);
   s->cur = w + 4;
   spv_check(s, w[4] == 0, "the schema is not 0 (2.3)");
   s->values = arena_new_array(s->arena, struct spv_value, s->bound);
}

const char *
spv_string(struct spv *s, const uint32_t *w, const uint32_t *end,
           unsigned *num_words)
{
   for (const uint32_t *p = w; p < end; p++) {
      const uint32_t v = *p;
      if (!(v & 0xff) || !(v & 0xff00) || !(v & 0xff0000) ||
          !(v & 0xff000000)) {
         *num_words = (unsigned)(p - w) + 1;
         return (const char *)w;
      }
   }
   spv_fail(s, "%s: a string is not terminated (2.2.1)",
            spirv_opcode_name(spv_opcode(s->cur)));
}

static void
check_id(struct spv *s, uint32_t id)
{
   spv_check(s, id != 0 && id < s->bound,
             "%s: id %u is not below the bound %u (2.3)",
             spirv_opcode_name(spv_opcode(s->cur)), id, s->bound);
}

struct operand_walk {
   const uint32_t *w, *end;
   const uint32_t *instruction;
};

static void check_operand_list(struct spv *s, struct operand_walk *o,
                               unsigned first, unsigned count,
                               const char *owner);

static uint32_t
take_word(struct spv *s, struct operand_walk *o)
{
   spv_check(s, o->w < o->end, "%s has too few operands (%u words)",
             spirv_opcode_name(spv_opcode(o->instruction)),
             spv_count(o->instruction));
   return *o->w++;
}

static void
check_enum_operand(struct spv *s, struct operand_walk *o, unsigned kind)
{
   const struct spirv_enum *e = &spirv_enums[kind];
   const uint32_t value = take_word(s, o);

   if (!e->is_mask) {
      const struct spirv_enumerant *m = spirv_find_enumerant(kind, value);
      spv_check(s, m, "%s: %u is not a value of %s",
                spirv_opcode_name(spv_opcode(o->instruction)), value,
                e->name);
      check_operand_list(s, o, m->first_param, m->num_params, m->name);
      return;
   }
   for (unsigned b = 0; b < 32; b++) {
      if (!(value & (1u << b)))
         continue;
      const struct spirv_enumerant *m = spirv_find_enumerant(kind, 1u << b);
      spv_check(s, m, "%s: bit %u is not a bit of %s",
                spirv_opcode_name(spv_opcode(o->instruction)), b, e->name);
      check_operand_list(s, o, m->first_param, m->num_params, m->name);
   }
}

static void
check_result(struct spv *s, struct operand_walk *o)
{
   const uint32_t id = take_word(s, o);

   check_id(s, id);
   spv_check(s, !s->values[id].words, "id %u is defined twice (2.16)", id);
   s->values[id].words = o->instruction;
}

/* Of `owner`, an instruction or a value of an enumeration. */
static void
check_operand(struct spv *s, struct operand_walk *o, unsigned kind,
              const char *owner)
{
   unsigned n;

   switch (kind) {
   case SPIRV_OPERAND_RESULT: check_result(s, o); break;
   case SPIRV_OPERAND_RESULT_TYPE:
   case SPIRV_OPERAND_ID: check_id(s, take_word(s, o)); break;
   case SPIRV_OPERAND_LITERAL_INT:
   case SPIRV_OPERAND_LITERAL_FLOAT:
   case SPIRV_OPERAND_EXT_INST: take_word(s, o); break;
   case SPIRV_OPERAND_LITERAL_STRING:
      spv_string(s, o->w, o->end, &n);
      o->w += n;
      break;
   case SPIRV_OPERAND_LITERAL_NUMBER:
   case SPIRV_OPERAND_SPEC_OP:
   case SPIRV_OPERAND_PAIR_LITERAL_ID:
      /* The rest depends on a type or an opcode. */
      take_word(s, o);
      o->w = o->end;
      break;
   case SPIRV_OPERAND_PAIR_ID_LITERAL:
      check_id(s, take_word(s, o));
      take_word(s, o);
      break;
   case SPIRV_OPERAND_PAIR_ID_ID:
      check_id(s, take_word(s, o));
      check_id(s, take_word(s, o));
      break;
   case SPIRV_OPERAND_UNKNOWN:
      spv_unsupported(s, "%s: operands of %s, which are of a later SPIR-V",
                      spirv_opcode_name(spv_opcode(o->instruction)), owner);
   default: check_enum_operand(s, o, kind - SPIRV_OPERAND_ENUM); break;
   }
}

static void
check_operand_list(struct spv *s, struct operand_walk *o, unsigned first,
                   unsigned count, const char *owner)
{
   for (unsigned i = 0; i < count; i++) {
      const struct spirv_operand *op = &spirv_operands[first + i];
      if (op->quantifier == SPIRV_ONE) {
         check_operand(s, o, op->kind, owner);
      } else if (op->quantifier == SPIRV_OPTIONAL) {
         if (o->w < o->end)
            check_operand(s, o, op->kind, owner);
      } else {
         while (o->w < o->end)
            check_operand(s, o, op->kind, owner);
      }
   }
}

/* Operands by the grammar; notes where the result id is defined. */
void
spv_check_operands(struct spv *s, const uint32_t *w)
{
   const struct spirv_opcode *op = spirv_opcode_info(spv_opcode(w));
   struct operand_walk o = { w + 1, w + spv_count(w), w };

   spv_check(s, op, "opcode %u is not known", spv_opcode(w));
   check_operand_list(s, &o, op->first_operand, op->num_operands, op->name);
   spv_check(s, o.w == o.end, "%s has %u words too many", op->name,
             (unsigned)(o.end - o.w));
}

/* The sections of a module in their order (2.4). */
enum section {
   SECTION_CAPABILITY,
   SECTION_EXTENSION,
   SECTION_EXT_IMPORT,
   SECTION_MEMORY_MODEL,
   SECTION_ENTRY_POINT,
   SECTION_EXECUTION_MODE,
   SECTION_DEBUG,
   SECTION_ANNOTATION,
   SECTION_GLOBAL,
   SECTION_FUNCTION,
   SECTION_ANY,
};

static enum section
section_of(unsigned opcode)
{
   switch (opcode) {
   case SpvOpCapability: return SECTION_CAPABILITY;
   case SpvOpExtension: return SECTION_EXTENSION;
   case SpvOpExtInstImport: return SECTION_EXT_IMPORT;
   case SpvOpMemoryModel: return SECTION_MEMORY_MODEL;
   case SpvOpEntryPoint: return SECTION_ENTRY_POINT;
   case SpvOpExecutionMode:
   case SpvOpExecutionModeId: return SECTION_EXECUTION_MODE;
   case SpvOpString:
   case SpvOpSource:
   case SpvOpSourceExtension:
   case SpvOpSourceContinued:
   case SpvOpName:
   case SpvOpMemberName:
   case SpvOpModuleProcessed: return SECTION_DEBUG;
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
   case SpvOpMemberDecorate:
   case SpvOpMemberDecorateString:
   case SpvOpDecorationGroup:
   case SpvOpGroupDecorate:
   case SpvOpGroupMemberDecorate: return SECTION_ANNOTATION;
   case SpvOpNop:
   case SpvOpLine:
   case SpvOpNoLine:
   case SpvOpUndef:
   case SpvOpExtInst:
   case SpvOpVariable: return SECTION_ANY;
   default:
      if ((opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeForwardPointer) ||
          (opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp))
         return SECTION_GLOBAL;
      return SECTION_FUNCTION;
   }
}

static void
check_section(struct spv *s, const uint32_t *w, enum section *section)
{
   const enum section here = section_of(spv_opcode(w));

   if (here == SECTION_ANY)
      return;
   spv_check(s, here >= *section,
             "%s is out of order: its section of the module has ended (2.4)",
             spirv_opcode_name(spv_opcode(w)));
   *section = here;
   if (here == SECTION_FUNCTION && !s->first_function) {
      spv_check(s, spv_opcode(w) == SpvOpFunction,
                "%s stands outside of a function (2.4)",
                spirv_opcode_name(spv_opcode(w)));
      s->first_function = w;
   }
}

void
spv_check_words(struct spv *s)
{
   const uint32_t *end = s->words + s->n_words;
   enum section section = SECTION_CAPABILITY;

   for (const uint32_t *w = s->words + 5; w < end; w += spv_count(w)) {
      s->cur = w;
      spv_check(s, spv_count(w) > 0, "an instruction has 0 words (2.3)");
      spv_check(s, spv_count(w) <= (size_t)(end - w),
                "an instruction of %u words runs past the end (2.3)",
                spv_count(w));
      spv_check_operands(s, w);
      check_section(s, w, &section);
   }
   s->cur = s->words;
   spv_check(s, section == SECTION_FUNCTION,
             "the module has no function (2.4)");
}

/* clang-format off */
static const uint16_t supported_capabilities[] = {
   SpvCapabilityMatrix, SpvCapabilityShader, SpvCapabilityGeometry,
   SpvCapabilityTessellation, SpvCapabilityFloat16, SpvCapabilityFloat64,
   SpvCapabilityInt64, SpvCapabilityInt64Atomics, SpvCapabilityInt16,
   SpvCapabilityInt8, SpvCapabilityTessellationPointSize,
   SpvCapabilityGeometryPointSize, SpvCapabilityImageGatherExtended,
   SpvCapabilityStorageImageMultisample, SpvCapabilityInputAttachment,
   SpvCapabilityUniformBufferArrayDynamicIndexing,
   SpvCapabilitySampledImageArrayDynamicIndexing,
   SpvCapabilityStorageBufferArrayDynamicIndexing,
   SpvCapabilityStorageImageArrayDynamicIndexing,
   SpvCapabilityClipDistance, SpvCapabilityCullDistance,
   SpvCapabilityImageCubeArray, SpvCapabilitySampleRateShading,
   SpvCapabilityImageRect, SpvCapabilitySampledRect, SpvCapabilityMinLod,
   SpvCapabilitySampled1D, SpvCapabilityImage1D,
   SpvCapabilitySampledCubeArray, SpvCapabilitySampledBuffer,
   SpvCapabilityImageBuffer, SpvCapabilityImageMSArray,
   SpvCapabilityStorageImageExtendedFormats, SpvCapabilityImageQuery,
   SpvCapabilityDerivativeControl, SpvCapabilityInterpolationFunction,
   SpvCapabilityTransformFeedback, SpvCapabilityGeometryStreams,
   SpvCapabilityStorageImageReadWithoutFormat,
   SpvCapabilityStorageImageWriteWithoutFormat,
   SpvCapabilityGroupNonUniform, SpvCapabilityGroupNonUniformVote,
   SpvCapabilityGroupNonUniformBallot, SpvCapabilityGroupNonUniformShuffle,
   SpvCapabilityGroupNonUniformShuffleRelative,
   SpvCapabilityGroupNonUniformArithmetic,
   SpvCapabilityGroupNonUniformClustered, SpvCapabilityGroupNonUniformQuad,
   SpvCapabilityGroupNonUniformPartitionedNV,
   SpvCapabilityGroupNonUniformRotateKHR, SpvCapabilityExpectAssumeKHR,
   SpvCapabilitySubgroupVoteKHR, SpvCapabilitySubgroupBallotKHR,
   SpvCapabilityMultiViewport, SpvCapabilityShaderLayer,
   SpvCapabilityShaderViewportIndex, SpvCapabilityDrawParameters,
   SpvCapabilityStorageBuffer16BitAccess,
   SpvCapabilityUniformAndStorageBuffer16BitAccess,
   SpvCapabilityStoragePushConstant16, SpvCapabilityStorageInputOutput16,
   SpvCapabilityStorageBuffer8BitAccess,
   SpvCapabilityUniformAndStorageBuffer8BitAccess,
   SpvCapabilityStoragePushConstant8, SpvCapabilityDeviceGroup,
   SpvCapabilityMultiView, SpvCapabilityDenormPreserve,
   SpvCapabilityDenormFlushToZero, SpvCapabilitySignedZeroInfNanPreserve,
   SpvCapabilityRoundingModeRTE, SpvCapabilityRoundingModeRTZ,
   SpvCapabilityShaderViewportIndexLayerEXT,
   SpvCapabilitySampleMaskPostDepthCoverage,
   SpvCapabilityFragmentShaderPixelInterlockEXT,
   SpvCapabilityFragmentShaderSampleInterlockEXT,
   SpvCapabilityStencilExportEXT, SpvCapabilityShaderClockKHR,
   SpvCapabilityDotProductInputAll, SpvCapabilityDotProductInput4x8Bit,
   SpvCapabilityDotProductInput4x8BitPacked, SpvCapabilityDotProduct,
   SpvCapabilityVulkanMemoryModel,
   SpvCapabilityVulkanMemoryModelDeviceScope,
   SpvCapabilityWorkgroupMemoryExplicitLayoutKHR,
   SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR,
   SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR,
   SpvCapabilityPhysicalStorageBufferAddresses,
   SpvCapabilityVariablePointers,
   SpvCapabilityVariablePointersStorageBuffer,
   SpvCapabilityAtomicFloat32MinMaxEXT,
   SpvCapabilityDemoteToHelperInvocation, SpvCapabilityShaderNonUniform,
   SpvCapabilityRuntimeDescriptorArray,
   SpvCapabilityInputAttachmentArrayDynamicIndexing,
   SpvCapabilityInputAttachmentArrayNonUniformIndexing,
   SpvCapabilityUniformTexelBufferArrayDynamicIndexing,
   SpvCapabilityStorageTexelBufferArrayDynamicIndexing,
   SpvCapabilityUniformBufferArrayNonUniformIndexing,
   SpvCapabilitySampledImageArrayNonUniformIndexing,
   SpvCapabilityStorageBufferArrayNonUniformIndexing,
   SpvCapabilityStorageImageArrayNonUniformIndexing,
   SpvCapabilityUniformTexelBufferArrayNonUniformIndexing,
   SpvCapabilityStorageTexelBufferArrayNonUniformIndexing,
   SPV_CAPABILITY_FLOAT_CONTROLS_2,
};
/* clang-format on */

bool
spv_capability_supported(uint32_t capability)
{
   for (unsigned i = 0; i < ARRAY_SIZE(supported_capabilities); i++) {
      if (supported_capabilities[i] == capability)
         return true;
   }
   return false;
}

static void
read_extension(struct spv *s, const uint32_t *w)
{
   unsigned n;

   /* What an extension brings is after capabilities, opcodes and
    * decorations, each of which is looked at by itself. */
   spv_string(s, w + 1, w + spv_count(w), &n);
}

static void
read_ext_import(struct spv *s, const uint32_t *w)
{
   unsigned n;
   const char *name = spv_string(s, w + 2, w + spv_count(w), &n);
   struct spv_value *v = spv_define(s, w[1], SPV_VALUE_EXT_IMPORT, NULL);

   if (strcmp(name, "GLSL.std.450") == 0)
      v->ext = SPV_EXT_GLSL450;
   else if (s->kernel && strcmp(name, "OpenCL.std") == 0)
      v->ext = SPV_EXT_OPENCL;
   else if (strncmp(name, "NonSemantic.", 12) == 0)
      v->ext = SPV_EXT_NON_SEMANTIC;
   else
      spv_unsupported(s, "the extended instruction set %.64s", name);
}

static void
read_memory_model(struct spv *s, const uint32_t *w)
{
   if (s->kernel) {
      if (w[1] > SpvAddressingModelPhysical64)
         spv_unsupported(s, "addressing model %u", w[1]);
      spv_check(s, w[2] == SpvMemoryModelOpenCL,
                "a kernel's memory model is not OpenCL");
      return;
   }
   if (w[1] != SpvAddressingModelLogical &&
       w[1] != SpvAddressingModelPhysicalStorageBuffer64)
      spv_unsupported(s, "an addressing model other than Logical "
                         "and PhysicalStorageBuffer64");
   if (w[2] != SpvMemoryModelGLSL450 && w[2] != SpvMemoryModelSimple &&
       w[2] != SpvMemoryModelVulkan)
      spv_unsupported(s, "memory model %u", w[2]);
}

static gl_shader_stage
stage_of_model(uint32_t model)
{
   switch (model) {
   case SpvExecutionModelVertex: return MESA_SHADER_VERTEX;
   case SpvExecutionModelTessellationControl: return MESA_SHADER_TESS_CTRL;
   case SpvExecutionModelTessellationEvaluation: return MESA_SHADER_TESS_EVAL;
   case SpvExecutionModelGeometry: return MESA_SHADER_GEOMETRY;
   case SpvExecutionModelFragment: return MESA_SHADER_FRAGMENT;
   case SpvExecutionModelKernel:
   case SpvExecutionModelGLCompute: return MESA_SHADER_COMPUTE;
   default: return MESA_SHADER_NONE;
   }
}

static void
read_entry_point(struct spv *s, const uint32_t *w)
{
   unsigned n;
   const char *name = spv_string(s, w + 3, w + spv_count(w), &n);

   if (stage_of_model(w[1]) != s->stage || strcmp(name, s->entry_name) != 0)
      return;
   spv_check(s, !s->entry_id,
             "two entry points share a name and an execution model (2.16)");
   s->entry_id = w[2];
   s->entry_words = w;
}

/* Whether a module is for OpenCL: see spirv_kernel.h. */
static bool
is_kernel(const struct spv *s)
{
   bool kernel = false;

   for (const uint32_t *w = s->words + 5;
        w < s->words + s->n_words && spv_opcode(w) == SpvOpCapability;
        w += spv_count(w)) {
      if (w[1] == SpvCapabilityShader)
         return false;
      kernel |= w[1] == SpvCapabilityKernel;
   }
   return kernel;
}

void
spv_read_preamble(struct spv *s)
{
   const uint32_t *end = s->words + s->n_words;
   bool memory_model = false;

   s->kernel = is_kernel(s);

   for (const uint32_t *w = s->words + 5; w < end; w += spv_count(w)) {
      s->cur = w;
      switch (spv_opcode(w)) {
      case SpvOpCapability:
         if (s->kernel ? !spv_kernel_capability(w[1])
                       : !spv_capability_supported(w[1]))
            spv_unsupported(s, "capability %s",
                            spirv_enumerant_name(spirv_enum_Capability,
                                                 w[1]));
         s->has_fast_math |= w[1] == SPV_CAPABILITY_FLOAT_CONTROLS_2;
         s->has_shared_pointers |= w[1] == SpvCapabilityVariablePointers;
         s->has_buffer_pointers |=
            w[1] == SpvCapabilityVariablePointers ||
            w[1] == SpvCapabilityVariablePointersStorageBuffer;
         break;
      case SpvOpExtension: read_extension(s, w); break;
      case SpvOpExtInstImport: read_ext_import(s, w); break;
      case SpvOpMemoryModel:
         spv_check(s, !memory_model, "a second OpMemoryModel (2.4)");
         memory_model = true;
         read_memory_model(s, w);
         break;
      case SpvOpEntryPoint: read_entry_point(s, w); break;
      default: break;
      }
      if (section_of(spv_opcode(w)) >= SECTION_DEBUG)
         break;
   }
   s->cur = s->words;
   spv_check(s, memory_model, "OpMemoryModel is missing (2.4)");
   spv_check(s, s->entry_id, "there is no entry point '%.64s' for %s",
             s->entry_name, gl_shader_stage_name(s->stage));
}

bool
spirv_get_entry_point(const uint32_t *words, size_t n_words, unsigned index,
                      gl_shader_stage *stage, const char **name)
{
   if (n_words < 5 || words[0] != SpvMagicNumber)
      return false;
   for (size_t i = 5; i < n_words;) {
      const uint32_t *w = words + i;
      const unsigned count = spv_count(w);
      if (count == 0 || count > n_words - i || spv_opcode(w) == SpvOpFunction)
         return false;
      if (spv_opcode(w) == SpvOpEntryPoint && count > 3 && index-- == 0) {
         if (!memchr(w + 3, 0, (count - 3) * 4u))
            return false;
         *stage = stage_of_model(w[1]);
         *name = (const char *)(w + 3);
         return *stage != MESA_SHADER_NONE;
      }
      i += count;
   }
   return false;
}
