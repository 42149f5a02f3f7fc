// Drafts of sources, kept in this browser only: one for each reader and problem.

const PREFIX = "warpboard:draft:";

export class Drafts {
  /** `owner` and `problem` name the draft: two people at one browser do not see each other's. */
  constructor(owner, problem, storage = window.localStorage) {
    this.key = `${PREFIX}${owner}:${problem}`;
    this.storage = storage;
  }

  /** `{ source, savedAt }`, or null where there is none that can be read. */
  read() {
    try {
      const found = JSON.parse(this.storage.getItem(this.key));
      return typeof found?.source === "string" ? found : null;
    } catch {
      return null; // written by something else, or storage is switched off: there is no draft
    }
  }

  /** Whether it was kept; a browser may have storage switched off, or full. */
  write(source) {
    try {
      this.storage.setItem(this.key, JSON.stringify({ source, savedAt: Date.now() }));
      return true;
    } catch {
      return false;
    }
  }

  forget() {
    try {
      this.storage.removeItem(this.key);
    } catch {
      // Where nothing can be stored, nothing is left to forget.
    }
  }
}
