// Bundles all programs of the product into dist/. They are minified but keep their names, so that stack traces in
// users' reports are readable.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { thirdPartyNotices } from "./scripts/third-party-notices.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/** @type {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  sourcemap: true,
  minifySyntax: true,
  minifyWhitespace: true,
  // All licenses are in third-party-notices.txt.
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** @type {import("esbuild").BuildOptions} */
const node = { ...common, platform: "node", format: "cjs", target: "node20" };

// The YAML parser's build for Node reads a debug switch from the environment at each token, which costs a quarter of its time.
/** @type {import("esbuild").BuildOptions} */
const nodeWithYaml = { ...node, alias: { yaml: resolve("node_modules/yaml/browser/index.js") } };

// The Chromium of the oldest VS Code that engines.vscode allows.
/** @type {import("esbuild").BuildOptions} */
const browser = { ...common, platform: "browser", format: "iife", target: "chrome132" };

/** @type {import("esbuild").BuildOptions[]} */
const programs = [
  {
    ...node,
    entryPoints: { extension: "src/extension/extension.ts" },
    external: ["vscode"],
    outdir: "dist",
  },
  {
    ...browser,
    format: "cjs",
    entryPoints: { "extension.web": "src/extension/extension-web.ts" },
    external: ["vscode"],
    outdir: "dist",
  },
  { ...nodeWithYaml, entryPoints: { server: "src/language-server/main.ts" }, outdir: "dist" },
  {
    ...browser,
    entryPoints: { "server.worker": "src/language-server/main-worker.ts" },
    outdir: "dist",
  },
  {
    ...nodeWithYaml,
    entryPoints: { cli: "src/cli/main.ts" },
    define: { claimcheckVersion: JSON.stringify(version) },
    banner: { js: "#!/usr/bin/env node" },
    outdir: "dist",
  },
  {
    ...browser,
    entryPoints: {
      main: "src/webview/main.tsx",
      "engine-worker": "src/webview/engine-worker.ts",
      styles: "src/webview/styles.css",
      codicon: "@vscode/codicons/dist/codicon.css",
    },
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".ttf": "file" },
    assetNames: "[name]",
    outdir: "dist/webview",
  },
];

mkdirSync("dist", { recursive: true });
// The bundles for Node are CommonJS, unlike the sources.
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');
// esbuild itself reports a program that cannot be built; the others are built all the same.
const outcomes = await Promise.allSettled(programs.map((program) => build(program)));
if (outcomes.some(({ status }) => status === "rejected")) process.exitCode = 1;
else {
  chmodSync("dist/cli.js", 0o755);
  const inputs = outcomes.flatMap(({ value }) => Object.keys(value.metafile.inputs));
  writeFileSync("dist/third-party-notices.txt", thirdPartyNotices(inputs));
}
