import assert from "node:assert/strict";
import { parseInt64 } from "../../../src/engine/api/go/parse-int.ts";
import { labelSelectorMatches } from "../../../src/engine/api/selection/label-selector.ts";
import {
  nodeSelectorMatches,
  topologyTermsMatch,
} from "../../../src/engine/api/selection/node-selector.ts";
import { tolerates, untoleratedTaint } from "../../../src/engine/api/selection/tolerations.ts";

suite("Selectors", () => {
  test("an absent label selector matches nothing, an empty one everything", () => {
    assert.equal(labelSelectorMatches(undefined, { a: "b" }), false);
    assert.equal(labelSelectorMatches({}, undefined), true);
  });

  test("all requirements of a label selector must hold", () => {
    const selector = {
      matchLabels: { app: "db" },
      matchExpressions: [{ key: "tier", operator: "NotIn", values: ["test"] }],
    };
    assert.equal(labelSelectorMatches(selector, { app: "db" }), true);
    assert.equal(labelSelectorMatches(selector, { app: "db", tier: "test" }), false);
    assert.equal(labelSelectorMatches(selector, { tier: "prod" }), false);
  });

  test("node selector terms are alternatives, and an empty term matches no node", () => {
    const zone = (value: string) => ({
      matchExpressions: [{ key: "zone", operator: "In", values: [value] }],
    });
    assert.equal(
      nodeSelectorMatches({ nodeSelectorTerms: [zone("a"), zone("b")] }, "n", { zone: "b" }),
      true,
    );
    assert.equal(nodeSelectorMatches({ nodeSelectorTerms: [{}] }, "n", { zone: "b" }), false);
    assert.equal(nodeSelectorMatches(undefined, "n", {}), true);
  });

  test("Gt and Lt compare integers, and matchFields the node's name", () => {
    const cpus = { matchExpressions: [{ key: "cpus", operator: "Gt", values: ["4"] }] };
    assert.equal(nodeSelectorMatches({ nodeSelectorTerms: [cpus] }, "n", { cpus: "8" }), true);
    assert.equal(nodeSelectorMatches({ nodeSelectorTerms: [cpus] }, "n", { cpus: "many" }), false);
    const named = { matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] };
    assert.equal(nodeSelectorMatches({ nodeSelectorTerms: [named] }, "n", {}), true);
    assert.equal(nodeSelectorMatches({ nodeSelectorTerms: [named] }, "m", {}), false);
  });

  test("Gt and Lt match nothing if a number does not fit into 64 bits", () => {
    const cpus = (operator: string, value: string) => ({
      nodeSelectorTerms: [{ matchExpressions: [{ key: "cpus", operator, values: [value] }] }],
    });
    const most = "9223372036854775807";
    assert.equal(nodeSelectorMatches(cpus("Gt", "9223372036854775806"), "n", { cpus: most }), true);
    assert.equal(
      nodeSelectorMatches(cpus("Lt", "9223372036854775808"), "n", { cpus: most }),
      false,
    );
    assert.equal(nodeSelectorMatches(cpus("Gt", "4"), "n", { cpus: "9223372036854775808" }), false);
  });

  test("integers may have many leading zeros, and long texts are rejected quickly", () => {
    assert.equal(parseInt64(`-${"0".repeat(1_000_000)}12`), -12n);
    assert.equal(parseInt64("9".repeat(1_000_000)), undefined);
    assert.equal(parseInt64(`${"0".repeat(1_000_000)}x`), undefined);
  });

  test("a term with an invalid label value matches nothing, even with NotIn", () => {
    const zones = (operator: string, ...values: string[]) => ({
      nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator, values }] }],
    });
    assert.equal(nodeSelectorMatches(zones("NotIn", "b"), "n", { zone: "a" }), true);
    assert.equal(nodeSelectorMatches(zones("NotIn", "zone b"), "n", { zone: "a" }), false);
    assert.equal(nodeSelectorMatches(zones("In", "a", "zone b"), "n", { zone: "a" }), false);
    const below = zones("Lt", "+5");
    assert.equal(nodeSelectorMatches(below, "n", { zone: "4" }), false);
  });

  test("allowed topologies: without terms every node matches", () => {
    assert.equal(topologyTermsMatch(undefined, {}), true);
    assert.equal(
      topologyTermsMatch([{ matchLabelExpressions: [{ key: "zone", values: ["a"] }] }], {
        zone: "b",
      }),
      false,
    );
  });

  test("tolerations: Exists without a key tolerates everything, Equal compares the value", () => {
    const taint = { key: "disk", value: "slow", effect: "NoSchedule" };
    assert.equal(tolerates({ operator: "Exists" }, taint), true);
    assert.equal(tolerates({ key: "disk", value: "fast" }, taint), false);
    assert.equal(
      tolerates({ key: "disk", operator: "Equal", value: "slow", effect: "NoExecute" }, taint),
      false,
    );
    assert.equal(untoleratedTaint([], [taint], ["NoSchedule"]), taint);
    assert.equal(untoleratedTaint([], [taint], ["NoExecute"]), undefined);
  });
});
