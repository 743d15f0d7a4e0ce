/* SPDX-License-Identifier: MIT */
/*
 * Direct3D 9 shader bytecode, vs and ps 1.0 to 3.0: bytes, instructions,
 * text, and NIR.
 *
 * A d3dbc_shader is a list of instructions that says all that the bytes say,
 * so that encoding what was decoded gives the same bytes. Reading checks the
 * form; d3dbc_validate() checks what the profile allows.
 */
#ifndef D3DBC_H
#define D3DBC_H

#include "compiler/d3d/d3d_error.h"
#include "d3dbc_enums.h"
#include "util/arena.h"
#include "util/dynarray.h"
#include "util/strbuf.h"

#define D3DBC_END 0x0000ffffu
#define D3DBC_COMMENT 0xfffeu
#define D3DBC_SWIZZLE_IDENTITY 0xe4
#define D3DBC_MAX_OPERANDS 5
/* Nesting of control flow that readers accept; the profiles allow 24. */
#define D3DBC_MAX_NESTING 64

struct d3dbc_reg {
   enum d3dbc_file file;
   uint16_t index;
};

struct d3dbc_operand {
   struct d3dbc_reg reg;
   /* c[a0.x + 5]: reg.index is the 5, `addr` the rest; in vs_1_x always
    * a0.x. Components of `addr` are in addr_swizzle. */
   bool relative;
   struct d3dbc_reg addr;
   uint8_t addr_swizzle;
   /* Sources: two bits a component. */
   uint8_t swizzle;
   enum d3dbc_src_mod mod;
   /* Destinations: bits of D3DBC_DST_*, and a shift as in the token. */
   uint8_t mask, dst_mods, shift;
};

struct d3dbc_dcl {
   uint8_t usage, usage_index;
   uint8_t sampler_type; /* 0 where it is no sampler */
};

struct d3dbc_inst {
   enum d3dbc_op op; /* D3DBC_OP_COUNT: a comment */
   uint8_t control;  /* comparison, or tex control */
   bool predicated, coissue;
   struct d3dbc_operand pred;
   unsigned num_operands;
   struct d3dbc_operand operand[D3DBC_MAX_OPERANDS];
   union {
      uint32_t imm[4]; /* def, defi, defb */
      struct d3dbc_dcl dcl;
      struct {
         const uint32_t *words;
         unsigned num_words;
      } comment;
   };
   size_t offset_dw; /* in the bytes, or 0 */
   unsigned line;    /* in the text, or 0 */
};

struct d3dbc_shader {
   enum d3dbc_profile profile;
   struct d3dbc_inst *inst;
   size_t num_insts;
};

struct d3dbc_op_info {
   const char *name;
   uint16_t code;
   const char *operands; /* a letter each: see d3dbc_tables.py */
   enum d3dbc_control control;
   enum d3dbc_sem sem;
   /* First and last version by stage (0 vs, 1 ps). */
   uint8_t first[2], last[2];
   bool may_predicate, may_modify, may_shift, writes_addr;
   bool may_be_short; /* operands from the third on may be missing */
   bool opens, closes, is_else, is_loop;
};

struct d3dbc_profile_info {
   const char *name;
   bool is_ps;
   uint8_t version; /* major * 10 + minor, see d3dbc_tables.py */
   uint8_t major, minor;
   /* Instructions of a program; textures 0: counted with the others. Both 0:
    * the writer does not make this profile. */
   uint16_t max_arithmetic, max_texture;
};

struct d3dbc_file_info {
   const char *text;
   const char *const *names; /* of single registers, or NULL */
   uint8_t code, num_names;
   bool read, write;
   uint16_t limit[D3DBC_PROFILE_COUNT]; /* registers; 0: none */
};

struct d3dbc_src_mod_info {
   const char *before, *after;
   uint8_t first[2], last[2]; /* versions by stage */
};

struct d3dbc_usage_info {
   const char *name;
   int first_slot; /* -1: no varying */
   unsigned num_slots;
};

const struct d3dbc_op_info *d3dbc_op_info(enum d3dbc_op op);
const struct d3dbc_profile_info *d3dbc_profile_info(enum d3dbc_profile p);
const struct d3dbc_file_info *d3dbc_file_info(enum d3dbc_file f);
const struct d3dbc_src_mod_info *d3dbc_src_mod_info(enum d3dbc_src_mod m);
const struct d3dbc_usage_info *d3dbc_usage_info(unsigned usage);
/* "gt", ... for codes 1 to 6, else NULL. */
const char *d3dbc_compare_name(unsigned code);
/* "2d", ...; NULL for codes that are none. */
const char *d3dbc_sampler_type_name(unsigned code);
/* The row of a token's opcode in a profile, or D3DBC_OP_COUNT. */
enum d3dbc_op d3dbc_op_from_code(enum d3dbc_profile p, unsigned code);
/* The file of a register type in a profile, or D3DBC_FILE_COUNT. */
enum d3dbc_file d3dbc_file_from_code(enum d3dbc_profile p, unsigned code);
/* By text, as "vs_2_x"; D3DBC_PROFILE_COUNT if there is none. */
enum d3dbc_profile d3dbc_profile_from_name(const char *name);
bool d3dbc_profile_has_op(enum d3dbc_profile p, enum d3dbc_op op);

/* Whether the bytes begin like this format. */
bool d3dbc_is_d3dbc(const void *data, size_t size_B);

/* Whether the bytes begin like a compiled effect (fx_2_0). */
bool d3dbc_is_effect(const void *data, size_t size_B);
/* The first shader of an effect from *at_B on: where it stands, and its size.
 * False: there is none. What is found may still not decode. */
bool d3dbc_effect_next(const void *data, size_t size_B, size_t *at_B,
                       size_t *shader_B);

/* Reads bytes; everything lies in `arena`. NULL on bad input, with *error. */
struct d3dbc_shader *d3dbc_decode(struct arena *arena, const void *data,
                                  size_t size_B, struct d3d_error *error);
/* Appends the bytes; what decode or parse gave always has them. */
void d3dbc_encode(const struct d3dbc_shader *shader,
                  struct util_dynarray *out);
/* Appends text that d3dbc_parse reads. */
void d3dbc_print(const struct d3dbc_shader *shader, struct strbuf *out);
void d3dbc_print_inst(const struct d3dbc_shader *shader,
                      const struct d3dbc_inst *inst, struct strbuf *out);
/* Appends the constant table of the shader as comments, if it has one. */
void d3dbc_print_ctab(const struct d3dbc_shader *shader, struct strbuf *out);
/* Reads text of `size_B` bytes. NULL on bad input, with *error. */
struct d3dbc_shader *d3dbc_parse(struct arena *arena, const char *text,
                                 size_t size_B, struct d3d_error *error);
/* Whether the profile allows the shader: registers, modifiers, nesting. */
bool d3dbc_validate(const struct d3dbc_shader *shader,
                    struct d3d_error *error);

/* Instructions without bytes or text of their own get here: false with an
 * error that says where `inst` stands. */
bool d3dbc_error(struct d3d_error *e, const struct d3dbc_inst *inst,
                 const char *fmt, ...) PRINTFLIKE(3, 4);

#endif
