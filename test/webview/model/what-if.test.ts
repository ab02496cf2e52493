import { strict as assert } from "node:assert";
import { stepText } from "../../../src/engine/trace/step-text.ts";
import { type Draft, noteOn, readDraft } from "../../../src/webview/model/what-if.ts";

const draft: Draft = {
  action: "delete",
  object: "Pod/default/web",
  workload: "StatefulSet/shop/db",
  cronJob: "CronJob/shop/backup",
  job: " now ",
  node: "node-1",
  driver: "ebs.csi.aws.com",
  replicas: "2",
  patch: '{"spec": {"replicas": 0}}',
  state: "down",
  call: "CreateVolume",
  code: "Internal",
  times: "0",
  seconds: "90",
};

/** Returns the step's text, or what is missing. */
function read(part: Partial<Draft>): string {
  const found = readDraft({ ...draft, ...part });
  return "step" in found ? stepText(found.step) : `lacks ${found.lacks}`;
}

suite("steps that a user can take on the simulation page", () => {
  for (const [part, text] of [
    [{ action: "delete" }, "Delete Pod default/web"],
    [{ action: "delete", object: "StorageClass//fast" }, "Delete StorageClass fast"],
    [{ action: "scale" }, "Scale StatefulSet shop/db to 2"],
    [{ action: "patch" }, 'Patch Pod default/web: {"spec":{"replicas":0}}'],
    [{ action: "createJob" }, "Create Job shop/now from CronJob backup"],
    [{ action: "kubelet" }, "Stop the kubelet of node-1"],
    [{ action: "kubelet", state: "up" }, "Start the kubelet of node-1"],
    [{ action: "drain" }, "Drain node-1"],
    [{ action: "cordon" }, "Cordon node-1"],
    [{ action: "uncordon" }, "Uncordon node-1"],
    [{ action: "controller" }, "Stop the controller of ebs.csi.aws.com"],
    [{ action: "fault" }, "Make CreateVolume of ebs.csi.aws.com fail every time: Internal"],
    [
      { action: "fault", times: "3" },
      "Make CreateVolume of ebs.csi.aws.com fail 3 times: Internal",
    ],
    [{ action: "advance" }, "Let 90 s pass"],
  ] as const)
    test(text, () => assert.equal(read(part), text));

  for (const [part, lacking] of [
    [{ object: "" }, "an object"],
    [{ action: "scale", replicas: "many" }, "how many replicas"],
    [{ action: "scale", replicas: "-1" }, "how many replicas"],
    [{ action: "patch", patch: "{" }, "a merge patch as a JSON object"],
    [{ action: "patch", patch: "[]" }, "a merge patch as a JSON object"],
    [{ action: "patch", patch: "0" }, "a merge patch as a JSON object"],
    [{ action: "patch", patch: "null" }, "a merge patch as a JSON object"],
    [{ action: "createJob", job: undefined }, "what to call the Job"],
    [{ action: "createJob", job: "" }, "what to call the Job"],
    [{ action: "createJob", cronJob: "" }, "an object"],
    [{ action: "drain", node: "" }, "a node"],
    [{ action: "controller", driver: "" }, "a driver"],
    [{ action: "fault", times: "x" }, "how many times; 0 for always"],
    [{ action: "advance", seconds: "0" }, "how many seconds"],
  ] as const)
    test(`there is no step without ${lacking}: ${JSON.stringify(part)}`, () =>
      assert.equal(read(part), `lacks ${lacking}`));

  test("a note says that a stopped kubelet is noticed only later", () => {
    assert.equal(noteOn({ type: "node", name: "node-1", kubelet: "up" }), "");
    assert.match(noteOn({ type: "node", name: "node-1", kubelet: "down" }), /let time pass next/);
  });

  test("a note says that a fault affects only later calls", () => {
    const fault = { driver: "ebs.csi.aws.com", call: "CreateVolume", code: "Internal" };
    assert.match(noteOn({ type: "fault", fault }), /what exists stays/);
  });

  test("a note says that the CronJob will warn of the unknown Job", () =>
    assert.match(noteOn({ type: "createJob", name: "now", from: "backup" }), /that is normal/));
});
