/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share.
 *
 * A translation goes in three steps: spirv_module.c checks the words one by
 * one against the grammar and notes where each id is defined; spirv_cfg.c
 * finds blocks, predecessors and dominators of each function; then the rest
 * walks the module in order, and the functions in the order of control flow,
 * and builds NIR. Any of them gives up through spv_fail().
 *
 * In comments and errors, a section number is one of the SPIR-V
 * specification, version 1.6.
 */
#ifndef SPIRV_PRIVATE_H
#define SPIRV_PRIVATE_H

#include <setjmp.h>
#include <spirv/unified1/spirv.h>
#include <spirv/unified1/GLSL.std.450.h>
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/spirv/spirv_grammar.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/arena.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* Refuse what would need absurd time or memory. */
#define SPV_MAX_BOUND (4u << 20)
#define SPV_MAX_NESTING 4096
#define SPV_MAX_TYPE_DEPTH 64
/* Scalars in one value or one variable that is kept in registers. */
#define SPV_MAX_LEAVES (1u << 16)
/* Types within one type, with each struct's members as often as they are
 * named: what walks over a type takes as many steps. */
#define SPV_MAX_PARTS (1u << 16)
/* With those that groups give to many ids. */
#define SPV_MAX_DECORATIONS (1u << 20)
/* Instructions after inlining, if the module has not as many words. */
#define SPV_MAX_EMITTED (1u << 18)

struct spv;
struct spv_block;
struct spv_function;
struct spv_value;

enum spv_base {
   SPV_VOID,
   SPV_BOOL,
   SPV_INT,
   SPV_FLOAT,
   SPV_VECTOR,
   SPV_MATRIX,
   SPV_ARRAY, /* length 0: run-time array */
   SPV_STRUCT,
   SPV_POINTER,
   SPV_FUNCTION,
   SPV_IMAGE,
   SPV_SAMPLER,
   SPV_SAMPLED_IMAGE,
};

/* What the decorations of a variable or of a struct member say. */
struct spv_decor {
   int32_t location, component, index, offset; /* -1: none */
   int32_t binding, descriptor_set, builtin;   /* -1: none */
   int32_t xfb_buffer, xfb_stride, stream;     /* -1: none */
   uint32_t matrix_stride, array_stride;       /* 0: none */
   enum glsl_interp_mode interp;
   enum gl_access_qualifier access;
   bool row_major, centroid, sample, patch, invariant;
   bool block, buffer_block, no_contraction;
};

struct spv_type {
   enum spv_base base;
   uint32_t id;
   unsigned depth;               /* nesting, to bound recursion */
   unsigned leaves;              /* scalars in a value; saturates */
   unsigned parts;               /* see SPV_MAX_PARTS */
   const struct glsl_type *glsl; /* NULL: void, functions, pointers but
                                    for physical ones */
   unsigned bits;                /* of the scalar in numbers; bool: 1 */
   bool is_signed;
   /* Components, columns, elements, members or parameters. */
   unsigned length;
   /* Component, column, element, pointee, image of a sampled image, result
    * of a function. */
   struct spv_type *elem;
   struct spv_type **members; /* members or parameters */
   struct spv_decor *decor;   /* of members */
   uint32_t array_stride;
   bool block, buffer_block;
   SpvStorageClass storage; /* pointers */
   struct {
      SpvDim dim;
      unsigned depth, sampled;
      bool arrayed, ms;
      SpvImageFormat format;
      enum glsl_sampler_dim glsl_dim;
   } image;
};

/* A constant of any type but pointers: scalars of a vector side by side,
 * anything larger by elements. */
struct spv_const {
   uint64_t bits[4];
   struct spv_const **elems;
   bool is_null;
};

/* A value of a number, vector or composite type in NIR. */
struct spv_ssa {
   struct spv_type *type;
   nir_value *def;         /* scalar or vector */
   struct spv_ssa **elems; /* columns, elements or members */
};

