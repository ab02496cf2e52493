/** Upstream: pv_controller_test.go TestModifyDeletionFinalizers, TestAnnealMigrationAnnotations, TestControllerCache v1.36. */
import assert from "node:assert/strict";
import type { ObjectMeta } from "../../../../src/engine/api/types.ts";
import { acceptsVersion } from "../../../../src/engine/controllers/persistent-volume-binder/object-cache.ts";
import {
  claimUpkeep,
  volumeUpkeep,
} from "../../../../src/engine/controllers/persistent-volume-binder/upkeep.ts";
import { annotation } from "../../../../src/engine/matching/annotations.ts";
import { migratedDriver } from "../../../../src/engine/matching/csi-migration.ts";
import { readClaim, readVolume } from "./case-objects.ts";

const short: Readonly<Record<string, string>> = {
  IN: "kubernetes.io/pv-controller",
  EX: "external-provisioner.volume.kubernetes.io/finalizer",
  CUST: "example.com/finalizer",
};

/** Case, volume, finalizers before and after. */
const finalizerCases: readonly (readonly [string, string, string, string])[] = [
  ["13-1", "V 1Gi Bound Delete cls=copper ref=C#U CSI [DP=rbd.csi.ceph.com,BBC]", "EX", "EX"],
  ["13-2", "V 1Gi Bound Delete cls=copper ref=C#U CSI [DP=rbd.csi.ceph.com,BBC]", "", ""],
  ["13-3", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "CUST", "CUST,IN"],
  ["13-4", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "", "IN"],
  ["13-5", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "EX", "IN"],
  ["13-6", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "EX,CUST", "CUST,IN"],
  [
    "13-7",
    "V 1Gi Bound Delete cls=copper ref=C#U [DP=kubernetes.io/gce-pd,BBC,MT=pd.csi.storage.gke.io]",
    "EX,IN",
    "EX",
  ],
  ["13-8", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "EX", "IN"],
  ["13-9", "V 1Gi Bound Delete cls=copper ref=C#U [DP,BBC]", "EX,CUST", "CUST,IN"],
  ["13-10", "V 1Gi Bound Delete cls=copper ref=C#U", "EX", "EX"],
  ["13-11", "V 1Gi Bound Delete cls=copper ref=C#U", "", ""],
  ["13-12", "V 1Gi Bound Retain cls=copper ref=C#U [DP,BBC]", "", ""],
  ["13-13", "V 1Gi Bound Recycle cls=copper ref=C#U [DP,BBC]", "", ""],
  ["13-14", "V 1Gi Bound Retain cls=copper ref=C#U [DP,BBC]", "IN", ""],
  ["13-15", "V 1Gi Avail Delete cls=copper", "", ""],
];

suite("upkeep of volume finalizers", () => {
  for (const [id, text, before, after] of finalizerCases) {
    test(`${id}: ${before === "" ? "none" : before} becomes ${after === "" ? "none" : after}`, () => {
      const names = (list: string): string[] =>
        list.split(",").flatMap((name) => short[name] ?? []);
      const bare = readVolume(text, id);
      const finalizers = names(before);
      const metadata = { ...bare.metadata, ...(finalizers.length > 0 && { finalizers }) };
      const volume = { ...bare, metadata };
      const kept = volumeUpkeep(volume, migratedDriver);
      assert.deepEqual(kept.metadata.finalizers ?? [], names(after));
      assert.equal(kept === volume, before === after);
    });
  }
});

const { provisionedBy, storageProvisioner, betaStorageProvisioner, migratedTo } = annotation;
const gce = "kubernetes.io/gce-pd";
const rbd = "kubernetes.io/rbd";
const gceDriver = "pd.csi.storage.gke.io";

suite("upkeep of migration annotations", () => {
  type Annotations = ObjectMeta["annotations"];
  const cases: readonly {
    readonly name: string;
    readonly provisioner: string;
    readonly before: Annotations;
    readonly after: Annotations;
  }[] = [
    {
      name: "a migrated plugin gets its driver",
      provisioner: gce,
      before: {},
      after: { [migratedTo]: gceDriver },
    },
    { name: "a plugin that is not migrated gets nothing", provisioner: rbd, before: {}, after: {} },
    {
      name: "a plugin that is migrated no more loses its driver",
      provisioner: rbd,
      before: { [migratedTo]: "rbd.csi.ceph.com" },
      after: {},
    },
    {
      name: "an unknown plugin gets nothing",
      provisioner: "non-migrated-plugin",
      before: {},
      after: {},
    },
  ];
  const bareClaim = readClaim("C#U 1Gi →∅ Pending", "1");
  const bareVolume = readVolume("V 1Gi Avail Delete", "1");
  for (const { name, provisioner, before, after } of cases) {
    test(`volume: ${name}`, () => {
      const annotations = { [provisionedBy]: provisioner, ...before };
      const volume = { ...bareVolume, metadata: { ...bareVolume.metadata, annotations } };
      const kept = volumeUpkeep(volume, migratedDriver).metadata.annotations;
      assert.deepEqual(kept, { [provisionedBy]: provisioner, ...after });
    });
    for (const key of [storageProvisioner, betaStorageProvisioner]) {
      test(`claim by ${key}: ${name}`, () => {
        const annotations = { [key]: provisioner, ...before };
        const claim = { ...bareClaim, metadata: { ...bareClaim.metadata, annotations } };
        assert.deepEqual(claimUpkeep(claim, migratedDriver).metadata.annotations, {
          [key]: provisioner,
          ...after,
        });
      });
    }
  }

  test("an object without the annotation stays the same object", () => {
    assert.equal(claimUpkeep(bareClaim, migratedDriver), bareClaim);
    assert.equal(volumeUpkeep(bareVolume, migratedDriver), bareVolume);
  });
});

suite("cache versions", () => {
  test("a version older than the known one is refused, an equal one is not", () => {
    const known = [undefined, "1", "1", "2", "2"];
    const offered = ["1", "1", "2", "1", "10"];
    assert.deepEqual(
      offered.map((version, i) => acceptsVersion(known[i], version)),
      [true, true, true, false, true],
    );
  });

  test("a version that is no number is a bug of ours", () => {
    assert.throws(() => acceptsVersion("1", "ABC"));
  });
});
