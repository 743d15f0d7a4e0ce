/* SPDX-License-Identifier: MIT */
/*
 * What stage and version allow, what has to be declared, and how control
 * flow nests. Registers that are chosen at run time are not looked at. Class
 * instances may choose resources, which tpf_to_nir refuses.
 */
#include "tpf.h"

#define MAX_TEMPS 4096 /* indexable ones, too, of an array */

struct frame {
   enum tpf_op op;
   bool had_else, had_default;
};

struct validator {
   const struct tpf_shader *shader;
   const struct tpf_inst *inst;
   struct d3d_error *error;
   struct frame nest[TPF_MAX_NESTING];
   unsigned depth;
   bool body; /* an instruction that is no declaration was met */
   uint32_t num_temps;
   uint32_t indexable[64];               /* by x#: registers */
   uint32_t cb[64];                      /* registers, 0: not declared */
   uint64_t sampler;                     /* s0 to s15; ranges: to 63 */
   const struct tpf_inst *range[4][128]; /* SM5.1: range_of() */
   uint64_t uav;                         /* u0 to u63 */
   uint64_t resource[2];                 /* t0 to t127 */
   uint64_t shared;                      /* g0 to g63 */
   uint64_t input, output;               /* v, o: registers below 64 */
   uint64_t vicp, vocp, vpc;
   size_t icb; /* rows */
   /* Hull and domain shaders. */
   enum tpf_op phase;
   bool had_phase;
   uint32_t points_in, points_out; /* of geometry shaders: vertices */
   bool has_group, has_topology, has_max_vertices, emits, has_interfaces;
};

#define FAIL(v, ...)                                                         \
   tpf_error((v)->error, (v)->shader, (v)->inst, __VA_ARGS__)

static const char *
name_of(const struct validator *v)
{
   return tpf_op_info(v->inst->op)->name;
}

/* --- Control flow ------------------------------------------------------- */

static bool
inside(const struct validator *v, bool loop_only)
{
   for (unsigned i = 0; i < v->depth; i++) {
      if (v->nest[i].op == TPF_OP_LOOP ||
          (!loop_only && v->nest[i].op == TPF_OP_SWITCH))
         return true;
   }
   return false;
}

static enum tpf_op
closes_what(enum tpf_op op)
{
   return op == TPF_OP_ENDIF     ? TPF_OP_IF
          : op == TPF_OP_ENDLOOP ? TPF_OP_LOOP
                                 : TPF_OP_SWITCH;
}

/* A sub-program begins: no construct may be open. */
static bool
check_part(struct validator *v)
{
   return !v->depth || FAIL(v, "%s inside of %s", name_of(v),
                            tpf_op_info(v->nest[v->depth - 1].op)->name);
}

/* Registers are those of a phase. */
static bool
check_phase(struct validator *v)
{
   if (!check_part(v))
      return false;
   if (v->inst->op == TPF_OP_HS_DECLS ? v->had_phase : !v->had_phase)
      return FAIL(v, v->had_phase ? "hs_decls stands twice"
                                  : "a phase before hs_decls");
   if (v->inst->op == TPF_OP_HS_CONTROL_POINT_PHASE &&
       v->phase != TPF_OP_HS_DECLS)
      return FAIL(v, "%s is not the first phase", name_of(v));
   v->phase = v->inst->op;
   v->had_phase = true;
   v->num_temps = 0;
   memset(v->indexable, 0, sizeof(v->indexable));
   v->input = v->output = v->vicp = v->vocp = v->vpc = 0;
   return true;
}

static bool
check_case(struct validator *v, struct frame *top)
{
   if (!top || top->op != TPF_OP_SWITCH)
      return FAIL(v, "%s without a switch around it", name_of(v));
   if (v->inst->op == TPF_OP_CASE)
      return v->inst->operand[0].file == TPF_FILE_IMM32 ||
             FAIL(v, "a case is not an immediate");
   if (top->had_default)
      return FAIL(v, "a second default");
   top->had_default = true;
   return true;
}