struct spv_variable {
   struct spv_type *type; /* what it points to */
   SpvStorageClass storage;
   nir_variable *var;
   /* Blocks of the stage interface: one variable a member; the arrays
    * around the block stay around each. */
   nir_variable **members;
   unsigned num_members, array_depth;
   struct spv_type *block; /* the struct of such a variable */
   /* gl_SampleMask[0] is a plain integer in NIR. */
   bool skip_array;
   uint32_t id, initializer;
   struct spv_decor decor;
};

struct spv_link {
   nir_value *index; /* NULL: literal */
   uint32_t literal;
};

/* A variable and a chain of indices; dereferences are built when used. */
struct spv_pointer {
   struct spv_variable *var;
   struct spv_type *type; /* pointee */
   unsigned length;
   struct spv_link *chain;
   enum gl_access_qualifier access;
   /* A number (spirv_physical.c): there is no chain, and nothing behind the
    * variable. */
   nir_value *address;
   const struct glsl_type *layout; /* of the pointee in that memory */
   uint32_t stride_B;  /* of a vector's components; 0: they touch */
   uint32_t element_B; /* of an array that it is an element of; 0: of none */
};

enum spv_value_kind {
   SPV_VALUE_NONE,
   SPV_VALUE_STRING,
   SPV_VALUE_EXT_IMPORT,
   SPV_VALUE_DECORATION_GROUP,
   SPV_VALUE_TYPE,
   SPV_VALUE_CONSTANT,
   SPV_VALUE_UNDEF,
   SPV_VALUE_POINTER,
   SPV_VALUE_FUNCTION,
   SPV_VALUE_LABEL,
   SPV_VALUE_SSA,
   SPV_VALUE_IMAGE, /* image, sampler or both, loaded */
   SPV_VALUE_TEXEL_POINTER,
};

enum spv_ext_set {
   SPV_EXT_GLSL450,
   SPV_EXT_OPENCL,
   SPV_EXT_NON_SEMANTIC,
};

struct spv_decoration {
   struct spv_decoration *next;
   int member; /* -1: the id itself */
   uint32_t what;
   const uint32_t *operands;
   unsigned num_operands;
   const uint32_t *where; /* the instruction */
};

struct spv_member_name {
   struct spv_member_name *next;
   uint32_t member;
   const char *name; /* NULL: empty */
};

struct spv_image_value {
   struct spv_pointer *image, *sampler;
   enum gl_access_qualifier access;
};

struct spv_texel_pointer {
   struct spv_pointer *image;
   nir_value *coord, *sample;
};

struct spv_value {
   enum spv_value_kind kind;
   const uint32_t *words; /* the defining instruction */
   struct spv_type *type;
   struct spv_block *block; /* NULL: module scope */
   struct spv_decoration *decorations;
   const char *name; /* OpName; NULL: none */
   struct spv_member_name *member_names;
   nir_source_file *source; /* a file that lines name; NULL: not yet */
   bool is_spec;
   union {
      const char *string;
      enum spv_ext_set ext;
      struct spv_const *constant;
      struct spv_pointer *pointer;
      struct spv_function *function;
      struct spv_block *label;
      struct spv_ssa *ssa;
      struct spv_image_value image;
      struct spv_texel_pointer texel;
   };
};

struct spv_block {
   struct spv_function *function;
   uint32_t label;
   const uint32_t *start; /* OpLabel */
   const uint32_t *merge; /* OpSelectionMerge, OpLoopMerge or NULL */
   const uint32_t *terminator;
   struct spv_block **succs, **preds;
   unsigned num_succs, num_preds;
   struct spv_block *idom;
   unsigned order;             /* reverse postorder, 1...; 0: unreachable */
   unsigned dom_pre, dom_post; /* of the dominator tree */
   unsigned instance;          /* of the function when emitted last */
   nir_block *flat;            /* kernels: of that instance */
   unsigned first_phi, num_phis;
};

struct spv_function {
   uint32_t id;
   const uint32_t *words;
   struct spv_type *type;
   uint32_t *params;
   unsigned num_params;
   struct spv_block **blocks;
   unsigned num_blocks;
   bool active;       /* being emitted: calls must not recurse */
   unsigned instance; /* counts inlinings */
   struct spv_phi *phis;
   unsigned num_phis;
};

