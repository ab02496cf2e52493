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

suite("owner references with a uid in a manifest", () => {
  const told = (what: string): string => `
      # ^^^^^^^^^^^^^^^ owner-uid: A new Deployment “web” gets another uid, and the garbage collector deletes objects whose owners do not exist${what}`;

  test("are reported, as a newly created owner has another uid", async () => {
    const spec = `
      spec: { storageClassName: "", volumeName: disk, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;
    const claim = object(
      "PersistentVolumeClaim",
      "gone",
      told("; with reclaim policy Delete the volume is deleted too"),
      spec,
    );
    await checkDiagnostics(`
      # claimcheck-ignore pvc-unused, pvc-volumename-missing: nothing else is here${claim}`);
    await checkDiagnostics(object("ConfigMap", "gone", told("")));
  });

  test("are accepted if the imported cluster has one of the owners", () =>
    checkDiagnostics(`${saved}${object("ConfigMap", "gone")}
          - { apiVersion: v1, kind: Node, name: node-a, uid: there }`));

  test("are accepted in an object that its workload recreates", () =>
    checkDiagnostics(`${object("Pod", "gone")}
      spec: { containers: [{ name: c, image: i }] }`));
});
