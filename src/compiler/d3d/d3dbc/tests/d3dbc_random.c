/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/d3dbc/tests/d3dbc_random.h"

uint32_t
d3dbc_random_next(struct d3dbc_random *r, uint32_t below)
{
   /* PCG's multiplier; the high half is the good one. */
   r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)((r->state >> 33) % below);
}

#define pick(below) d3dbc_random_next(r, below)

static const struct d3dbc_profile_info *
info(const struct d3dbc_random *r)
{
   return d3dbc_profile_info(r->profile);
}

static struct d3dbc_inst *
emit(struct d3dbc_random *r, enum d3dbc_op op)
{
   struct d3dbc_inst *inst =
      util_dynarray_grow_bytes(&r->insts, sizeof(*inst));
   const char *operands = d3dbc_op_info(op)->operands;

   inst->op = op;
   for (const char *k = operands; *k; k++)
      inst->num_operands += strchr("dksl", *k) != NULL;
   return inst;
}

static struct d3dbc_operand
reg(enum d3dbc_file file, unsigned index)
{
   return (struct d3dbc_operand) {
      .reg = { file, (uint16_t)index },
      .mask = 0xf,
      .swizzle = D3DBC_SWIZZLE_IDENTITY,
   };
}

/* --- Declarations ------------------------------------------------------- */

static void
declare(struct d3dbc_random *r, enum d3dbc_file file, unsigned index,
        unsigned usage, unsigned usage_index)
{
   struct d3dbc_inst *inst = emit(r, D3DBC_OP_DCL);

   inst->operand[0] = reg(file, index);
   inst->dcl.usage = (uint8_t)usage;
   inst->dcl.usage_index = (uint8_t)usage_index;
}

static void
declare_samplers(struct d3dbc_random *r, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      struct d3dbc_inst *inst = emit(r, D3DBC_OP_DCL);
      inst->operand[0] = reg(D3DBC_FILE_S, i);
      inst->dcl.sampler_type = (uint8_t)(2 + pick(3));
      r->sampler_type[i] = inst->dcl.sampler_type;
   }
}

static void
declare_all(struct d3dbc_random *r)
{
   const struct d3dbc_profile_info *pi = info(r);

   if (pi->is_ps && pi->major == 3) {
      for (unsigned i = 0; i < 8; i++)
         declare(r, D3DBC_FILE_V, i, D3DBC_USAGE_TEXCOORD, i);
      declare(r, D3DBC_FILE_V, 8, D3DBC_USAGE_COLOR, 0);
      declare(r, D3DBC_FILE_V, 9, D3DBC_USAGE_COLOR, 1);
      declare(r, D3DBC_FILE_MISC, 0, 0, 0);
      declare(r, D3DBC_FILE_MISC, 1, 0, 0);
   } else if (!pi->is_ps && pi->major == 3) {
      declare(r, D3DBC_FILE_O, 0, D3DBC_USAGE_POSITION, 0);
      for (unsigned i = 1; i < 12; i++)
         declare(r, D3DBC_FILE_O, i, D3DBC_USAGE_TEXCOORD, i);
   }
   if (pi->major >= 2 && (pi->is_ps || pi->major == 3))
      declare_samplers(r, pi->is_ps ? 6 : 4);
}

static void
define(struct d3dbc_random *r)
{
   for (unsigned i = 0; i < 3; i++) {
      struct d3dbc_inst *inst = emit(r, D3DBC_OP_DEF);
      inst->operand[0] = reg(D3DBC_FILE_C, pick(8));
      for (unsigned c = 0; c < 4; c++)
         inst->imm[c] = util_float_bits((float)pick(17) * 0.5f - 4);
   }
   if (info(r)->major < 2 || !d3dbc_profile_has_op(r->profile, D3DBC_OP_DEFI))
      return;
   for (unsigned i = 0; i < 2; i++) {
      struct d3dbc_inst *inst = emit(r, D3DBC_OP_DEFI);
      inst->operand[0] = reg(D3DBC_FILE_I, pick(4));
      inst->imm[0] = pick(6);
      inst->imm[1] = pick(4);
      inst->imm[2] = pick(3);
      inst = emit(r, D3DBC_OP_DEFB);
      inst->operand[0] = reg(D3DBC_FILE_B, pick(4));
      inst->imm[0] = pick(2);
   }
}

/* --- Operands ----------------------------------------------------------- */

static uint8_t
random_swizzle(struct d3dbc_random *r)
{
   switch (pick(3)) {
   case 0: return D3DBC_SWIZZLE_IDENTITY;
   case 1: return (uint8_t)(pick(4) * 0x55);
   default: return (uint8_t)pick(256);
   }
}