static bool
check_flow(struct validator *v)
{
   const struct tpf_op_info *info = tpf_op_info(v->inst->op);
   struct frame *top = v->depth ? &v->nest[v->depth - 1] : NULL;

   if (info->opens) {
      if (v->depth == TPF_MAX_NESTING)
         return FAIL(v, "more than %u constructs in one another",
                     TPF_MAX_NESTING);
      v->nest[v->depth++] = (struct frame) { .op = v->inst->op };
      return true;
   }
   if (info->closes) {
      if (!top || top->op != closes_what(v->inst->op))
         return FAIL(v, "%s closes what is not open", info->name);
      v->depth--;
      return true;
   }
   switch (v->inst->op) {
   case TPF_OP_ELSE:
      if (!top || top->op != TPF_OP_IF || top->had_else)
         return FAIL(v, "else without an if");
      top->had_else = true;
      return true;
   case TPF_OP_CASE:
   case TPF_OP_DEFAULT: return check_case(v, top);
   case TPF_OP_BREAK:
   case TPF_OP_BREAKC:
      return inside(v, false) || FAIL(v, "break outside of loop and switch");
   case TPF_OP_CONTINUE:
   case TPF_OP_CONTINUEC:
      return inside(v, true) || FAIL(v, "continue outside of a loop");
   case TPF_OP_LABEL: return check_part(v);
   case TPF_OP_HS_DECLS:
   case TPF_OP_HS_CONTROL_POINT_PHASE:
   case TPF_OP_HS_FORK_PHASE:
   case TPF_OP_HS_JOIN_PHASE: return check_phase(v);
   default: return true;
   }
}

/* --- Declarations ------------------------------------------------------- */

/* How many registers of a file there may be, or of ranges. */
static unsigned
file_limit(const struct validator *v, enum tpf_file file)
{
   return file == TPF_FILE_T         ? 128
          : v->shader->version >= 51 ? 64
          : file == TPF_FILE_CB      ? 15
          : file == TPF_FILE_S       ? 16
                                     : 64;
}

static const struct tpf_inst **
range_of(struct validator *v, enum tpf_file file, uint32_t n)
{
   return &v->range[file == TPF_FILE_CB  ? 0
                    : file == TPF_FILE_S ? 1
                    : file == TPF_FILE_T ? 2
                                         : 3][n];
}

static bool
declare_range(struct validator *v)
{
   const struct tpf_operand *o = &v->inst->operand[0];
   if (o->num_range)
      *range_of(v, o->file, o->index[0].imm) = v->inst;
   return !o->num_range || o->range[0].imm <= o->range[1].imm ||
          FAIL(v, "a range ends before it begins");
}

static bool
declare_register(struct validator *v, uint64_t *set, unsigned limit)
{
   const uint32_t n = v->inst->operand[0].index[0].imm;

   if (n >= limit)
      return FAIL(v, "there are %u registers of this file", limit);
   set[n / 64] |= 1ull << n % 64;
   return declare_range(v);
}

static bool
declare_temps(struct validator *v)
{
   const uint32_t *imm = v->inst->imm;

   if (v->inst->op == TPF_OP_DCL_TEMPS) {
      if (imm[0] > MAX_TEMPS)
         return FAIL(v, "there are %u temporaries", MAX_TEMPS);
      v->num_temps = imm[0];
      return true;
   }
   if (imm[0] >= ARRAY_SIZE(v->indexable))
      return FAIL(v, "x0 to x%zu are known", ARRAY_SIZE(v->indexable) - 1);
   if (!imm[1] || imm[1] > MAX_TEMPS)
      return FAIL(v, "an array has 1 to %u registers", MAX_TEMPS);
   if (!imm[2] || imm[2] > 4)
      return FAIL(v, "a register has 1 to 4 components");
   v->indexable[imm[0]] = imm[1];
   return true;
}

static bool
declare_cb(struct validator *v)
{
   const struct tpf_operand *o = &v->inst->operand[0];

   if (o->file != TPF_FILE_CB ||
       o->index[0].imm >= file_limit(v, TPF_FILE_CB))
      return FAIL(v, "there are %u constant buffers",
                  file_limit(v, TPF_FILE_CB));
   if (o->index[1].imm > 4096)
      return FAIL(v, "a constant buffer has 4096 registers");
   v->cb[o->index[0].imm] = o->index[1].imm ? o->index[1].imm : 4096;
   return declare_range(v);
}

