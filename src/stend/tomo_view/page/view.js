// The page: what is looked at, asked of the server and shown in panes that belong together.

import { along, draw as drawChart } from "./profile.js";
import { difference, Newest } from "./planes.js";
import { Pane, View } from "./pane.js";

const $ = (id) => document.getElementById(id);
const about = await (await fetch("about.json")).json();
const scan = about.kind === "scan";
const panes = {};
const loaders = {};
const FLAT = 8; // times wider than high: stretched
const sliders = [];
const at = {
  x: about.width >> 1, y: about.height >> 1, z: about.slices >> 1,
  projection: 0, row: about.slices >> 1,
};
const MOST = {
  x: about.width, y: about.height, z: about.slices, projection: about.projections, row: about.slices,
};
/** Values that are black and white, for each kind of picture; null until the first one is there. */
const windows = { slices: about.window, integrals: null, difference: null };
const methods = scan
  ? ["dfr", about.algorithms.includes("fbp") ? "fbp" : "dfr"].map((algorithm) => ({
      algorithm, filter: "ram-lak", cutoff: 1, center: about.center,
    }))
  : [{}];
let tab = "slices";
let profiled = null; // {pane, line}

const tool = () => document.querySelector("[name=tool]:checked").value;
const digits = (value, count = 4) => String(parseFloat(value.toPrecision(count)));
const said = (value, count = 4) => digits(value, count).replaceAll("-", "−");
/** A number with as many digits as tell a thousandth of a width. */
const within = (value, width) => String(parseFloat(value.toFixed(Math.min(20, Math.max(0, 3 - Math.floor(Math.log10(width)))))));
const kindOf = (pane) =>
  pane.name === "difference" ? "difference" : ["projection", "sinogram"].includes(pane.name) ? "integrals" : "slices";
const unitOf = (kind) => (kind === "integrals" ? about.integrals : about.unit);
const current = () => (tab === "projections" ? "integrals" : "slices");

// ---- windows

function setWindow(kind, low, high) {
  if (!(high > low)) high = low + Math.max(Math.abs(low) * 1e-6, 1e-9);
  windows[kind] = [low, high];
  for (const pane of Object.values(panes)) if (kindOf(pane) === kind) pane.map();
  tellWindow();
}

function tellWindow() {
  const [low, high] = windows[current()] ?? ["", ""];
  const round = (value) => (value === "" ? "" : within(value, high - low));
  [$("low").value, $("high").value] = [round(low), round(high)];
  $("unit").textContent = unitOf(current());
  if ($("different") && windows.difference) $("different").value = digits(windows.difference[1], 3);
}

function preset(kind, shares) {
  const of = { slices: tab === "compare" ? "left" : "slice", integrals: "projection" }[kind];
  const plane = panes[of]?.plane;
  if (plane) setWindow(kind, ...(shares ? plane.quantiles(shares, scan && kind === "slices") : plane.range()));
}

function moveWindow(pane, wider, down) {
  const kind = kindOf(pane);
  if (!windows[kind]) return;
  const [low, high] = windows[kind], width = (high - low) * Math.exp(2 * wider);
  const level = kind === "difference" ? 0 : (low + high) / 2 + (high - low) * down;
  setWindow(kind, level - width / 2, level + width / 2);
}

// ---- what is asked for

const words = (method) => (scan ? `?${new URLSearchParams(method)}` : "");
const address = {
  slice: () => `slice/${at.z}${words(methods[0])}`,
  coronal: () => `coronal/${at.y}${words(methods[0])}`,
  sagittal: () => `sagittal/${at.x}${words(methods[0])}`,
  left: () => `slice/${at.z}${words(methods[0])}`,
  right: () => `slice/${at.z}${words(methods[1])}`,
  projection: () => `projection/${at.projection}`,
  sinogram: () => `sinogram/${at.row}`,
};
const shownIn = {
  slices: ["slice", "coronal", "sagittal"],
  compare: ["left", "right"],
  projections: ["projection", "sinogram"],
};

