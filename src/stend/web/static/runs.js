// Runs that were picked, kept while one pages through the list, and which side of a comparison each is.
const KEY = "stend-picked";
let picked = JSON.parse(sessionStorage.getItem(KEY) || "[]"); // [{id, name, side}], as they were picked

function element(tag, properties, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}

function keep() {
  sessionStorage.setItem(KEY, JSON.stringify(picked));
  draw();
}

function chip(one) {
  const side = element("button", { type: "button", className: "side", textContent: one.side });
  side.setAttribute("aria-label", `${one.name} is on side ${one.side}; put it on the other`);
  side.addEventListener("click", () => {
    one.side = one.side === "A" ? "B" : "A";
    keep();
  });
  const drop = element("button", { type: "button", textContent: "×" });
  drop.setAttribute("aria-label", `Don’t pick ${one.name}`);
  drop.addEventListener("click", () => {
    picked = picked.filter((other) => other !== one);
    keep();
  });
  const item = element("li", {}, side, element("span", { textContent: one.name, title: one.id }), drop);
  if (!document.querySelector(`input[name="run"][value="${one.id}"]`)) {
    const hidden = element("input", { type: "hidden", name: "run", value: one.id });
    hidden.setAttribute("form", "picked");
    item.append(hidden);
  }
  return item;
}

function draw() {
  const bar = document.querySelector(".picked");
  if (!bar) return;
  const ids = new Set(picked.map((one) => one.id));
  document.querySelectorAll('.runs input[name="run"]').forEach((box) => { box.checked = ids.has(box.value); });
  bar.hidden = !picked.length;
  bar.querySelector("output").textContent = `${picked.length} picked`;
  bar.querySelector("ul").replaceChildren(...picked.map(chip));
  const sides = new Set(picked.map((one) => one.side));
  bar.querySelector("[data-compare]").disabled = sides.size < 2;
}

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!box.matches('.runs input[name="run"]')) return;
  picked = picked.filter((one) => one.id !== box.value);
  if (box.checked) picked.push({ id: box.value, name: box.dataset.name, side: picked.length ? "B" : "A" });
  keep();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest(".picked button");
  if (button?.matches("[data-none]")) {
    picked = [];
    keep();
  }
  if (button?.matches("[data-compare]")) {
    event.preventDefault();
    const sides = picked.map((one) => [one.side.toLowerCase(), one.id]);
    location.assign(`/compare?${new URLSearchParams(sides)}`);
  }
});

// What was removed can't be picked any more.
document.addEventListener("replaced", () => {
  const gone = document.querySelector("[data-removed]")?.dataset.removed.split(",") || [];
  picked = picked.filter((one) => !gone.includes(one.id));
  keep();
});
draw();
