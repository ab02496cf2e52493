import assert from "node:assert/strict";
import { create, refusal } from "./answer.ts";

const workload = (kind: string, strategy: string): string => `
apiVersion: apps/v1
kind: ${kind}
metadata: { name: w }
spec:
  selector: { matchLabels: { a: b } }
  ${strategy}
  template:
    metadata: { labels: { a: b } }
    spec: { containers: [{ name: c, image: i }] }`;

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

suite("A rolling update", () => {
  test("refuses a number without % in a text, but counts it", () => {
    for (const [kind, field] of [
      ["DaemonSet", "updateStrategy"],
      ["Deployment", "strategy"],
    ] as const) {
      const answer = (amount: string): string[] => {
        const rollingUpdate = `{ maxUnavailable: ${amount}, maxSurge: 0 }`;
        return refusal(create(workload(kind, `${field}: { rollingUpdate: ${rollingUpdate} }`)))
          .split("\n")
          .map((line) => line.replace(`spec.${field}.rollingUpdate.maxUnavailable: `, ""));
      };
      const none =
        kind === "DaemonSet"
          ? (): string => "Required value: cannot be 0 when maxSurge is 0"
          : (shown: string): string =>
              `Invalid value: ${shown}: may not be 0 when \`maxSurge\` is 0`;
      const noPercentage = (shown: string): string => `Invalid value: ${shown}: ${percentText}`;
      assert.deepEqual(answer('"5"'), [noPercentage('"5"')]);
      assert.deepEqual(answer('"-5"'), [noPercentage('"-5"')]);
      assert.deepEqual(answer('"0"'), [noPercentage('"0"'), none('"0"')]);
      assert.deepEqual(answer("five"), [noPercentage('"five"'), none('"five"')]);
      assert.deepEqual(answer('"5 %"'), [noPercentage('"5 %"'), none('"5 %"')]);
      assert.deepEqual(answer("0%"), [none('"0%"')]);
      assert.deepEqual(answer("5%"), ["accepted"]);
      assert.deepEqual(answer("101%"), ['Invalid value: "101%": must not be greater than 100%']);
    }
  });
});
