#version 450
/* Where the result goes is the last of 256 bytes of push constants. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 1) uniform Value { uint value; };
layout(set = 1, binding = 0) uniform Inline { uvec4 words[5]; };
layout(push_constant) uniform Push { uint slot[64]; };

void main()
{
   result[slot[63]] = value + words[4].y;
}
