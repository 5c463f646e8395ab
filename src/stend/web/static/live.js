// Follows runs under way: asks for what is new, seldom while nobody looks, and writes it in place.
const EVERY = 2000, UNSEEN = 15000, LONGEST = 60000, MOST_LINES = 200;
const live = document.getElementById("live");
const one = live.dataset.ended !== undefined;
let after = live.dataset.after;
let faults = 0;
let quarter = 0;

const percent = (share) => `${Math.round(100 * share)}%`;

function lasting(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function state(section, run) {
  section.querySelector("progress").value = run.share;
  section.querySelector("[data-share]").textContent = percent(run.share);
  section.querySelector("[data-doing]").textContent = run.said;
  const left = run.left === null ? "" : `, about ${lasting(run.left)} to go`;
  section.querySelector("[data-left]").textContent = `after ${lasting(run.seconds)}${left}`;
}

function row(line) {
  const made = document.createElement("tr");
  made.dataset.key = line.key;
  const cells = [["th", line.name, ""], ["td", line.figure || line.status, "n figure"],
    ["td", String(line.processes), "n"], ["td", line.said, ""]];
  for (const [tag, text, kind] of cells) {
    const cell = document.createElement(tag);
    if (tag === "th") cell.scope = "row";
    if (kind) cell.className = kind;
    cell.textContent = text;
    made.append(cell);
  }
  return made;
}

function lines(news) {
  const body = live.querySelector("[data-lines]");
  for (const line of news) {
    [...body.rows].find((old) => old.dataset.key === line.key)?.remove();
    body.prepend(row(line));
  }
  while (body.rows.length > MOST_LINES) body.lastElementChild.remove();
}

function load(found) {
  for (const name of ["busy", "steal"]) {
    const place = live.querySelector(`[data-${name}]`);
    if (place) place.textContent = found ? percent(found[name]) : "…";
  }
}

function spoken(run) {
  const now = Math.floor(4 * run.share);
  if (now > quarter) live.querySelector("[data-said]").textContent = `${25 * now}% is done.`;
  quarter = now;
}

async function followOne() {
  const news = await asked(`${live.dataset.live}?after=${after}`);
  after = news.after;
  lines(news.lines);
  load(news.load);
  if (news.run === null) return location.assign(live.dataset.ended);
  state(live.querySelector("[data-run]"), news.run);
  spoken(news.run);
  return next();
}

async function followAll() {
  const runs = (await asked(live.dataset.live)).runs.filter((run) => !run.killed);
  const sections = new Map([...live.querySelectorAll("[data-run]")].map((s) => [s.dataset.run, s]));
  if (runs.length !== sections.size || runs.some((run) => !sections.has(run.id))) {
    return location.reload();
  }
  runs.forEach((run) => state(sections.get(run.id), run));
  return next();
}

async function asked(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  faults = 0;
  return answer.json();
}

function next() {
  const pause = document.hidden ? UNSEEN : EVERY;
  setTimeout(follow, Math.min(LONGEST, pause * 2 ** faults));
}

async function follow() {
  try {
    await (one ? followOne() : followAll());
  } catch {
    faults += 1;
    next();
  }
}

follow();