/* NULL: a file that needs no declaration here. */
static uint64_t *
io_set(struct validator *v, enum tpf_file file)
{
   switch (file) {
   case TPF_FILE_V: return &v->input;
   case TPF_FILE_O: return &v->output;
   case TPF_FILE_VICP: return &v->vicp;
   case TPF_FILE_VOCP: return &v->vocp;
   case TPF_FILE_VPC: return &v->vpc;
   default: return NULL;
   }
}

static bool
declare_io(struct validator *v)
{
   const struct tpf_operand *o = &v->inst->operand[0];
   uint64_t *set = io_set(v, o->file);
   const uint32_t n = o->num_indices ? o->index[o->num_indices - 1].imm : 0;
   const unsigned limit = o->file == TPF_FILE_VPC ? 32 : 64;

   if (set && n >= limit)
      return FAIL(v, "there are %u registers of this file", limit);
   if ((o->file == TPF_FILE_VICP || o->file == TPF_FILE_VOCP) &&
       o->num_indices != 2)
      return FAIL(v, "%s without control points",
                  tpf_file_info(o->file)->text);
   if (set)
      *set |= 1ull << n;
   return true;
}

static bool
declare_tess(struct validator *v)
{
   const unsigned n = tpf_bits(v->inst->controls, 11, 6);

   switch (v->inst->op) {
   case TPF_OP_DCL_INPUT_CONTROL_POINT_COUNT:
      v->points_in = n;
      return (n && n <= 32) || FAIL(v, "a patch has 1 to 32 control points");
   case TPF_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
      v->points_out = n;
      return n <= 32 || FAIL(v, "a patch has 32 control points at most");
   case TPF_OP_DCL_TESS_DOMAIN:
      return tpf_domain_text(n & 3) || FAIL(v, "a domain that is none");
   case TPF_OP_DCL_TESS_PARTITIONING:
      return tpf_partition_text(n & 7) ||
             FAIL(v, "a partitioning that is none");
   case TPF_OP_DCL_TESS_OUTPUT_PRIMITIVE:
      return tpf_output_primitive_text(n & 7) ||
             FAIL(v, "an output primitive that is none");
   default:
      return (v->inst->imm[0] && v->inst->imm[0] <= 64) ||
             FAIL(v, "a phase has 1 to 64 instances");
   }
}

static bool
declare_geometry(struct validator *v)
{
   static const uint8_t vertices[] = { 0, 1, 2, 3, 0, 0, 4, 6 };
   const unsigned n = tpf_bits(v->inst->controls, 11, 6);

   switch (v->inst->op) {
   case TPF_OP_DCL_INPUT_PRIMITIVE:
      v->points_in = n < ARRAY_SIZE(vertices) ? vertices[n] : n - 7;
      return v->points_in || FAIL(v, "an input primitive that is none");
   case TPF_OP_DCL_OUTPUT_TOPOLOGY:
      v->has_topology = true;
      return tpf_topology_text(n) ||
             FAIL(v, "an output topology that is none");
   case TPF_OP_DCL_MAX_OUTPUT_VERTEX_COUNT:
      v->has_max_vertices = true;
      return v->inst->imm[0] <= 1024 ||
             FAIL(v, "a geometry shader emits 1024 vertices at most");
   default:
      return (v->inst->imm[0] && v->inst->imm[0] <= 32) ||
             FAIL(v, "a geometry shader has 1 to 32 instances");
   }
}

static bool
expect_file(struct validator *v, enum tpf_file file)
{
   return v->inst->operand[0].file == file ||
          FAIL(v, "%s declares a register of another file", name_of(v));
}

