import assert from "node:assert/strict";
import { type Named, Names, normaliseObject } from "./normalise.ts";

suite("an object as a recording keeps it", () => {
  test("has the nulls that Go writes", () => {
    const volumes = [
      { name: "empty", projected: { defaultMode: 420 } },
      {
        name: "disk",
        scaleIO: { gateway: "https://gateway", system: "scale", volumeName: "disk" },
      },
      { name: "share", azureFile: { secretName: "login", shareName: "share" } },
    ];
    const pod = { kind: "Pod", metadata: { name: "web" }, spec: { volumes } } as Named;
    const { spec } = normaliseObject(pod, new Names()) as unknown as {
      readonly spec: { readonly volumes: unknown };
    };
    assert.deepEqual(spec.volumes, [
      { name: "empty", projected: { defaultMode: 420, sources: null } },
      {
        name: "disk",
        scaleIO: {
          gateway: "https://gateway",
          secretRef: null,
          system: "scale",
          volumeName: "disk",
        },
      },
      { name: "share", azureFile: { secretName: "login", shareName: "share" } },
    ]);
  });

  test("has null for the drivers of a node without any", () => {
    const node = { kind: "CSINode", metadata: { name: "node-a" }, spec: { drivers: [] } } as Named;
    assert.deepEqual(normaliseObject(node, new Names())["spec"], { drivers: null });
  });
});