static void
make_relative(struct d3dbc_random *r, struct d3dbc_operand *o, bool in_loop)
{
   const struct d3dbc_profile_info *pi = info(r);
   const bool v3 = pi->major == 3;

   if (pi->is_ps ? !(v3 && in_loop && o->reg.file == D3DBC_FILE_V)
                 : !(o->reg.file == D3DBC_FILE_C ||
                     (v3 && o->reg.file != D3DBC_FILE_R)))
      return;
   o->relative = true;
   o->addr = (struct d3dbc_reg) { D3DBC_FILE_A, 0 };
   if (pi->major >= 2)
      o->addr_swizzle = (uint8_t)(pick(4) * 0x55);
   if (pi->is_ps || (in_loop && pi->major >= 2 && pick(2))) {
      o->addr.file = D3DBC_FILE_AL;
      o->addr_swizzle = D3DBC_SWIZZLE_IDENTITY;
   }
}

static struct d3dbc_operand
random_src(struct d3dbc_random *r, bool in_loop)
{
   const struct d3dbc_profile_info *pi = info(r);
   struct d3dbc_operand o;

   switch (pick(4)) {
   case 0: o = reg(D3DBC_FILE_C, pick(8)); break;
   case 1:
      o = reg(D3DBC_FILE_V, pick(pi->is_ps && pi->major < 3 ? 2 : 8));
      break;
   case 2:
      if (pi->is_ps && pi->version <= 14)
         o = reg(D3DBC_FILE_T, pick(4));
      else if (pi->is_ps && pi->major == 2)
         o = reg(D3DBC_FILE_T, pick(8));
      else if (pi->is_ps && pi->major == 3 && pick(3) == 0)
         o = reg(D3DBC_FILE_MISC, pick(2));
      else
         o = reg(D3DBC_FILE_R, pick(6));
      break;
   default:
      o = reg(D3DBC_FILE_R, pick(pi->version < 14 && pi->is_ps ? 2 : 6));
      break;
   }
   if (pick(4) == 0)
      make_relative(r, &o, in_loop);
   o.swizzle = random_swizzle(r);
   if (pick(3) == 0)
      o.mod = (enum d3dbc_src_mod)pick(D3DBC_MOD_NOT);
   return o;
}

static struct d3dbc_operand
random_dst(struct d3dbc_random *r, bool in_loop)
{
   const struct d3dbc_profile_info *pi = info(r);
   struct d3dbc_operand o =
      reg(D3DBC_FILE_R, pick(pi->is_ps && pi->version < 14 ? 2 : 6));

   if (pi->is_ps && pi->major >= 2 && pick(4) == 0)
      o = reg(D3DBC_FILE_OC, pick(4));
   else if (!pi->is_ps && pick(3) == 0)
      o = pi->major == 3 ? reg(D3DBC_FILE_O, pick(12))
          : pick(2)      ? reg(D3DBC_FILE_OT, pick(8))
          : pick(2)      ? reg(D3DBC_FILE_OD, pick(2))
                         : reg(D3DBC_FILE_RASTOUT, pick(3));
   if (pick(4) == 0)
      make_relative(r, &o, in_loop);
   if (o.relative && o.reg.file != D3DBC_FILE_O)
      o.relative = false;
   o.mask = (uint8_t)(1 + pick(15));
   if (pi->is_ps || pi->major == 3)
      o.dst_mods = pick(4) ? 0 : D3DBC_DST_SAT;
   if (pi->is_ps && pi->major < 2 && pick(3) == 0)
      o.shift = (uint8_t)(pick(2) ? 1 + pick(3) : 13 + pick(3));
   return o;
}

static void
maybe_predicate(struct d3dbc_random *r, struct d3dbc_inst *inst)
{
   if (info(r)->version < 21 || !d3dbc_op_info(inst->op)->may_predicate ||
       pick(4))
      return;
   inst->predicated = true;
   inst->pred = reg(D3DBC_FILE_P, 0);
   inst->pred.swizzle = random_swizzle(r);
   inst->pred.mod = pick(2) ? D3DBC_MOD_NOT : D3DBC_MOD_NONE;
}

/* --- Instructions ------------------------------------------------------- */

static void
texture_operands(struct d3dbc_random *r, struct d3dbc_inst *inst)
{
   if (inst->op == D3DBC_OP_TEXLD || inst->op == D3DBC_OP_TEXLDL ||
       inst->op == D3DBC_OP_TEXLDD) {
      inst->operand[2] = reg(D3DBC_FILE_S, pick(info(r)->is_ps ? 6 : 4));
      if (info(r)->major == 3)
         inst->operand[2].swizzle = random_swizzle(r);
   }
   if (d3dbc_op_info(inst->op)->control == D3DBC_CONTROL_TEX)
      inst->control = (uint8_t)pick(3);
}

