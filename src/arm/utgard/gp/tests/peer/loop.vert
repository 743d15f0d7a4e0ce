#version 310 es
in vec4 position;
out vec4 v;
uniform int count;
uniform float limit;

void main()
{
   gl_Position = position;
   vec4 x = position;
   for (int i = 0; i < count; i++) {
      x = exp2(x);
      if (x.x > limit)
         break;
   }
   v = x;
}
