#version 450
/* Four offsets in the sampler's range, and four beyond what a header holds. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer Result { vec4 result[]; };

void main()
{
   const vec2 at = vec2(32.0 / 64.0, 32.0 / 64.0);
   const ivec2 near[4] = ivec2[](ivec2(-8, -3), ivec2(5, 7), ivec2(0, 2),
                                 ivec2(7, -8));
   const ivec2 far[4] = ivec2[](ivec2(-31, 0), ivec2(31, 1), ivec2(20, -20),
                                ivec2(-9, 8));
   result[0] = textureGatherOffsets(tex, at, near, 0);
   result[1] = textureGatherOffsets(tex, at, near, 1);
   result[2] = textureGatherOffsets(tex, at, far, 0);
   result[3] = textureGatherOffsets(tex, at, far, 1);
}
