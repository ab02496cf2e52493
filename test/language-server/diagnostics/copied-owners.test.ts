import { checkDiagnostics } from "../../support/language-features.ts";

const object = (kind: string, uid: string, label = "", more = ""): string => `
      apiVersion: v1
      kind: ${kind}
      metadata:
        name: data
        ownerReferences:${label}
          - { apiVersion: apps/v1, kind: Deployment, name: web, uid: ${uid} }${more}`;

const saved = `
      #- claimcheck.yaml
      cluster: { import: saved.yaml }
      #- saved.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: node-a, uid: there }
      #- all.yaml`;

suite("owners that a manifest names by their uid", () => {
  const told = (what: string): string => `
      # ^^^^^^^^^^^^^^^ owner-uid: No new Deployment “web” has this uid, and what has none of its owners is deleted at once by the garbage collector${what}`;

  test("are no more in a cluster that has just been given them", async () => {
    const spec = `
      spec: { storageClassName: "", volumeName: disk, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;
    const claim = object(
      "PersistentVolumeClaim",
      "gone",
      told(", and with the policy Delete"),
      spec,
    );
    await checkDiagnostics(`
      # claimcheck-ignore pvc-unused, pvc-volumename-missing: nothing else is here${claim}`);
    await checkDiagnostics(object("ConfigMap", "gone", told("")));
  });

  test("are there where the imported cluster has one of them", () =>
    checkDiagnostics(`${saved}${object("ConfigMap", "gone")}
          - { apiVersion: v1, kind: Node, name: node-a, uid: there }`));

  test("are not asked for by what a workload makes anew", () =>
    checkDiagnostics(`${object("Pod", "gone")}
      spec: { containers: [{ name: c, image: i }] }`));
});
