#version 450
/* Two vertices in one place, and a triangle that covers all. */
void main()
{
   const vec2 at[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
   gl_Position = vec4(at[max(gl_VertexIndex - 2, 0)], 0, 1);
}
