/* SPDX-License-Identifier: MIT */
/*
 * What a profile allows, beyond what the bytes can say: registers that are
 * there, what may be read and written, modifiers, addressing, nesting.
 * Limits and rules: the register and instruction pages of each profile in
 * the Direct3D 9 reference. Slot counts and flow of values are not checked.
 */
#include "d3dbc_text.h"

#include <stdio.h>

struct validator {
   const struct d3dbc_shader *shader;
   const struct d3dbc_profile_info *pi;
   const struct d3dbc_inst *inst;
   struct d3d_error *error;
   enum d3dbc_op nest[D3DBC_MAX_NESTING];
   unsigned depth;
};

bool
d3dbc_error(struct d3d_error *e, const struct d3dbc_inst *inst,
            const char *fmt, ...)
{
   char text[sizeof(e->text)];
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   if (inst->line)
      return d3d_error_in_text(e, inst->line, 1, "%s", text);
   return d3d_error_at(e, 4 * inst->offset_dw,
                       inst->op == D3DBC_OP_COUNT
                          ? D3DBC_COMMENT
                          : d3dbc_op_info(inst->op)->code,
                       "%s", text);
}

#define FAIL(v, ...) d3dbc_error((v)->error, (v)->inst, __VA_ARGS__)

static bool
check_reg(struct validator *v, struct d3dbc_reg reg)
{
   const struct d3dbc_file_info *info = d3dbc_file_info(reg.file);
   const unsigned limit = info->limit[v->shader->profile];

   if (reg.index < limit)
      return true;
   return FAIL(v, "%s has %u registers %s, not number %u", v->pi->name, limit,
               info->names ? info->names[0] : info->text, reg.index);
}

static bool
check_relative(struct validator *v, const struct d3dbc_operand *o)
{
   const enum d3dbc_file file = o->reg.file;
   const bool v3 = v->pi->major >= 3;
   bool ok;

   if (!o->relative)
      return true;
   if (v->pi->is_ps)
      ok = v3 && file == D3DBC_FILE_V && o->addr.file == D3DBC_FILE_AL;
   else
      ok = file == D3DBC_FILE_C ||
           (v3 && (file == D3DBC_FILE_V || file == D3DBC_FILE_O));
   if (!ok)
      return FAIL(v, "%s cannot address %s this way", v->pi->name,
                  d3dbc_file_info(file)->text);
   return check_reg(v, o->addr);
}

static bool
check_writable(struct validator *v, const struct d3dbc_operand *o)
{
   const struct d3dbc_file_info *info = d3dbc_file_info(o->reg.file);
   const bool addr = o->reg.file == D3DBC_FILE_A;
   bool ok = info->write;

   if (o->reg.file == D3DBC_FILE_T && v->pi->major >= 2)
      ok = false;
   if (addr && (!d3dbc_op_info(v->inst->op)->writes_addr ||
                (v->inst->op == D3DBC_OP_MOV) != (v->pi->major < 2)))
      return FAIL(v, "a0 is written by %s in %s",
                  v->pi->major < 2 ? "mov" : "mova", v->pi->name);
   if (v->inst->op == D3DBC_OP_MOVA && !addr)
      return FAIL(v, "mova writes a0");
   if (v->inst->op == D3DBC_OP_SETP)
      ok = o->reg.file == D3DBC_FILE_P;
   else if (o->reg.file == D3DBC_FILE_P)
      ok = false;
   return ok ||
          FAIL(v, "%s cannot write %s", d3dbc_op_info(v->inst->op)->name,
               info->names ? info->names[0] : info->text);
}

static bool
check_dst_mods(struct validator *v, const struct d3dbc_operand *o)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(v->inst->op);
   const bool dcl = v->inst->op == D3DBC_OP_DCL;

   if (!dcl && (o->dst_mods & D3DBC_DST_CENTROID))
      return FAIL(v, "_centroid belongs to dcl");
   if ((o->dst_mods & (D3DBC_DST_SAT | D3DBC_DST_PP)) &&
       (!dcl && !info->may_modify))
      return FAIL(v, "%s takes no modifiers", info->name);
   if ((o->dst_mods & D3DBC_DST_SAT) &&
       (dcl || (!v->pi->is_ps && v->pi->major < 3)))
      return FAIL(v, "%s has no _sat here", v->pi->name);
   if ((o->dst_mods & (D3DBC_DST_PP | D3DBC_DST_CENTROID)) &&
       (!v->pi->is_ps || v->pi->major < 2))
      return FAIL(v, "%s has no _pp or _centroid", v->pi->name);
   if (o->shift && (!info->may_shift || !v->pi->is_ps || v->pi->major > 1))
      return FAIL(v, "%s cannot shift the result of %s", v->pi->name,
                  info->name);
   return true;
}

