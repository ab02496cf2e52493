import { strict as assert } from "node:assert";
import type { Ref } from "../../../src/engine/api/meta.ts";
import { actions, type Draft } from "../../../src/webview/model/what-if.ts";
import { chosen, fieldsOf, lackText } from "../../../src/webview/model/what-if-fields.ts";

const cluster = {
  targets: [
    "StatefulSet/shop/db",
    "ReplicationController/shop/web",
    "Pod/shop/db-0",
    "Job/shop/backup-manual",
    "CronJob/shop/backup",
    "CronJob/shop/vacuum",
    "Node//node-1",
    "Node//node-2",
  ] as Ref[],
  drivers: ["ebs.csi.aws.com"],
};
const draft = { node: "node-2", driver: "gone.csi" } as Draft;

suite("fields of the form for a step", () => {
  test("each action but letting time pass needs a choice that an empty cluster lacks", () => {
    for (const action of actions) {
      const fields = fieldsOf(action, { targets: [], drivers: [] });
      assert.notEqual(fields.length, 0);
      const isOfCluster = action !== "advance";
      assert.equal(
        fields.some(({ choices }) => choices?.length === 0),
        isOfCluster,
        action,
      );
    }
  });

  test("choices are the objects that fit the action, a node's by its name", () => {
    const valuesOf = (action: (typeof actions)[number], index: number): readonly unknown[] =>
      fieldsOf(action, cluster)[index]?.choices?.map(({ value, text }) => [value, text]) ?? [];
    assert.deepEqual(valuesOf("scale", 0), [
      ["StatefulSet/shop/db", "StatefulSet shop/db"],
      ["ReplicationController/shop/web", "ReplicationController shop/web"],
    ]);
    assert.deepEqual(valuesOf("createJob", 0), [
      ["CronJob/shop/backup", "shop/backup"],
      ["CronJob/shop/vacuum", "shop/vacuum"],
    ]);
    assert.deepEqual(valuesOf("drain", 0), [
      ["node-1", "node-1"],
      ["node-2", "node-2"],
    ]);
  });

  test("a choice is kept while it exists, otherwise it is the first", () => {
    assert.deepEqual(chosen(draft, fieldsOf("drain", cluster)), {});
    assert.equal(chosen(draft, fieldsOf("fault", cluster)).driver, "ebs.csi.aws.com");
    assert.equal(chosen(draft, fieldsOf("fault", { ...cluster, drivers: [] })).driver, "");
  });

  test("the object selected on the page is chosen, unless another was chosen", () => {
    const fields = fieldsOf("delete", cluster);
    const objectOf = (object: string, selected?: Ref): string | undefined =>
      ({ object, ...chosen({ ...draft, object }, fields, selected) }).object;
    assert.equal(objectOf("", "Pod/shop/db-0"), "Pod/shop/db-0");
    assert.equal(objectOf("Node//node-2", "Pod/shop/db-0"), "Node//node-2");
    assert.equal(objectOf("", "Pod/shop/gone"), "StatefulSet/shop/db");
    assert.equal(objectOf(""), "StatefulSet/shop/db");
  });

  test("a Job gets an unused name made from its CronJob's, until one is typed", () => {
    const fields = fieldsOf("createJob", cluster);
    const jobOf = (part: Partial<Draft>): string | undefined => {
      const typed = { ...draft, ...part } as Draft;
      return { ...typed, ...chosen(typed, fields) }.job;
    };
    assert.equal(jobOf({ cronJob: "CronJob/shop/vacuum" }), "vacuum-manual");
    assert.equal(jobOf({ cronJob: "CronJob/shop/backup" }), "backup-manual-2");
    assert.equal(jobOf({}), "backup-manual-2");
    assert.equal(jobOf({ job: "" }), "");
    const none = fieldsOf("createJob", { targets: [], drivers: [] });
    assert.equal(chosen(draft, none).job, "");
    assert.equal(lackText("an object", none), "This cluster has no CronJob to choose.");
  });

  test("a missing input and a lacking object have different texts", () => {
    const none = fieldsOf("fault", { ...cluster, drivers: [] });
    assert.equal(lackText("a driver", none), "This cluster has no driver to choose.");
    assert.equal(
      lackText("how many replicas", fieldsOf("scale", cluster)),
      "Specify how many replicas.",
    );
  });
});
