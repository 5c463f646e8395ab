// Verdicts on the machines of the table, one after the other: each takes the server about a second.
const judging = document.getElementById("judging");
const rows = () => [...document.querySelectorAll(".steps tbody tr")];
const MOST_TRIES = 5;

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function verdict(row, tries = 0) {
  const answer = await fetch(`/api/v1/changes/${row.dataset.before}/${row.dataset.after}`);
  if (answer.status === 503 && tries < MOST_TRIES) {
    await pause(Number(answer.headers.get("retry-after")) || 2);
    return verdict(row, tries + 1);
  }
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

function element(tag, kind, ...content) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...content);
  return made;
}

function show(row, { counts, largest, said }) {
  const cell = row.querySelector(".judgement");
  const link = cell.querySelector("a");
  const tags = Object.entries(counts).map(([word, count]) =>
    element("span", `verdict ${word.replace(" ", "-")}`, `${count} ${word}`));
  const moved = largest.slice(0, 3).map((one) => element("p", "why", `${one.name}: ${one.word}, ${one.by}`));
  link.title = said;
  cell.replaceChildren(...tags.flatMap((tag) => [tag, " "]), ...moved, link);
  cell.dataset.v = (counts.slower ?? 0) + (counts.faster ?? 0);
}

async function judge(button, status) {
  button.disabled = true;
  let done = 0;
  let failed = 0;
  const all = rows();
  for (const row of all) {
    try {
      show(row, await verdict(row));
    } catch (error) {
      failed += 1;
      row.querySelector(".judgement").append(element("p", "why", error.message));
    }
    done += 1;
    status.textContent = `${done} of ${all.length}`;
  }
  status.textContent = failed ? `Done; ${failed} could not be judged.` : "Done.";
}

if (judging) {
  const button = judging.querySelector("button");
  judging.hidden = false;
  button.addEventListener("click", () => judge(button, judging.querySelector("span")));
}
