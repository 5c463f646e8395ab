// The map of a fleet tells the cell that is pointed at, tapped or walked to with the arrow keys.
const map = document.querySelector("table.heat");
const telling = document.querySelector(".telling");

function tell(cell) {
  map.querySelector("td.here")?.classList.remove("here");
  cell.classList.add("here");
  const row = cell.parentElement;
  const head = map.tHead.rows[0].cells[cell.cellIndex];
  const host = row.cells[0].textContent.trim();
  const what = head.dataset.whole;
  const change = cell.textContent.trim();
  const figure = cell.dataset.f ? `: ${cell.dataset.f}` : "";
  const run = document.createElement("a");
  run.href = cell.dataset.run ?? row.dataset.run;
  run.textContent = "its run";
  const said = change ? `${host} · ${what}${figure} (${change}) · ` : `${host} · ${what}: nothing there · `;
  telling.replaceChildren(said, run);
}

function walk(event) {
  const here = map.querySelector("td.here") ?? map.tBodies[0].rows[0]?.cells[1];
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const step = steps[event.key];
  if (!here || !step) return;
  const row = map.tBodies[0].rows[here.parentElement.sectionRowIndex + step[0]];
  const cell = row?.cells[here.cellIndex + step[1]];
  if (!cell || cell.tagName !== "TD") return;
  event.preventDefault();
  tell(cell);
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

if (map) {
  const cellOf = (event) => event.target.closest("td");
  map.addEventListener("pointerover", (event) => cellOf(event) && tell(cellOf(event)));
  map.addEventListener("click", (event) => cellOf(event) && tell(cellOf(event)));
  map.closest(".scroll").addEventListener("keydown", walk);
}
