// The page's JSON → charts. Colours are names of CSS variables, resolved when drawing, so a
// change between light, dark and print draws again.
"use strict";
(() => {
  const root = document.documentElement;
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const narrow = () => innerWidth < 600;
  const coarse = matchMedia("(pointer: coarse)").matches;
  const config = { displayModeBar: false, displaylogo: false, responsive: true };
  root.classList.add("scripted");

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
      height: 300, margin: { l: 56, r: 16, t: 8, b: 44 }, showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, size: 12.5, color: variable("--ink") },
      hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), align: "left",
        font: { color: variable("--ink") } },
      dragmode: coarse ? false : "zoom",
      ...own, xaxis: axis(own.xaxis || {}), yaxis: axis(own.yaxis || {}),
      ...Object.fromEntries(Object.keys(own).filter((key) => /^[xy]axis\d+$/.test(key))
        .map((key) => [key, axis(own[key])])),
    };
  }

  // A heat map has numbers in its cells where these are wide enough to read them.
  function written(trace, width) {
    if (trace.type !== "heatmap" || (width - 130) / trace.x.length >= 32) return trace;
    return { ...trace, texttemplate: undefined };
  }

  function draw(holder, panels) {
    holder.querySelectorAll(".plot").forEach((plot) => Plotly.purge(plot));
    holder.replaceChildren();
    const boxes = panels.map((panel) => {
      const box = document.createElement("div");
      box.className = "panel";
      if (panel.title) {
        const title = document.createElement("p");
        title.className = "panel-title";
        title.textContent = panel.title;
        box.append(title);
      }
      const plot = document.createElement("div");
      plot.className = "plot";
      box.append(plot);
      return [box, plot];
    });
    holder.append(...boxes.map(([box]) => box));
    panels.forEach((panel, i) => {
      const layout = layoutOf(coloured(panel.layout));
      const plot = boxes[i][1];
      if (layout.meta?.whole) boxes[i][0].classList.add("whole");
      if (layout.meta?.widest) plot.style.maxWidth = `${layout.meta.widest}px`;
      const traces = coloured(panel.data).map((trace) => written(trace, plot.clientWidth));
      Plotly.newPlot(plot, traces, layout, config);
    });
  }

  const charts = read("charts");
  const holders = [...document.querySelectorAll("[data-chart]")];
  const drawAll = () => holders.forEach((holder) => draw(holder, charts[holder.dataset.chart]));

  const dialog = document.getElementById("distribution");
  const panels = document.getElementById("distribution-panels");
  let shown = null;

  function list(id, items, fill) {
    document.getElementById(id).replaceChildren(...items.map(fill));
  }

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function show(id) {
    shown = read(id);
    document.getElementById("distribution-title").textContent = shown.name;
    list("distribution-said", shown.said, (text) => element("li", text));
    list("distribution-facts", shown.facts, ([name, value]) =>
      element("div", element("dt", name), element("dd", value)));
    dialog.showModal();
    draw(panels, shown.panels);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-case]");
    if (button) show(button.dataset.case);
    if (event.target === dialog || event.target.id === "distribution-close") dialog.close();
  });

  function again() {
    drawAll();
    if (dialog.open && shown) draw(panels, shown.panels);
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", again);
  addEventListener("afterprint", again);
  drawAll();
  root.dataset.drawn = "yes";
})();
