// The page: what is looked at, asked of the server and shown in panes that belong together.

import { watch } from "./alive.js";
import { Levels } from "./levels.js";
import { MethodFields } from "./method.js";
import { Pane, View } from "./pane.js";
import { difference, Newest, quantiles } from "./planes.js";
import { along, draw as drawChart } from "./profile.js";

const $ = (id) => document.getElementById(id);
const about = await (await fetch("about.json")).json();
const scan = about.kind === "scan";
if (about.home) $("home").href = about.home;
const panes = {};
const loaders = {};
const fields = [];
const FLAT = 8; // times wider than high: stretched
const SETTLED = 700; // ms without a change of the method, until planes that take long are made anew
const USUAL = [0.01, 0.99]; // shares of the values that are black and white at first
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
const constant = new Set(); // kinds whose window is of a plane of one value: of no use to the next
const other = scan && about.algorithms.find((name) => name !== about.method.algorithm && ["fbp", "dfr"].includes(name));
const methods = scan ? [{ ...about.method }, { ...about.method, algorithm: other ?? about.method.algorithm }] : [{}];
/** How far slices are from each other, and a pixel's width, in mm; null where that is not known. */
const size = about.pixel, spacing = about.spacing ?? size;
const SHOW = "#show="; // a fragment that is no element's, so that nothing is scrolled to
const opening = about.lacking ? "projections" : "slices";
let tab = opening;
const profiles = {}; // of each tab {pane, line}
const PROFILE = $("profile-said").textContent;

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
  const least = Math.max(Math.abs(low) * 1e-6, 1e-9);
  if (!(high - low >= least)) [low, high] = [low - least / 2, low + least / 2];
  windows[kind] = [low, high];
  constant.delete(kind);
  for (const pane of Object.values(panes)) if (kindOf(pane) === kind) pane.map();
  tellWindow();
}

/** What was typed stays; an end that it passes goes along, as far away as before. */
function typed(id, low, high) {
  const [from, to] = windows[current()] ?? [0, 1];
  if (low < high) setWindow(current(), low, high);
  else if (id === "low") setWindow(current(), low, low + (to - from));
  else setWindow(current(), high - (to - from), high);
}

function tellWindow() {
  const [low, high] = windows[current()] ?? ["", ""];
  const round = (value) => (value === "" ? "" : within(value, high - low));
  [$("low").value, $("high").value] = [round(low), round(high)];
  $("unit").textContent = unitOf(current());
  if ($("different") && windows.difference) $("different").value = digits(windows.difference[1], 3);
  if (windows[current()]) levels.tell(windows[current()]);
}

const levels = new Levels($("levels"), {
  set: (low, high) => setWindow(current(), low, high),
  digits: (value) => said(value, 3),
});

/** The pane whose values are the histogram's and the presets'. */
const leading = () => panes[{ slices: "slice", compare: "left", projections: "projection" }[tab]];

function count() {
  const plane = leading().plane, window = windows[current()];
  if (plane && window) levels.show(plane.sorted(scan && current() === "slices"), window);
}

/** A window that a plane's values ask for, not the reader. */
function fitWindow(kind, [low, high]) {
  levels.reset();
  setWindow(kind, low, high);
  if (low === high) constant.add(kind);
}

function preset(shares) {
  const plane = leading().plane;
  const found = plane && (shares ? quantiles(plane.sorted(scan && current() === "slices"), shares) : plane.range());
  if (!found) return;
  fitWindow(current(), found);
  count();
}

function moveWindow(pane, wider, down) {
  const kind = kindOf(pane);
  if (!windows[kind]) return;
  const [low, high] = windows[kind], width = (high - low) * Math.exp(2 * wider);
  const level = kind === "difference" ? 0 : (low + high) / 2 + (high - low) * down;
  setWindow(kind, level - width / 2, level + width / 2);
}

// ---- what is asked for

