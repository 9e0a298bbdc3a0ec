// Draws a list of instances: background, light with a shadow map, a mirror in the floor, and what is under a point.

import { STRIDE } from "./draw_list.js";
import { axesAlong, orthographic, product, scaled, subtract, viewMatrix } from "./math.js";
import { programs } from "./shaders.js";

const MAP_SIZE = 2048;
const INSTANCE_PLACES = [4, 5, 6, 7, 8];
const HIDDEN_OPACITY = 0.3;
const NO_CLIP = [0, 0, 0, 1];

export class Renderer {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2, which the replay is drawn with");
    this.gl = gl;
    this.canvas = canvas;
    this.programs = programs(gl);
    this.instances = gl.createBuffer();
    this.lightMap = depthMap(gl, MAP_SIZE);
    this.pickTarget = colorTarget(gl, 1, 1, gl.RGBA8);
    this.mirrorTarget = null;
    this.anisotropy = gl.getExtension("EXT_texture_filter_anisotropic");
    this.blank = this.texture(new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1));
    this.blankCube = this.cube(Array(6).fill(new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1)));
    gl.enable(gl.DEPTH_TEST);
  }

  // --- what is given to the card once

  /** Triangles: {vertices, normals, texcoords, ends, faces}. */
  mesh({ vertices, normals, texcoords, ends, faces }) {
    const { gl } = this;
    const vao = gl.createVertexArray();
    const buffers = [];
    gl.bindVertexArray(vao);
    const attributes = [
      [vertices, 3],
      [normals, 3],
      [texcoords, 2],
      [ends, 1],
    ];
    attributes.forEach(([array, width], place) => {
      if (!array) return;
      buffers[place] = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[place]);
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
    });
    const indices = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    for (const place of INSTANCE_PLACES) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribDivisor(place, 1);
    }
    gl.bindVertexArray(null);
    const type = faces instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    return { vao, buffers, count: faces.length, type };
  }

  /** Other points and normals of a mesh. */
  move({ buffers }, vertices, normals) {
    const { gl } = this;
    [vertices, normals].forEach((array, place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[place]);
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.DYNAMIC_DRAW);
    });
  }

  /** A picture, repeated in both directions. */
  texture(picture) {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    this.#filter(gl.TEXTURE_2D);
    return texture;
  }

  /** Six square pictures around a shape: +x -x +y -y +z -z. */
  cube(pictures) {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
    pictures.forEach((picture, side) =>
      gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + side, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture),
    );
    this.#filter(gl.TEXTURE_CUBE_MAP);
    return texture;
  }

  #filter(target) {
    const { gl } = this;
    gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    if (this.anisotropy) gl.texParameterf(target, this.anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 8);
  }

  // --- a frame

  /** Draw a list seen by a camera {eye, view, projection}; style: {light, focus, radius, fog, shadows, colors}. */
  draw(list, camera, style) {
    const { gl } = this;
    const light = this.#lightCamera(style);
    if (style.shadows) this.#drawLightMap(list, camera, light);
    const floor = style.reflections ? reflecting(list) : null;
    if (floor) this.#drawMirror(list, camera, style, light, floor);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.#drawScene(list, camera, style, light, {
      width: this.canvas.width,
      height: this.canvas.height,
      clip: NO_CLIP,
      floor,
      isMirror: false,
    });
  }

  #lightCamera({ light, focus, radius }) {
    const { x, y, z } = axesAlong(light);
    const eye = subtract(focus, scaled(light, 3 * radius));
    return product(orthographic(-radius, radius, -radius, radius, 0, 6 * radius), viewMatrix(eye, x, y, z));
  }

  #drawLightMap(list, camera, light) {
    const { gl, lightMap } = this;
    const { program, places } = this.programs.depth;
    gl.bindFramebuffer(gl.FRAMEBUFFER, lightMap.frame);
    gl.viewport(0, 0, MAP_SIZE, MAP_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.camera, false, light);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 3);
    for (const part of list.inOrder(camera.eye))
      if (!part.look.isDecor && !part.look.isFloor && !part.isClear) this.#drawPart(part);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** The scene as the floor reflects it, at half the size. */
  #drawMirror(list, camera, style, light, floor) {
    const { gl, canvas } = this;
    const width = Math.max(1, canvas.width >> 1),
      height = Math.max(1, canvas.height >> 1);
    if (!this.mirrorTarget || this.mirrorTarget.width !== width || this.mirrorTarget.height !== height)
      this.mirrorTarget = colorTarget(gl, width, height, gl.RGBA8, this.mirrorTarget);
    const { normal: n, offset: d } = floor;
    const across = new Float32Array([
      1 - 2 * n[0] * n[0],
      -2 * n[0] * n[1],
      -2 * n[0] * n[2],
      0,
      -2 * n[1] * n[0],
      1 - 2 * n[1] * n[1],
      -2 * n[1] * n[2],
      0,
      -2 * n[2] * n[0],
      -2 * n[2] * n[1],
      1 - 2 * n[2] * n[2],
      0,
      2 * d * n[0],
      2 * d * n[1],
      2 * d * n[2],
      1,
    ]);
    const above = n[0] * camera.eye[0] + n[1] * camera.eye[1] + n[2] * camera.eye[2] - d;
    const mirrored = { ...camera, view: product(camera.view, across), eye: subtract(camera.eye, scaled(n, 2 * above)) };
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.mirrorTarget.frame);
    this.#drawScene(list, mirrored, style, light, { width, height, clip: [...n, -d], floor: null, isMirror: true });
  }

  #drawScene(list, camera, style, light, { width, height, clip, floor, isMirror }) {
    const { gl } = this;
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.#drawSky(camera, style);
    const { program, places } = this.programs.surface;
    gl.useProgram(program);
    this.#setColors(places, camera, style);
    gl.uniformMatrix4fv(places.camera, false, product(camera.projection, camera.view));
    gl.uniformMatrix4fv(places.lightCamera, false, light);
    gl.uniform3fv(places.lightDirection, style.light);
    gl.uniform3fv(places.lightKey, style.colors.key);
    gl.uniform3fv(places.lightAbove, style.colors.fromAbove);
    gl.uniform3fv(places.lightBelow, style.colors.fromBelow);
    gl.uniform1f(places.opacity, 1);
    gl.uniform1f(places.shadowStrength, style.shadows ? 1 : 0);
    gl.uniform1f(places.fogDistance, style.fog);
    gl.uniform4fv(places.clipPlane, clip);
    gl.uniform2f(places.pictureSize, width, height);
    this.#bind(0, gl.TEXTURE_2D, this.lightMap.texture, places.lightDepth);
    this.#bind(3, gl.TEXTURE_2D, floor ? this.mirrorTarget.texture : this.blank, places.mirror);
    for (const part of list.inOrder(camera.eye)) {
      const { look } = part;
      if (isMirror && (look.isFloor || look.isDecor)) continue;
      this.#setLook(places, look, floor && look === floor.look ? look.reflectance : 0);
      this.#blend(part.isClear);
      this.#drawPart(part);
    }
    if (!isMirror) this.#drawHidden(list, camera, places);
    this.#blend(false);
  }

  #blend(isOn) {
    const { gl } = this;
    if (isOn) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(!isOn);
  }

  /** Decor inside of bodies shines through them. */
  #drawHidden(list, camera, places) {
    const { gl } = this;
    this.#blend(true);
    gl.depthFunc(gl.GREATER);
    gl.uniform1f(places.opacity, HIDDEN_OPACITY);
    for (const part of list.inOrder(camera.eye)) {
      if (!part.look.isDecor) continue;
      this.#setLook(places, part.look, 0);
      this.#drawPart(part);
    }
    gl.depthFunc(gl.LESS);
  }

  #drawSky(camera, style) {
    const { gl } = this;
    const { program, places } = this.programs.sky;
    gl.useProgram(program);
    this.#setColors(places, camera, style);
    gl.uniformMatrix4fv(places.fromPicture, false, rays(camera));
    gl.depthMask(false);
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
  }

  #setColors(places, camera, { colors }) {
    const { gl } = this;
    gl.uniform3fv(places.eye, camera.eye);
    gl.uniform3fv(places.skyColor, colors.sky);
    gl.uniform3fv(places.horizonColor, colors.horizon);
    gl.uniform3fv(places.groundColor, colors.ground);
  }

  #setLook(places, look, reflectance) {
    const { gl } = this;
    gl.uniform1i(places.textureMode, look.mode);
    gl.uniform4fv(places.textureMap, look.map);
    gl.uniform1f(places.reflectance, reflectance);
    this.#bind(1, gl.TEXTURE_2D, look.mode && look.mode < 3 ? look.texture : this.blank, places.image);
    this.#bind(2, gl.TEXTURE_CUBE_MAP, look.mode === 3 ? look.texture : this.blankCube, places.cubeImage);
  }

  #bind(unit, target, texture, place) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(target, texture);
    gl.uniform1i(place, unit);
  }

  #drawPart({ look, values, count }) {
    const { gl } = this;
    gl.bindVertexArray(look.mesh.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(gl.ARRAY_BUFFER, values.subarray(0, count * STRIDE), gl.STREAM_DRAW);
    INSTANCE_PLACES.forEach((place, k) => gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 4 * STRIDE, 16 * k));
    gl.drawElementsInstanced(gl.TRIANGLES, look.mesh.count, look.mesh.type, 0, count);
  }

  // --- what is under a point

  /** The id of the instance at a point of the picture, each coordinate from -1 to 1; 0 for none. */
  pick(list, camera, x, y) {
    return this.#picked(list, camera, x, y, false);
  }

  /** How deep in the picture the instance at a point is, from -1 to 1. */
  depth(list, camera, x, y) {
    return (2 * this.#picked(list, camera, x, y, true)) / 0xffffff - 1;
  }

  #picked(list, camera, x, y, isDepth) {
    const { gl } = this;
    const { program, places } = this.programs.pick;
    // the picture of one pixel: it is moved to the center and enlarged
    const w = this.canvas.width,
      h = this.canvas.height;
    const enlarge = new Float32Array([w, 0, 0, 0, 0, h, 0, 0, 0, 0, 1, 0, -x * w, -y * h, 0, 1]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget.frame);
    gl.viewport(0, 0, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.camera, false, product(enlarge, product(camera.projection, camera.view)));
    gl.uniform1i(places.isDepth, isDepth ? 1 : 0);
    for (const part of list.inOrder(camera.eye)) if (!part.look.isDecor) this.#drawPart(part);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
  }
}

