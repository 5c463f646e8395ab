// The page's JSON → charts, each drawn when it comes near the window, all before printing. Colours
// are names of CSS variables, resolved when drawing: a change of light, dark or print draws again.
"use strict";
(() => {
  const root = document.documentElement;
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const height = (own) => own.height || (root.dataset.print ? PRINTED : HEIGHT);
  const narrow = () => innerWidth < 600;
  const coarse = matchMedia("(pointer: coarse)").matches;
  const config = { displayModeBar: false, displaylogo: false };
  const HEIGHT = 300;
  const PRINTED = 210;
  const TALL = 1800;
  root.classList.add("scripted");

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function coloured(value, key) {
    if (Array.isArray(value)) return value.map((item) => coloured(item, key));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, coloured(v, k)]));
    }
    const isColour = typeof value === "string" && value.startsWith("--") && /color$/.test(key);
    return isColour ? variable(value) : value;
  }

  function axis(own) {
    return {
      gridcolor: variable("--grid"), linecolor: variable("--line"), zeroline: false,
      ticks: "outside", ticklen: 4, tickcolor: variable("--line"), automargin: true,
      fixedrange: coarse, tickfont: { size: narrow() ? 10.5 : 12 }, ...own,
      title: { standoff: 8, font: { size: 12.5 }, ...(own.title || {}) },
    };
  }

  function layoutOf(own) {
    return {
      margin: { l: 56, r: 16, t: 8, b: 44 }, showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, size: 12.5, color: variable("--ink") },
      hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), align: "left",
        font: { color: variable("--ink") } },
      dragmode: coarse ? false : "zoom",
      ...own, height: height(own), xaxis: axis(own.xaxis || {}), yaxis: axis(own.yaxis || {}),
      ...Object.fromEntries(Object.keys(own).filter((key) => /^[xy]axis\d+$/.test(key))
        .map((key) => [key, axis(own[key])])),
    };
  }

  // A heat map has numbers in its cells where these are wide enough to read them.
  function written(trace, width) {
    if (trace.type !== "heatmap" || (width - 130) / trace.x.length >= 32) return trace;
    return { ...trace, texttemplate: undefined };
  }

  // Boxes of the height that their charts will have, so that nothing moves when these are drawn.
  // What is higher than two windows scrolls within its own.
  function frame(holder, panels) {
    const plots = panels.map(({ title, layout }) => {
      const box = element("div");
      box.className = "panel";
      if (layout.meta?.whole) box.classList.add("whole");
      if (title) box.append(Object.assign(element("p", title), { className: "panel-title" }));
      const plot = Object.assign(element("div"), { className: "plot" });
      plot.style.height = `${height(layout)}px`;
      if (layout.meta?.widest) plot.style.maxWidth = `${layout.meta.widest}px`;
      box.append(plot);
      return [box, plot];
    });
    holder.querySelectorAll(".plot").forEach((plot) => Plotly.purge(plot));
    holder.replaceChildren(...plots.map(([box]) => box));
    if (panels.some(({ layout }) => layout.height > TALL)) {
      holder.classList.add("tall");
      holder.tabIndex = 0;
    }
    return plots.map(([, plot]) => plot);
  }

  function fill(plots, panels) {
    panels.forEach((panel, i) => {
      const width = plots[i].clientWidth; // a chart drawn for the printer would keep its own
      plots[i].style.height = `${height(panel.layout)}px`;
      const traces = coloured(panel.data).map((trace) => written(trace, width));
      Plotly.react(plots[i], traces, { ...layoutOf(coloured(panel.layout)), width }, config);
    });
  }

  const charts = read("charts");
  const waiting = new Map();
  const drawn = new Map();

  function draw(holder) {
    const plots = waiting.get(holder);
    if (!plots) return;
    waiting.delete(holder);
    drawn.set(holder, plots);
    near.unobserve(holder);
    fill(plots, charts[holder.dataset.chart]);
  }

  const near = new IntersectionObserver((seen) => {
    seen.filter((one) => one.isIntersecting).forEach((one) => draw(one.target));
    root.dataset.drawn = "yes";
  }, { rootMargin: "400px 0px" });

  const dialog = document.getElementById("distribution");
  const panels = document.getElementById("distribution-panels");
  let shown = null;

  function list(id, items, made) {
    document.getElementById(id).replaceChildren(...items.map(made));
  }

  function show(id) {
    shown = read(id);
    document.getElementById("distribution-title").textContent = shown.name;
    list("distribution-said", shown.said, (text) => element("li", text));
    list("distribution-facts", shown.facts, ([name, value]) =>
      element("div", element("dt", name), element("dd", value)));
    dialog.showModal();
    fill(frame(panels, shown.panels), shown.panels);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-case]");
    if (button) show(button.dataset.case);
    if (event.target === dialog || event.target.id === "distribution-close") dialog.close();
  });

  function again() {
    drawn.forEach((plots, holder) => fill(plots, charts[holder.dataset.chart]));
    if (dialog?.open && shown) fill([...panels.querySelectorAll(".plot")], shown.panels);
  }

  // A phone's window changes its height with every scroll: only the width matters.
  let width = innerWidth;
  let settled = null;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(settled);
    settled = setTimeout(again, 100);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", () => {
    root.dataset.print = "yes";
    again();
    [...waiting.keys()].forEach(draw);
  });
  addEventListener("afterprint", () => {
    delete root.dataset.print;
    again();
  });

  for (const holder of document.querySelectorAll("[data-chart]")) {
    waiting.set(holder, frame(holder, charts[holder.dataset.chart]));
    near.observe(holder);
  }
  if (!waiting.size) root.dataset.drawn = "yes";
})();
