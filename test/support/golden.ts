/** Compares with a golden file beside the test. `UPDATE_GOLDEN=1` rewrites the file; a person then reviews the difference. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

export function checkGolden(path: string, actual: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, actual);
  assert.equal(actual, readFileSync(path, "utf8"));
}
