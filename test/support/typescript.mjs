/**
 * Lets mocha and the benchmarks import this project's TypeScript. Unlike tsx it does not name every function anew each time one
 * is made (esbuild's keepNames), as the bundles do not: the engine makes so many that its tests would take half as long again.
 */
import { register } from "node:module";

register("./typescript-hooks.mjs", import.meta.url);
process.setSourceMapsEnabled(true);
// Mocha would `require` the tests first, in vain, and then report that instead of what is wrong with a test.
Object.defineProperty(process.features, "require_module", { value: false });
