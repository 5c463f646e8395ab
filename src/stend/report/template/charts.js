// JSON → charts, each drawn when it comes near the window, all before printing or when all is quiet. Colours are names of
// CSS variables, resolved when drawing: a change of light, dark or print draws again.
//
// The charts of the page, and of a part of it that was replaced and says so by the event "replaced",
// are what its <script data-charts> has for each [data-chart]. A script that has panels of its own
// calls stend.draw(holder, panels), again with new ones to update them (what was zoomed stays so while
// a layout's uirevision is the same).
"use strict";
(() => {
  const root = document.documentElement;
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const narrow = () => innerWidth < 600;
  const above = (own) => own.meta?.rows && narrow() && !root.dataset.print;
  const height = (own) => (above(own) ? own.height + ABOVE * own.meta.rows
    : own.height || (root.dataset.print ? PRINTED : HEIGHT));
  const coarse = matchMedia("(pointer: coarse)").matches;
  const config = { displayModeBar: false, displaylogo: false };
  const HEIGHT = 300;
  const PRINTED = 210;
  const ABOVE = 14;
  const TALL = 1800;
  const library = document.currentScript.dataset.plotly; // where a site has it; a file has it in it
  const charts = new Map(); // holder → its panels, the boxes that they fill, whether these are drawn
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

  function layoutOf(whole) {
    const own = rows(whole);
    return {
      margin: { l: 56, r: 16, t: 8, b: 44 }, showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, size: 12.5, color: variable("--ink") },
      hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), align: "left",
        font: { color: variable("--ink") } },
      dragmode: coarse ? false : "zoom",
      ...own, height: height(whole), xaxis: axis(own.xaxis || {}), yaxis: axis(own.yaxis || {}),
      ...Object.fromEntries(Object.keys(own).filter((key) => /^[xy]axis\d+$/.test(key))
        .map((key) => [key, axis(own[key])])),
    };
  }

  // The names of rows (meta.rows) stand above them where beside them they would leave no room.
  function rows(own) {
    if (!above(own)) return own;
    const name = (text, y) => ({ text, y, x: 0, xref: "paper", xanchor: "left", yshift: 11,
      showarrow: false, font: { size: 10 } });
    return { ...own, annotations: own.yaxis.categoryarray.map(name),
      margin: { l: 8, r: 8, t: 8, b: 44 },
      yaxis: { ...own.yaxis, showticklabels: false, ticks: "", automargin: false } };
  }

  // A heat map has numbers in its cells where these are wide enough to read them.
  function written(trace, width) {
    if (trace.type !== "heatmap" || (width - 130) / trace.x.length >= 32) return trace;
    return { ...trace, texttemplate: undefined };
  }

  // Boxes of the height that their charts will have, so that nothing moves when these are drawn.
  // What is higher than two windows scrolls within its own.
  function frame(holder, panels) {
    holder.querySelectorAll(".js-plotly-plot").forEach((plot) => Plotly.purge(plot));
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
    holder.replaceChildren(...plots.map(([box]) => box));
    if (panels.some(({ layout }) => layout.height > TALL)) {
      holder.classList.add("tall");
      holder.tabIndex = 0;
    }
    return plots.map(([, plot]) => plot);
  }

  const shape = (panels) => JSON.stringify(panels.map(({ title, layout }) => [title, layout.meta]));

  function place(holder, panels) {
    const old = charts.get(holder);
    const same = old && shape(old.panels) === shape(panels);
    const chart = { panels, plots: same ? old.plots : frame(holder, panels), drawn: false };
    charts.set(holder, chart);
    return chart;
  }

  function fill({ panels, plots }) {
    panels.forEach((panel, i) => {
      const width = plots[i].clientWidth; // a chart drawn for the printer would keep its own
      if (!width) return;
      plots[i].style.height = `${height(panel.layout)}px`;
      const traces = coloured(panel.data).map((trace) => written(trace, width));
      Plotly.react(plots[i], traces, { ...layoutOf(coloured(panel.layout)), width }, config);
    });
  }

  // The library sets some style attributes as text, which a policy without 'unsafe-inline' forbids;
  // the same declarations may be set through the object model.
  function allowStyles() {
    const set = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function setAttribute(name, value) {
      if (name === "style") this.style.cssText = value;
      else set.call(this, name, value);
    };
  }

  let loading = null;
  function load() {
    if (!loading) allowStyles();
    loading ??= new Promise((loaded, failed) => {
      const script = Object.assign(element("script"), { src: library });
      script.addEventListener("load", loaded);
      script.addEventListener("error", failed);
      document.head.append(script);
    });
    return loading;
  }

  // After the first frame: of a link to preload it browsers complain where the first chart is far down.
  const ready = () => (window.Plotly || !library ? undefined : load().catch(() => {}));

  function fail(holder) {
    const said = "The charting library can’t be loaded, so there is no chart; reload the page.";
    holder.replaceChildren(element("p", said));
    charts.delete(holder);
  }

  // At once where the library is there, as before printing nothing can be waited for.
  function paint(holder) {
    const chart = charts.get(holder);
    if (!chart) return undefined;
    chart.drawn = true;
    near.unobserve(holder);
    if (window.Plotly) return fill(chart);
    return load().then(() => charts.get(holder) === chart && fill(chart), () => fail(holder));
  }

  const near = new IntersectionObserver((seen) => {
    const painted = seen.filter((one) => one.isIntersecting).map((one) => paint(one.target));
    Promise.all([...painted, ready()]).then(() => {
      if (root.dataset.drawn !== "yes") setTimeout(idly, 500, drawNext);
      root.dataset.drawn = "yes";
    });
  }, { rootMargin: "400px 0px" });

  // A picture of the whole page is taken without scrolling. What is folded is drawn when opened.
  const idly = window.requestIdleCallback?.bind(window) ?? ((work) => setTimeout(work, 50));

  function drawNext() {
    const left = [...charts].find(([holder, chart]) => !chart.drawn && holder.checkVisibility());
    if (left) Promise.resolve(paint(left[0])).then(() => idly(drawNext));
  }

  function find(part) {
    const panels = [...part.querySelectorAll("script[data-charts]")]
      .reduce((all, one) => Object.assign(all, JSON.parse(one.textContent)), {});
    for (const holder of part.querySelectorAll("[data-chart]")) {
      if (!(holder.dataset.chart in panels)) continue;
      place(holder, panels[holder.dataset.chart]);
      near.observe(holder);
    }
  }

  function again() {
    charts.forEach((chart) => { if (chart.drawn && window.Plotly) fill(chart); });
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
    charts.forEach((chart, holder) => { if (!chart.drawn) paint(holder); });
  });
  addEventListener("afterprint", () => {
    delete root.dataset.print;
    again();
  });

  addEventListener("replaced", (event) => {
    charts.forEach((chart, holder) => {
      if (holder.isConnected) return;
      if (chart.drawn) chart.plots.forEach((plot) => window.Plotly?.purge(plot));
      charts.delete(holder);
    });
    find(event.target);
  });

  find(document);
  if (!charts.size) root.dataset.drawn = "yes";

  window.stend = {
    draw(holder, panels) {
      place(holder, panels);
      if (holder.clientWidth) paint(holder);
      else near.observe(holder); // it is hidden
    },
  };
})();
