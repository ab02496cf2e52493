import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { stepText } from "../../../src/engine/trace/step-text.ts";

suite("the text of a step", () => {
  const steps: readonly (readonly [Step, string])[] = [
    [{ type: "apply", manifests: [{}] }, "Apply 1 object"],
    [{ type: "apply", manifests: [{}, {}] }, "Apply 2 objects"],
    [{ type: "settle" }, "Wait until the cluster is at rest"],
    [{ type: "node", name: "a", kubelet: "restart" }, "Restart the kubelet of a"],
    [{ type: "driver", name: "d", node: "down", nodeName: "a" }, "Stop the plugin of d on a"],
    [
      { type: "fault", fault: { driver: "d", call: "CreateVolume", delayMs: 30_000, times: 0 } },
      "Make CreateVolume of d take 30 s every time",
    ],
    [{ type: "fault", fault: { driver: "d", clear: true } }, "Let every call of d succeed again"],
  ];
  for (const [step, text] of steps) test(text, () => assert.equal(stepText(step), text));
});
