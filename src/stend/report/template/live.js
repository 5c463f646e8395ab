// The page of a run that is being measured loads what was written since, while somebody looks at it
// and the run is heard of. Browsers keep the place that was scrolled to.
"use strict";
(() => {
  const live = document.querySelector("[data-written]").dataset;
  function again() {
    if (document.hidden) return document.addEventListener("visibilitychange", again, { once: true });
    if (Date.now() - Date.parse(live.written) < 1000 * live.silent) location.reload();
  }
  setTimeout(again, 1000 * live.every);
})();
