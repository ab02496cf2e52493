/** Names of more than one fault, and in whose words they are told. */
import assert from "node:assert/strict";
import { checkConfigKey, checkLabelKey } from "../../../src/engine/api/names/names.ts";

suite("Names", () => {
  test("a config key that would lead out of its folder is told so beside its other faults", () => {
    assert.deepEqual(checkConfigKey("..data"), ["must not start with '..'"]);
    const [pattern, ...others] = checkConfigKey("../etc");
    assert.match(pattern ?? "", /^a valid config key must consist of alphanumeric characters/);
    assert.deepEqual(others, ["must not start with '..'"]);
  });

  test("the prefix of a label key is measured in bytes", () => {
    const long = `${"a.".repeat(130)}a`;
    assert.deepEqual(checkLabelKey(`${long}/name`), ["prefix part must be no more than 253 bytes"]);
  });
});
