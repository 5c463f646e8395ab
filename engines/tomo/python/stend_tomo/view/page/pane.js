// A picture with its plane: window, zoom, crosshair, the value under the pointer, mouse and keys.

const NEAREST_FROM = 1; // screen pixels to one of the plane, from which on pixels are drawn sharp
const MOST_ZOOM = 64;
const NO_NUMBER = 0xff70205c; // purple: neither black, nor white, nor a difference
const MOVED = 4; // screen pixels that make a drag of a click

/** Where panes look: shared by panes that are linked. */
export class View {
  constructor(width, height) {
    Object.assign(this, { width, height, panes: [] });
    this.fit();
  }
  fit() {
    Object.assign(this, { zoom: 1, x: this.width / 2, y: this.height / 2 });
    this.changed();
  }
  changed() {
    this.x = Math.min(Math.max(this.x, 0), this.width);
    this.y = Math.min(Math.max(this.y, 0), this.height);
    for (const pane of this.panes) pane.draw();
  }
}

export class Pane {
  /** `heed` has what happens: tool, pick, step, moveWindow, line, profileHere, drawn. */
  constructor(into, { name, title, view, stretch = false, aspect = 1, size = null, colours = "grey", window, readout, heed }) {
    // aspect: how much higher a pixel is than wide; size: its width in mm, where that is known
    Object.assign(this, { name, title, view, stretch, aspect, size, colours, window, readout, heed });
    this.plane = null;
    this.fingers = new Map();
    this.cross = null; // [x, y] in pixels of the full plane
    this.line = null; // [[x, y], [x, y]]
    const copy = document.getElementById("pane").content.cloneNode(true);
    this.root = copy.querySelector("figure");
    this.root.dataset.pane = name;
    this.heading = copy.querySelector("h2");
    this.value = copy.querySelector(".value");
    this.under = copy.querySelector(".under");
    this.stage = copy.querySelector(".stage");
    this.canvas = copy.querySelector(".image");
    this.marks = copy.querySelector(".marks");
    this.note = copy.querySelector(".note");
    into.append(copy);
    this.mapped = document.createElement("canvas");
    view.panes.push(this);
    this.named(title);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  named(title) {
    this.title = this.heading.textContent = title;
    this.canvas.setAttribute("aria-label", title);
  }

  /** Say that a pixel of its plane is a mean of so many, along a side. */
  coarse(step) {
    this.heading.textContent = `${this.title}, ${step}× coarser`;
  }

  say(sentence) {
    this.note.textContent = sentence;
    this.note.hidden = !sentence;
  }

  show(plane) {
    this.plane = plane;
    this.map();
    if (this.pointer) this.tell(this.pointer);
  }

  /** Values → greys, once for each plane and window; zooming only draws. */
  map() {
    if (!this.plane) return;
    const { values, rows, columns } = this.plane;
    Object.assign(this.mapped, { width: columns, height: rows });
    const context = this.mapped.getContext("2d"), image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer), [low, high] = this.window();
    const scale = 255 / (high - low || 1);
    const grey = (t) => 0xff000000 | (t << 16) | (t << 8) | t;
    const both = (t) => {
      const [r, g, b] = t < 127.5 ? [86, 168, 232] : [242, 139, 70], part = Math.abs(t / 127.5 - 1);
      return 0xff000000 | ((b * part) << 16) | ((g * part) << 8) | (r * part);
    };
    const colour = Uint32Array.from({ length: 256 }, (_, t) => (this.colours === "grey" ? grey(t) : both(t)));
    for (let k = 0; k < values.length; k++) {
      const t = (values[k] - low) * scale;
      pixels[k] = t !== t ? NO_NUMBER : colour[t > 0 ? (t < 255 ? (t + 0.5) | 0 : 255) : 0];
    }
    context.putImageData(image, 0, 0);
    this.draw();
  }