function refresh(names = shownIn[tab]) {
  mark();
  for (const name of names) {
    if (!shownIn[tab].includes(name)) continue;
    if (about.lacking && tab !== "projections") panes[name].say(about.lacking);
    else loaders[name].ask(address[name]());
  }
}

function arrived(name, plane) {
  const pane = panes[name], kind = kindOf(pane);
  if (!windows[kind]) {
    pane.plane = plane;
    windows[kind] = plane.quantiles([0.01, 0.99], scan && kind === "slices");
    if (!(windows[kind][1] > windows[kind][0])) windows[kind] = plane.range();
    tellWindow();
  }
  pane.show(plane);
  if (name === "left" || name === "right") differ();
  if (profiled) showProfile();
}

function differ() {
  const [left, right] = [panes.left.plane, panes.right.plane];
  if (!left || !right || left.values.length !== right.values.length) return;
  const plane = difference(left, right);
  if (!windows.difference) {
    const [low, high] = plane.quantiles([0.01, 0.99], true), most = Math.max(-low, high, 1e-9);
    windows.difference = [-most, most];
    tellWindow();
  }
  panes.difference.show(plane);
}

/** Names, crosshairs and sliders as they are now. */
function mark() {
  const cross = {
    slice: [at.x, at.y], left: [at.x, at.y], right: [at.x, at.y], difference: [at.x, at.y],
    coronal: [at.x, at.z], sagittal: [at.y, at.z],
    projection: null, sinogram: null,
  };
  if (scan) cross.projection = [about.columns >> 1, at.row];
  if (scan) cross.sinogram = [about.columns >> 1, at.projection];
  for (const pane of Object.values(panes)) {
    pane.cross = cross[pane.name];
    pane.draw();
  }
  for (const slider of sliders) slider.tell();
}

function go(to, { tell = true } = {}) {
  const before = { ...at };
  for (const [key, value] of Object.entries(to)) {
    if (Number.isFinite(value)) at[key] = Math.min(Math.max(Math.round(value), 0), MOST[key] - 1);
  }
  const changed = (key) => before[key] !== at[key];
  const needs = { slice: "z", left: "z", right: "z", coronal: "y", sagittal: "x", projection: "projection", sinogram: "row" };
  if (tell) refresh(Object.keys(needs).filter((name) => changed(needs[name])));
}

const AXES = {
  slice: ["x", "y", "z"], left: ["x", "y", "z"], right: ["x", "y", "z"], difference: ["x", "y", "z"],
  coronal: ["x", "z", "y"], sagittal: ["y", "z", "x"],
  projection: [null, "row", "projection"], sinogram: [null, "projection", "row"],
};

// ---- profiles

function setProfile(pane, from, to) {
  profiled = { pane, line: [from, to] };
  for (const other of Object.values(panes)) {
    other.line = other.view === pane.view ? profiled.line : null;
    other.draw();
  }
  showProfile();
}

function showProfile() {
  const { pane, line } = profiled, of = Object.values(panes).filter((one) => one.view === pane.view && one.plane);
  const size = pane.name === "sinogram" ? null : about.pixel, points = along(...line);
  const series = of.filter((one) => one.name !== "difference").map((one) => ({
    name: one.heading.textContent,
    points: points.map(([far, x, y]) => [far * (size ?? 1), one.plane.between(x, y)]),
  }));
  if (!series.length) return;
  const ends = line.map((end) => `(${end.map((value) => said(value, 4)).join(", ")})`).join(" to ");
  $("profile-said").textContent = `${pane.heading.textContent}, from ${ends}`;
  drawChart($("chart"), series, { across: size ? "mm" : "pixels", up: unitOf(kindOf(pane)) || "value" });
}

function profileHere(pane, upright) {
  const [x, y] = pane.cross, { width, height } = pane.view;
  if (upright) setProfile(pane, [x, 0], [x, height - 1]);
  else setProfile(pane, [0, y], [width - 1, y]);
}

// ---- panes