static bool
declare_shared(struct validator *v)
{
   const uint32_t *imm = v->inst->imm;
   const uint64_t bytes = v->inst->num_imm == 1 ? imm[0]
                                                : (uint64_t)imm[0] * imm[1];

   if (!bytes || bytes > 32768 || imm[0] % 4)
      return FAIL(v, "shared memory has whole dwords, up to 32768 bytes");
   return expect_file(v, TPF_FILE_G) && declare_register(v, &v->shared, 64);
}

static bool
check_stride(struct validator *v)
{
   const uint32_t stride = v->inst->imm[0];

   return (stride && stride % 4 == 0 && stride <= 2048) ||
          FAIL(v, "a structure has whole dwords, up to 2048 bytes");
}

static bool
check_declared_name(struct validator *v)
{
   if (v->inst->num_imm && !tpf_name_text(v->inst->imm[0]))
      return FAIL(v, "there is no system value %u", v->inst->imm[0]);
   if (tpf_op_info(v->inst->op)->control == TPF_CONTROL_INTERP &&
       !tpf_interpolation_text(tpf_bits(v->inst->controls, 11, 4)))
      return FAIL(v, "there is no interpolation %u",
                  tpf_bits(v->inst->controls, 11, 4));
   return declare_io(v);
}

static bool
check_resource(struct validator *v)
{
   for (unsigned i = 0; i < 4; i++) {
      if (!tpf_return_type_text(tpf_bits(v->inst->imm[0], 4 * i, 4)) ||
          v->inst->imm[0] >> 16)
         return FAIL(v, "a return type that is none");
   }
   const struct tpf_dim_info *dim =
      tpf_dim_info(tpf_bits(v->inst->controls, 11, 5));
   return (dim && dim->sampler_dim >= 0) ||
          FAIL(v, "a resource dimension that is none");
}

static bool
check_declaration(struct validator *v)
{
   switch (v->inst->op) {
   case TPF_OP_DCL_TEMPS:
   case TPF_OP_DCL_INDEXABLE_TEMP: return declare_temps(v);
   case TPF_OP_DCL_CONSTANT_BUFFER: return declare_cb(v);
   case TPF_OP_DCL_SAMPLER:
      return expect_file(v, TPF_FILE_S) &&
             declare_register(v, &v->sampler, file_limit(v, TPF_FILE_S));
   case TPF_OP_DCL_RESOURCE:
      return check_resource(v) && expect_file(v, TPF_FILE_T) &&
             declare_register(v, v->resource, 128);
   case TPF_OP_DCL_RESOURCE_STRUCTURED:
   case TPF_OP_DCL_RESOURCE_RAW:
      return (v->inst->num_imm == 0 || check_stride(v)) &&
             expect_file(v, TPF_FILE_T) &&
             declare_register(v, v->resource, 128);
   case TPF_OP_DCL_UAV_TYPED:
      return check_resource(v) && expect_file(v, TPF_FILE_U) &&
             declare_register(v, &v->uav, 64);
   case TPF_OP_DCL_UAV_RAW:
   case TPF_OP_DCL_UAV_STRUCTURED:
      return (v->inst->num_imm == 0 || check_stride(v)) &&
             expect_file(v, TPF_FILE_U) && declare_register(v, &v->uav, 64);
   case TPF_OP_DCL_TGSM_RAW:
   case TPF_OP_DCL_TGSM_STRUCTURED: return declare_shared(v);
   case TPF_OP_DCL_INDEX_RANGE: return true;
   case TPF_OP_DCL_INPUT_CONTROL_POINT_COUNT:
   case TPF_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
   case TPF_OP_DCL_TESS_DOMAIN:
   case TPF_OP_DCL_TESS_PARTITIONING:
   case TPF_OP_DCL_TESS_OUTPUT_PRIMITIVE:
   case TPF_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT:
   case TPF_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT: return declare_tess(v);
   case TPF_OP_DCL_INPUT_PRIMITIVE:
   case TPF_OP_DCL_OUTPUT_TOPOLOGY:
   case TPF_OP_DCL_MAX_OUTPUT_VERTEX_COUNT:
   case TPF_OP_DCL_GS_INSTANCE_COUNT: return declare_geometry(v);
   case TPF_OP_DCL_THREAD_GROUP: {
      const uint32_t *n = v->inst->imm;
      v->has_group = true;
      return (n[0] && n[1] && n[2] && n[0] <= 1024 && n[1] <= 1024 &&
              n[2] <= 64 && n[0] * n[1] * n[2] <= 1024) ||
             FAIL(v, "a group has 1 to 1024 threads");
   }
   default: return v->inst->num_operands == 0 || check_declared_name(v);
   }
}

