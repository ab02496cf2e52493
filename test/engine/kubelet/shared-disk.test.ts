/** Fibre Channel and iSCSI disks that are inline volumes of several pods on a node. */
import assert from "node:assert/strict";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  nodeA,
  podWithClaim,
  podWithVolume,
  settle,
} from "./node-fixture.ts";

const path = "/dev/disk/by-path/fc-0x50060e801049cfd1-lun-2";
const cluster = clusterOf([], [{ ...nodeA, hostPaths: { [path]: "blockDevice" } }]);
const fc = 'fc: { targetWWNs: ["50060e801049cfd1"], lun: 2 }';
const iscsi =
  'iscsi: { targetPortal: "192.0.2.10:3260", iqn: "iqn.2026-01.com.example:disk", lun: 0, readOnly: true }';

const sleepsAtItsEnd = "lifecycle: { preStop: { sleep: { seconds: 29 } } }";

function phases(played: Played): readonly (string | undefined)[] {
  return ["p", "q"].map((name) => played.get("Pod", name)?.status?.phase);
}

suite("kubelet: a network disk inline in several pods of a node", () => {
  for (const disk of [fc, iscsi]) {
    test(`is mounted only for the first pod, without an event: ${disk.slice(0, disk.indexOf(":"))}`, () => {
      const second = applied(podWithVolume("q", disk));
      const steps = [...applied(podWithVolume("p", disk)), settle, ...second, advance(60)];
      const played = play("", { cluster, steps });
      assert.deepEqual(phases(played), ["Running", "Pending"]);
      assert.deepEqual(played.events("FailedMount"), []);
    });
  }

  test("is mounted for the second pod at its next attempt once the first is gone", () => {
    const second = applied(podWithVolume("q", fc));
    const steps = [
      ...applied(podWithVolume("p", fc)),
      settle,
      ...second,
      advance(60),
      deletePods("p"),
      advance(125),
    ];
    assert.deepEqual(phases(play("", { cluster, steps })), [undefined, "Running"]);
  });

  test("is mounted for all pods if it is a PersistentVolume", () => {
    const pods = applied(boundClaim({ volume: fc }), podWithClaim("p"), podWithClaim("q"));
    assert.deepEqual(phases(play("", { cluster, steps: [...pods, advance(60)] })), [
      "Running",
      "Running",
    ]);
  });

  test("makes the second pod's verdict name the holder and the field, but no field while the holder terminates", () => {
    const second = applied(podWithVolume("q", fc));
    const steps = [...applied(podWithVolume("p", fc)), settle, ...second, advance(20)];
    const told = (played: Played): unknown => {
      const verdict = verdicts(played.simulation.trace).find(({ ref }) => ref === "Pod/default/q");
      return [verdict?.kind, verdict?.headline, verdict?.root?.field, verdict?.chain[1]];
    };
    const holder = { ref: "Pod/default/p", text: "has the disk mounted on node-a" };
    const slow = podWithVolume("p", fc).replace("image: app", `image: app, ${sleepsAtItsEnd}`);
    const ending = [...applied(slow), settle, ...second, deletePods("p"), advance(20)];
    const waits = "waits on node-a until its disk is unmounted";
    assert.deepEqual(told(play("", { cluster, steps: ending })), [
      "will-happen",
      waits,
      undefined,
      holder,
    ]);
    assert.deepEqual(told(play("", { cluster, steps })), [
      "fails",
      "does not start on node-a: another pod there has its disk",
      "spec.volumes[0].fc",
      holder,
    ]);
  });
});
