/** Upstream: local-path-provisioner, minikube pkg/storage and nfs-subdir-external-provisioner, Provision of each. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  nodeOnVolume,
  refusal,
  volumeSource,
} from "../../../../src/engine/controllers/path-provisioner/volume-source.ts";
import type { PathProvisioner } from "../../../../src/engine/scenario.ts";
import { bare } from "../../../support/bare-objects.ts";

const provisioner = (type: PathProvisioner["type"]): PathProvisioner => ({ name: "p", type });
const claim = (spec: object = {}, metadata: object = {}): KubeObject<"PersistentVolumeClaim"> =>
  bare("PersistentVolumeClaim", "data", { metadata: { uid: "u", ...metadata }, spec });
const nfsPath = (pattern: string | undefined, metadata: object = {}): string | undefined => {
  const parameters = pattern === undefined ? {} : { pathPattern: pattern };
  const storageClass = { ...bare("StorageClass", "nfs"), provisioner: "p", parameters };
  return volumeSource(
    provisioner("nfs-subdir"),
    claim({}, metadata),
    storageClass as KubeObject<"StorageClass">,
    undefined,
  ).nfs?.path;
};

suite("directories of path provisioners", () => {
  const storageClass = bare("StorageClass", "c");

  test("minikube's are named after namespace and claim", () => {
    const made = volumeSource(provisioner("minikube-hostpath"), claim(), storageClass, "n1");
    assert.deepEqual(made.hostPath, { path: "/tmp/hostpath-provisioner/default/data" });
    assert.deepEqual(nodeOnVolume(provisioner("minikube-hostpath"), "n1"), {});
  });

  test("local-path's are on the node, and the volume says on which", () => {
    const made = volumeSource(provisioner("local-path"), claim(), storageClass, "n1");
    assert.deepEqual(made.hostPath, {
      path: "/opt/local-path-provisioner/pvc-u_default_data",
      type: "DirectoryOrCreate",
    });
    assert.deepEqual(made.nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["n1"] }] },
    ]);
    assert.deepEqual(nodeOnVolume(provisioner("local-path"), "n1"), {
      "local.path.provisioner/selected-node": "n1",
    });
  });

  test("nfs-subdir's are named after namespace, claim and volume, or as the class says", () => {
    assert.equal(nfsPath(undefined), "/exports/default-data-pvc-u");
    assert.equal(nfsPath(""), "/exports/default-data-pvc-u");
    assert.equal(nfsPath("${.PVC.namespace}/${.PVC.name}"), "/exports/default/data");
    const metadata = { labels: { app: "web" }, annotations: { tier: "gold" } };
    const pattern = "${.PVC.labels.app}-${.PVC.annotations.tier}-${.PVC.labels.none}${.PVC.uid}x";
    assert.equal(nfsPath(pattern, metadata), "/exports/web-gold-x");
  });
});

suite("claims that path provisioners refuse", () => {
  const selected = claim({ selector: { matchLabels: {} } });

  test("selectors, each in its words; minikube takes them", () => {
    assert.equal(
      refusal(provisioner("local-path"), selected, "n1"),
      "claim.Spec.Selector is not supported",
    );
    assert.equal(
      refusal(provisioner("nfs-subdir"), selected, "n1"),
      "claim Selector is not supported",
    );
    assert.equal(refusal(provisioner("minikube-hostpath"), selected, "n1"), undefined);
    assert.equal(refusal(provisioner("nfs-subdir"), claim(), undefined), undefined);
  });

  test("local-path: those without a node, and those of several nodes", () => {
    const modes = (...accessModes: readonly string[]): string | undefined =>
      refusal(provisioner("local-path"), claim({ accessModes }), "n1");
    assert.equal(modes("ReadWriteOnce", "ReadWriteOncePod"), undefined);
    const error = "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";
    assert.equal(modes("ReadWriteOnce", "ReadOnlyMany"), error);
    assert.equal(
      refusal(provisioner("local-path"), claim(), undefined),
      "configuration error, no node was specified",
    );
  });
});
