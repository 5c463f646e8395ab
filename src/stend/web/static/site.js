// What scripts add to every page: forms and links marked data-here change the page in its place, and
// what could not be done is said without leaving it. Without scripts the same forms lead on to the
// same pages.
const main = () => document.getElementById("main");

// What varies between two addresses of one page, as the server rendered it.
const PARTS = [".top", ".layout"];

async function show(answer, { focus } = {}) {
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!answer.ok) {
    say(page.querySelector("#main")?.textContent.trim() || `The server answered ${answer.status}.`);
    return;
  }
  const open = [...document.querySelectorAll("details[open][id]")].map((one) => one.id);
  for (const part of PARTS) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
  }
  document.title = page.title;
  open.forEach((id) => { document.getElementById(id)?.setAttribute("open", ""); });
  main().dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
  (document.getElementById(focus) || main()).focus({ preventScroll: true });
  forget();
}

// What was done is not to be said again by an address that is sent to somebody.
function forget() {
  const address = new URL(location);
  if (!address.searchParams.has("removed")) return;
  address.searchParams.delete("removed");
  history.replaceState(history.state, "", address);
}

function say(sentence) {
  document.querySelector(".said")?.remove();
  const said = Object.assign(document.createElement("div"), { className: "said" });
  said.setAttribute("role", "alert");
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
  close.addEventListener("click", () => said.remove());
  said.append(Object.assign(document.createElement("p"), { textContent: sentence }), close);
  main().append(said);
}

async function go(address, options, then) {
  main().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, options);
    if (answer.ok) history[then](null, "", answer.url);
    await show(answer, { focus: document.activeElement?.id });
  } catch {
    say("The server does not answer; is it still running?");
  } finally {
    main().removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-here]")) return;
  const by = event.submitter;
  const method = (by?.getAttribute("formmethod") || form.method).toUpperCase();
  const action = new URL(by?.getAttribute("formaction") || form.getAttribute("action"), location);
  const fields = new URLSearchParams(new FormData(form, by));
  if (method === "GET" && by?.hasAttribute("formaction")) return; // leads to another page
  event.preventDefault();
  if (method === "GET") {
    [...fields].forEach(([name, value]) => { if (!value) fields.delete(name); });
    action.search = fields;
    go(action, {}, "pushState");
  } else {
    go(action, { method, body: fields }, "replaceState");
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-here]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented) return;
  event.preventDefault();
  go(link.href, {}, "pushState").then(() => scrollTo(0, 0));
});

addEventListener("popstate", () => {
  if (document.querySelector("[data-here]")) go(location.href, {}, "replaceState");
});

// A form that narrows a list does so as soon as something is chosen.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.matches("form[data-at-once]")) form.requestSubmit();
});

// One opened form at a time; Escape closes it.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.(".edit[open]")) return;
  document.querySelectorAll(".edit[open]").forEach((one) => { if (one !== event.target) one.open = false; });
  event.target.querySelector("input:not([type=hidden])")?.select();
}, true);
document.addEventListener("keydown", (event) => {
  const edit = event.target.closest?.(".edit[open]");
  if (event.key !== "Escape" || !edit) return;
  edit.open = false;
  edit.querySelector("summary").focus();
});

document.querySelector(".site nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
forget();
