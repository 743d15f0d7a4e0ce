#version 450
/* Attributes in formats that not every generation fetches. */
layout(location = 0) in vec4 unorm;
layout(location = 1) in vec4 snorm;
layout(location = 2) in vec4 scaled;
layout(location = 3) in ivec4 sints;
layout(location = 4) in uvec3 bytes;
layout(location = 5) in ivec3 shorts;
layout(set = 0, binding = 0) buffer Result { uvec4 result[]; };

void main()
{
   result[0] = floatBitsToUint(unorm);
   result[1] = floatBitsToUint(snorm);
   result[2] = floatBitsToUint(scaled);
   result[3] = uvec4(sints);
   result[4] = uvec4(bytes, 0u);
   result[5] = uvec4(ivec4(shorts, 0));
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
}