struct spv_phi {
   uint32_t id;
   struct spv_block *block;
   const uint32_t *words;
   nir_variable *var;
   struct spv_type *type;
};

struct spv_construct;

struct spv {
   jmp_buf fail;
   struct spirv_error *err;
   struct arena *arena;
   const uint32_t *words;
   size_t n_words;
   const uint32_t *cur; /* for errors */
   uint32_t version, bound;
   struct spv_value *values;
   const struct spirv_to_nir_options *options;
   const struct spirv_specialization *spec;
   unsigned n_spec;
   gl_shader_stage stage;
   const char *entry_name;

   struct hash_table type_names; /* those that are taken */

   uint32_t entry_id;
   const uint32_t *entry_words;
   const uint32_t *first_function;
   struct util_dynarray function_list; /* struct spv_function * */
   struct util_dynarray phi_list;      /* of the function being read */
   struct util_dynarray lines;         /* spirv_lines.c */
   size_t source_text_B;
   bool has_float_controls, has_xfb;
   bool kernel, no_contraction;
   /* Float controls by instruction; by default they allow less than all. */
   bool has_fast_math, strict_math;
   /* Pointers of these classes are numbers. */
   bool has_buffer_pointers, has_shared_pointers;
   bool has_shared_blocks;  /* the module lays out Workgroup memory */
   uint64_t tess_locations; /* per-vertex ones between TCS and TES */
   uint32_t workgroup_size_id;

   nir_shader *shader;
   nir_builder nb;
   struct spv_block *block; /* being emitted */
   struct spv_construct *construct;
   unsigned nesting, emitted, exit_serial, decorations;
   nir_variable *killed; /* by a function that was called in a loop */
   unsigned killed_serial;
};

/* Errors: spirv_error.c. They do not return. */
void spv_fail(struct spv *s, const char *fmt, ...) PRINTFLIKE(2, 3)
   __attribute__((noreturn));
void spv_unsupported(struct spv *s, const char *fmt, ...) PRINTFLIKE(2, 3)
   __attribute__((noreturn));
#define spv_check(s, cond, ...)                                              \
   do {                                                                      \
      if (!(cond))                                                           \
         spv_fail(s, __VA_ARGS__);                                           \
   } while (0)

/* An instruction's first word holds both. */
static inline unsigned
spv_opcode(const uint32_t *w)
{
   return w[0] & 0xffff;
}

static inline unsigned
spv_count(const uint32_t *w)
{
   return w[0] >> 16;
}

/* spirv_module.c */
void spv_read_header(struct spv *s);
void spv_check_words(struct spv *s);
void spv_read_preamble(struct spv *s);
bool spv_capability_supported(uint32_t capability);
/* The string at w, which ends before `end`; its length in words. */
const char *spv_string(struct spv *s, const uint32_t *w, const uint32_t *end,
                       unsigned *num_words);
void spv_check_operands(struct spv *s, const uint32_t *w);

/* spirv_lines.c: once the words are checked and the shader is made */
void spv_read_lines(struct spv *s);
/* Where `w` comes from: nir_instr.location; 0: not known. */
uint32_t spv_location(const struct spv *s, const uint32_t *w);

/* spirv_values.c: ids */
struct spv_value *spv_untyped_value(struct spv *s, uint32_t id);
/* A new value for the result of the instruction w: type in w[1], id w[2]. */
struct spv_value *spv_define(struct spv *s, uint32_t id,
                             enum spv_value_kind kind, struct spv_type *type);
struct spv_value *spv_value(struct spv *s, uint32_t id,
                            enum spv_value_kind kind);
struct spv_type *spv_get_type(struct spv *s, uint32_t id);
struct spv_type *spv_value_type(struct spv *s, uint32_t id);
struct spv_ssa *spv_get_ssa(struct spv *s, uint32_t id);
nir_value *spv_get_def(struct spv *s, uint32_t id);
struct spv_pointer *spv_get_pointer(struct spv *s, uint32_t id);
void spv_set_ssa(struct spv *s, uint32_t id, struct spv_ssa *ssa);
void spv_set_def(struct spv *s, struct spv_type *type, uint32_t id,
                 nir_value *def);
