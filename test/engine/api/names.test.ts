/** Names with several faults, and the words of their errors. */
import assert from "node:assert/strict";
import { checkConfigKey, checkLabelKey } from "../../../src/engine/api/names/names.ts";

suite("Errors of names", () => {
  test("include one for a config key that would leave its folder, beside others", () => {
    assert.deepEqual(checkConfigKey("..data"), ["must not start with '..'"]);
    const [pattern, ...others] = checkConfigKey("../etc");
    assert.match(pattern ?? "", /^a valid config key must consist of alphanumeric characters/);
    assert.deepEqual(others, ["must not start with '..'"]);
  });

  test("measure the prefix of a label key in bytes", () => {
    const long = `${"a.".repeat(130)}a`;
    assert.deepEqual(checkLabelKey(`${long}/name`), ["prefix part must be no more than 253 bytes"]);
  });
});
