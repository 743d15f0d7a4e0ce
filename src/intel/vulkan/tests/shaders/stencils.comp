#version 450
/* The stencil values of a layer, one after the other. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform usampler2DArray image;
layout(set = 0, binding = 1) buffer Out { uint value[]; };

void main()
{
   const int i = int(gl_WorkGroupID.x), w = textureSize(image, 0).x;
   value[i] = texelFetch(image, ivec3(i % w, i / w, 1), 0).x;
}
