#version 100
attribute vec4 position, a1, a2, a3, a4, a5, a6, a7;
varying vec4 v0, v1;

void main()
{
   vec4 t0 = exp2(position), t1 = log2(a1), t2 = inversesqrt(a2);
   vec4 t3 = exp2(a3), t4 = log2(a4), t5 = inversesqrt(a5);
   vec4 t6 = exp2(a6), t7 = log2(a7);

   gl_Position = position;
   v0 = t0 * t7 + t1 * t6 + t2 * t5 + t3 * t4;
   v1 = t0 * t4 + t1 * t5 + t2 * t6 + t3 * t7;
}