struct spv_ssa *spv_ssa_create(struct spv *s, struct spv_type *type);
struct spv_ssa *spv_ssa_undef(struct spv *s, struct spv_type *type);
struct spv_ssa *spv_ssa_const(struct spv *s, struct spv_type *type,
                              const struct spv_const *c);
/* Member i of a composite; vectors too. */
struct spv_ssa *spv_ssa_extract(struct spv *s, struct spv_ssa *v, unsigned i);
struct spv_ssa *spv_ssa_insert(struct spv *s, struct spv_ssa *v,
                               const uint32_t *path, unsigned depth,
                               struct spv_ssa *part);

/* spirv_types.c */
bool spv_handle_type(struct spv *s, const uint32_t *w);
bool spv_type_is_number(const struct spv_type *t);
/* The component of a vector, or the scalar itself. */
const struct spv_type *spv_scalar(const struct spv_type *t);
unsigned spv_components(const struct spv_type *t);
bool spv_same_type(const struct spv_type *a, const struct spv_type *b);
/* A pointer that is a number. */
static inline bool
spv_is_address(const struct spv_type *t)
{
   return t->base == SPV_POINTER && t->bits;
}
void spv_check_composite_size(struct spv *s, const struct spv_type *t);

/* spirv_decor.c */
void spv_read_decoration(struct spv *s, const uint32_t *w);
void spv_init_decor(struct spv_decor *d);
void spv_apply_decorations(struct spv *s, struct spv_decor *d,
                           const struct spv_decoration *list, int member);
/* What older headers lack of SPV_KHR_float_controls2. */
#define SPV_CAPABILITY_FLOAT_CONTROLS_2 6029
#define SPV_EXECUTION_MODE_FP_FAST_MATH_DEFAULT 6028

/* Whether fast-math flags allow whatever code does that is not exact: neither
 * NaNs, infinities nor a zero's sign are kept (bits 0 to 2), expressions may
 * be contracted, reassociated and transformed (16 to 18). */
static inline bool
spv_allows_all(uint64_t flags)
{
   return (flags & 0x70007) == 0x70007;
}

bool spv_has_decoration(const struct spv_value *v, uint32_t what);

/* spirv_names.c */
void spv_read_names(struct spv *s);
/* One for each member; no two are alike. */
const char **spv_member_names(struct spv *s, uint32_t id, unsigned count);
const char *spv_type_name(struct spv *s, uint32_t id, const char *otherwise);
/* NULL: it has none. `member` as for spv_get_variable. */
const char *spv_variable_name(struct spv *s, const struct spv_variable *v,
                              unsigned member);

/* spirv_constants.c */
bool spv_handle_constant(struct spv *s, const uint32_t *w);
struct spv_const *spv_null_const(struct spv *s, struct spv_type *t);
/* The value of an integer constant; fails for anything else. */
uint64_t spv_const_uint(struct spv *s, uint32_t id);
bool spv_is_const_int(struct spv *s, uint32_t id);

/* spirv_variables.c */
bool spv_handle_variable(struct spv *s, const uint32_t *w);
void spv_store_initializers(struct spv *s);
/* The outputs of the entry point that transform feedback captures. */
void spv_declare_captured(struct spv *s);
struct spv_pointer *spv_extend(struct spv *s, const struct spv_pointer *p,
                               struct spv_type *type,
                               const struct spv_link *links, unsigned n);

/* spirv_interface.c */
void spv_classify_interface(struct spv *s, struct spv_variable *v);
nir_variable *spv_get_variable(struct spv *s, struct spv_variable *v,
                               unsigned member);
void spv_get_captured(struct spv *s, struct spv_variable *v);

/* A block in Workgroup memory, which has its own layout. */
bool spv_is_shared_block(const struct spv_variable *v);

/* spirv_memory.c */
bool spv_handle_memory(struct spv *s, const uint32_t *w);
/* The chain that w makes of `base` by the indices from word `first` on. */
void spv_access_chain(struct spv *s, const uint32_t *w,
                      const struct spv_pointer *base, unsigned first);
