// The contents list marks the section in view; a filter narrows tables; links and printing open what is folded.
"use strict";
(() => {
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const bar = document.querySelector(".contents ul");

  // The last place whose beginning is above a third of the window; at the very end the last one.
  function mark() {
    const ended = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const above = places.filter((place) => place.getBoundingClientRect().top < innerHeight / 3);
    const current = ended ? places.at(-1) : above.at(-1) || places[0];
    if (!current) return;
    links.forEach((link, id) => {
      if (id === current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    const link = bar.querySelector(":scope > li:has([aria-current]) > a"); // also of what is below it
    if (bar.scrollWidth > bar.clientWidth) {
      bar.scrollLeft = link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
    }
  }

  let asked = false;
  function soon() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      mark();
    });
  }
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  mark();

  // A link into a folded table unfolds it.
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let folded = target?.closest("details:not([open])");
    if (!folded) return;
    for (; folded; folded = target.closest("details:not([open])")) folded.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  unfold();

  // <input data-filter="ID">: of the tables in #ID only the rows that have all of its words, what is
  // folded around them opened, and nothing else of the page (see [data-filtering] in the style).
  function filter(input) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const room = document.getElementById(input.dataset.filter);
    const filtering = words.length > 0;
    let count = 0;
    for (const row of room.querySelectorAll("[data-family] tbody tr[id]")) {
      const text = `${row.closest("[data-family]").dataset.family} ${row.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      count += !row.hidden;
    }
    for (const family of room.querySelectorAll("[data-family]")) {
      family.hidden = filtering && !family.querySelector("tbody tr[id]:not([hidden])");
      if (!family.matches("details")) continue;
      family.dataset.open ??= family.open;
      family.open = filtering ? !family.hidden : family.dataset.open === "true";
    }
    document.documentElement.toggleAttribute("data-filtering", filtering);
    document.querySelector(`output[for="${input.id}"]`).textContent =
      filtering ? `${count} figure${count === 1 ? "" : "s"}` : "";
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-filter]")) filter(event.target);
  });

  // On paper nothing can be unfolded.
  let folded = [];
  const unfoldAll = (open) => folded.forEach((one) => { one.open = open; });
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:is(.family, .fold):not([open])")];
    unfoldAll(true);
  });
  addEventListener("afterprint", () => unfoldAll(false));
})();
