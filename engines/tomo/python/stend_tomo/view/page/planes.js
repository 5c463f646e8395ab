// Planes: asked of the server, newest first, and what is read off them: ranges, values, lines.

const SAMPLE = 100000; // values that stand for all of a plane

/** One plane: values (float32), rows, columns, and where its pixels are in the full plane. */
export class Plane {
  constructor(values, { shape, step, origin }) {
    Object.assign(this, { values, rows: shape[0], columns: shape[1], step, origin });
  }

  /** The value at a pixel of the full plane; undefined outside. */
  at(x, y) {
    const column = Math.round((x - this.origin[1]) / this.step);
    const row = Math.round((y - this.origin[0]) / this.step);
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside ? this.values[row * this.columns + column] : undefined;
  }

  /** Between the four nearest pixels, for profiles. */
  between(x, y) {
    const clamp = (value, most) => Math.min(Math.max(value, 0), most);
    const column = clamp((x - this.origin[1]) / this.step, this.columns - 1);
    const row = clamp((y - this.origin[0]) / this.step, this.rows - 1);
    const left = Math.floor(column), top = Math.floor(row);
    const right = Math.min(left + 1, this.columns - 1), below = Math.min(top + 1, this.rows - 1);
    const u = column - left, v = row - top, at = (r, c) => this.values[r * this.columns + c];
    return (1 - v) * ((1 - u) * at(top, left) + u * at(top, right))
      + v * ((1 - u) * at(below, left) + u * at(below, right));
  }

  /** Its numbers in order, some of them where there are many; inside the circle if it is `round`. */
  sorted(round) {
    const kept = [], skip = Math.max(1, Math.floor(this.values.length / SAMPLE));
    for (let k = 0; k < this.values.length; k += skip) {
      if (Number.isFinite(this.values[k]) && !(round && !this.inside(k))) kept.push(this.values[k]);
    }
    return Float32Array.from(kept).sort();
  }

  /** Whether a pixel is inside the circle that all rays see. */
  inside(k) {
    const x = (k % this.columns) + 0.5 - this.columns / 2, y = Math.floor(k / this.columns) + 0.5 - this.rows / 2;
    const r = Math.min(this.rows, this.columns) / 2;
    return x * x + y * y <= r * r;
  }

  /** The least and the largest number; null where there is none. */
  range() {
    let low = Infinity, high = -Infinity;
    for (const value of this.values) {
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
    return low <= high ? [low, high] : null;
  }

  /** The root of the mean square inside the circle; null where there is no number. */
  rms() {
    let sum = 0, count = 0;
    this.values.forEach((value, k) => {
      if (!Number.isFinite(value) || !this.inside(k)) return;
      sum += value * value;
      count++;
    });
    return count ? Math.sqrt(sum / count) : null;
  }
}

/** Of numbers in order, those of which the given shares are smaller; null where there is none. */
export function quantiles(sorted, shares) {
  return sorted.length ? shares.map((share) => sorted[Math.round(share * (sorted.length - 1))]) : null;
}

/** b - a, where both are of one shape. */
export function difference(a, b) {
  const values = new Float32Array(a.values.length);
  for (let k = 0; k < values.length; k++) values[k] = b.values[k] - a.values[k];
  return new Plane(values, { shape: [a.rows, a.columns], step: a.step, origin: a.origin });
}

const LATE = 300; // ms that nothing is said
const AGAIN = 250; // ms until an overview that is being made is asked for again

/** Loads what was asked for last: what came between is never asked of the server. */
export class Newest {
  constructor(show, say) {
    Object.assign(this, { show, say, wanted: null, busy: false });
  }

  async ask(address) {
    this.wanted = address;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted !== null) {
      const address = this.wanted;
      const done = await this.load(address);
      if (done && this.wanted === address) this.wanted = null;
    }
    this.busy = false;
  }

  async load(address) {
    const late = setTimeout(() => this.say("Reading …"), LATE);
    try {
      const answer = await fetch(address);
      if (answer.status === 202) {
        const { done, of } = await answer.json();
        this.say(`Making an overview for this plane: ${Math.floor((100 * done) / of)} %`);
        await new Promise((after) => setTimeout(after, AGAIN));
        return false;
      }
      if (!answer.ok) {
        this.say(await answer.text());
        return true;
      }
      const about = JSON.parse(answer.headers.get("stend-plane"));
      const plane = new Plane(new Float32Array(await answer.arrayBuffer()), about);
      this.say("");
      this.show(plane);
    } catch {
      this.say("The server does not answer.");
    } finally {
      clearTimeout(late);
    }
    return true;
  }
}