/* Part of a sequence: texm3x2pad and so on; see the tests' listings. */
static bool
needs_others(enum d3dbc_op op)
{
   return !strncmp(d3dbc_op_info(op)->name, "texm3x", 6);
}

/* An instruction without control flow; what the profile forbids is left to
 * the validator. */
static void
random_plain(struct d3dbc_random *r, bool in_loop)
{
   enum d3dbc_op op;
   struct d3dbc_inst *inst;
   const struct d3dbc_op_info *oi;

   do {
      op = (enum d3dbc_op)pick(D3DBC_OP_COUNT);
      oi = d3dbc_op_info(op);
   } while (!d3dbc_profile_has_op(r->profile, op) ||
            oi->sem == D3DBC_SEM_FLOW || oi->sem == D3DBC_SEM_DECL ||
            op == D3DBC_OP_DSX || op == D3DBC_OP_DSY ||
            op == D3DBC_OP_PHASE || needs_others(op));
   inst = emit(r, op);
   for (unsigned i = 0; i < inst->num_operands; i++)
      inst->operand[i] = i ? random_src(r, in_loop) : random_dst(r, in_loop);
   if (!oi->may_modify)
      inst->operand[0].dst_mods = 0;
   if (!oi->may_shift)
      inst->operand[0].shift = 0;
   if (oi->control == D3DBC_CONTROL_CMP)
      inst->control = (uint8_t)(1 + pick(6));
   if (op == D3DBC_OP_SETP)
      inst->operand[0] = reg(D3DBC_FILE_P, 0);
   if (op == D3DBC_OP_MOVA) {
      /* Of what is small and no NaN. */
      inst->operand[0] = reg(D3DBC_FILE_A, 0);
      inst->operand[1] = reg(pick(2) ? D3DBC_FILE_C : D3DBC_FILE_V, pick(8));
   }
   if (op == D3DBC_OP_MOV && info(r)->version < 20 && !info(r)->is_ps &&
       pick(3) == 0) {
      inst->operand[0] = reg(D3DBC_FILE_A, 0);
      inst->operand[0].mask = 1;
      inst->operand[1] = reg(D3DBC_FILE_C, pick(8));
   }
   if (op == D3DBC_OP_TEXKILL)
      inst->operand[0] =
         reg(info(r)->version < 14 ? D3DBC_FILE_T : D3DBC_FILE_R, pick(4));
   if (oi->sem == D3DBC_SEM_MATRIX) {
      inst->operand[2] = reg(D3DBC_FILE_C, pick(8));
      if (pick(3) == 0)
         make_relative(r, &inst->operand[2], in_loop);
   }
   texture_operands(r, inst);
   maybe_predicate(r, inst);
}

static void
random_condition(struct d3dbc_random *r, struct d3dbc_operand *o)
{
   *o = info(r)->version >= 21 && pick(2) ? reg(D3DBC_FILE_P, 0)
                                          : reg(D3DBC_FILE_B, pick(4));
   o->mod = pick(2) ? D3DBC_MOD_NOT : D3DBC_MOD_NONE;
   if (o->reg.file == D3DBC_FILE_P)
      o->swizzle = (uint8_t)(pick(4) * 0x55);
}

static void
random_compare(struct d3dbc_random *r, struct d3dbc_inst *inst, bool in_loop)
{
   inst->control = (uint8_t)(1 + pick(6));
   for (unsigned i = 0; i < 2; i++) {
      inst->operand[i] = random_src(r, in_loop);
      inst->operand[i].swizzle = (uint8_t)(pick(4) * 0x55);
      inst->operand[i].mod = pick(2) ? D3DBC_MOD_NEG : D3DBC_MOD_NONE;
   }
}

static void
random_break(struct d3dbc_random *r, bool al)
{
   struct d3dbc_inst *inst;

   if (info(r)->version < 21)
      return;
   if (pick(2)) {
      inst = emit(r, D3DBC_OP_BREAKC);
      random_compare(r, inst, al);
   } else {
      inst = emit(r, D3DBC_OP_BREAKP);
      inst->operand[0] = reg(D3DBC_FILE_P, 0);
      inst->operand[0].swizzle = (uint8_t)(pick(4) * 0x55);
   }
}

/* A construct is random_body() in a frame; depth bounds the recursion. */
static void random_body(struct d3dbc_random *r, unsigned n, unsigned depth,
                        bool in_loop);

