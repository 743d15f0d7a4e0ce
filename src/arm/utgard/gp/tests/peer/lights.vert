#version 100
attribute vec4 position;
attribute vec3 normal;
uniform mat4 mvp, model;
uniform mat3 normal_matrix;
uniform vec3 light_position[4], light_diffuse[4], light_specular[4];
uniform float shininess;
varying vec3 colour;

void main()
{
   vec3 p = (model * position).xyz;
   vec3 n = normalize(normal_matrix * normal);
   vec3 e = normalize(-p);
   vec3 sum = vec3(0.0);

   for (int i = 0; i < 4; i++) {
      vec3 l = normalize(light_position[i] - p);
      vec3 h = normalize(l + e);
      sum += light_diffuse[i] * max(dot(n, l), 0.0);
      sum += light_specular[i] * pow(max(dot(n, h), 0.0), shininess);
   }
   colour = sum;
   gl_Position = mvp * position;
}
