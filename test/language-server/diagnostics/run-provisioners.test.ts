import { checkDiagnostics } from "../../support/language-features.ts";

const pod = (
  variables: string,
  volume: string,
  mount = "{ name: root, mountPath: /persistentvolumes/ }",
): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: provisioner }
      spec:
        volumes: [{ name: root, ${volume} }]
        containers:
          - name: provisioner
            image: example.com/nfs-provisioner
            volumeMounts: [${mount}]
            env:
              - { name: PROVISIONER_NAME, value: nfs-storage }
              ${variables}
`;

const share = "nfs: { server: 10.0.0.1, path: /exports }";

suite("provisioners that run in the files", () => {
  test("must name the share that they mount", () =>
    checkDiagnostics(
      pod(
        `- { name: NFS_SERVER, value: 10.0.0.2 }
      #                                    ^^^^^^^^ nfs-subdir-share: The provisioner creates directories in 10.0.0.1:/exports/a
              - { name: NFS_PATH, value: /exports }
      #                                  ^^^^^^^^ nfs-subdir-share: The provisioner creates directories in 10.0.0.1:/exports/a, which is mounted at /persistentvolumes, but its volumes refer to 10.0.0.2:/exports`,
        share,
        "{ name: root, mountPath: /persistentvolumes, subPath: a }",
      ),
    ));

  for (const [what, variables, volume] of [
    ["is the same but for slashes", "value: /exports/ }", share],
    ["comes from elsewhere", "valueFrom: { fieldRef: { fieldPath: metadata.name } } }", share],
    ["is that of an unknown volume", "value: /other }", "hostPath: { path: /mnt }"],
  ] as const)
    test(`have no finding if the name ${what}`, () =>
      checkDiagnostics(`
      #- claimcheck.yaml
      rules: { hostpath-in-workload: off }
      #- all.yaml${pod(
        `- { name: NFS_SERVER, value: 10.0.0.1 }\n              - { name: NFS_PATH, ${variables}`,
        volume,
      )}`));

  for (const [name, mounted, isOne] of [
    ["NAS.example.com.", "nas.example.com", true],
    ["nas", "nas.example.com", true],
    ["nas.example.com", "10.0.0.1", true],
    ["fd00::1", "nas.example.com", true],
    ["nas.example.com", "nas.example.org", false],
  ] as const)
    test(`${isOne ? "may" : "must not"} call ${mounted} ${name}`, () =>
      checkDiagnostics(
        pod(
          `- { name: NFS_SERVER, value: "${name}" }${isOne ? "" : `\n      #                                    ${"^".repeat(name.length + 2)} nfs-subdir-share`}
              - { name: NFS_PATH, value: /exports }`,
          share.replace("10.0.0.1", mounted),
        ),
      ));

  test("may mount the share by a claim", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: root }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        claimRef: { name: root, namespace: default }
        ${share}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: root }
      spec:
        storageClassName: ""
        volumeName: root
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 1Gi } }
      ---${pod(
        `- { name: NFS_SERVER, value: 10.0.0.1 }
              - { name: NFS_PATH, value: /other }
      #                                  ^^^^^^ nfs-subdir-share`,
        "persistentVolumeClaim: { claimName: root }",
      )}`));

  const storageClass = (provisioner: string, label = ""): string => `
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${provisioner.replace(/\W/g, "-")} }
      provisioner: ${provisioner}${label === "" ? "" : `\n      #            ${"^".repeat(provisioner.length)} ${label}`}`;
  const running = pod(
    "- { name: NFS_SERVER, value: 10.0.0.1 }\n              - { name: NFS_PATH, value: /exports }",
    share,
  );

  test("serve classes that use their name", () =>
    checkDiagnostics(
      `${running}${storageClass("nfs-storage")}${storageClass("other/nfs", "provisioner-unknown")}`,
    ));

  test("are suggested for a class that uses another name, unless that is a driver's or not for NFS", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules: { provisioner-unknown: off }
      #- all.yaml${running}${storageClass("fuseim.pri/ifs", "provisioner-other-name: Nobody provisions volumes for “fuseim.pri/ifs”: the provisioner that Pod provisioner runs looks for classes of another name; did you mean “nfs-storage”?")}${storageClass("nfs.csi.k8s.io")}${storageClass("example.com/disks")}`));
});
