#version 100
attribute vec4 position, a, b;
varying vec4 v;

void main()
{
   gl_Position = position;
   v = pow(a, b);
}
