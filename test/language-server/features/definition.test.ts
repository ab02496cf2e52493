import assert from "node:assert/strict";
import {
  declaration,
  implementation,
  typeDefinition,
} from "../../../src/language-server/features/origin.ts";
import { documentHighlights } from "../../../src/language-server/features/references.ts";
import {
  atCursor,
  checkDefinition,
  checkPlaces,
  checkReferences,
} from "../../support/language-features.ts";

const files = (cursorAt: string): string => {
  const text = `
    #- claimcheck.yaml
    profile: bare-metal
    #- volumes.yaml
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: { name: manual }
    provisioner: example.com/disk
    ---
    apiVersion: storage.k8s.io/v1
    kind: CSIDriver
    metadata: { name: example.com/disk }
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: { name: disk }
    spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
    #- claim.yaml
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec: { volumeName: disk, storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    #- pod.yaml
    apiVersion: v1
    kind: Pod
    metadata: { name: web }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
      volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
  `;
  return text.replace(cursorAt, cursorAt.replace(/(..)$/, "$$0$1"));
};

suite("definition and references", () => {
  test("leads to an object in a version that is not served", () =>
    checkDefinition(
      `
      #- class.yaml
      apiVersion: storage.k8s.io/v1beta1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: example.com/disk
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fa$0st, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `,
      ["class.yaml:3: fast"],
    ));

  test("a pod's volume leads to the claim", () =>
    checkDefinition(files("claimName: data"), ["claim.yaml:3: data"]));

  test("a pod leads to its runtime class", () =>
    checkDefinition(
      `
      #- class.yaml
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      metadata: { name: sandboxed }
      handler: runsc
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { runtimeClassName: sand$0boxed, containers: [{ name: c, image: i }] }
    `,
      ["class.yaml:3: sandboxed"],
    ));

  test("a claim leads to its volume and to its class", async () => {
    await checkDefinition(files("volumeName: disk"), ["volumes.yaml:12: disk"]);
    await checkDefinition(files("disk, storageClassName: manual"), ["volumes.yaml:3: manual"]);
  });

  test("a class leads to its driver", () =>
    checkDefinition(files("provisioner: example.com/disk"), ["volumes.yaml:8: example.com/disk"]));

  test("a claim's own name leads to the volume it gets, and back", async () => {
    await checkDefinition(files("{ name: data"), ["volumes.yaml:12: disk"]);
    await checkDefinition(files("{ name: disk"), ["claim.yaml:3: data"]);
  });

  test("all references to a class are found, from the class as well as from a reference", async () => {
    const places = ["volumes.yaml:3: manual", "claim.yaml:4: manual", "volumes.yaml:13: manual"];
    await checkReferences(files("{ name: manual"), places);
    await checkReferences(files("disk, storageClassName: manual"), places);
  });

  test("a name without an object leads nowhere", () =>
    checkDefinition(
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: { volumeName: no$0ne }\n",
      [],
    ));
});

const database = (cursorAt: string): string => {
  const text = `
    #- claimcheck.yaml
    profile: generic
    #- db.yaml
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: { name: db }
    spec:
      serviceName: db
      selector: { matchLabels: { a: b } }
      template:
        metadata: { labels: { a: b } }
        spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
      volumeClaimTemplates:
        - metadata: { name: data }
          spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, selector: { matchLabels: { tier: gold } } }
    #- others.yaml
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: { name: fast }
    provisioner: example.com/disk
    ---
    apiVersion: storage.k8s.io/v1
    kind: CSIDriver
    metadata: { name: example.com/disk }
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: { name: gold-1, labels: { tier: gold } }
    spec: { claimRef: { namespace: default, name: data-db-0 }, storageClassName: fast, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
    ---
    apiVersion: v1
    kind: Pod
    metadata: { name: backup }
    spec:
      containers: [{ name: c, image: i }]
      volumes: [{ name: v, persistentVolumeClaim: { claimName: data-db-0 } }]
    #- z.scenario.yaml
    steps:
      - expect: [{kind: Pod, name: db-0, phase: Running}, {kind: PersistentVolume, name: gold-1}]
  `;
  return text.replace(cursorAt, cursorAt.replace(/(..)$/, "$$0$1"));
};

suite("names that Kubernetes generates", () => {
  test("a StatefulSet's claim leads to its template, its pod to the StatefulSet", async () => {
    await checkDefinition(database("claimName: data-db-0"), ["db.yaml:11: data"]);
    await checkDefinition(database("name: data-db-0"), ["db.yaml:11: data"]);
    await checkDefinition(database("kind: Pod, name: db-0"), ["db.yaml:3: db"]);
  });

  test("a mount leads to the template that it mounts", () =>
    checkDefinition(database("volumeMounts: [{ name: data"), ["db.yaml:11: data"]));

  test("the references of a template are its mounts and the claims made from it", () =>
    checkReferences(database("metadata: { name: data"), [
      "db.yaml:11: data",
      "db.yaml:9: data",
      "others.yaml:13: data-db-0",
      "others.yaml:20: data-db-0",
    ]));

  test("a selector leads to the volumes that it selects", () =>
    checkDefinition(database("matchLabels: { tier: gold"), ["others.yaml:12: gold-1"]));

  test("a namespace leads to its object, and the object to everything in it", async () => {
    const text = (cursor: "name" | "namespace"): string => `
      #- a.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: sh${cursor === "name" ? "$0" : ""}op }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: sh${cursor === "namespace" ? "$0" : ""}op }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    await checkDefinition(text("namespace"), ["a.yaml:3: shop"]);
    await checkReferences(text("name"), ["a.yaml:3: shop", "a.yaml:7: shop"]);
  });

  test("a scenario's names lead to manifests", () =>
    checkDefinition(database("kind: PersistentVolume, name: gold-1"), ["others.yaml:12: gold-1"]));
});

suite("declarations, types and implementations", () => {
  test("the declaration of a pod's claim is its volume, of the volume its class, of the class its driver", async () => {
    await checkPlaces(declaration, files("claimName: data"), ["volumes.yaml:12: disk"]);
    await checkPlaces(declaration, files("volumeName: disk"), ["volumes.yaml:3: manual"]);
    await checkPlaces(declaration, files("kind: StorageClass"), [
      "volumes.yaml:8: example.com/disk",
    ]);
  });

  test("the type of claim, volume and pod is the class", async () => {
    await checkPlaces(typeDefinition, files("claimName: data"), ["volumes.yaml:3: manual"]);
    await checkPlaces(typeDefinition, files("{ name: disk"), ["volumes.yaml:3: manual"]);
    await checkPlaces(typeDefinition, files("kind: Pod"), ["volumes.yaml:3: manual"]);
    await checkPlaces(typeDefinition, database("claimName: data-db-0"), ["others.yaml:3: fast"]);
  });

  test("the implementation is the driver", async () => {
    await checkPlaces(implementation, files("claimName: data"), [
      "volumes.yaml:8: example.com/disk",
    ]);
    await checkPlaces(implementation, database("kind: StatefulSet"), [
      "others.yaml:8: example.com/disk",
    ]);
  });
});

suite("document highlights", () => {
  test("an object's own name is highlighted as written, its uses as read, in this file only", async () => {
    const { analysis, file, offset } = await atCursor(database("metadata: { name: data"), false);
    const found = documentHighlights(analysis, file, offset).map(
      ({ start, end, kind }) => `${file.manifest.text.slice(start, end)} ${kind}`,
    );
    assert.deepEqual(found.sort(), ["data read", "data write"]);
  });
});
