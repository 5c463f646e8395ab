// What is wider than its place fades at each side to which it can be scrolled.
"use strict";
(() => {
  const places = document.querySelectorAll(".scroll");
  function mark(place) {
    const left = Math.abs(place.scrollLeft);
    place.classList.toggle("more-left", left > 1);
    place.classList.toggle("more-right", left + place.clientWidth < place.scrollWidth - 1);
  }
  const sized = new ResizeObserver((seen) => seen.forEach((one) => mark(one.target)));
  places.forEach((place) => {
    sized.observe(place);
    place.addEventListener("scroll", () => mark(place), { passive: true });
  });
})();
