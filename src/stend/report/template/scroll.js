// What is wider than its place fades at each side to which it can be scrolled.
"use strict";
(() => {
  function mark(place) {
    const left = Math.abs(place.scrollLeft);
    place.classList.toggle("more-left", left > 1);
    place.classList.toggle("more-right", left + place.clientWidth < place.scrollWidth - 1);
  }
  const sized = new ResizeObserver((seen) => seen.forEach((one) => mark(one.target)));
  function find(part) {
    part.querySelectorAll(".scroll").forEach((place) => {
      sized.observe(place);
      place.addEventListener("scroll", () => mark(place), { passive: true });
    });
  }
  find(document);
  addEventListener("replaced", (event) => find(event.target)); // see charts.js
})();