/* --- Operands ----------------------------------------------------------- */

static bool
check_set(struct validator *v, const struct tpf_operand *o,
          const uint64_t *set, unsigned limit)
{
   const struct tpf_index *index = &o->index[o->num_indices - 1];

   if (index->kind != TPF_INDEX_IMM)
      return true;
   return (index->imm < limit &&
           set[index->imm / 64] >> index->imm % 64 & 1) ||
          FAIL(v, "%s%u is not declared", tpf_file_info(o->file)->text,
               index->imm);
}

static bool
check_array(struct validator *v, const struct tpf_operand *o,
            const uint32_t *sizes, unsigned limit)
{
   const char *text = tpf_file_info(o->file)->text;

   if (o->index[0].kind != TPF_INDEX_IMM)
      return v->has_interfaces ||
             FAIL(v, "which %s is chosen at run time", text);
   if (o->index[0].imm >= limit || !sizes[o->index[0].imm])
      return FAIL(v, "%s%u is not declared", text, o->index[0].imm);
   if (o->index[1].kind == TPF_INDEX_IMM &&
       o->index[1].imm >= sizes[o->index[0].imm])
      return FAIL(v, "%s%u has %u registers", text, o->index[0].imm,
                  sizes[o->index[0].imm]);
   return true;
}

/* v, o, and control points, of which there are as many as declared. */
static bool
check_io(struct validator *v, const struct tpf_operand *o)
{
   const uint32_t n = o->file == TPF_FILE_VOCP ? v->points_out : v->points_in;

   if (o->file != TPF_FILE_O && o->num_indices == 2 && n &&
       o->index[0].kind == TPF_INDEX_IMM && o->index[0].imm >= n)
      return FAIL(v, "%s %u of %u",
                  v->shader->stage == TPF_STAGE_GS ? "vertex"
                                                   : "control point",
                  o->index[0].imm, n);
   if (v->phase == TPF_OP_HS_CONTROL_POINT_PHASE
          ? o->file == TPF_FILE_VPC || o->file == TPF_FILE_VOCP
       : v->phase == TPF_OP_HS_FORK_PHASE ? o->file == TPF_FILE_VPC
                                          : false)
      return FAIL(v, "%s in a phase before it is written",
                  tpf_file_info(o->file)->text);
   return check_set(v, o, io_set(v, o->file), 64);
}

#define STAGE(s) (1u << TPF_STAGE_##s)

/* The stages that have a file; 0: all. */
static unsigned
stages_of(enum tpf_file file)
{
   switch (file) {
   case TPF_FILE_V_OUTPUT_CONTROL_POINT_ID:
   case TPF_FILE_V_FORK_INSTANCE_ID:
   case TPF_FILE_V_JOIN_INSTANCE_ID:
   case TPF_FILE_VOCP: return STAGE(HS);
   case TPF_FILE_VICP:
   case TPF_FILE_VPC: return STAGE(HS) | STAGE(DS);
   case TPF_FILE_V_DOMAIN: return STAGE(DS);
   case TPF_FILE_V_PRIM: return STAGE(GS) | STAGE(HS) | STAGE(DS);
   case TPF_FILE_V_GS_INSTANCE_ID: return STAGE(GS);
   case TPF_FILE_V_THREAD_ID:
   case TPF_FILE_V_THREAD_GROUP_ID:
   case TPF_FILE_V_THREAD_ID_IN_GROUP:
   case TPF_FILE_V_THREAD_ID_IN_GROUP_FLATTENED:
   case TPF_FILE_G: return STAGE(CS);
   case TPF_FILE_V_COVERAGE:
   case TPF_FILE_O_DEPTH:
   case TPF_FILE_O_DEPTH_GE:
   case TPF_FILE_O_DEPTH_LE:
   case TPF_FILE_O_STENCIL_REF:
   case TPF_FILE_V_INNER_COVERAGE:
   case TPF_FILE_O_MASK: return STAGE(PS);
   default: return 0;
   }
}

