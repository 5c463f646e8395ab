// A case's button → its repetitions in the page's dialog.
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

  function show({ name, said, facts, panels }) {
    document.getElementById("distribution-title").textContent = name;
    list("distribution-said", said, (text) => element("li", text));
    list("distribution-facts", facts, ([fact, value]) =>
      element("div", element("dt", fact), element("dd", value)));
    dialog.showModal();
    stend.draw(document.getElementById("distribution-panels"), panels);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-case]");
    if (button) show(JSON.parse(document.getElementById(button.dataset.case).textContent));
    if (event.target === dialog || event.target.id === "distribution-close") dialog.close();
  });
})();
