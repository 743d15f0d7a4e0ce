#version 450
#extension GL_ARB_fragment_shader_interlock : require
/* Each sample adds one to what its pixel has counted. */
layout(pixel_interlock_unordered) in;
layout(std430, binding = 0) coherent buffer Pixels { uint pixels[64]; };
layout(location = 0) out vec4 color;

void main()
{
   const uint at = uint(gl_FragCoord.y) * 8 + uint(gl_FragCoord.x);
   uint seen = gl_SampleID;
   beginInvocationInterlockARB();
   seen += pixels[at];
   if (seen < 1000)
      pixels[at]++;
   endInvocationInterlockARB();
   color = vec4(seen < 1000 ? 1 : 0);
}
