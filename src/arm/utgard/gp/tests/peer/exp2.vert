#version 100
attribute vec4 position;
varying float v;

void main()
{
   gl_Position = vec4(position.xyz, 1.0);
   v = exp2(position.x);
}
