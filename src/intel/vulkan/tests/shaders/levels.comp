#version 450
/* The first and the last texel of each level. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer Result { vec4 result[]; };

void main()
{
   int levels = textureQueryLevels(tex);
   for (int i = 0; i < levels; i++) {
      result[2 * i] = texelFetch(tex, ivec2(0), i);
      result[2 * i + 1] = texelFetch(tex, textureSize(tex, i) - 1, i);
   }
}
