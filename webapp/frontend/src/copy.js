// Copy buttons: `<button data-copy="id" hidden>` puts the text of the element with that id on the
// clipboard. Hidden without scripts, and where the browser has no clipboard (plain HTTP).

if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(
        document.getElementById(button.dataset.copy).textContent,
      );
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = label), 2000);
    });
  }
}
