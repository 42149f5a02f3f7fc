// Follows a Run: copies the progress line into the live region when it changed, so that screen
// readers hear each step once, and puts the verdict into the title.
"use strict";
document.addEventListener("htmx:afterSwap", () => {
  const said = document.getElementById("run-progress").textContent.trim().replace(/\s+/g, " ");
  const live = document.getElementById("run-live");
  if (live.textContent !== said) live.textContent = said;
  const { verdict } = document.getElementById("run-state").dataset;
  if (verdict) document.title = `${verdict} · ${document.title.replace(/^[A-Z]{2,3} · /, "")}`;
});
