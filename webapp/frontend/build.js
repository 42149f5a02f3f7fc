// Builds the site's scripts: each file named in ENTRIES, with what it imports, becomes one ES module
// in webapp/static/dist. Writes the licence of every package that went in, and a manifest of hashes
// that a test recomputes: of what was built, and of the sources it was built from.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const ENTRIES = ["copy.js", "editor.js", "submit.js"];

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, "..", "static", "dist");
const hash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const hashes = (folder, names) =>
  Object.fromEntries(names.sort().map((name) => [name, hash(path.join(folder, name))]));

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const { metafile } = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ENTRIES.map((name) => `src/${name}`),
  outdir: dist,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

const lock = JSON.parse(readFileSync(path.join(here, "package-lock.json"), "utf8")).packages;
const names = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) names.add(found[1]);
}
const packages = [...names].sort().map((name) => {
  const folder = path.join(here, "node_modules", name);
  const licence = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!licence) throw new Error(`${name} carries no licence text: do not ship it`);
  const file = `${name.replace("@", "").replace("/", "-")}.LICENSE.txt`;
  writeFileSync(path.join(dist, file), readFileSync(path.join(folder, licence)));
  const { version, integrity, license } = lock[`node_modules/${name}`];
  return { name, version, licence: license, licence_file: file, integrity };
});

const sources = readdirSync(path.join(here, "src")).map((name) => `src/${name}`);
const manifest = {
  made_by: `esbuild ${esbuild.version}, by make frontend`,
  packages,
  sources: hashes(here, ["build.js", "package.json", "package-lock.json", ...sources]),
  files: hashes(dist, readdirSync(dist)),
};
writeFileSync(path.join(dist, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const [name, { bytes }] of Object.entries(metafile.outputs)) {
  console.log(`${path.basename(name)}\t${bytes} bytes`);
}
