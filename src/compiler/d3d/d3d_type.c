/* SPDX-License-Identifier: MIT */
#include "d3d_type.h"

bool
d3d_describe_type(const struct glsl_type *type, bool hlsl, struct d3d_type *t)
{
   const unsigned columns = glsl_get_matrix_columns(type);
   const unsigned height = glsl_get_vector_elements(type);
   const bool by_rows = columns > 1 && glsl_matrix_type_is_row_major(type);

   switch (glsl_get_base_type(type)) {
   case GLSL_TYPE_BOOL: t->base = D3D_BASE_BOOL; break;
   case GLSL_TYPE_INT: t->base = D3D_BASE_INT; break;
   case GLSL_TYPE_UINT: t->base = D3D_BASE_UINT; break;
   case GLSL_TYPE_FLOAT: t->base = D3D_BASE_FLOAT; break;
   case GLSL_TYPE_DOUBLE: t->base = D3D_BASE_DOUBLE; break;
   default: t->base = D3D_BASE_VOID; break;
   }
   t->class = columns > 1  ? (by_rows != hlsl ? D3D_CLASS_MATRIX_ROWS
                                              : D3D_CLASS_MATRIX_COLUMNS)
              : height > 1 ? D3D_CLASS_VECTOR
                           : D3D_CLASS_SCALAR;
   t->rows = columns == 1 ? 1 : hlsl ? columns : height;
   t->columns = columns == 1 || hlsl ? height : columns;
   t->vectors = columns == 1 ? 1 : by_rows ? height : columns;
   t->vector_elements = by_rows ? columns : height;
   return t->base != D3D_BASE_VOID;
}