/* Instances are those of the phase. */
static bool
check_file(struct validator *v, enum tpf_file file)
{
   const unsigned stages = stages_of(file);
   const bool wrong = file == TPF_FILE_V_FORK_INSTANCE_ID
                         ? v->phase != TPF_OP_HS_FORK_PHASE
                      : file == TPF_FILE_V_JOIN_INSTANCE_ID
                         ? v->phase != TPF_OP_HS_JOIN_PHASE
                         : false;

   return (!wrong && (!stages || stages >> v->shader->stage & 1)) ||
          FAIL(v, "%s has no %s here", tpf_stage_text(v->shader->stage),
               tpf_file_info(file)->text);
}

/* A register that is known lies in the range. */
static bool
check_range(struct validator *v, const struct tpf_operand *o)
{
   const struct tpf_index *range;

   if (o->num_range != 1 || o->range[0].kind != TPF_INDEX_IMM)
      return true;
   range = (*range_of(v, o->file, o->index[0].imm))->operand[0].range;
   return (o->range[0].imm >= range[0].imm &&
           o->range[0].imm <= range[1].imm) ||
          FAIL(v, "register %u is not in the range", o->range[0].imm);
}

static bool
check_register(struct validator *v, const struct tpf_operand *o)
{
   if (!check_file(v, o->file))
      return false;
   switch (o->file) {
   case TPF_FILE_R:
      if (o->index[0].kind != TPF_INDEX_IMM)
         return FAIL(v, "which r is chosen at run time");
      return o->index[0].imm < v->num_temps ||
             FAIL(v, "r%u is not declared", o->index[0].imm);
   case TPF_FILE_X: return check_array(v, o, v->indexable, 64);
   case TPF_FILE_CB:
      return check_array(v, o, v->cb, file_limit(v, TPF_FILE_CB)) &&
             check_range(v, o);
   case TPF_FILE_ICB:
      if (!v->icb)
         return FAIL(v, "there is no immediate constant buffer");
      return o->index[0].kind != TPF_INDEX_IMM || o->index[0].imm < v->icb ||
             FAIL(v, "icb has %zu registers", v->icb);
   case TPF_FILE_S:
   case TPF_FILE_T:
   case TPF_FILE_U:
   case TPF_FILE_G:
      if (o->index[0].kind != TPF_INDEX_IMM)
         return v->has_interfaces ||
                FAIL(v, "a resource is chosen at run time");
      return check_set(v, o,
                       o->file == TPF_FILE_S   ? &v->sampler
                       : o->file == TPF_FILE_T ? v->resource
                       : o->file == TPF_FILE_U ? &v->uav
                                               : &v->shared,
                       file_limit(v, o->file)) &&
             check_range(v, o);
   case TPF_FILE_V:
   case TPF_FILE_O:
   case TPF_FILE_VICP:
   case TPF_FILE_VOCP:
   case TPF_FILE_VPC: return check_io(v, o);
   default: return true;
   }
}

