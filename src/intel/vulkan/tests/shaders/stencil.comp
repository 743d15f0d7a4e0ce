#version 450
/* The first row of an image of stencil. */
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform usampler2D stencil;
layout(set = 0, binding = 1) buffer Result { uint result[4]; };

void main()
{
   const int x = int(gl_LocalInvocationIndex);
   result[x] = texelFetch(stencil, ivec2(x, 0), 0).x;
}