  /** Screen pixels to one of the full plane, in both directions. */
  scales() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const x = width / this.view.width, y = height / this.view.height;
    const both = Math.min(x, y / this.aspect);
    return (this.stretch ? [x, y] : [both, both * this.aspect]).map((s) => s * this.view.zoom);
  }

  /** Of a place in the full plane, whose pixel k reaches from k - 0.5 to k + 0.5. */
  screen([x, y]) {
    const [sx, sy] = this.scales();
    return [
      (x + 0.5 - this.view.x) * sx + this.stage.clientWidth / 2,
      (y + 0.5 - this.view.y) * sy + this.stage.clientHeight / 2,
    ];
  }

  place(event) {
    const box = this.stage.getBoundingClientRect(), [sx, sy] = this.scales();
    return [
      (event.clientX - box.left - box.width / 2) / sx + this.view.x - 0.5,
      (event.clientY - box.top - box.height / 2) / sy + this.view.y - 0.5,
    ];
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.marks]) {
      const size = [Math.round(width * ratio), Math.round(height * ratio)];
      if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    }
    this.stage.classList.toggle("held", this.view.zoom > 1 || this.heed.tool() !== "look");
    const context = this.canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.plane) {
      const { rows, columns, step, origin } = this.plane, [sx, sy] = this.scales();
      const [left, top] = this.screen([origin[1] - step / 2, origin[0] - step / 2]);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.imageSmoothingEnabled = Math.min(sx, sy) * ratio * step < NEAREST_FROM;
      context.imageSmoothingQuality = "high";
      context.drawImage(this.mapped, left, top, columns * step * sx, rows * step * sy);
    }
    this.drawMarks(ratio, width, height);
    this.root.dataset.drawn = this.plane ? "yes" : "no";
  }

  drawMarks(ratio, width, height) {
    const context = this.marks.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const stroke = (colour, draw) => {
      context.beginPath();
      draw();
      for (const [style, wide] of [["#0009", 3], [colour, 1]]) {
        Object.assign(context, { strokeStyle: style, lineWidth: wide });
        context.stroke();
      }
    };
    if (this.cross) {
      const [x, y] = this.screen(this.cross).map((at) => Math.round(at) + 0.5), gap = 9;
      stroke("#ffd34ddd", () => {
        for (const [a, b, c, d] of [[0, y, x - gap, y], [x + gap, y, width, y], [x, 0, x, y - gap], [x, y + gap, x, height]]) {
          context.moveTo(a, b);
          context.lineTo(c, d);
        }
      });
    }
    if (this.line) {
      const [from, to] = this.line.map((end) => this.screen(end));
      stroke("#5fe0ff", () => {
        context.moveTo(...from);
        context.lineTo(...to);
        for (const end of [from, to]) context.rect(end[0] - 3, end[1] - 3, 6, 6);
      });
    }
    if (this.plane) this.drawScale(context, width, height);
  }

  /** A bar of a round length, at most a quarter of the width. */
  drawScale(context, width, height) {
    const wide = this.scales()[0], [length, said] = roundLength(width / 4 / wide, this.size);
    const right = width - 12, left = right - length * wide, y = height - 12;
    Object.assign(context, { font: "600 12px system-ui, sans-serif", textAlign: "center", lineJoin: "round" });
    context.beginPath();
    for (const [x, up] of [[left, y - 4], [left, y], [right, y], [right, y - 4]]) context.lineTo(x, up);
    for (const [style, thick] of [["#000c", 4], ["#fff", 1.5]]) {
      Object.assign(context, { strokeStyle: style, lineWidth: thick, fillStyle: "#fff" });
      context.stroke();
      if (thick > 2) context.strokeText(said, (left + right) / 2, y - 7);
    }
    context.fillText(said, (left + right) / 2, y - 7);
  }

  tell(at) {
    this.pointer = at;
    const [x, y] = at.map(Math.round), value = this.plane?.at(x, y);
    [this.value.textContent, this.under.textContent] = value === undefined ? ["", ""] : this.readout(x, y, value);
  }

  untell() {
    this.value.textContent = this.under.textContent = "";
    this.pointer = null;
  }

  zoomBy(factor, at = [this.view.x - 0.5, this.view.y - 0.5]) {
    const before = this.view.zoom, zoom = Math.min(Math.max(before * factor, 1), MOST_ZOOM);
    const [x, y] = [at[0] + 0.5, at[1] + 0.5], part = before / zoom;
    Object.assign(this.view, { zoom, x: x + (this.view.x - x) * part, y: y + (this.view.y - y) * part });
    if (zoom === 1) this.view.fit();
    else this.view.changed();
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * 0.002), this.place(event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.end(event));
    canvas.addEventListener("pointercancel", (event) => {
      this.fingers.delete(event.pointerId);
      this.drag = null;
    });
    canvas.addEventListener("pointerleave", () => this.untell());
    canvas.addEventListener("dblclick", () => this.view.fit());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  begin(event) {
    if (event.button === 1) return;
    const tool = event.button === 2 ? "window" : event.shiftKey ? "profile" : this.heed.tool();
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, event);
    this.drag = this.fingers.size > 1 ? null : { tool, from: this.place(event), x: event.clientX, y: event.clientY, moved: false };
  }

  move(event) {
    const at = this.place(event), drag = this.drag;
    if (this.fingers.size === 2 && this.fingers.has(event.pointerId)) return this.pinch(event);
    this.tell(at);
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < MOVED) return;
    drag.moved = true;
    if (drag.tool === "profile") return this.heed.line(this, drag.from, at);
    Object.assign(drag, { x: event.clientX, y: event.clientY });
    if (drag.tool === "window") {
      return this.heed.moveWindow(this, dx / this.stage.clientWidth, dy / this.stage.clientHeight);
    }
    return this.shift(dx, dy);
  }

  shift(dx, dy) {
    const [sx, sy] = this.scales();
    this.view.x -= dx / sx;
    this.view.y -= dy / sy;
    this.view.changed();
  }

  /** Two fingers: the picture goes with their middle, and grows as they part. */
  pinch(event) {
    const [still] = [...this.fingers.entries()].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    const before = this.fingers.get(event.pointerId);
    const apart = (one) => Math.hypot(one.clientX - still.clientX, one.clientY - still.clientY);
    this.shift((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
    const middle = { clientX: (event.clientX + still.clientX) / 2, clientY: (event.clientY + still.clientY) / 2 };
    this.zoomBy(apart(event) / Math.max(1, apart(before)), this.place(middle));
    this.fingers.set(event.pointerId, event);
  }

  end(event) {
    this.fingers.delete(event.pointerId);
    const drag = this.drag;
    this.drag = null;
    if (drag && !drag.moved && drag.tool === "look") this.heed.pick(this, this.place(event).map(Math.round));
  }

  key(event) {
    const far = event.shiftKey ? 10 : 1;
    const act = {
      ArrowLeft: () => this.heed.nudge(this, -far, 0),
      ArrowRight: () => this.heed.nudge(this, far, 0),
      ArrowUp: () => this.heed.nudge(this, 0, -far),
      ArrowDown: () => this.heed.nudge(this, 0, far),
      PageUp: () => this.heed.step(this, -1),
      PageDown: () => this.heed.step(this, 1),
      "+": () => this.zoomBy(1.25),
      "=": () => this.zoomBy(1.25),
      "-": () => this.zoomBy(0.8),
      0: () => this.view.fit(),
      "[": () => this.heed.moveWindow(this, 0, 0.03),
      "]": () => this.heed.moveWindow(this, 0, -0.03),
      "{": () => this.heed.moveWindow(this, 0.05, 0),
      "}": () => this.heed.moveWindow(this, -0.05, 0),
      p: () => this.heed.profileHere(this, false),
      P: () => this.heed.profileHere(this, true),
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }
}

/** A round number of pixels that is at most so many, or of mm where a pixel's size is known. */
function roundLength(most, size) {
  const longest = most * (size ?? 1), power = 10 ** Math.floor(Math.log10(longest));
  const length = ([5, 2, 1].find((factor) => factor * power <= longest) ?? 1) * power;
  const small = size && length < 0.1;
  const said = parseFloat((small ? length * 1000 : length).toPrecision(1));
  return [length / (size ?? 1), `${said} ${size ? (small ? "µm" : "mm") : "px"}`];
}
