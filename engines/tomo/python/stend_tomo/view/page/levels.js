// The window as a histogram with two ends to drag: which values are black and which white.

import { ticks } from "./profile.js";

const NS = "http://www.w3.org/2000/svg";
const BINS = 128, HEIGHT = 46, SCALE = 15, HANDLE = 12; // HEIGHT and the others in screen pixels
const NUDGE = 0.01; // of the histogram's width, for a key

export class Levels {
  /** `set` is called with [low, high] while an end, or what is between, is dragged. */
  constructor(into, { set, digits }) {
    Object.assign(this, { into, set, digits, domain: null, counts: [], window: null, values: null });
    this.svg = element("svg", { height: HEIGHT + SCALE, "aria-hidden": "true" });
    this.ends = ["Black", "White"].map((name) => this.end(name));
    into.append(this.svg, ...this.ends);
    this.svg.addEventListener("pointerdown", (event) => this.begin(event, this.near(event)));
    new ResizeObserver(() => this.draw()).observe(into);
  }

  /** What values there are: a sample, in order. */
  show(sorted, window) {
    this.values = sorted;
    const low = sorted[Math.round(0.001 * (sorted.length - 1))] ?? window[0];
    const high = sorted[Math.round(0.999 * (sorted.length - 1))] ?? window[1];
    const air = (high - low) * 0.04;
    this.reach(Math.min(low - air, window[0]), Math.max(high + air, window[1]));
    this.tell(window);
  }

  /** The window as it is now. While it is dragged the scale stays. */
  tell(window) {
    this.window = window;
    if (this.domain && !this.drag) this.reach(...window);
    this.draw();
  }

  /** Forget how wide it was: for other values. */
  reset() {
    this.domain = null;
  }

  /** Make it as wide as that, never narrower: a scale that moves with each slice can't be read. */
  reach(low, high) {
    const [from, to] = this.domain ?? [low, high];
    if (this.domain && low >= from && high <= to && this.counted === this.values) return;
    this.domain = [Math.min(from, low), Math.max(to, high)];
    if (!(this.domain[1] > this.domain[0])) this.domain = [low - 0.5, low + 0.5];
    this.counted = this.values;
    this.counts = new Float64Array(BINS);
    const [first, last] = this.domain, scale = BINS / (last - first);
    for (const value of this.values ?? []) {
      const bin = Math.floor((value - first) * scale);
      if (bin >= 0 && bin < BINS) this.counts[bin]++;
    }
  }

  end(name) {
    const end = document.createElement("div");
    end.className = "end";
    end.tabIndex = 0;
    end.setAttribute("role", "slider");
    end.setAttribute("aria-label", `${name}, on the histogram`);
    end.addEventListener("pointerdown", (event) => this.begin(event, this.ends.indexOf(end)));
    end.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by || !this.window) return;
      event.preventDefault();
      const window = [...this.window], which = this.ends.indexOf(end);
      window[which] += by * NUDGE * (event.shiftKey ? 10 : 1) * (this.domain[1] - this.domain[0]);
      if (window[1] > window[0]) this.set(...window);
    });
    return end;
  }

  /** 0 and 1: an end; 2: what is between them, moved as a whole. */
  near(event) {
    if (!this.window) return 2;
    const x = event.clientX - this.into.getBoundingClientRect().left;
    const [low, high] = this.window.map((value) => this.x(value));
    if (x > low + HANDLE && x < high - HANDLE) return 2;
    return Math.abs(x - low) < Math.abs(x - high) ? 0 : 1;
  }

  begin(event, which) {
    if (!this.window || event.button) return;
    event.preventDefault();
    if (which < 2) this.ends[which].focus();
    this.drag = { which, x: event.clientX, from: [...this.window] };
    const target = event.currentTarget, move = (moved) => this.move(moved);
    target.setPointerCapture(event.pointerId);
    target.addEventListener("pointermove", move);
    const done = () => {
      target.removeEventListener("pointermove", move);
      this.drag = null;
      this.tell(this.window);
    };
    target.addEventListener("lostpointercapture", done, { once: true });
  }

  move(event) {
    const { which, x, from } = this.drag, window = [...from];
    const by = ((event.clientX - x) / this.into.clientWidth) * (this.domain[1] - this.domain[0]);
    const least = (this.domain[1] - this.domain[0]) / 1000;
    if (which !== 1) window[0] += by;
    if (which !== 0) window[1] += by;
    if (which === 0) window[0] = Math.min(window[0], window[1] - least);
    if (which === 1) window[1] = Math.max(window[1], window[0] + least);
    this.set(...window);
  }

  x(value) {
    return ((value - this.domain[0]) / (this.domain[1] - this.domain[0])) * this.into.clientWidth;
  }

  draw() {
    const width = this.into.clientWidth;
    for (const end of this.ends) end.hidden = !this.window;
    if (!width || !this.window || !this.domain) return;
    const most = Math.log1p(Math.max(1, ...this.counts)), bin = width / BINS;
    const bars = Array.from(this.counts, (count, k) => {
      const high = (Math.log1p(count) / most) * (HEIGHT - 4);
      return count ? `M${(k * bin).toFixed(1)} ${HEIGHT}v${-high.toFixed(1)}h${bin.toFixed(2)}v${high.toFixed(1)}z` : "";
    });
    const [low, high] = this.window.map((value) => Math.min(Math.max(this.x(value), 0), width));
    const marks = ticks(...this.domain, Math.max(2, Math.floor(width / 90))).map((value) => {
      const text = element("text", { x: this.x(value), y: HEIGHT + 12, "text-anchor": "middle" });
      text.textContent = this.digits(value);
      return text;
    });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT + SCALE}`);
    this.svg.replaceChildren(
      element("rect", { class: "ground", width, height: HEIGHT }),
      element("path", { class: "counts", d: bars.join("") }),
      element("rect", { class: "beyond", width: low, height: HEIGHT }),
      element("rect", { class: "beyond", x: high, width: width - high, height: HEIGHT }),
      element("line", { class: "ramp", x1: low, y1: HEIGHT, x2: Math.max(high, low + 0.5), y2: 0 }),
      ...marks,
    );
    this.ends.forEach((end, k) => {
      end.style.left = `${[low, high][k]}px`;
      end.setAttribute("aria-valuemin", this.domain[0]);
      end.setAttribute("aria-valuemax", this.domain[1]);
      end.setAttribute("aria-valuenow", this.window[k]);
      end.setAttribute("aria-valuetext", this.digits(this.window[k]));
    });
  }
}

function element(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
