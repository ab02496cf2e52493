/** The hooks that typescript.mjs registers: `load` runs in a separate thread, `loadAtOnce` in the importing one. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform, transformSync } from "esbuild";

const loaders = new Map([
  [".ts", "ts"],
  [".tsx", "tsx"],
]);

/** The programs bundle the YAML parser's build for browsers (see esbuild.mjs), so tests use it too. */
const yaml = new URL("../../node_modules/yaml/browser/index.js", import.meta.url).href;

export function resolve(specifier, context, nextResolve) {
  if (specifier === "yaml") return { url: yaml, format: "module", shortCircuit: true };
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  const options = optionsOf(url);
  if (options === undefined) return nextLoad(url, context);
  return loaded(await transform(await readFile(options.sourcefile, "utf8"), options));
}

export function loadAtOnce(url, context, nextLoad) {
  const options = optionsOf(url);
  if (options === undefined) return nextLoad(url, context);
  return loaded(transformSync(readFileSync(options.sourcefile, "utf8"), options));
}

function loaded({ code }) {
  return { format: "module", source: code, shortCircuit: true };
}

/** esbuild's options for a TypeScript file; undefined for any other file. */
function optionsOf(url) {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  const loader = loaders.get(path.slice(path.lastIndexOf(".")));
  if (loader === undefined) return undefined;
  return {
    loader,
    format: "esm",
    target: "node20.10",
    sourcefile: path,
    sourcemap: "inline",
    sourcesContent: false,
    tsconfigRaw: {
      compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact", verbatimModuleSyntax: true },
    },
  };
}
