// A line profile: values along lines → a chart with units, as SVG.

const NS = "http://www.w3.org/2000/svg";
const MARGIN = { left: 64, right: 16, top: 22, bottom: 40 };

/** Points of a line, at most one pixel apart: [[distance, x, y], …], a pixel being `wide` × `high`. */
export function along(from, to, [wide, high]) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx * wide, dy * high);
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy)));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const part = k / steps;
    return [part * length, from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
  });
}

/** Round numbers between two values, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
  return found;
}

const said = (value) => String(parseFloat(value.toPrecision(6))).replaceAll("-", "−");

/** Draw series [{name, points: [[distance, value], …]}] into an element. */
export function draw(into, series, { across, up }) {
  const width = Math.max(280, into.clientWidth), height = 240;
  const all = series.flatMap((one) => one.points).filter((point) => Number.isFinite(point[1]));
  const values = all.map((point) => point[1]);
  if (!values.length) return void into.replaceChildren("There are no numbers along this line.");
  let low = Math.min(...values), high = Math.max(...values);
  if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
  const air = (high - low) * 0.05, end = Math.max(...all.map((point) => point[0]), 1e-9);
  [low, high] = [low - air, high + air];
  const x = (value) => MARGIN.left + (value / end) * (width - MARGIN.left - MARGIN.right);
  const y = (value) =>
    height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("aria-label", `Profile of ${series.map((one) => one.name).join(" and ")}: ${up} by ${across}, `
    + `from ${said(Math.min(...values))} to ${said(Math.max(...values))}`);
  for (const value of ticks(low, high, 5)) {
    line(svg, MARGIN.left, y(value), width - MARGIN.right, y(value));
    text(svg, MARGIN.left - 8, y(value) + 4, said(value), "end");
  }
  for (const value of ticks(0, end, Math.max(3, Math.floor(width / 120)))) {
    line(svg, x(value), MARGIN.top, x(value), height - MARGIN.bottom);
    text(svg, x(value), height - MARGIN.bottom + 16, said(value), "middle");
  }
  text(svg, (MARGIN.left + width - MARGIN.right) / 2, height - 6, across, "middle");
  text(svg, 4, 13, up, "start");
  series.forEach(({ name, points }, k) => {
    const path = points.filter((point) => Number.isFinite(point[1]));
    const where = path.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(" ");
    svg.append(element("polyline", { points: where, class: `c${k}` }));
    if (series.length > 1) {
      text(svg, width - MARGIN.right, 13 + 15 * k, name, "end").setAttribute("class", `t${k}`);
    }
  });
  into.replaceChildren(svg);
}

function element(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function line(svg, x1, y1, x2, y2) {
  svg.append(element("line", { x1, y1, x2, y2, class: "grid" }));
}

function text(svg, x, y, said, anchor) {
  const made = element("text", { x, y, "text-anchor": anchor });
  made.textContent = said;
  svg.append(made);
  return made;
}