static bool
check_operand(struct validator *v, const struct tpf_operand *o, char letter)
{
   const struct tpf_file_info *info = tpf_file_info(o->file);
   const bool dest = tpf_is_dest_letter(letter);
   const bool memory = letter == 't' || letter == 'M';

   if (letter == 's' || letter == 'l') {
      const bool body = letter == 'l' && o->file == TPF_FILE_FB;
      if (!body && o->file != (letter == 's' ? TPF_FILE_S : TPF_FILE_LABEL))
         return FAIL(v, "%s where %s should stand", info->text,
                     letter == 's' ? "a sampler" : "a label");
   } else if (memory) {
      if (o->file != TPF_FILE_T && o->file != TPF_FILE_U &&
          o->file != TPF_FILE_G && o->file != TPF_FILE_M &&
          o->file != TPF_FILE_FP && o->file != TPF_FILE_RASTERIZER)
         return FAIL(v, "%s where a resource should stand", info->text);
   } else if (dest ? !info->write : !info->read) {
      return FAIL(v, "%s cannot be %s", info->text,
                  dest ? "written" : "read");
   }
   if (dest && o->components == TPF_COMPONENTS_4 &&
       (o->select != TPF_SELECT_MASK || !o->mask))
      return FAIL(v, "a destination has no mask");
   if (dest && (o->neg || o->abs))
      return FAIL(v, "a destination has a modifier");
   for (unsigned i = 0; i < o->num_indices + o->num_range; i++) {
      const struct tpf_index *index = tpf_token_index(o, i);
      if (index->rel && !check_operand(v, index->rel, 'u'))
         return false;
   }
   return check_register(v, o);
}

static bool
check_operands(struct validator *v)
{
   unsigned n = 0;

   for (const char *c = tpf_op_info(v->inst->op)->operands; *c; c++) {
      if (tpf_is_operand_letter(*c) &&
          !check_operand(v, &v->inst->operand[n++], *c))
         return false;
   }
   return true;
}

/* m# of what emits vertices, ends primitives, declares them. */
static bool
check_stream(struct validator *v)
{
   const struct tpf_operand *o = &v->inst->operand[0];

   if (o->file != TPF_FILE_M || o->index[0].kind != TPF_INDEX_IMM)
      return FAIL(v, "%s without a stream", name_of(v));
   return o->index[0].imm < 4 || FAIL(v, "there are 4 streams");
}

static bool
check_inst(struct validator *v)
{
   const struct tpf_op_info *info = tpf_op_info(v->inst->op);

   if (v->shader->version < info->since ||
       !(info->stages >> v->shader->stage & 1))
      return FAIL(v, "%s_%u_%u has no %s", tpf_stage_text(v->shader->stage),
                  v->shader->version / 10, v->shader->version % 10,
                  info->name);
   if ((v->inst->op == TPF_OP_DCL_STREAM ||
        v->inst->op == TPF_OP_EMIT_STREAM ||
        v->inst->op == TPF_OP_CUT_STREAM ||
        v->inst->op == TPF_OP_EMIT_THEN_CUT_STREAM) &&
       !check_stream(v))
      return false;
   v->emits |= info->sem == TPF_SEM_SPECIAL && info->stages == STAGE(GS);
   v->has_interfaces |= v->inst->op == TPF_OP_DCL_INTERFACE;
   switch (info->sem) {
   case TPF_SEM_DATA:
      v->icb = v->inst->data_class == TPF_DATA_ICB ? v->inst->num_words / 4
                                                   : v->icb;
      return true;
   case TPF_SEM_DECL: return check_declaration(v);
   case TPF_SEM_FLOW: return check_operands(v) && check_flow(v);
   default: return check_operands(v);
   }
}

/* Declarations without which a stage cannot do. A geometry shader that emits
 * nothing says no topology. */
static bool
check_missing(struct validator *v)
{
   v->inst = NULL;
   if (v->shader->stage == TPF_STAGE_CS && !v->has_group)
      return FAIL(v, "no dcl_thread_group");
   if (v->shader->stage != TPF_STAGE_GS)
      return true;
   v->has_topology |= !v->emits;
   return (v->points_in && v->has_topology && v->has_max_vertices) ||
          FAIL(v, "no dcl_%s",
               !v->points_in     ? "inputprimitive"
               : v->has_topology ? "maxout"
                                 : "outputtopology");
}

bool
tpf_validate(const struct tpf_shader *shader, struct d3d_error *error)
{
   struct validator v = { .shader = shader, .error = error };

   for (size_t i = 0; i < shader->num_insts; i++) {
      v.inst = &shader->inst[i];
      if (!check_inst(&v))
         return false;
   }
   if (v.depth)
      return FAIL(&v, "%s is not closed",
                  tpf_op_info(v.nest[v.depth - 1].op)->name);
   return check_missing(&v);
}