const heed = {
  tool,
  pick(pane, [x, y]) {
    const [across, down] = AXES[pane.name];
    go({ ...(across && { [across]: x }), [down]: y });
  },
  nudge(pane, dx, dy) {
    const [across, down] = AXES[pane.name];
    go({ ...(across && { [across]: at[across] + dx }), [down]: at[down] + dy });
  },
  step: (pane, by) => go({ [AXES[pane.name][2]]: at[AXES[pane.name][2]] + by }),
  moveWindow,
  line: setProfile,
  profileHere,
};

/** Where a pixel is, its value with its unit and, where known, how far it is from the middle. */
function readout(name) {
  const [across, down, fixed] = AXES[name], kind = { projection: "integrals", sinogram: "integrals" }[name] ?? "slices";
  const label = { row: "row", projection: "projection", null: "column" };
  return (x, y, value) => {
    const places = [[across, x], [down, y], [fixed, at[fixed]]];
    const where = places.map(([axis, place]) => `${label[axis] ?? axis} ${place}`).join(", ");
    const far = about.pixel && kind === "slices" && fixed === "z"
      ? ` · ${said((x - (about.width - 1) / 2) * about.pixel, 3)}, ${said(((about.height - 1) / 2 - y) * about.pixel, 3)} mm`
      : "";
    return `${where} · ${said(value)} ${unitOf(kind)}${far}`;
  };
}

function pane(into, name, title, view, more = {}) {
  const window = () => windows[kindOf(panes[name])] ?? [0, 1];
  panes[name] = new Pane(into, { name, title, view, window, readout: readout(name), heed, ...more });
  if (address[name]) {
    loaders[name] = new Newest((plane) => arrived(name, plane), (sentence) => panes[name].say(sentence));
  }
  return panes[name];
}

function slider(into, key, label, told = () => "") {
  const copy = $("slider").content.cloneNode(true);
  const [range, number] = copy.querySelectorAll("input"), output = copy.querySelector("output");
  copy.querySelector("span").textContent = label;
  number.setAttribute("aria-label", `${label}, as a number`);
  for (const input of [range, number]) {
    input.max = MOST[key] - 1;
    input.dataset.key = key;
    input.addEventListener("input", () => input.value !== "" && go({ [key]: input.valueAsNumber }));
  }
  into.append(copy);
  sliders.push({
    tell() {
      range.value = at[key];
      if (document.activeElement !== number) number.value = at[key];
      output.textContent = told(at[key]);
    },
  });
}

const millimetres = (middle) => (place) => (about.pixel ? `${said((place - middle) * about.pixel, 3)} mm` : "");

function methodFields(into, which, label) {
  const copy = $("method").content.cloneNode(true), method = methods[which];
  copy.querySelector("legend").textContent = label;
  for (const input of copy.querySelectorAll("[name]")) {
    const { name } = input;
    for (const choice of about[`${name}s`] ?? []) input.append(new Option(choice, choice));
    if (name === "center") input.max = about.columns - 1;
    input.value = method[name];
    input.dataset.method = which;
    input.addEventListener("change", () => {
      if (!input.checkValidity()) return input.reportValidity();
      method[name] = input.value;
      for (const twin of document.querySelectorAll(`[data-method="${which}"][name="${name}"]`)) twin.value = input.value;
      nameSides();
      return refresh();
    });
  }
  into.append(copy);
}

function nameSides() {
  ["left", "right"].forEach((name, k) => {
    const { algorithm, filter, center } = methods[k];
    const axis = Number(methods[0].center) === Number(methods[1].center) ? "" : `, axis ${center}`;
    panes[name].named(`${"AB"[k]}: ${algorithm}, ${filter}${axis}`);
  });
}

