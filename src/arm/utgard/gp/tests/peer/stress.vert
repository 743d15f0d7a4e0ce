#version 100
attribute vec4 position, a, b;
varying vec4 v;

void main()
{
   vec4 x = exp2(a);
   vec4 y = log2(x + b);
   vec4 z = 1.0 / (y + a);
   vec4 w = inversesqrt(z * z + x);
   vec4 p = pow(w + x, y);

   gl_Position = position;
   v = p + exp2(z) * log2(w);
}
