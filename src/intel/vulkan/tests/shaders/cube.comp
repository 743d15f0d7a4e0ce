#version 450
/* Each face off its centre. */
layout(local_size_x = 6) in;
layout(set = 0, binding = 0) uniform samplerCube tex;
layout(set = 0, binding = 1) buffer Result { vec4 result[]; };

void main()
{
   const uint i = gl_LocalInvocationIndex;
   vec3 at = vec3(0.6, 0.7, 0.8);
   at[i / 2] = (i & 1) == 0 ? 1 : -1;
   result[i] = textureLod(tex, at, 0);
}