static void
random_if(struct d3dbc_random *r, unsigned n, unsigned depth, bool in_loop)
{
   struct d3dbc_inst *inst;

   if (info(r)->version >= 21 && pick(2)) {
      inst = emit(r, D3DBC_OP_IFC);
      random_compare(r, inst, in_loop);
   } else {
      inst = emit(r, D3DBC_OP_IF);
      random_condition(r, &inst->operand[0]);
   }
   random_body(r, n, depth, in_loop);
   if (in_loop && info(r)->version >= 21 && pick(4) == 0)
      emit(r, D3DBC_OP_BREAK);
   if (pick(2)) {
      emit(r, D3DBC_OP_ELSE);
      random_body(r, n, depth, in_loop);
   }
   emit(r, D3DBC_OP_ENDIF);
}

static void
random_loop(struct d3dbc_random *r, unsigned n, unsigned depth, bool in_loop)
{
   const bool has_al = d3dbc_profile_has_op(r->profile, D3DBC_OP_LOOP) &&
                       pick(2);
   struct d3dbc_inst *inst = emit(r, has_al ? D3DBC_OP_LOOP : D3DBC_OP_REP);
   const bool al = has_al || in_loop;

   if (has_al)
      inst->operand[0] = reg(D3DBC_FILE_AL, 0);
   inst->operand[has_al] = reg(D3DBC_FILE_I, pick(4));
   random_body(r, n, depth, al);
   if (pick(2))
      random_break(r, al);
   random_body(r, n / 2, depth, al);
   emit(r, has_al ? D3DBC_OP_ENDLOOP : D3DBC_OP_ENDREP);
}

static void
random_body(struct d3dbc_random *r, unsigned n, unsigned depth, bool in_loop)
{
   const bool may_flow = depth < 3 && info(r)->major >= 2 &&
                         d3dbc_profile_has_op(r->profile, D3DBC_OP_IF);

   for (unsigned i = 0; i < n; i++) {
      const unsigned what = pick(12);
      if (may_flow && what == 0)
         random_if(r, n / 3 + 1, depth + 1, in_loop);
      else if (may_flow && what == 1)
         random_loop(r, n / 3 + 1, depth + 1, in_loop);
      else
         random_plain(r, in_loop);
   }
}

/* Instructions that the profile forbids go. */
static void
drop_bad(struct d3dbc_random *r)
{
   struct d3dbc_inst *inst = r->insts.data;
   const size_t n = util_dynarray_num_elements(&r->insts, struct d3dbc_inst);
   size_t kept = 0;

   for (size_t i = 0; i < n; i++) {
      const struct d3dbc_shader one = { r->profile, &inst[i], 1 };
      const enum d3dbc_sem sem = d3dbc_op_info(inst[i].op)->sem;
      if (sem == D3DBC_SEM_FLOW || d3dbc_validate(&one, NULL))
         inst[kept++] = inst[i];
   }
   r->insts.size_B = kept * sizeof(*inst);
}

struct d3dbc_shader *
d3dbc_random_shader(struct d3dbc_random *r, unsigned num_insts)
{
   struct d3dbc_shader *shader = arena_new(r->arena, struct d3dbc_shader);

   memset(r->sampler_type, 0, sizeof(r->sampler_type));
   declare_all(r);
   define(r);
   random_body(r, num_insts, 0, false);
   drop_bad(r);
   shader->profile = r->profile;
   shader->num_insts =
      util_dynarray_num_elements(&r->insts, struct d3dbc_inst);
   shader->inst = arena_memdup(r->arena, r->insts.data, r->insts.size_B);
   util_dynarray_fini(&r->insts);
   memset(&r->insts, 0, sizeof(r->insts));
   return shader;
}

static void
random_floats(struct d3dbc_random *r, float *f, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      f[i] = pick(2) ? (float)pick(9) - 4
                     : (float)pick(1 << 20) / (1 << 17) - 4;
}

void
d3dbc_random_inputs(struct d3dbc_random *r, struct d3dbc_interp *in)
{
   memset(in, 0, sizeof(*in));
   random_floats(r, in->v[0], 64);
   random_floats(r, in->t[0], 32);
   random_floats(r, in->c[0], 1024);
   random_floats(r, in->bump[0], 64);
   random_floats(r, in->vpos, 4);
   for (unsigned i = 0; i < 4; i++)
      in->vface[i] = 1;
   if (pick(2)) {
      for (unsigned i = 0; i < 4; i++)
         in->vface[i] = -1;
   }
   for (unsigned i = 0; i < 16; i++) {
      in->i[i][0] = (int)pick(6) - 1;
      in->i[i][1] = (int)pick(4);
      in->i[i][2] = (int)pick(5) - 2;
      in->b[i] = pick(2);
   }
}
