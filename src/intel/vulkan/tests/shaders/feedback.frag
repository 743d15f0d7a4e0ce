#version 450
layout(set = 0, binding = 0) uniform sampler2D before;
layout(location = 0) out vec4 color;
void main()
{
   const ivec2 at = ivec2(gl_FragCoord.xy);
   color = texelFetch(before, at, 0) + vec4(64, at.x, at.y, 255) / 255.0;
}