/* The same under the id: it may be decorated NonUniform. */
struct spv_pointer *spv_pointer_as(struct spv *s, uint32_t id,
                                   struct spv_pointer *p);
struct spv_image_value spv_image_as(struct spv *s, uint32_t id,
                                    struct spv_image_value image);
nir_deref_instr *spv_deref(struct spv *s, const struct spv_pointer *p);
struct spv_ssa *spv_load(struct spv *s, const struct spv_pointer *p);
void spv_store(struct spv *s, const struct spv_pointer *p,
               struct spv_ssa *value);
nir_variable *spv_temp(struct spv *s, struct spv_type *type,
                       const char *name);
struct spv_pointer *spv_pointer_to_var(struct spv *s, nir_variable *var,
                                       struct spv_type *type);

/* memory/spirv_physical.c; `type` is the pointer's */
struct spv_pointer *spv_physical_pointer(struct spv *s, struct spv_type *type,
                                         nir_value *address);
struct spv_pointer *spv_physical_extend(struct spv *s,
                                        const struct spv_pointer *p,
                                        const struct spv_link *links,
                                        unsigned n);
nir_value *spv_physical_load(struct spv *s, const struct spv_pointer *p);
void spv_physical_store(struct spv *s, const struct spv_pointer *p,
                        nir_value *value);
nir_value *spv_physical_array_length(struct spv *s,
                                     const struct spv_pointer *p);
/* The number of a pointer, if need be one into a storage buffer or the
 * workgroup's memory is made one. */
nir_value *spv_pointer_number(struct spv *s, const struct spv_pointer *p);
/* What accesses by such a number have as sources: a buffer's name, if it
 * leads into one, and a byte offset. How many; the last is the offset. */
unsigned spv_place(struct spv *s, const struct spv_pointer *p,
                   nir_value *place[2]);
/* Whether it leads into a storage buffer. */
static inline bool
spv_is_in_buffer(const struct spv_pointer *p)
{
   return p->address && p->var->storage == SpvStorageClassStorageBuffer;
}
bool spv_handle_physical(struct spv *s, const uint32_t *w);

/* spirv_builtin.c: nir_variable mode and location of a built-in. */
void spv_set_builtin(struct spv *s, nir_variable *var, SpvBuiltIn builtin,
                     SpvStorageClass storage);

/* spirv_alu.c, spirv_glsl450.c, spirv_image.c, spirv_dot.c, ...; true if the
 * opcode is theirs */
bool spv_handle_alu(struct spv *s, const uint32_t *w);
bool spv_handle_matrix(struct spv *s, const uint32_t *w);
bool spv_handle_composite(struct spv *s, const uint32_t *w);
void spv_define_undef(struct spv *s, const uint32_t *w);
void spv_handle_glsl450(struct spv *s, const uint32_t *w);
bool spv_handle_image(struct spv *s, const uint32_t *w);
nir_value *spv_load_texel(struct spv *s, const struct spv_texel_pointer *p);
void spv_store_texel(struct spv *s, const struct spv_texel_pointer *p,
                     nir_value *def);
bool spv_handle_atomic(struct spv *s, const uint32_t *w);
bool spv_handle_barrier(struct spv *s, const uint32_t *w);
bool spv_handle_subgroup(struct spv *s, const uint32_t *w);
bool spv_handle_dot(struct spv *s, const uint32_t *w);

/* spirv_functions.c */
void spv_find_functions(struct spv *s);
bool spv_dominates(const struct spv_block *a, const struct spv_block *b);
bool spv_is_terminator(unsigned opcode);
unsigned spv_switch_literal_words(struct spv *s, const uint32_t *w);

/* spirv_cfg.c */
void spv_emit_function(struct spv *s, struct spv_function *f,
                       nir_variable *result);
void spv_handle_call(struct spv *s, const uint32_t *w);
void spv_create_phi_variables(struct spv *s, struct spv_function *f);
/* All of a block but its terminator, and the phis of those after it. */
void spv_emit_block(struct spv *s, struct spv_block *b);
/* spirv_instructions.c: one instruction that is no control flow */
void spv_handle_instruction(struct spv *s, const uint32_t *w);

#endif
