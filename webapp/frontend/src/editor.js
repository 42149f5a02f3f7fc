// The editor over a submit page's text area: CodeMirror 6, themed by the page's CSS variables.
//
// Loaded by submit.js once the page stands. It knows nothing of forms, drafts or files.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

import { cuda } from "./cuda.js";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--ground)", fontSize: "13px" },
  // The frame around the editor shows the focus, without the moment that this class takes.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    color: "var(--soft)",
    backgroundColor: "var(--panel)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "var(--editor-line)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--editor-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--editor-selection)" },
  "&.cm-focused .cm-matchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--accent)",
  },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--editor-match)" },
  ".cm-searchMatch-selected": { outline: "1px solid var(--accent)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-textfield": { backgroundColor: "var(--ground)", color: "var(--ink)" },
});

/** What a native edit is about to replace: the selection, or a newer one that only the DOM has. */
function replaced(view) {
  const { from, to } = view.state.selection.main;
  const selection = document.getSelection();
  if (from !== to || !selection.rangeCount) return { from, to };
  const range = selection.getRangeAt(0);
  if (!view.contentDOM.contains(range.commonAncestorContainer)) return { from, to };
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}

// A browser that joins lines to type over them keeps their looks by style attributes, which the
// page's policy forbids; so CodeMirror does that edit itself.
const typeOverLines = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data) return false;
    const { from, to } = replaced(view);
    if (view.state.selection.ranges.length > 1 || to <= view.state.doc.lineAt(from).to) return false;
    event.preventDefault();
    const text = view.state.toText(event.data);
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: "input.type",
        scrollIntoView: true,
      });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, event.data, insert))) {
      view.dispatch(insert());
    }
    return true;
  },
});

/**
 * Makes an editor inside `parent`.
 *
 * `nonce` is what the page's policy lets style sheets in by; `labelledBy` and `describedBy` are ids
 * for screen readers; `onChange` is called after each edit and `onSubmit` on Ctrl-Enter.
 */
export function createEditor({ parent, text, nonce, labelledBy, describedBy, onChange, onSubmit }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({
          "aria-labelledby": labelledBy,
          "aria-describedby": describedBy,
          spellcheck: "false",
          autocorrect: "off",
          autocapitalize: "off",
        }),
        // Before the default keymap, which has Ctrl-Enter open a line.
        keymap.of([{ key: "Mod-Enter", run: () => (onSubmit(), true), preventDefault: true }]),
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          // Escape and then Tab leaves: CodeMirror's own way out of what takes the Tab key.
          indentWithTab,
        ]),
        typeOverLines,
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        highlightSpecialChars(),
        highlightSelectionMatches(),
        history(),
        drawSelection(),
        dropCursor(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        EditorState.allowMultipleSelections.of(true),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        search({ top: false }),
        cuda(),
        syntaxHighlighting(classHighlighter),
        theme,
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    /** Replaces the whole text as one step of the history, so that undo brings the old one back. */
    replace(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    /** Selects the line (from 1) and brings it into view. */
    goTo(number) {
      const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
      view.dispatch({
        selection: EditorSelection.range(line.from, line.to),
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
      view.focus();
    },
    focus: () => view.focus(),
  };
}
