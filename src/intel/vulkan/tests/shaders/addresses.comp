#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* A list whose nodes are anywhere: each invocation follows it, counts itself,
 * writes into one node, and reads what is there in several layouts. */
layout(local_size_x = 40) in;

layout(buffer_reference) buffer Node;
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Node {
   Node next;
   uint visits;
   float weights[3];
   layout(row_major) mat3x2 rows;
   layout(column_major) mat2x3 columns;
   dvec3 wide;
   int64_t sum;
   uint written[40];
   vec2 pairs[40];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint w[3]; };
layout(set = 0, binding = 0) uniform Constants { Node head; uvec2 words; };

Node follow(Node node, uint n)
{
   for (uint i = 0; i < n; i++)
      node = node.next;
   return node;
}

void main()
{
   const uint i = gl_LocalInvocationIndex;
   Node node = follow(head, i % 5);
   Node other = (i & 1) == 0 ? node : node.next;
   atomicAdd(node.visits, 1);
   other.written[i] = i + uint(other.weights[i % 3]);
   other.pairs[i] = vec2(i, node.rows[i % 3].y);
   Words mine = Words(words) + i;
   mine.w[0] = uint(node.rows[1].x + 10 * node.columns[1].z +
                    100 * node.columns[i & 1][i % 3]);
   mine.w[1] = uint(node.wide.z + 10 * node.wide.x);
   mine.w[2] = uint64_t(node) == uint64_t(head) ? 1 : 0;
}