/* The file that a definition or declaration is for. */
static bool
check_decl(struct validator *v, const struct d3dbc_operand *o)
{
   bool ok;

   switch (v->inst->op) {
   case D3DBC_OP_DEF: ok = o->reg.file == D3DBC_FILE_C; break;
   case D3DBC_OP_DEFI: ok = o->reg.file == D3DBC_FILE_I; break;
   case D3DBC_OP_DEFB: ok = o->reg.file == D3DBC_FILE_B; break;
   default:
      ok = o->reg.file == D3DBC_FILE_V || o->reg.file == D3DBC_FILE_T ||
           o->reg.file == D3DBC_FILE_O || o->reg.file == D3DBC_FILE_S ||
           o->reg.file == D3DBC_FILE_MISC;
      break;
   }
   if (o->relative)
      return FAIL(v, "a declaration addresses relatively");
   return ok || FAIL(v, "%s is not for this register",
                     d3dbc_op_info(v->inst->op)->name);
}

static bool
check_dst(struct validator *v, const struct d3dbc_operand *o, char kind)
{
   const enum d3dbc_op op = v->inst->op;

   if (!check_reg(v, o->reg) || !check_relative(v, o) ||
       !check_dst_mods(v, o))
      return false;
   if (!o->mask)
      return FAIL(v, "no component is written");
   if (d3dbc_op_info(op)->sem == D3DBC_SEM_DECL)
      return check_decl(v, o);
   /* Constants are nothing that fxc has it read, but libvkd3d-shader. */
   if (kind == 'k')
      return o->reg.file == D3DBC_FILE_R || o->reg.file == D3DBC_FILE_T ||
             o->reg.file == D3DBC_FILE_V || o->reg.file == D3DBC_FILE_C ||
             FAIL(v, "texkill reads r, t, v or c");
   return check_writable(v, o);
}

/* The file that an operand has to have; COUNT: what can be read as float. */
static enum d3dbc_file
wanted_file(const struct d3dbc_inst *inst, unsigned n)
{
   switch (inst->op) {
   case D3DBC_OP_TEXLD:
   case D3DBC_OP_TEXLDL:
   case D3DBC_OP_TEXLDD: return n == 2 ? D3DBC_FILE_S : D3DBC_FILE_COUNT;
   case D3DBC_OP_REP: return D3DBC_FILE_I;
   case D3DBC_OP_LOOP: return n == 0 ? D3DBC_FILE_AL : D3DBC_FILE_I;
   case D3DBC_OP_BREAKP: return D3DBC_FILE_P;
   default: return D3DBC_FILE_COUNT;
   }
}

static bool
check_src_file(struct validator *v, const struct d3dbc_operand *o, unsigned n)
{
   const enum d3dbc_file file = o->reg.file;
   const enum d3dbc_file wanted = wanted_file(v->inst, n);
   const bool condition = v->inst->op == D3DBC_OP_IF ||
                          (v->inst->op == D3DBC_OP_CALLNZ && n == 1);
   bool ok = d3dbc_file_info(file)->read;

   if (condition)
      ok = file == D3DBC_FILE_B || file == D3DBC_FILE_P;
   else if (wanted != D3DBC_FILE_COUNT)
      ok = file == wanted;
   else if (file == D3DBC_FILE_I || file == D3DBC_FILE_B ||
            file == D3DBC_FILE_P || file == D3DBC_FILE_S ||
            file == D3DBC_FILE_AL)
      ok = false;
   if (ok)
      return true;
   return FAIL(v, "%s cannot read %s as operand %u",
               d3dbc_op_info(v->inst->op)->name,
               d3dbc_file_info(file)->names ? d3dbc_file_info(file)->names[0]
                                            : d3dbc_file_info(file)->text,
               n + 1);
}

