import { checkHover } from "../../support/language-features.ts";

const pair = (cursorAt: "claim" | "class" | "volume" | "pod"): string => {
  const mark = (place: string): string => (place === cursorAt ? "$0" : "");
  return `
    #- claimcheck.yaml
    profile: bare-metal
    #- all.yaml
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: { name: manual }
    provisioner: kubernetes.io/no-provisioner
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: { name: sm${mark("volume")}all }
    spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: da${mark("claim")}ta }
    spec: { storageClassName: man${mark("class")}ual, accessModes: [ReadWriteMany], resources: { requests: { storage: 2Gi } } }
    ---
    apiVersion: v1
    kind: Pod
    metadata: { name: web }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
      volumes:
        - name: ${mark("pod")}v
          persistentVolumeClaim: { claimName: data }
  `;
};

const claimLines: readonly string[] = [
  "**Claim data stays Pending",
  "bare-metal",
  "| looked at | fails on | wanted | found |",
  "| Volume small | capacity | `2Gi` | `1Gi` |",
  "To change:",
];

suite("hover", () => {
  test("a claim begins with the verdict and the profile, then proves it volume by volume", () =>
    checkHover(pair("claim"), claimLines));

  test("a pod's volume tells of its claim", () => checkHover(pair("pod"), claimLines.slice(0, 2)));

  test("a volume tells who has it", () =>
    checkHover(pair("volume"), ["**Volume small is Available: no claim has it** · bare-metal"]));

  test("a class tells who uses it", () =>
    checkHover(pair("class"), [
      "**Class manual: 0 of 1 claims bound** · bare-metal",
      "Provisioner `kubernetes.io/no-provisioner`",
      "Claim data",
    ]));

  test("a field tells what the API says of it", () =>
    checkHover(
      `
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec:
          access$0Modes: [ReadWriteOnce]
      `,
      ["`accessModes`: []string", "accessModes contains the desired access modes"],
    ));

  test("a template of a StatefulSet tells of the claims that are made of it", () =>
    checkHover(
      `
        #- claimcheck.yaml
        profile: generic
        #- db.yaml
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: { name: db }
        spec:
          replicas: 1
          serviceName: db
          selector: { matchLabels: { a: b } }
          template:
            metadata: { labels: { a: b } }
            spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
          volumeClaimTemplates:
            - metadata: { name: da$0ta }
              spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      `,
      ["**Claim data-db-0 stays Pending", "generic"],
    ));
});
