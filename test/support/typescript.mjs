/**
 * Lets mocha and the benchmarks import this project's TypeScript. Unlike tsx it does not name every function anew each time one
 * is made (esbuild's keepNames), as the bundles do not: the engine makes so many that its tests would take half as long again.
 */
import * as module from "node:module";
import { loadAtOnce, resolve } from "./typescript-hooks.mjs";

// Node 20 knows hooks in a thread of their own only, of which newer versions warn.
if (module.registerHooks === undefined) module.register("./typescript-hooks.mjs", import.meta.url);
else module.registerHooks({ resolve, load: loadAtOnce });
process.setSourceMapsEnabled(true);
// Mocha would `require` the tests first, in vain, and then report that instead of what is wrong with a test.
Object.defineProperty(process.features, "require_module", { value: false });
