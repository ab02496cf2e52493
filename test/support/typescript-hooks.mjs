/** What typescript.mjs registers; Node runs it in a thread of its own. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const loaders = new Map([
  [".ts", "ts"],
  [".tsx", "tsx"],
]);

/** The programs take the YAML parser's build for browsers (see esbuild.mjs), and so do their tests. */
const yaml = new URL("../../node_modules/yaml/browser/index.js", import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  if (specifier === "yaml") return { url: yaml, format: "module", shortCircuit: true };
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  const loader = loaders.get(path.slice(path.lastIndexOf(".")));
  if (loader === undefined) return nextLoad(url, context);
  const { code } = await transform(await readFile(path, "utf8"), {
    loader,
    format: "esm",
    target: "node20.10",
    sourcefile: path,
    sourcemap: "inline",
    sourcesContent: false,
    tsconfigRaw: {
      compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact", verbatimModuleSyntax: true },
    },
  });
  return { format: "module", source: code, shortCircuit: true };
}
