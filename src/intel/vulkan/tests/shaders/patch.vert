#version 450
void main()
{
   const vec2 at[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
   gl_Position = vec4(at[gl_VertexIndex], 0, 1);
}
