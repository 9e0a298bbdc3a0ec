// Programs of the graphics card. All of them place instances alike.

const PLACE = `#version 300 es
precision highp float;
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in float end;
layout(location = 4) in vec4 place;   // position, length
layout(location = 5) in vec4 turn;    // quaternion, w first
layout(location = 6) in vec4 stretch; // scale, id
layout(location = 7) in vec4 rgba;
layout(location = 8) in vec4 finish;  // specular, shininess, emission, glow
uniform mat4 camera;

vec3 rotated(vec3 v) {
  vec3 t = 2.0 * cross(turn.yzw, v);
  return v + turn.x * t + cross(turn.yzw, t);
}
vec3 local() { return point * stretch.xyz + vec3(0.0, 0.0, end * place.w); }
`;

const SURFACE_VERTEX =
  PLACE +
  `
out vec3 world;
out vec3 outward;
out vec3 inShape;
out vec3 inUnit;
out vec2 inTexture;
flat out vec4 color;
flat out vec4 surface;
void main() {
  inShape = local();
  inUnit = point;
  inTexture = texcoord;
  world = rotated(inShape) + place.xyz;
  outward = rotated(normal / max(stretch.xyz, vec3(1e-9)));
  color = rgba;
  surface = finish;
  gl_Position = camera * vec4(world, 1.0);
}`;

// light is added up in linear intensities; colors of the model are those of a screen
const LIGHT = `
const float GAMMA = 2.2;
uniform vec3 eye;
uniform vec3 skyColor;
uniform vec3 horizonColor;
uniform vec3 groundColor;

vec3 linear(vec3 screen) { return pow(screen, vec3(GAMMA)); }
vec3 screen(vec3 c) {
  // a soft shoulder instead of a hard limit
  c = mix(c, 1.0 - exp(-1.6 * c) * 0.62, smoothstep(0.55, 1.4, c));
  vec3 noise = vec3(fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5) / 255.0;
  return pow(clamp(c, 0.0, 1.0), vec3(1.0 / GAMMA)) + noise;
}
vec3 background(vec3 direction) {
  float h = direction.z;
  vec3 above = mix(horizonColor, skyColor, pow(clamp(h, 0.0, 1.0), 0.6));
  return mix(above, groundColor, smoothstep(0.0, 0.35, -h));
}
`;