const words = (method) => (scan ? `?${new URLSearchParams({ ...method, stripes: method.stripes ?? "" })}` : "");
const address = {
  slice: () => `slice/${at.z}${words(methods[0])}`,
  coronal: () => `coronal/${at.y}${words(methods[0])}`,
  sagittal: () => `sagittal/${at.x}${words(methods[0])}`,
  left: () => `slice/${at.z}${words(methods[0])}`,
  right: () => `slice/${at.z}${words(methods[1])}`,
  projection: () => `projection/${at.projection}`,
  sinogram: () => `sinogram/${at.row}${words(methods[0])}`,
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

/** A new method: slices at once, as the axis is chosen by eye; what takes long when it is settled. */
function changeMethod() {
  for (const one of fields) one.tell();
  nameSides();
  refresh(["slice", "left", "right", "sinogram"]);
  clearTimeout(settling);
  settling = setTimeout(() => refresh(["coronal", "sagittal"]), SETTLED);
}
let settling;

function arrived(name, plane) {
  const pane = panes[name], kind = kindOf(pane);
  if (pane === leading() && (!windows[kind] || constant.has(kind))) {
    const found = quantiles(plane.sorted(scan && kind === "slices"), USUAL);
    if (found) fitWindow(kind, found);
  }
  pane.show(plane);
  if (plane.step > 1) pane.coarse(plane.step);
  if (pane === leading()) count();
  if (name === "left" || name === "right") differ();
  showProfile();
}

function differ() {
  const [left, right] = [panes.left.plane, panes.right.plane];
  if (!left || !right || left.values.length !== right.values.length) return;
  const plane = difference(left, right), error = plane.rms();
  if (!windows.difference) {
    const [low, high] = quantiles(plane.sorted(true), USUAL) ?? [0, 0], most = Math.max(-low, high, 1e-9);
    windows.difference = [-most, most];
    tellWindow();
  }
  $("rms").textContent = error === null ? "" : `RMS ${said(error, 3)} ${about.unit} inside the circle`;
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
    pane.line = lineOf(pane);
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
  profiles[tab] = { pane, line: [from, to] };
  mark();
  showProfile();
}

/** The line that is drawn in a pane: that of its tab, if they look at the same. */
function lineOf(pane) {
  const found = Object.values(profiles).find((one) => one.pane.view === pane.view);
  return found ? found.line : null;
}

/** A pixel's width and height in mm; null where they are not known, or not lengths. */
function sidesOf(pane) {
  if (!size || pane.name === "sinogram") return null;
  return [size, AXES[pane.name][1] === "z" ? spacing : size];
}

/** The tab's; what is drawn in another is none of this one's planes. */
function showProfile() {
  if (!profiles[tab]) {
    $("chart").replaceChildren();
    $("profile-said").textContent = PROFILE;
    return;
  }
  const { pane, line } = profiles[tab], of = Object.values(panes).filter((one) => one.view === pane.view && one.plane);
  const sides = sidesOf(pane), points = along(...line, sides ?? [1, 1]);
  const series = of.filter((one) => one.name !== "difference").map((one) => ({
    name: one.heading.textContent,
    points: points.map(([far, x, y]) => [far, one.plane.between(x, y)]),
  }));
  if (!series.length) return;
  const ends = line.map((end) => `(${end.map((value) => said(value, 4)).join(", ")})`).join(" to ");
  $("profile-said").textContent = `${pane.heading.textContent}, from ${ends}`;
  drawChart($("chart"), series, { across: sides ? "mm" : "pixels", up: unitOf(kindOf(pane)) || "value" });
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

/** A pixel's value with its unit; where it is, also in mm from the middle where that is known. */
function readout(name) {
  const [across, down, fixed] = AXES[name], kind = { projection: "integrals", sinogram: "integrals" }[name] ?? "slices";
  const label = { row: "row", projection: "projection", null: "column" };
  return (x, y, value) => {
    const places = [[across, x], [down, y], [fixed, at[fixed]]];
    const where = places.map(([axis, place]) => `${label[axis] ?? axis} ${place}`).join(", ");
    const turned = places.find(([axis]) => axis === "projection");
    const far = turned ? degrees(turned[1], " · ") : size
      ? ` · ${places.map(([axis, place]) => said(farOf[axis](place), 3)).join(", ")} mm`
      : "";
    return [`${said(value)} ${unitOf(kind)}`, `${where}${far}`];
  };
}

const degrees = (projection, before = "") => (about.angles ? `${before}${about.angles[projection].toFixed(2)}°` : "");

/** A pixel's place in mm: x to the right and y up from the middle, z from the first slice. */
const farOf = {
  x: (place) => (place - (about.width - 1) / 2) * size,
  y: (place) => ((about.height - 1) / 2 - place) * size,
  z: (place) => place * spacing,
};

function pane(into, name, title, view, more = {}) {
  const window = () => windows[kindOf(panes[name])] ?? [0, 1];
  panes[name] = new Pane(into, { name, title, view, window, readout: readout(name), heed, size, ...more });
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

const millimetres = (axis) => (place) => (size ? `${said(farOf[axis](place), 3)} mm` : "");

function nameSides() {
  ["left", "right"].forEach((name, k) => {
    const same = (one) => String(methods[0][one] ?? "") === String(methods[1][one] ?? "");
    const { algorithm, filter, center, cutoff, stripes } = methods[k];
    const more = { center: `axis ${center}`, cutoff: `cutoff ${cutoff}`, stripes: stripes ? `stripes ${stripes}` : "stripes off" };
    const others = Object.keys(more).filter((one) => !same(one)).map((one) => more[one]);
    panes[name].named([`${"AB"[k]}: ${algorithm}`, filter, ...others].join(", "));
  });
}

function build() {
  const part = (id) => document.querySelector(`#${id} .panes`);
  const aspect = size ? spacing / size : 1;
  // A scan of few rows would be a line on black.
  const flat = about.slices * aspect * FLAT < about.width, tall = flat ? ", z stretched" : "";
  pane(part("slices"), "slice", "Slice (x, y)", new View(about.width, about.height));
  pane(part("slices"), "coronal", `Coronal (x, z)${tall}`, new View(about.width, about.slices), { stretch: flat, aspect });
  pane(part("slices"), "sagittal", `Sagittal (y, z)${tall}`, new View(about.height, about.slices), { stretch: flat, aspect });
  slider(panes.slice.root, "z", "z", millimetres("z"));
  slider(panes.coronal.root, "y", "y", millimetres("y"));
  slider(panes.sagittal.root, "x", "x", millimetres("x"));
  if (!scan) {
    for (const id of ["tab-compare", "tab-projections"]) $(id).hidden = true;
    return;
  }
  for (const [where, which, label] of [["slices", 0, "Method"], ["compare", 0, "A"], ["compare", 1, "B"]]) {
    const into = document.querySelector(`#${where} .methods`);
    fields.push(new MethodFields(into, { about, method: methods[which], label, changed: changeMethod }));
  }
  const both = new View(about.width, about.height);
  pane(part("compare"), "left", "A", both);
  pane(part("compare"), "right", "B", both);
  pane(part("compare"), "difference", "B − A", both, { colours: "difference" });
  slider(panes.left.root, "z", "z", millimetres("z"));
  slider(panes.right.root, "z", "z", millimetres("z"));
  const limit = document.createElement("label");
  limit.className = "different";
  limit.innerHTML = '± <input type="number" id="different" step="any" min="0" aria-label="Difference that is full colour"> <span></span>';
  limit.querySelector("span").textContent = about.unit;
  limit.querySelector("input").addEventListener("change", (event) => {
    const most = Math.abs(event.target.valueAsNumber);
    if (most > 0) setWindow("difference", -most, most);
  });
  const error = document.createElement("p");
  Object.assign(error, { id: "rms", className: "rms" });
  panes.difference.root.append(limit, error);
  nameSides();
  pane(part("projections"), "projection", flat ? "Projection, rows stretched" : "Projection", new View(about.columns, about.slices), { stretch: flat });
  pane(part("projections"), "sinogram", "Sinogram", new View(about.columns, about.projections), { stretch: true });
  slider(panes.projection.root, "projection", "projection", degrees);
  slider(panes.sinogram.root, "row", "row");
}

function choose(name) {
  tab = name;
  history.replaceState(null, "", name === opening ? location.pathname : SHOW + name); // for a reload
  for (const one of Object.keys(shownIn)) {
    $(one).hidden = one !== name;
    $(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    $(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  levels.reset();
  tellWindow();
  count();
  refresh();
  showProfile();
}

function reset() {
  for (const one of Object.keys(profiles)) delete profiles[one];
  for (const one of Object.values(panes)) one.view.fit();
  mark();
  showProfile();
  preset(USUAL);
  windows.difference = null;
  if (panes.difference) differ();
  go({ x: about.width >> 1, y: about.height >> 1 });
}

/** Keys where no control has the focus; a picture has more of its own. */
function key(event) {
  const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
  const busy = event.target.closest("input, select, [role=tab], [role=slider], summary");
  if (busy || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toLowerCase() === "r") reset();
  else if (by) heed.step(leading(), by * (event.shiftKey ? 10 : 1));
  else return;
  event.preventDefault();
}

function introduce() {
  const pixel = about.pixel ? `pixel ${digits(about.pixel * 1000)} µm` : "pixel size not recorded";
  const turn = about.angles ? `${said(about.angles[0])}° to ${said(about.angles.at(-1))}°` : "angles not recorded";
  const facts = scan
    ? [`${about.projections} projections of ${about.slices} × ${about.columns} (rows × columns)`, turn,
       `axis at column ${digits(about.method.center, 6)} (${about.center_said})`, pixel]
    : [`${about.slices} slices of ${about.height} × ${about.width}`, about.unit || "unit not recorded", pixel];
  $("name").textContent = document.title = about.name;
  $("facts").textContent = facts.join(" · ");
  for (const id of ["lacking", "warning"]) {
    $(id).textContent = about[id] ?? "";
    $(id).hidden = !about[id];
  }
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
      if (Number.isFinite(low) && Number.isFinite(high)) typed(id, low, high);
    });
  }
  $("full").addEventListener("click", () => preset(null));
  $("most").addEventListener("click", () => preset(USUAL));
  $("more").addEventListener("click", () => preset([0.001, 0.999]));
  $("reset").addEventListener("click", reset);
  document.addEventListener("keydown", key);
  const shown = () => new Set(shownIn[tab].map((name) => panes[name].view));
  const zoom = (factor) => shown().forEach((view) => view.panes[0].zoomBy(factor));
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  $("fit").addEventListener("click", () => shown().forEach((view) => view.fit()));
  for (const input of document.querySelectorAll("[name=tool]")) input.addEventListener("change", mark);
  new ResizeObserver(() => profiles[tab] && showProfile()).observe($("chart"));
}

introduce();
build();
wire();
choose(Object.keys(shownIn).find((one) => location.hash === SHOW + one && !$(`tab-${one}`).hidden) ?? opening);
watch($("state"));
document.documentElement.dataset.ready = "yes";
