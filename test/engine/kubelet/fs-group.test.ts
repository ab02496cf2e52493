/** When a volume's files get the pod's fsGroup, and what state a failed mount leaves. */
import assert from "node:assert/strict";
import type { CSIDriver, PersistentVolume } from "../../../src/engine/api/types.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { CsiRequest } from "../../../src/engine/csi/messages.ts";
import { stateAfterFailure } from "../../../src/engine/kubelet/volume-manager/actual-state.ts";
import { needsFsGroupChange } from "../../../src/engine/kubelet/volumes/fs-group.ts";
import { final, transient, uncertain } from "../../../src/engine/kubelet/volumes/plugin.ts";
import type { KubernetesVersion, Step } from "../../../src/engine/scenario.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  blockDriver,
  boundClaim,
  clusterOf,
  deletePods,
  podWithClaim,
  requestOf,
  settle,
} from "./node-fixture.ts";

function changes(
  policy: string | undefined,
  fsType: string,
  mode: string,
  readOnly = false,
): boolean {
  const driver =
    policy === undefined ? undefined : ({ spec: { fsGroupPolicy: policy } } as CSIDriver);
  const persistentVolume = {
    spec: { accessModes: [mode], csi: { driver: "d", volumeHandle: "v", fsType } },
  } as unknown as PersistentVolume;
  return needsFsGroupChange(driver, { name: "pv", persistentVolume, readOnly });
}

suite("kubelet: fsGroup", () => {
  test("by default the files of a volume without a file system type are not changed", () => {
    assert.equal(changes(undefined, "", "ReadWriteOnce"), false);
  });

  test("by default the files of a ReadWriteOnce volume with a file system type get the group", () => {
    assert.equal(changes(undefined, "ext4", "ReadWriteMany"), false);
    assert.equal(changes(undefined, "ext4", "ReadWriteOnce"), true);
    assert.equal(changes("ReadWriteOnceWithFSType", "ext4", "ReadWriteOncePod"), true);
  });

  test("with policy File they always get it, with None never", () => {
    assert.equal(changes("File", "", "ReadWriteMany"), true);
    assert.equal(changes("None", "ext4", "ReadWriteOnce"), false);
  });

  const playWalk = (
    filesPerVolume: number,
    after: readonly Step[] = [],
    version: KubernetesVersion = "1.36",
  ): Played => {
    const driver = driverProfile({ ...blockDriver, filesPerVolume });
    const context = `securityContext: { fsGroup: 3000 }`;
    const pod = podWithClaim("p", "", context);
    const steps = [...applied(boundClaim(), pod), settle, ...after];
    return play("", { cluster: clusterOf([driver]), version, steps });
  };
  const walks = "VolumePermissionChangeInProgress";

  test("changing few files causes no event, many files one after 30 s and then every minute", () => {
    assert.deepEqual(playWalk(200_000).events(walks), []);
    const played = playWalk(1_000_000, [advance(120)]);
    const { uid = "" } = played.get("Pod", "p")?.metadata ?? {};
    const volume = `Setting volume ownership for ${uid}/volumes/kubernetes.io~csi/pv/mount`;
    assert.deepEqual(played.events(walks), [
      `${volume} is taking longer than expected, consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods`,
      `${volume}, processed 900000 files.`,
    ]);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("up to 1.32 changing many files causes no event", () => {
    const played = playWalk(1_000_000, [advance(120)], "1.32");
    assert.deepEqual(played.events(walks), []);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("with OnRootMismatch the files of a volume that already has the group are not changed", () => {
    const again = [
      deletePods("p"),
      settle,
      ...applied(
        podWithClaim(
          "q",
          "",
          "securityContext: { fsGroup: 3000, fsGroupChangePolicy: OnRootMismatch }",
        ),
      ),
      advance(30),
    ];
    const played = playWalk(1_000_000, [advance(120), ...again]);
    assert.equal(played.get("Pod", "q")?.status?.phase, "Running");
    assert.equal(played.events(walks).length, 2);
  });

  test("a driver with VOLUME_MOUNT_GROUP gets the pod's group, and the kubelet changes no files", () => {
    const shared = boundClaim({
      mode: "ReadWriteMany",
      volume: "csi: { driver: block.csi.test, volumeHandle: vol }",
    });
    const playShared = (profile: DriverProfile, context: string): Played =>
      play("", {
        cluster: clusterOf([driverProfile({ ...profile, filesPerVolume: 1_000_000 })]),
        steps: [...applied(shared, podWithClaim("p", "", context)), settle, advance(120)],
      });
    const told = ({ simulation }: Played): readonly unknown[] =>
      ["NodeStageVolume", "NodePublishVolume"].map((call) => {
        const { volume_capability } = requestOf(simulation, call) as CsiRequest;
        return volume_capability?.mount?.volume_mount_group;
      });
    const able: DriverProfile = { ...blockDriver, fsGroupPolicy: "File", volumeMountGroup: true };
    const grouped = "securityContext: { fsGroup: 3000 }";
    const played = playShared(able, grouped);
    assert.deepEqual(told(played), ["3000", "3000"]);
    const { volume_capability: capability } = requestOf(played.simulation, "NodePublishVolume");
    const access_mode = { mode: "MULTI_NODE_MULTI_WRITER" };
    assert.deepEqual(capability, { mount: { volume_mount_group: "3000" }, access_mode });
    assert.deepEqual(played.events(walks), []);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
    assert.deepEqual(told(playShared(able, "")), [undefined, undefined]);
    const unable = playShared({ ...blockDriver, fsGroupPolicy: "File" }, grouped);
    assert.deepEqual(told(unable), [undefined, undefined]);
    assert.equal(unable.events(walks).length, 2);
  });

  test("the files of a read-only mount are not changed", () => {
    assert.equal(changes("File", "ext4", "ReadWriteOnce", true), false);
  });
});

suite("kubelet: state after a failed mount", () => {
  test("only an uncertain error makes an unmounted volume uncertain", () => {
    assert.equal(stateAfterFailure("NotMounted", final("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("NotMounted", transient("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("NotMounted", uncertain("x"), false), "Uncertain");
  });

  test("only a final error makes an uncertain volume unmounted, but not one that was found at the start", () => {
    assert.equal(stateAfterFailure("Uncertain", final("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("Uncertain", final("x"), true), "Uncertain");
    assert.equal(stateAfterFailure("Uncertain", transient("x"), false), "Uncertain");
  });

  test("a failed remount leaves the volume mounted", () => {
    for (const failure of [final("x"), uncertain("x"), transient("x")]) {
      assert.equal(stateAfterFailure("GloballyMounted", failure, false), "GloballyMounted");
      assert.equal(stateAfterFailure("Mounted", failure, false), "Mounted");
    }
  });
});