function build() {
  const part = (id) => document.querySelector(`#${id} .panes`);
  const middle = (size) => (size - 1) / 2;
  // A scan of few rows would be a line on black.
  const flat = about.slices * FLAT < about.width, tall = flat ? ", z stretched" : "";
  pane(part("slices"), "slice", "Slice (x, y)", new View(about.width, about.height));
  pane(part("slices"), "coronal", `Coronal (x, z)${tall}`, new View(about.width, about.slices), { stretch: flat });
  pane(part("slices"), "sagittal", `Sagittal (y, z)${tall}`, new View(about.height, about.slices), { stretch: flat });
  slider(panes.slice.root, "z", "z");
  slider(panes.coronal.root, "y", "y", (place) => millimetres(middle(about.height))(about.height - 1 - place));
  slider(panes.sagittal.root, "x", "x", millimetres(middle(about.width)));
  if (!scan) {
    for (const id of ["tab-compare", "tab-projections"]) $(id).hidden = true;
    return;
  }
  methodFields(document.querySelector("#slices .methods"), 0, "Method");
  methodFields(document.querySelector("#compare .methods"), 0, "A");
  methodFields(document.querySelector("#compare .methods"), 1, "B");
  const both = new View(about.width, about.height);
  pane(part("compare"), "left", "A", both);
  pane(part("compare"), "right", "B", both);
  pane(part("compare"), "difference", "B − A", both, { colours: "difference" });
  slider(panes.left.root, "z", "z");
  slider(panes.right.root, "z", "z");
  const limit = document.createElement("label");
  limit.className = "different";
  limit.innerHTML = '± <input type="number" id="different" step="any" min="0" aria-label="Difference that is full colour"> <span></span>';
  limit.querySelector("span").textContent = about.unit;
  limit.querySelector("input").addEventListener("change", (event) => {
    const most = Math.abs(event.target.valueAsNumber);
    if (most > 0) setWindow("difference", -most, most);
  });
  panes.difference.root.append(limit);
  nameSides();
  pane(part("projections"), "projection", flat ? "Projection, rows stretched" : "Projection", new View(about.columns, about.slices), { stretch: flat });
  pane(part("projections"), "sinogram", "Sinogram", new View(about.columns, about.projections), { stretch: true });
  slider(panes.projection.root, "projection", "projection", (k) => (about.angles ? `${about.angles[k].toFixed(2)}°` : ""));
  slider(panes.sinogram.root, "row", "row");
}

function choose(name) {
  tab = name;
  for (const one of Object.keys(shownIn)) {
    $(one).hidden = one !== name;
    $(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    $(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  tellWindow();
  refresh();
}

function introduce() {
  const pixel = about.pixel ? `pixel ${digits(about.pixel * 1000)} µm` : "pixel size not told";
  const turn = about.angles ? `${said(about.angles[0])}° to ${said(about.angles.at(-1))}°` : "angles not told";
  const facts = scan
    ? [`${about.projections} projections of ${about.slices} × ${about.columns} (rows × columns)`, turn,
       `axis at column ${digits(about.center, 6)} (${about.center_said})`, pixel]
    : [`${about.slices} slices of ${about.height} × ${about.width}`, about.unit || "unit not told", pixel];
  $("name").textContent = document.title = about.name;
  $("facts").textContent = facts.join(" · ");
  $("lacking").textContent = about.lacking ?? "";
  $("lacking").hidden = !about.lacking;
}

function wire() {
  const tabs = Object.keys(shownIn).filter((one) => !$(`tab-${one}`).hidden);
  for (const name of tabs) {
    $(`tab-${name}`).addEventListener("click", () => choose(name));
    $(`tab-${name}`).addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length];
      choose(next);
      $(`tab-${next}`).focus();
    });
  }
  for (const id of ["low", "high"]) {
    $(id).addEventListener("change", () => {
      const [low, high] = [$("low").valueAsNumber, $("high").valueAsNumber];
      if (Number.isFinite(low) && Number.isFinite(high)) setWindow(current(), low, high);
    });
  }
  $("full").addEventListener("click", () => preset(current(), null));
  $("most").addEventListener("click", () => preset(current(), [0.01, 0.99]));
  const shown = () => new Set(shownIn[tab].map((name) => panes[name].view));
  const zoom = (factor) => shown().forEach((view) => view.panes[0].zoomBy(factor));
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  $("fit").addEventListener("click", () => shown().forEach((view) => view.fit()));
  for (const input of document.querySelectorAll("[name=tool]")) input.addEventListener("change", mark);
  new ResizeObserver(() => profiled && showProfile()).observe($("chart"));
}

introduce();
build();
wire();
choose(about.lacking ? "projections" : "slices");
document.documentElement.dataset.ready = "yes";
