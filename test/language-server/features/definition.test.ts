import { checkDefinition, checkReferences } from "../../support/language-features.ts";

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
  test("a pod's volume leads to the claim", () =>
    checkDefinition(files("claimName: data"), ["claim.yaml:3: data"]));

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

  test("all that names a class is found, from the class as from a name of it", async () => {
    const places = ["volumes.yaml:3: manual", "claim.yaml:4: manual", "volumes.yaml:13: manual"];
    await checkReferences(files("{ name: manual"), places);
    await checkReferences(files("disk, storageClassName: manual"), places);
  });

  test("a name that is nowhere leads nowhere", () =>
    checkDefinition(
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: { volumeName: no$0ne }\n",
      [],
    ));
});
