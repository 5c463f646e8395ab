// A case's button → its repetitions in the page's dialog; a site has them at an address of their own.
"use strict";
(() => {
  const dialog = document.getElementById("distribution");
  if (!dialog) return;

  function list(id, items, made) {
    document.getElementById(id).replaceChildren(...items.map(made));
  }

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function show({ name, said, facts, panels, history }) {
    document.getElementById("distribution-title").textContent = name;
    const link = document.getElementById("distribution-history");
    link.hidden = !history;
    if (history) link.href = history;
    list("distribution-said", said, (text) => element("li", text));
    list("distribution-facts", facts, ([fact, value]) =>
      element("div", element("dt", fact), element("dd", value)));
    dialog.showModal();
    stend.draw(document.getElementById("distribution-panels"), panels);
  }

  async function fetched(button) {
    const answer = await fetch(button.dataset.from).catch(() => null);
    if (answer?.ok) return answer.json();
    const name = button.closest("tr").querySelector("th").textContent;
    const why = answer ? `it answered ${answer.status}` : "it can’t be reached";
    return { name, said: [`The server has no repetitions to show: ${why}.`], facts: [], panels: [] };
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-case]");
    if (button?.dataset.from) fetched(button).then(show);
    else if (button) show(JSON.parse(document.getElementById(button.dataset.case).textContent));
    if (event.target === dialog || event.target.id === "distribution-close") dialog.close();
  });
})();
