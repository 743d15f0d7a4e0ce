#version 450
/* Three blocks of three locations each, and what comes after them. */
layout(location = 0) in vec4 position;
layout(location = 0) out Block {
   vec4 a;
   vec2 b[2];
} blk[3];
layout(location = 9) out vec4 last;

void main()
{
   gl_Position = position;
   for (int i = 0; i < 3; i++) {
      blk[i].a = vec4(10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3);
      blk[i].b[0] = vec2(10 * i + 4, 10 * i + 5);
      blk[i].b[1] = vec2(10 * i + 6, 10 * i + 7);
   }
   last = vec4(100, 101, 102, 103);
}
