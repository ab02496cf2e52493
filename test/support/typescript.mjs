/**
 * Lets mocha and the benchmarks import this project's TypeScript. Like the bundles and unlike tsx it does not use esbuild's
 * keepNames, which names each function again whenever one is created: the engine creates so many that its tests would take half
 * as long again.
 */
import * as module from "node:module";
import { loadAtOnce, resolve } from "./typescript-hooks.mjs";

// Node 20 has only hooks in a separate thread, about which newer versions warn.
if (module.registerHooks === undefined) module.register("./typescript-hooks.mjs", import.meta.url);
else module.registerHooks({ resolve, load: loadAtOnce });
process.setSourceMapsEnabled(true);
// Otherwise mocha would first try to `require` a test, and report that failure instead of the test's own error.
Object.defineProperty(process.features, "require_module", { value: false });
