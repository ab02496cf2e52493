/** Random clusters with faults under fixed seeds; `npm run fuzz` goes on where these end. */
import fc from "fast-check";
import { arbitraryScenario } from "./arbitrary-scenario.ts";
import { checkScenario } from "./check-scenario.ts";

suite("random clusters with faults", () => {
  for (const seed of [1, 2, 3, 4]) {
    test(`are safe at every step, come to rest, and run the same way twice (seed ${seed})`, () => {
      fc.assert(fc.property(arbitraryScenario, checkScenario), { seed, numRuns: 25 });
    });
  }
});
