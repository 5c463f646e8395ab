// Whether the server is still there and its file the same: asked every now and then, told in a line.

const EVERY = 3000, PATIENCE = 8000; // ms

/** Fill an element with what is wrong, hidden while nothing is. */
export function watch(line) {
  const say = (sentence) => {
    if (line.textContent !== sentence) line.textContent = sentence;
    line.hidden = !sentence;
  };
  const ask = async () => {
    try {
      const answer = await fetch("state.json", { signal: AbortSignal.timeout(PATIENCE) });
      say((await answer.json()).fault ?? "");
    } catch {
      say("The server does not answer any more; what is shown stays. Start stend tomo view again for more.");
    }
    setTimeout(ask, EVERY);
  };
  setTimeout(ask, EVERY);
}
