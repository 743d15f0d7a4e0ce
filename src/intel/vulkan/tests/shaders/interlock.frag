#version 450
#extension GL_ARB_fragment_shader_interlock : require
/* A number of each pixel, of which the order of the instances is a digit. */
layout(pixel_interlock_ordered) in;
layout(location = 0) in vec4 instance;
layout(std430, binding = 0) coherent buffer Pixels { uint pixels[64]; };
layout(location = 0) out vec4 color;

void main()
{
   const uint at = uint(gl_FragCoord.y) * 8 + uint(gl_FragCoord.x);
   beginInvocationInterlockARB();
   pixels[at] = pixels[at] * 10 + uint(instance.x);
   endInvocationInterlockARB();
   color = vec4(1);
}
