#version 450
/* Each texel of the large plane, at its centre, of the layer that is last. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { vec4 result[]; };
layout(set = 0, binding = 1) uniform sampler2DArray image;

void main()
{
   const ivec3 size = textureSize(image, 0);
   const ivec2 at = ivec2(gl_WorkGroupID.xy);
   result[at.y * size.x + at.x] = textureLod(
      image, vec3((vec2(at) + 0.5) / vec2(size.xy), size.z - 1), 0.0);
}
