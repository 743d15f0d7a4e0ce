#version 450
layout(location = 0) in Block {
   vec4 a;
   vec2 b[2];
} blk[3];
layout(location = 9) in vec4 last;
layout(location = 0) out vec4 color;

void main()
{
   bool good = last == vec4(100, 101, 102, 103);
   for (int i = 0; i < 3; i++) {
      good = good && blk[i].a == vec4(10 * i, 10 * i + 1, 10 * i + 2,
                                      10 * i + 3) &&
             blk[i].b[0] == vec2(10 * i + 4, 10 * i + 5) &&
             blk[i].b[1] == vec2(10 * i + 6, 10 * i + 7);
   }
   color = good ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);
}
