// Times in the reader's zone: every <time datetime>, whenever it comes onto the page. Those with
// data-age say how long ago; the exact moment is their tooltip. Without scripts they stay UTC.
"use strict";
const exact = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });
const ago = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });
const steps = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]];

function age(moment) {
  const seconds = (Date.now() - moment) / 1000;
  const step = steps.find(([, size]) => seconds >= size);
  return step ? ago.format(-Math.floor(seconds / step[1]), step[0]) : "just now";
}

function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.valueOf())) continue;
    time.dataset.local = "";
    time.title = `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
    if ("age" in time.dataset) {
      time.title = `${exact.format(moment)} here, ${time.title}`;
      time.textContent = age(moment);
    } else time.textContent = exact.format(moment);
  }
}

localise(document);
new MutationObserver((changes) => {
  for (const { target } of changes) if (target.nodeType === Node.ELEMENT_NODE) localise(target);
}).observe(document.body, { childList: true, subtree: true });
