#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
/* Vertices by an address, each of which is counted. */
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vertices {
   vec4 position[3];
   uint count;
   uvec2 seen[3];
};
layout(set = 0, binding = 0) uniform Constants { uvec2 base; };

void main()
{
   Vertices v = Vertices(base);
   const uint i = gl_VertexIndex;
   gl_Position = v.position[i];
   atomicAdd(v.count, i + 1);
   v.seen[i] = uvec2(i, 5 + i);
}