/** The first solid floor that reflects: its look, normal and distance from the origin. */
function reflecting(list) {
  for (const { look, values, count } of list.solid.values()) {
    if (!count || !look.isFloor || !look.reflectance) continue;
    const [w, x, y, z] = values.subarray(4, 8);
    const normal = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    return { look, normal, offset: normal[0] * values[0] + normal[1] * values[1] + normal[2] * values[2] };
  }
  return null;
}

/** The matrix from a point of the picture (x, y, 1) to the direction that is seen there. */
function rays({ view, projection, isParallel }) {
  const right = [view[0], view[4], view[8]],
    up = [view[1], view[5], view[9]],
    back = [view[2], view[6], view[10]];
  const u = isParallel ? 0 : 1 / projection[0],
    v = isParallel ? 0 : 1 / projection[5];
  const ahead = [0, 1, 2].map((k) => projection[8] * u * right[k] + projection[9] * v * up[k] - back[k]);
  const column = (axis, s) => [axis[0] * s, axis[1] * s, axis[2] * s, 0];
  return new Float32Array([...column(right, u), ...column(up, v), ...ahead, 0, 0, 0, 0, 1]);
}

function depthMap(gl, size) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.drawBuffers([gl.NONE]);
  gl.readBuffer(gl.NONE);
  return { texture, frame };
}

function colorTarget(gl, width, height, format, old = null) {
  if (old) {
    gl.deleteTexture(old.texture);
    gl.deleteRenderbuffer(old.depth);
    gl.deleteFramebuffer(old.frame);
  }
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  const depth = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
  return { texture, depth, frame, width, height };
}
