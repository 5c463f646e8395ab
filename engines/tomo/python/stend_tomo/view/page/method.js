// How slices are reconstructed: its fields, the axis by quarter pixels, and the command for it.

const STEP = 0.25, FAR = 8; // columns of the axis; steps with Shift
const NARROWEST = 3, WIDER = 2; // columns of the median against stripes: an odd number

/** Fields for one method, which they change; `changed` is called after. */
export class MethodFields {
  constructor(into, { about, method, label, changed }) {
    Object.assign(this, { about, method, changed });
    const copy = document.getElementById("method").content.cloneNode(true);
    this.root = copy.querySelector("fieldset");
    this.root.setAttribute("aria-label", label.length > 1 ? label : `Method ${label}`);
    this.root.querySelector(".which").textContent = label;
    for (const input of this.root.querySelectorAll("[name]")) {
      for (const choice of about[`${input.name}s`] ?? []) input.append(new Option(choice, choice));
      if (input.name === "center") [input.min, input.max] = this.centers();
      input.addEventListener("change", () => this.take(input));
      if (input.name === "center") this.stepped(input, (far) => this.turn(far));
      if (input.name === "stripes") this.stepped(input, (far) => this.widen(Math.sign(far)));
    }
    this.command();
    this.tell();
    into.append(copy);
  }

  field(name) {
    return this.root.querySelector(`[name=${name}]`);
  }

  /** The axis may be beside the detector, as long as that sees some of a slice. */
  centers() {
    const { columns } = this.about, beside = Math.floor(columns * Math.SQRT1_2);
    return [-beside, columns - 1 + beside];
  }

  take(input) {
    if (!input.reportValidity()) return;
    const lacks = input.value === "" && input.name !== "stripes";
    if (!lacks) this.method[input.name] = input.value;
    this.changed();
  }

  /** Buttons and arrows beside a number. */
  stepped(input, step) {
    const box = input.closest(".stepped");
    const [less, more] = box.querySelectorAll("button");
    less.addEventListener("click", (event) => step(event.shiftKey ? -FAR : -1));
    more.addEventListener("click", (event) => step(event.shiftKey ? FAR : 1));
    input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(event.shiftKey ? by * FAR : by);
    });
  }

  turn(steps) {
    const to = Number(this.method.center) + steps * STEP;
    const [low, high] = this.centers();
    this.method.center = Math.min(Math.max(Math.round(to * 1000) / 1000, low), high);
    this.changed();
  }

  /** Below the narrowest they are kept. */
  widen(by) {
    const now = Number(this.method.stripes || NARROWEST - WIDER), to = now + by * WIDER;
    this.method.stripes = to < NARROWEST ? "" : to;
    this.changed();
  }

  tell() {
    for (const input of this.root.querySelectorAll("[name]")) input.value = this.method[input.name] ?? "";
    this.root.querySelector("code").textContent = commandFor(this.about, this.method);
  }

  command() {
    const [show, copy] = ["show", "copy"].map((name) => this.root.querySelector(`.${name}`));
    const row = this.root.querySelector(".command"), code = row.querySelector("code");
    show.hidden = !this.about.command;
    show.addEventListener("click", () => {
      row.hidden = !row.hidden;
      show.setAttribute("aria-expanded", String(!row.hidden));
    });
    copy.addEventListener("click", async () => {
      getSelection().selectAllChildren(code); // what can't be copied from here can be by the reader
      try {
        await navigator.clipboard.writeText(code.textContent);
        copy.textContent = "Copied";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      } catch {
        copy.textContent = "Press Ctrl-C";
      }
    });
  }
}

/** What on a command line writes slices as they are seen. */
export function commandFor({ command }, { algorithm, filter, cutoff, center, stripes }) {
  const words = [command, "--algorithm", algorithm, "--center", center];
  if (filter !== "ram-lak") words.push("--filter", filter);
  if (Number(cutoff) !== 1) words.push("--cutoff", cutoff);
  if (stripes) words.push("--stripes", stripes);
  return words.join(" ");
}
