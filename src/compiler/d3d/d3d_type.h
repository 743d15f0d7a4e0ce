/* SPDX-License-Identifier: MIT */
/*
 * Scalars, vectors and matrices as tables of constants describe them
 * (D3DXPARAMETER_CLASS and D3D_SHADER_VARIABLE_CLASS have the same numbers,
 * and so have D3DXPARAMETER_TYPE and D3D_SHADER_VARIABLE_TYPE).
 */
#ifndef D3D_TYPE_H
#define D3D_TYPE_H

#include "compiler/nir/nir.h"

enum d3d_class {
   D3D_CLASS_SCALAR,
   D3D_CLASS_VECTOR,
   D3D_CLASS_MATRIX_ROWS,
   D3D_CLASS_MATRIX_COLUMNS,
   D3D_CLASS_OBJECT,
   D3D_CLASS_STRUCT,
};

enum d3d_base {
   D3D_BASE_VOID = 0,
   D3D_BASE_BOOL = 1,
   D3D_BASE_INT = 2,
   D3D_BASE_FLOAT = 3,
   D3D_BASE_UINT = 19,
   D3D_BASE_DOUBLE = 39,
};

struct d3d_type {
   enum d3d_class class;
   enum d3d_base base;
   unsigned rows, columns;
   unsigned vectors; /* which lie in memory, one after the other */
   unsigned vector_elements;
};

/* `hlsl`: the shader came from HLSL by way of glslang, for which a row of
 * HLSL's is a column of SPIR-V's in all respects, the layout too. False: a
 * base type that Direct3D has not, D3D_BASE_VOID then. */
bool d3d_describe_type(const struct glsl_type *type, bool hlsl,
                       struct d3d_type *t);

#endif
