#version 450
// Uniforms with an index, skinning by two bones, a matrix by columns.
in vec4 position;
in vec2 bones;
in vec2 weights;
layout(binding = 1) uniform palette {
   mat4 bone[12];
   vec4 offsets[8];
   layout(row_major) mat4 projection;
};
layout(push_constant) uniform push {
   int base;
   float scale;
};
out vec4 color;

void
main()
{
   int i = int(bones.x), j = int(bones.y);
   vec4 p = weights.x * (bone[i] * position) +
            weights.y * (bone[j] * position);
   p += offsets[(i + base) % 8] * scale;
   color = offsets[min(j, 7)];
   color[i % 4] = 1.0;
   gl_Position = projection * p;
}
