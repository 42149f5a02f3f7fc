// CUDA C++ for CodeMirror: C++'s grammar over a text in which what CUDA adds is spaces.
//
// The C++ grammar takes `__global__` for a type and `<<<` for an error, and loses its way for the
// rest of the line. So the parser reads `__global__` as blanks and `k<<<g, b>>>(x)` as
// `k  (g, b)  (x)`, at the same offsets; a view plugin then marks what was blanked.

import { cppLanguage } from "@codemirror/lang-cpp";
import { Language, LanguageSupport, syntaxTree } from "@codemirror/language";
import { Parser } from "@lezer/common";
import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";

const SPECIFIERS =
  "__global__|__device__|__host__|__shared__|__constant__|__managed__|__restrict__|" +
  "__forceinline__|__noinline__|__grid_constant__|" +
  "(?:__launch_bounds__|__cluster_dims__|__align__)(?:[ \\t]*\\([^()\\n]*\\))?";
const BLANKED = new RegExp(`\\b(?:${SPECIFIERS})|<<<|>>>`, "g");

/** How far a blanked word, or a launch's list of four arguments, may reach around a chunk. */
const REACH = 240;

function blank(text) {
  let launches = 0;
  return text.replace(BLANKED, (found) => {
    if (found === "<<<") {
      launches += 1;
      return "  (";
    }
    // Without a launch to close it is the end of nested template arguments.
    if (found === ">>>") return launches-- > 0 ? ")  " : found;
    return " ".repeat(found.length);
  });
}

class BlankedInput {
  constructor(inner) {
    this.inner = inner;
    this.length = inner.length;
    this.lineChunks = inner.lineChunks;
  }

  chunk(from) {
    return this.around(from, from + this.inner.chunk(from).length);
  }

  read(from, to) {
    return this.around(from, to);
  }

  around(from, to) {
    const start = Math.max(0, from - REACH);
    const text = this.inner.read(start, Math.min(this.length, to + REACH));
    return blank(text).slice(from - start, to - start);
  }
}

class CudaParser extends Parser {
  createParse(input, fragments, ranges) {
    return cppLanguage.parser.createParse(new BlankedInput(input), fragments, ranges);
  }
}

const BUILTINS =
  "threadIdx|blockIdx|blockDim|gridDim|warpSize|__syncthreads|__syncwarp|" +
  "__(?:shfl|match|reduce)_\\w+_sync|__(?:ballot|any|all)_sync|__activemask|atomic[A-Z]\\w*";
const TYPES =
  "dim3|u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]|half2?|__half2?|" +
  "__nv_bfloat16[2]?|cuda[A-Z]\\w*_t";
const MARKED = new RegExp(`\\b(?:(${SPECIFIERS})|(${BUILTINS})|(${TYPES}))(?!\\w)|(<<<|>>>)`, "g");
const MARKS = ["tok-modifier", "tok-builtin", "tok-typeName", "tok-operator"].map((name) =>
  Decoration.mark({ class: `${name} tok-cuda` }),
);

const marker = new MatchDecorator({
  regexp: MARKED,
  decorate(add, from, to, match, view) {
    const { name } = syntaxTree(view.state).resolveInner(from, 1);
    if (/Comment|String|PreprocDirective/.test(name)) return;
    add(from, to, MARKS[match.slice(1).findIndex((group) => group !== undefined)]);
  },
});

const marks = ViewPlugin.define(
  (view) => ({
    decorations: marker.createDeco(view),
    tree: syntaxTree(view.state),
    update(update) {
      // A comment that opens or closes turns words below it on or off.
      const tree = syntaxTree(update.state);
      this.decorations =
        tree === this.tree
          ? marker.updateDeco(update, this.decorations)
          : marker.createDeco(update.view);
      this.tree = tree;
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

const language = new Language(cppLanguage.data, new CudaParser(), [], "cuda");

/** The language with its marks, as an extension. */
export function cuda() {
  return new LanguageSupport(language, [marks]);
}


