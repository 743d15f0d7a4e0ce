/* SPDX-License-Identifier: MIT */
/* The interpreter's copies of variables, or of parts of them. */
#include "nir_interp_private.h"

#include "nir_private.h"

/* A part of a variable that is none of memory. */
struct part {
   const nir_variable *var;
   uint64_t at; /* as the value of a deref */
};

static void
load_part(struct nir_interp *s, const struct part *p, unsigned n,
          unsigned bits, unsigned lane, nir_const_value *out)
{
   if (p->var->data.mode & INTERP_TEMP_MODES) {
      memcpy(out, interp_temp_cells(s, p->var, lane) + p->at,
             n * sizeof(*out));
      return;
   }
   const uint32_t *dw =
      p->var->data.mode == nir_var_shader_in
         ? interp_input_dwords(s, lane,
                               (unsigned)(p->at >> INTERP_VERTEX_SHIFT))
         : interp_output_dwords(s, lane,
                                interp_output_vertex(s, p->var, p->at));
   interp_read_dwords(s, dw, p->at & BITFIELD64_MASK(INTERP_VERTEX_SHIFT), n,
                      bits, out);
}

static void
store_part(struct nir_interp *s, const struct part *p, unsigned n,
           unsigned bits, unsigned lane, const nir_const_value *v)
{
   if (p->var->data.mode & INTERP_TEMP_MODES)
      memcpy(interp_temp_cells(s, p->var, lane) + p->at, v, n * sizeof(*v));
   else
      interp_write_dwords(s,
                          interp_output_dwords(
                             s, lane, interp_output_vertex(s, p->var, p->at)),
                          p->at & BITFIELD64_MASK(INTERP_VERTEX_SHIFT), n,
                          BITFIELD_MASK(n), bits, v);
}

/* Component or element `index` of each. */
static struct part
element_of(const struct part *p, const struct glsl_type *element,
           unsigned index)
{
   const unsigned n = p->var->data.mode & INTERP_TEMP_MODES
                         ? interp_type_cells(element)
                      : p->var->data.compact
                         ? 1
                         : 4 * glsl_count_attribute_slots(element, false);
   return (struct part) { p->var, p->at + index * n };
}

static struct part
member_of(const struct part *p, const struct glsl_type *type, unsigned index)
{
   const unsigned n = p->var->data.mode & INTERP_TEMP_MODES
                         ? interp_member_cells(type, index)
                         : 4 * glsl_count_slots_before_field(type, index);
   return (struct part) { p->var, p->at + n };
}

static void
copy_part(struct nir_interp *s, const struct part *to,
          const struct part *from, const struct glsl_type *type,
          unsigned lane)
{
   if (glsl_type_is_vector_or_scalar(type)) {
      const unsigned n = glsl_get_vector_elements(type);
      nir_const_value v[NIR_MAX_VEC_COMPONENTS];

      load_part(s, from, n, glsl_get_bit_size(type), lane, v);
      store_part(s, to, n, glsl_get_bit_size(type), lane, v);
      return;
   }
   const bool members = glsl_type_is_struct_or_ifc(type);
   const unsigned n = glsl_type_is_matrix(type)
                         ? glsl_get_matrix_columns(type)
                         : glsl_get_length(type);
   for (unsigned i = 0; i < n && !s->error; i++) {
      const struct glsl_type *part = members ? glsl_get_struct_field(type, i)
                                     : glsl_type_is_matrix(type)
                                        ? glsl_get_column_type(type)
                                        : glsl_get_array_element(type);
      const struct part t = members ? member_of(to, type, i)
                                    : element_of(to, part, i);
      const struct part f = members ? member_of(from, type, i)
                                    : element_of(from, part, i);
      copy_part(s, &t, &f, part, lane);
   }
}

/* Not of arrays of all vertices: a deref has one of them. */
void
interp_copy_deref(struct nir_interp *s, nir_intrinsic_instr *intr,
                  unsigned lane)
{
   nir_deref_instr *to = nir_use_as_deref(intr->src[0]);
   nir_deref_instr *from = nir_use_as_deref(intr->src[1]);
   const struct part t = { nir_deref_root(to),
                           interp_src(s, &intr->src[0], lane)[0].u64 };
   const struct part f = { nir_deref_root(from),
                           interp_src(s, &intr->src[1], lane)[0].u64 };

   if (!t.var || !f.var ||
       !(t.var->data.mode & (INTERP_TEMP_MODES | INTERP_IO_MODES)) ||
       !(f.var->data.mode & (INTERP_TEMP_MODES | INTERP_IO_MODES)) ||
       (to->deref_type == nir_deref_type_var &&
        nir_is_arrayed_io(t.var, s->shader->info.stage)) ||
       (from->deref_type == nir_deref_type_var &&
        nir_is_arrayed_io(f.var, s->shader->info.stage)))
      interp_fail(s, "a copy_deref that is not known to the interpreter");
   else
      copy_part(s, &t, &f, to->type, lane);
}
