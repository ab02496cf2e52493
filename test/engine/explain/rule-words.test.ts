import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ruleWords } from "../../../src/engine/explain/rule-words.ts";

const engine: string = join(import.meta.dirname, "../../../src/engine");

/** The rules in the sources of the components that compare volumes and nodes. */
function rulesInSources(): readonly string[] {
  return ["controllers", "matching", "scheduler"].flatMap((folder) =>
    readdirSync(join(engine, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => {
        const lines = readFileSync(join(engine, folder, path), "utf8").split("\n");
        const written = lines.flatMap((line) => line.split(/\brule: /).slice(1));
        return written
          .flatMap((text) => [...text.matchAll(/"([a-z]+(?:-[a-z]+)*)"/g)])
          .map(([, rule = ""]) => rule);
      }),
  );
}

suite("words for rules", () => {
  test("are Kubernetes' own for each rule that a component writes", () => {
    const rules = new Set(rulesInSources());
    for (const known of ["capacity", "pod-anti-affinity", "equal-volume-first", "volume-zone"])
      assert.ok(rules.has(known), `${known} is not found in the sources`);
    const made = [...rules].map((rule) => [rule, ruleWords(rule)] as const);
    const isPlugin = (words: string): boolean => /^[A-Z]\w+$/.test(words);
    assert.deepEqual(
      made.filter(([rule, words]) => isPlugin(words) && rule !== "delayed-binding"),
      [],
    );
  });

  test("are the plugin's name for a rule that is a whole plugin", () => {
    assert.equal(ruleWords("node-resources-fit"), "NodeResourcesFit");
    assert.equal(ruleWords("taint-toleration"), "taints (TaintToleration)");
    assert.equal(ruleWords("storage-class"), "storageClassName");
  });
});
