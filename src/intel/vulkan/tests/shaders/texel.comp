#version 450
/* A texel. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer Out { vec4 texel; };

void main()
{
   texel = texelFetch(tex, ivec2(0), 0);
}
