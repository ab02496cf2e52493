/** Which updates of claims and of their status are accepted. */
import assert from "node:assert/strict";
import { clusterOf, create, field, patchStored, refusal, replace, report } from "./answer.ts";

suite("Updates of a claim", () => {
  const annotation = "volume.beta.kubernetes.io/storage-class";
  const claim = (spec: string, className?: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: default
  annotations: { ${className === undefined ? "" : `${annotation}: ${className}`} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }`;
  const refused = (from: string, to: string): readonly string[] => {
    const causes = refusal(replace(from, to)).matchAll(/^([\w./-]+): (?:Forbidden|Invalid)/gm);
    return [...causes].map(([, path = ""]) => path);
  };

  test("can set the volume and the class once", () => {
    const late = replace(claim(""), claim("volumeName: disk, storageClassName: gold"));
    assert.equal(field(late, "spec.volumeName"), "disk");
    assert.equal(field(late, "spec.storageClassName"), "gold");
    assert.deepEqual(refused(claim("volumeName: disk"), claim("volumeName: other")), ["spec"]);
    assert.deepEqual(refused(claim("storageClassName: gold"), claim("storageClassName: slow")), [
      "spec",
    ]);
  });

  test("show the class as it was if something else is refused", () => {
    assert.equal(
      refusal(replace(claim(""), claim("storageClassName: gold, volumeMode: Block"))),
      [
        "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
        "@@ -11,7 +11,7 @@",
        "  },",
        '  "VolumeName": "",',
        '  "StorageClassName": null,',
        '- "VolumeMode": "Filesystem",',
        '+ "VolumeMode": "Block",',
        '  "DataSource": null,',
        '  "DataSourceRef": null,',
        '  "VolumeAttributesClassName": null',
        "",
        'volumeMode: Invalid value: "Block": field is immutable',
      ].join("\n"),
    );
  });

  test("cannot set the data source's namespace, which is silently dropped on create", () => {
    const source = "kind: PersistentVolumeClaim, name: other";
    const far = `dataSource: { ${source} }, dataSourceRef: { ${source}, namespace: far }`;
    assert.equal(field(create(claim(far)), "spec.dataSourceRef.namespace"), undefined);
    assert.deepEqual(refused(claim(`dataSource: { ${source} }`), claim(far)), ["spec", "spec"]);
    assert.deepEqual(refused(claim(far), claim(far)), ["spec", "spec"]);
  });

  test("keep both data source fields equal, even if an older server has filled in only one", () => {
    const source = "kind: VolumeSnapshot, name: s, apiGroup: snapshot.storage.k8s.io";
    for (const only of ["dataSource", "dataSourceRef"]) {
      const labelled = patchStored(
        claim(`${only}: { ${source} }`),
        "{ metadata: { labels: { a: b } } }",
      );
      assert.equal(refusal(labelled), "accepted");
      assert.equal(field(labelled, "spec.dataSource.name"), "s");
      assert.equal(field(labelled, "spec.dataSourceRef.name"), "s");
    }
  });

  test("can add an empty class annotation, but cannot empty one", () => {
    assert.equal(refusal(replace(claim(""), claim("", '""'))), "accepted");
    assert.deepEqual(refused(claim("", "gold"), claim("", '""')), [
      `metadata.annotations.${annotation}`,
    ]);
  });

  test("can change the size of a bound claim, down to the request or just above the capacity", () => {
    const cluster = clusterOf(
      "[{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: fast }, provisioner: a, allowVolumeExpansion: true }]",
    );
    const sized = (size: string): string => claim("storageClassName: fast").replace("1Gi", size);
    const resized = (from: string, to: string, status: unknown): string =>
      refusal(replace(sized(from), sized(to), status, cluster));
    const bound = { phase: "Bound", capacity: { storage: "2Gi" } };
    const tooSmall =
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity";
    assert.equal(resized("2Gi", "3Gi", bound), "accepted");
    assert.equal(resized("5Gi", "3Gi", bound), "accepted");
    assert.equal(resized("2Gi", "2048Mi", bound), "accepted");
    assert.equal(resized("5Gi", "2Gi", bound), tooSmall);
    assert.equal(resized("2Gi", "1Gi", bound), tooSmall);
    assert.match(
      resized("2Gi", "3Gi", { phase: "Pending" }),
      /^spec: Forbidden: spec is immutable after creation except resources.requests and/,
    );
  });

  test("can change the attributes class of a bound claim, but not remove the current one", () => {
    const [gold, slow, none] = ["gold", "slow", '""'].map((name) =>
      claim(`volumeAttributesClassName: ${name}`),
    ) as [string, string, string];
    const wish = { phase: "Bound" };
    const has = { phase: "Bound", currentVolumeAttributesClassName: "gold" };
    const path = "spec.volumeAttributesClassName";
    assert.equal(refusal(replace(gold, slow, has)), "accepted");
    assert.equal(refusal(replace(claim(""), gold, wish)), "accepted");
    assert.equal(
      refusal(replace(gold, none, has)),
      `${path}: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
    assert.equal(
      refusal(replace(gold, claim(""), has)),
      `${path}: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
    assert.equal(refusal(replace(gold, none, wish)), "accepted");
    // A class that the claim did not request, but got, is not changed by the client.
    assert.equal(refusal(replace(claim(""), claim(""), has)), "accepted");
  });

  test("cannot change the attributes class before 1.34, nor that of a volume", () => {
    const path = "spec.volumeAttributesClassName";
    const off = `${path}: Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled`;
    const toNone = (none: string): string =>
      `${off}\n${path}: Forbidden: update from non-nil value to ${none} is forbidden`;
    const changed = (before: string, name: string): string =>
      refusal(patchStored(before, `spec: { volumeAttributesClassName: ${name} }`, "1.33"));
    const bound = `${claim("volumeAttributesClassName: gold")}\nstatus: { phase: Bound }`;
    assert.equal(changed(bound, "gold"), "accepted");
    assert.equal(changed(bound, "slow"), off);
    assert.equal(changed(bound, "null"), toNone("nil"));
    assert.equal(changed(bound, "''"), toNone("an empty string"));
    const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], csi: { driver: d, volumeHandle: h }, volumeAttributesClassName: gold }`;
    assert.equal(changed(volume, "slow"), off);
    assert.equal(changed(volume, "null"), toNone("nil"));
  });

  test("cannot change the data source; an invalid group is reported only if there was no group", () => {
    const filled = (group: string): string =>
      claim(`dataSourceRef: { ${group} kind: Filler, name: a }`);
    const bad = filled("apiGroup: A.b,");
    assert.deepEqual(refused(filled("apiGroup: a.b,"), bad), ["spec"]);
    assert.deepEqual(refused(claim(""), bad), [
      "spec.dataSource.apiGroup",
      "spec.dataSourceRef.apiGroup",
      "spec",
    ]);
  });

  test("cannot change the volume mode", () => {
    assert.deepEqual(refused(claim(""), claim("volumeMode: Block")), ["spec", "volumeMode"]);
  });

  test("cannot remove the old class annotation if the field is set", () => {
    const both = claim("storageClassName: gold", "gold");
    assert.deepEqual(refused(both, claim("storageClassName: gold")), [
      `metadata.annotations.${annotation}`,
    ]);
  });

  test("can replace the old class annotation only with the field, naming the same class", () => {
    assert.equal(
      refusal(replace(claim("", "gold"), claim("", "slow"))),
      `metadata.annotations.${annotation}: Invalid value: "slow": field is immutable`,
    );
    assert.equal(
      refusal(replace(claim("", "gold"), claim(""))),
      `metadata.annotations.${annotation}: Invalid value: "": field is immutable`,
    );
    for (const kept of [undefined, "gold"]) {
      assert.deepEqual(
        refused(claim("", "gold"), claim("storageClassName: gold", kept)),
        [],
        `annotation after: ${kept}`,
      );
    }
    const path = `metadata.annotations.${annotation}`;
    assert.deepEqual(refused(claim("", "gold"), claim("storageClassName: slow")), [path, "spec"]);
    assert.deepEqual(refused(claim(""), claim("storageClassName: slow", "gold")), [path]);
  });
});

suite("Status updates of a claim", () => {
  const reported = (status: string): string =>
    refusal(
      report(
        `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data, namespace: default },
           spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }`,
        status,
      ),
    );

  test("accept states, then amounts, of storage and of qualified resources", () => {
    const [states, amounts] = ["allocatedResourceStatuses", "allocatedResources"];
    assert.equal(
      reported(`{ ${states}: { storage: NodeResizePending }, ${amounts}: { example.com/a: 1 } }`),
      "accepted",
    );
    assert.equal(
      reported(
        `{ ${amounts}: { kubernetes.io/a: 1, storage: -1 }, ${states}: { storage: Growing } }`,
      ),
      [
        'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
        'status.allocatedResources: Unsupported value: "kubernetes.io/a": supported values: "storage"',
        "status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity",
      ].join("\n"),
    );
  });

  test("do not check the amount under an invalid name", () => {
    assert.match(
      reported("{ allocatedResources: { a b: -1 } }"),
      /^status\.allocatedResources: Invalid value: "a b": name part .*$/,
    );
  });
});
