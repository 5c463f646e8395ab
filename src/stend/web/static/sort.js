// A table's heads sort it: first by what is larger or comes first in the alphabet, then the other way.
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function valueOf(row, column) {
  const cell = row.cells[column];
  const said = cell.dataset.v ?? cell.textContent.trim();
  return said === "" ? null : said;
}

function order(a, b, numeric) {
  if (a === null || b === null) return 0;
  return numeric ? Number(a) - Number(b) : collator.compare(a, b);
}

function sort(table, head, column) {
  const down = head.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
  const numeric = rows.every(([value]) => value === null || !Number.isNaN(Number(value)));
  rows.sort(([a], [b]) => {
    if ((a === null) !== (b === null)) return a === null ? 1 : -1; // what is lacking comes last
    return down ? order(b, a, numeric) : order(a, b, numeric);
  });
  body.append(...rows.map(([, row]) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head, column));
  });
}