static bool
check_src(struct validator *v, const struct d3dbc_operand *o, unsigned n)
{
   const struct d3dbc_src_mod_info *mod = d3dbc_src_mod_info(o->mod);
   const bool boolean = o->reg.file == D3DBC_FILE_B ||
                        o->reg.file == D3DBC_FILE_P;

   if (!check_reg(v, o->reg) || !check_relative(v, o) ||
       !check_src_file(v, o, n))
      return false;
   if (v->pi->version < mod->first[v->pi->is_ps] ||
       v->pi->version > mod->last[v->pi->is_ps])
      return FAIL(v, "%s has no source modifier '%s%s'", v->pi->name,
                  mod->before, mod->after);
   if (o->mod && (o->mod == D3DBC_MOD_NOT) != boolean)
      return FAIL(v, "'%s%s' is no modifier for this register", mod->before,
                  mod->after);
   return true;
}

static bool
check_operands(struct validator *v)
{
   const struct d3dbc_inst *inst = v->inst;
   unsigned n = 0;

   for (const char *kind = d3dbc_op_info(inst->op)->operands; *kind; kind++) {
      const struct d3dbc_operand *o = &inst->operand[n];
      bool ok = true;
      if (d3dbc_op_info(inst->op)->may_be_short && n == inst->num_operands)
         break;
      if (*kind == 'd' || *kind == 'k')
         ok = check_dst(v, o, *kind);
      else if (*kind == 's')
         ok = check_src(v, o, n);
      else if (*kind == 'l')
         ok = o->reg.file == D3DBC_FILE_L ? check_reg(v, o->reg)
                                          : FAIL(v, "a label is missing");
      if (!ok)
         return false;
      if (strchr("dksl", *kind))
         n++;
   }
   if (!inst->predicated)
      return true;
   if (v->pi->version < 21)
      return FAIL(v, "%s has no predicates", v->pi->name);
   if (inst->pred.reg.file != D3DBC_FILE_P || inst->pred.relative ||
       (inst->pred.mod && inst->pred.mod != D3DBC_MOD_NOT))
      return FAIL(v, "a predicate is p0 or !p0");
   return check_reg(v, inst->pred.reg);
}

static bool
inside_loop(const struct validator *v)
{
   for (unsigned i = 0; i < v->depth; i++) {
      if (d3dbc_op_info(v->nest[i])->is_loop)
         return true;
   }
   return false;
}

/* What the innermost construct has to be for the instruction to end it. */
static bool
ends(enum d3dbc_op open, enum d3dbc_op op)
{
   switch (op) {
   case D3DBC_OP_ENDIF:
      return open == D3DBC_OP_IF || open == D3DBC_OP_IFC ||
             open == D3DBC_OP_ELSE;
   case D3DBC_OP_ELSE: return open == D3DBC_OP_IF || open == D3DBC_OP_IFC;
   case D3DBC_OP_ENDREP: return open == D3DBC_OP_REP;
   case D3DBC_OP_ENDLOOP: return open == D3DBC_OP_LOOP;
   default: return false;
   }
}

static bool
check_nesting(struct validator *v)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(v->inst->op);
   const enum d3dbc_op op = v->inst->op;

   if (info->closes || info->is_else) {
      if (!v->depth || !ends(v->nest[v->depth - 1], op))
         return FAIL(v, "%s ends nothing that is open", info->name);
      v->depth--;
   }
   if (info->opens || info->is_else) {
      if (v->depth == D3DBC_MAX_NESTING)
         return FAIL(v, "more than %u nested constructs", D3DBC_MAX_NESTING);
      v->nest[v->depth++] = op;
   }
   if ((op == D3DBC_OP_BREAK || op == D3DBC_OP_BREAKC ||
        op == D3DBC_OP_BREAKP) &&
       !inside_loop(v))
      return FAIL(v, "%s outside of a loop", info->name);
   if ((op == D3DBC_OP_LABEL || op == D3DBC_OP_RET) && v->depth)
      return FAIL(v, "%s inside of a construct", info->name);
   return true;
}

bool
d3dbc_validate(const struct d3dbc_shader *shader, struct d3d_error *error)
{
   struct validator v = {
      .shader = shader,
      .pi = d3dbc_profile_info(shader->profile),
      .error = error,
   };

   for (size_t i = 0; i < shader->num_insts; i++) {
      v.inst = &shader->inst[i];
      if (v.inst->op == D3DBC_OP_COUNT)
         continue;
      if (v.inst->coissue && (!v.pi->is_ps || v.pi->major > 1))
         return FAIL(&v, "%s has no co-issue", v.pi->name);
      if (!check_operands(&v) || !check_nesting(&v))
         return false;
   }
   if (v.depth)
      return FAIL(&v, "%s is not ended",
                  d3dbc_op_info(v.nest[v.depth - 1])->name);
   return true;
}
