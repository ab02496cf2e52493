import assert from "node:assert/strict";
import { diagnosticsOf, filesOf } from "../../support/rule-page.ts";

/** `wanted` is a code with its severity, or a code alone if there must be no such finding. */
async function check(manifests: string, wanted: string): Promise<void> {
  const [code = "", severity] = wanted.split(": ");
  const found = (await diagnosticsOf(filesOf(manifests), true)).filter(
    (finding) => finding.code === code,
  );
  const severities = new Set(found.map((finding) => finding.severity));
  assert.deepEqual([...severities], severity === undefined ? [] : [severity]);
}

const claim = (name: string, spec = "", className = "disks"): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${spec} }
---
`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
`;

const device = claim("data", ", volumeMode: Block");
const project = "#- claimcheck.yaml\nprofile: eks\n#- all.yaml\n";
const share = (className: string): string =>
  claim("data", "", className).replace("ReadWriteOnce", "ReadWriteMany");
const storageClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
`;

suite("the severity of a finding", () => {
  test("is error if one file contradicts itself", () =>
    check(device + pod, "block-claim-mounted: error"));

  test("is warning if two files contradict each other, as they may be alternatives", () =>
    check(`#- claim.yaml\n${device}#- pod.yaml\n${pod}`, "block-claim-mounted: warning"));

  test("is error if a project file says that they are not alternatives", () =>
    check(
      `#- claimcheck.yaml\n{}\n#- claim.yaml\n${device}#- pod.yaml\n${pod}`,
      "block-claim-mounted: error",
    ));

  test("is warning if a claim is defined twice", () =>
    check(`${claim("data")}${device}${pod}`, "block-claim-mounted: warning"));

  test("is error if a class in the files cannot provision the volume", () =>
    check(storageClass + share("disks"), "rwx-block-disk: error"));

  test("is error if a class of the named cluster cannot provision the volume", () =>
    check(project + share("gp2"), "rwx-block-disk: error"));

  test("is warning if the class is that of a guessed cluster", () =>
    check(storageClass + share("gp2"), "rwx-block-disk: warning"));

  test("is information if the cluster may have a default class", () =>
    check(
      `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { storageClassName: standard, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
---
${claim("data", ", volumeName: disk").replace("storageClassName: disks, ", "")}`,
      "pvc-volumename-class: information",
    ));

  test("is information if the cluster may give a non-root user a group", async () => {
    const inContext = (context: string): string =>
      storageClass +
      claim("data") +
      pod.replace("spec:", `spec:\n  securityContext: { ${context} }`);
    await check(inContext("runAsUser: 1000"), "volume-not-writable: warning");
    await check(inContext("runAsNonRoot: true"), "volume-not-writable: information");
  });

  test("is the one in claimcheck.yaml, if it has one", () =>
    check(
      `#- claimcheck.yaml\nrules: { block-claim-mounted: hint }\n#- all.yaml\n${device}${pod}`,
      "block-claim-mounted: hint",
    ));

  test("is information if a profile's nodes may have the label, and none if they may be in the zone", async () => {
    const zone = "topology.kubernetes.io/zone";
    const onNode = (text: string): string => pod.replace("spec:", `spec:\n  ${text}`);
    const pinned = storageClass.replace(
      "---",
      `allowedTopologies: [{ matchLabelExpressions: [{ key: ${zone}, values: [eu-south-2c] }] }]\n---`,
    );
    const disk = `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  storageClassName: disks
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1 }
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${zone}, operator: In, values: [eu-south-2c] }] }] } }
---
`;
    const own = "apiVersion: v1\nkind: Node\nmetadata: { name: only }\n---\n";
    const selecting = storageClass + claim("data") + onNode("nodeSelector: { pool: disks }");
    const bound = disk + claim("data", ", volumeName: disk") + pod;
    await check(project + selecting, "pod-stays-pending: information");
    await check(project + pinned + claim("data") + pod, "pod-stays-pending");
    await check(project + bound, "pod-stays-pending");
    await check(project + own + selecting, "pod-stays-pending: warning");
    await check(project + own + bound, "pod-stays-pending: warning");
  });
});