const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 world;
in vec3 outward;
in vec3 inShape;
in vec3 inUnit;
in vec2 inTexture;
flat in vec4 color;
flat in vec4 surface;
out vec4 pixel;
uniform vec3 lightDirection;
uniform vec3 lightKey;
uniform vec3 lightAbove;
uniform vec3 lightBelow;
uniform mat4 lightCamera;
uniform highp sampler2DShadow lightDepth;
uniform float shadowStrength;
uniform float fogDistance;
uniform int textureMode;      // 0 none, 1 by place in the shape, 2 by texture coordinates, 3 cube
uniform vec4 textureMap;     // scale, offset; of a cube: whether it keeps its scale
uniform sampler2D image;
uniform samplerCube cubeImage;
uniform vec4 clipPlane;
uniform float reflectance;
uniform sampler2D mirror;
uniform vec2 pictureSize;
uniform float opacity;
${LIGHT}
float lit(vec3 n) {
  vec4 seen = lightCamera * vec4(world + n * 0.004 * fogDistance * 0.1, 1.0);
  vec3 at = seen.xyz / seen.w * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float texel = 1.0 / float(textureSize(lightDepth, 0).x), sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += texture(lightDepth, vec3(at.xy + 1.3 * texel * vec2(i, j), at.z - 0.0006));
  // towards the edge of the map it fades
  float edge = max(abs(at.x - 0.5), abs(at.y - 0.5)) * 2.0;
  return mix(sum / 9.0, 1.0, smoothstep(0.85, 1.0, edge));
}
void main() {
  if (dot(clipPlane, vec4(world, 1.0)) < 0.0) discard;
  vec3 base = color.rgb;
  if (textureMode == 1) base *= texture(image, inShape.xy * textureMap.xy + textureMap.zw).rgb;
  if (textureMode == 2) base *= texture(image, inTexture * textureMap.xy + textureMap.zw).rgb;
  if (textureMode == 3) base *= texture(cubeImage, mix(inUnit, inShape, textureMap.x)).rgb;
  base = linear(base);
  vec3 toEye = eye - world;
  float depth = length(toEye);
  vec3 v = toEye / depth;
  vec3 n = normalize(outward);
  if (dot(n, v) < 0.0) n = -n;
  vec3 l = -lightDirection;
  float facing = max(dot(n, l), 0.0);
  float key = facing > 0.0 ? facing * mix(1.0, lit(n), shadowStrength) : 0.0;
  vec3 ambient = mix(lightBelow, lightAbove, n.z * 0.5 + 0.5);
  vec3 light = ambient + key * lightKey + 0.2 * max(dot(n, v), 0.0);
  float gloss = pow(max(dot(n, normalize(l + v)), 0.0), 4.0 + 124.0 * surface.y);
  vec3 c = base * (light + surface.z) + surface.x * gloss * key * 0.5;
  float rim = pow(1.0 - max(dot(n, v), 0.0), 2.0);
  if (reflectance > 0.0) {
    vec3 mirrored = linear(texture(mirror, gl_FragCoord.xy / pictureSize).rgb);
    c = mix(c, mirrored, reflectance * (0.35 + 0.65 * rim));
  }
  if (surface.w > 1.5) c = linear(color.rgb) * (0.75 + 0.25 * max(dot(n, v), 0.0));
  else c = mix(c, vec3(1.0, 0.36, 0.04) * (0.35 + 0.65 * key), surface.w * (0.6 + 0.4 * rim));
  float fog = 1.0 - exp(-pow(depth / fogDistance, 2.0));
  c = mix(c, background(-v), fog);
  pixel = vec4(screen(c), color.a * opacity);
}`;

const DEPTH_VERTEX =
  PLACE +
  `
void main() { gl_Position = camera * vec4(rotated(local()) + place.xyz, 1.0); }`;
const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const PICK_VERTEX =
  PLACE +
  `
flat out float id;
void main() { id = stretch.w; gl_Position = camera * vec4(rotated(local()) + place.xyz, 1.0); }`;
const PICK_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
flat in float id;
uniform bool isDepth;
out vec4 pixel;
void main() {
  int k = isDepth ? int(gl_FragCoord.z * 16777215.0) : int(id + 0.5);
  pixel = vec4(float(k & 255), float((k >> 8) & 255), float((k >> 16) & 255), 255.0) / 255.0;
}`;

const SKY_VERTEX = `#version 300 es
precision highp float;
uniform mat4 fromPicture;
uniform vec3 eye;
out vec3 direction;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  direction = mat3(fromPicture) * vec3(corner, 1.0);
  gl_Position = vec4(corner, 1.0, 1.0);
}`;
const SKY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 direction;
out vec4 pixel;
${LIGHT}
void main() {
  pixel = vec4(screen(background(normalize(direction))), 1.0);
}`;

const SOURCES = {
  surface: [SURFACE_VERTEX, SURFACE_FRAGMENT],
  depth: [DEPTH_VERTEX, DEPTH_FRAGMENT],
  pick: [PICK_VERTEX, PICK_FRAGMENT],
  sky: [SKY_VERTEX, SKY_FRAGMENT],
};

function compiled(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

function linked(gl, [vertex, fragment]) {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const places = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const { name } = gl.getActiveUniform(program, k);
    places[name] = gl.getUniformLocation(program, name);
  }
  return { program, places };
}

/** All programs by name, each with the places of its uniforms. */
export const programs = (gl) =>
  Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [name, linked(gl, source)]));
