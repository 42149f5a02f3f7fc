// The submit page: drafts, files by choice or drop, Ctrl-Enter, and the editor once it is here.
//
// The form works without any of it. Until the editor stands, and if it never does, the plain text
// area has the same drafts, files and keys; afterwards it carries the editor's text to the server.

import { Drafts } from "./drafts.js";

const SAVE_AFTER_MS = 400;

const form = document.getElementById("submit-form");
const area = document.getElementById("id_source");
const file = document.getElementById("id_file");
const said = document.getElementById("source-said");
const bar = document.getElementById("draft-bar");
const maxBytes = Number(form.dataset.maxBytes);
const drafts = new Drafts(form.dataset.owner, form.dataset.problem);

// Where the text lives; the editor takes its place below.
let source = {
  text: () => area.value,
  replace(next) {
    area.value = next;
    changed();
  },
  focus: () => area.focus(),
  goTo: () => area.focus(),
};

// --- Drafts -------------------------------------------------------------------------------------

// Browsers hand a text area's value out with \n, whatever the server sent.
const starter = document.getElementById("starter").value;
const given = area.value;
let timer = null;

function changed() {
  clearTimeout(timer);
  timer = setTimeout(save, SAVE_AFTER_MS);
}

function save() {
  clearTimeout(timer);
  timer = null;
  const text = source.text();
  if (text === starter) drafts.forget();
  else if (!drafts.write(text)) say("This browser keeps no drafts; copy your source elsewhere.");
}

function say(text) {
  said.textContent = text;
}

function offer(sentence, choices) {
  bar.replaceChildren(document.createTextNode(`${sentence} `));
  for (const [label, act] of choices) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = label;
    button.addEventListener("click", () => {
      bar.hidden = true;
      act();
      source.focus();
    });
    bar.append(button, " ");
  }
  bar.hidden = false;
}

function offerDraft() {
  const draft = drafts.read();
  if (draft === null || draft.source === given) return;
  const when = new Date(draft.savedAt).toLocaleString();
  if (given !== starter) {
    // Somebody asked for this text, or it was just refused: it stays unless the reader chooses.
    offer(`There is a draft of yours from ${when} in this browser.`, [
      ["Restore the draft", () => source.replace(draft.source)],
      ["Discard the draft", () => drafts.forget()],
    ]);
    return;
  }
  source.replace(draft.source);
  offer(`This is your draft from ${when}, kept in this browser.`, [
    ["Keep it", () => {}],
    [
      "Discard it",
      () => {
        source.replace(starter);
        say("The draft is discarded and the starter code is back. Undo brings the draft back.");
      },
    ],
  ]);
}

// --- Files --------------------------------------------------------------------------------------

/** Puts the file's text into the source; true when it is there. */
async function take(chosen) {
  if (chosen.size > maxBytes) {
    say(`${chosen.name} has ${chosen.size} bytes; a source may have ${maxBytes}.`);
    return false;
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    say(`${chosen.name} is not text in UTF-8.`);
    return false;
  }
  source.replace(text.replace(/\r\n?/g, "\n"));
  say(`${chosen.name} is in the editor now; nothing is sent before you submit.`);
  return true;
}

document.getElementById("id_file_helptext").textContent =
  "It is put in place of the text above; nothing is sent before you submit.";

file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  await take(chosen);
  // What is sent is what is seen.
  file.value = "";
});

const zone = document.getElementById("source-zone");
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");

// Before CodeMirror, which would paste a dropped file where it fell.
zone.addEventListener(
  "dragover",
  (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    zone.classList.add("dropping");
  },
  true,
);
zone.addEventListener("dragleave", () => zone.classList.remove("dropping"), true);
zone.addEventListener(
  "drop",
  (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    zone.classList.remove("dropping");
    take(event.dataTransfer.files[0]);
  },
  true,
);

// --- Sending ------------------------------------------------------------------------------------

function send() {
  form.requestSubmit();
}

// Wherever the focus is: the page has nothing else to do.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  send();
});
form.addEventListener("submit", () => {
  area.value = source.text();
  save();
});
area.addEventListener("input", changed);
// A page that goes away takes the last keystrokes with it otherwise.
window.addEventListener("pagehide", () => timer !== null && save());

// --- The editor ---------------------------------------------------------------------------------

function goToHash() {
  const line = /^#L(\d+)$/.exec(window.location.hash);
  if (line) source.goTo(Number(line[1]));
}

async function load() {
  const { createEditor } = await import(form.dataset.editor);
  const label = form.querySelector('label[for="id_source"]');
  const hadFocus = document.activeElement === area;
  const place = document.createElement("div");
  place.className = "editor";
  area.after(place);
  const editor = createEditor({
    parent: place,
    text: area.value,
    nonce: document.querySelector("script[nonce]").nonce,
    labelledBy: label.id,
    describedBy: "editor-help",
    onChange: changed,
    onSubmit: send,
  });
  area.hidden = true;
  label.removeAttribute("for");
  label.addEventListener("click", () => editor.focus());
  document.getElementById("editor-help").hidden = false;
  source = editor;
  if (hadFocus) editor.focus();
}

offerDraft();
load().then(goToHash, (error) => {
  say("The editor could not be loaded; the plain text area below works the same.");
  throw error;
});
