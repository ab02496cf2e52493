import assert from "node:assert/strict";
import { hover } from "../../../src/language-server/features/hover.ts";
import { atCursor, checkHover } from "../../support/language-features.ts";

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
  "| candidate | fails | wanted | found |",
  "| Volume small | capacity | `2Gi` | `1Gi` |",
  "To change:",
];

suite("hover", () => {
  test("a claim begins with the verdict and the profile, then proves it volume by volume", () =>
    checkHover(pair("claim"), claimLines));

  test("a node lists what is on it", () =>
    checkHover(
      `
      #- all.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: own$0-node }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { nodeName: own-node, containers: [{ name: c, image: i }] }
      `,
      ["**Node own", "| pods | attached volumes | drivers |", "| 1 | 0 |"],
    ));

  test("a pod's volume that is not a claim is named by its type", () =>
    checkHover(
      `
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: sc$0ratch, mountPath: /x }] }]
        volumes: [{ name: scratch, emptyDir: {} }]
      `,
      ["Volume `scratch` is `emptyDir`."],
    ));

  test("a refused object says so with the API server's answer, at its name and at references to it", async () => {
    const refused = (own: string, named: string): string => `
      #- a.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: p${own}v }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { volumeName: p${named}v, storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    const lines = ["**Volume pv is refused by the API server** · ", "must specify a volume type"];
    await checkHover(refused("$0", ""), lines);
    await checkHover(refused("", "$0"), lines);
  });

  test("a value says what kustomize changes it to, even if a patch reorders the list", async () => {
    const set = (image: string, size: string): string => `
      #- kustomization.yaml
      resources: [set.yaml]
      images: [{ name: nginx, newTag: "1.27" }]
      patches:
        - patch: |
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: { name: web }
            spec: { template: { spec: { containers: [{ name: first, image: other }] } } }
        - target: { kind: StatefulSet }
          patch: '[{ "op": "replace", "path": "/spec/volumeClaimTemplates/0/spec/resources/requests/storage", "value": "100Gi" }]'
      #- set.yaml
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: ${image} }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } }
    `;
    await checkHover(set("ng$0inx", "1Gi"), ["kustomize changes it to `nginx:1.27`."]);
    await checkHover(set("nginx", "1$0Gi"), ["kustomize changes it to `100Gi`."]);
  });

  test("a pod whose claim is in another namespace says so", async () => {
    const text = (own: string, named: string): string => `
      #- a.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: blog }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: blog }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: w${own}eb }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: da${named}ta } }]
    `;
    await checkHover(text("", "$0"), [
      "**Claim data does not exist**",
      "An object of that name exists in namespace “blog”.",
    ]);
    await checkHover(text("$0", ""), [
      '**Pod web stays Pending: its claim "data" does not exist**',
      "The claim exists in namespace “blog”; a Pod can only use claims of its own namespace, “default”",
    ]);
  });

  test("the path of a local volume says who has to create it, and no-provisioner that nothing is provisioned", async () => {
    await checkHover(
      `
      #- a.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { local: { path: /mnt/d$0isk } }
      `,
      ["`/mnt/disk` must exist on every node that nodeAffinity names"],
    );
    await checkHover(
      `
      #- a.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local }
      provisioner: kubernetes.io/no-pro$0visioner
      `,
      ["volumes of this class are not provisioned"],
    );
  });

  test("of two classes marked as default, only the one in effect is called the default", async () => {
    const classes = (first: string, second: string): string => `
      #- a.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: dis${first}ks, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: ebs.csi.aws.com
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: sha${second}res, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: efs.csi.aws.com
    `;
    await checkHover(classes("$0", ""), ["**Class disks: ", ", the default class · eks"]);
    await checkHover(classes("", "$0"), [
      "**Class shares: ",
      ', marked as the default class, but class "disks" is taken · eks',
    ]);
  });

  test("a quota's amount of storage is converted to bytes", () =>
    checkHover(
      `
      #- a.yaml
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: q }
      spec: { hard: { gold.storageclass.storage.k8s.io/requests.storage: 1$0Gi } }
      `,
      ["`1Gi` is 1,073,741,824 bytes"],
    ));

  test("keys of claimcheck.yaml and of scenarios say what they are for", async () => {
    await checkHover("#- claimcheck.yaml\nprof$0ile: kind\n", ["The cluster to assume."]);
    await checkHover("#- claimcheck.yaml\nrules:\n  pvc-un$0used: off\n", [
      "/docs/rules/pvc-unused.md",
    ]);
    await checkHover("#- claimcheck.yaml\nsuppressions: [{ rule: pvc-unused, fi$0les: a/** }]\n", [
      "Globs, relative to this file's folder",
    ]);
    await checkHover("#- a.scenario.yaml\nsteps:\n  - settle: true\n  - exp$0ect: []\n", [
      "What must be",
    ]);
  });

  test("a kustomization says what its keys are for, and what becomes of the objects that it selects", async () => {
    const kustomization = (target: string): string => `
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- kustomization.yaml
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      resources: [claim.yaml]
      patches:
        - ${target}
          patch: "[]"
    `;
    await checkHover(kustomization("target: { ki$0nd: PersistentVolumeClaim }"), [
      "The kind of the objects.",
    ]);
    await checkHover(kustomization("target: { kind: PersistentVolumeClaim, name: da$0ta }"), [
      "**Claim data stays Pending",
    ]);
  });

  test("an object of several overlays says which of them is judged, and how to choose", () =>
    checkHover(
      `
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- dev/kustomization.yaml
      resources: [../base]
      #- prod/kustomization.yaml
      resources: [../base]
      namespace: prod
    `,
      [
        "As built by dev; prod builds it differently. `kustomization` in claimcheck.yaml says which one is judged.",
      ],
    ));

  test("an object without a state of its own lists its references, if it exists to be referenced", async () => {
    const set = `
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: db, image: db }] }
    `;
    const service = `
      #- all.yaml
      apiVersion: v1
      kind: Service
      metadata: { name: d$0b }
      spec: { clusterIP: None, ports: [{ port: 5432 }] }
    `;
    const config = `
      #- all.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: d$0b }
    `;
    await checkHover(`${service}${set}`, ["**Service db is named by one object** · generic", "db"]);
    await checkHover(service, ["**Service db** · generic"]);
    await checkHover(config, ["**ConfigMap db is named by no object** · generic"]);
  });

  test("a driver that is only declared by a CSIDriver says that this installs nothing", () =>
    checkHover(
      `
      #- driver.yaml
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: disks.exam$0ple.com }
      spec: { attachRequired: false }
    `,
      ["**Driver disks.example.com is registered", "A CSIDriver alone installs nothing"],
    ));

  test("a bound claim says what becomes of its data when it is deleted", async () => {
    const bound = (reclaimPolicy: string): string => `
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: disks.example.com
      reclaimPolicy: ${reclaimPolicy}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    await checkHover(bound("Delete"), ["Deleting the claim deletes the volume with its data"]);
    await checkHover(bound("Retain"), ["Deleting the claim leaves the volume with its data"]);
  });

  test("a pod's volume shows its claim", () => checkHover(pair("pod"), claimLines.slice(0, 2)));

  test("a volume says which claim has it", () =>
    checkHover(pair("volume"), ["**Volume small is Available: no claim has it** · bare-metal"]));

  test("a class lists the claims that use it", () =>
    checkHover(pair("class"), [
      "**Class manual: 0 of 1 claims bound** · bare-metal",
      "Provisioner `kubernetes.io/no-provisioner`",
      "Claim data",
    ]));

  test("a field shows its API documentation", () =>
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

  test("a field with fields of its own shows their type's API documentation", () =>
    checkHover(
      `
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          containers: [{ name: c, image: i }]
          volumes: [{ name: v, host$0Path: { path: /x } }]
      `,
      ["`hostPath`: HostPathVolumeSource", "Represents a host path mapped into a pod"],
    ));

  test("a field that older servers do not know says since which version they do", () =>
    checkHover(
      `
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          host$0nameOverride: www
          containers: [{ name: c, image: i }]
      `,
      [
        "`hostnameOverride`: string",
        "Servers know it from Kubernetes 1.34 on and keep it from 1.35 on.",
      ],
    ));

  test("a claim template lists the claims made from it", () =>
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

  test("a claim template does not list claims of a StatefulSet whose name starts with its own set's name", () => {
    const set = (name: string, replicas: number, template: string): string => `
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: { name: ${name} }
        spec:
          replicas: ${replicas}
          serviceName: db
          selector: { matchLabels: { a: ${name} } }
          template:
            metadata: { labels: { a: ${name} } }
            spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
          volumeClaimTemplates:
            - metadata: { name: ${template} }
              spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        ---`;
    return checkHover(
      `
        #- claimcheck.yaml
        profile: eks
        #- db.yaml${set("db-replica", 3, "data")}${set("db", 2, "da$0ta")}
      `,
      ["One of 2 claims from this template."],
    );
  });

  test("a Released volume is not compared with a new claim of its claim's name that has another volume", async () => {
    const text = `
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: le$0ft }
      spec: { storageClassName: manual, capacity: { storage: 5Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x }, claimRef: { namespace: default, name: data, uid: gone } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 5Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /y } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
    `;
    const { analysis, prediction, file, offset } = await atCursor(text, true);
    const found = hover(analysis, prediction, file, offset)?.text ?? "";
    assert.match(found, /Volume left is Released/);
    assert.doesNotMatch(found, /\| size \|/);
  });

  test("a bound pair is compared side by side, in few lines", async () => {
    const text = `
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 5Gi }, accessModes: [ReadWriteOnce, ReadOnlyMany], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
    `;
    await checkHover(text, [
      '**Claim data is bound to volume "disk" of 5Gi** · bare-metal',
      "| | [Claim data](file:///workspace/all.yaml#L8) | [Volume disk](file:///workspace/all.yaml#L3) |",
      "| size | `2Gi` | `5Gi` |",
      "| access modes | `ReadWriteOnce` | `ReadWriteOnce ReadOnlyMany` |",
    ]);
  });

  const load = (kind: "Pod" | "Job", count = 6): string => `
    #- claimcheck.yaml
    profile: eks
    #- all.yaml
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
    ---
    apiVersion: v1
    kind: Pod
    metadata: { name: ${kind === "Pod" ? "w$0eb" : "web"} }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: own, mountPath: /o }, { name: tmp, mountPath: /t }] }]
      volumes:
        - { name: own, persistentVolumeClaim: { claimName: data } }
        - { name: tmp, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } } }
        - { name: a, projected: { sources: [{ configMap: { name: kube-root-ca.crt } }] } }
        - { name: b, emptyDir: {} }
        - { name: c, emptyDir: {} }
        - { name: d, emptyDir: {} }
        - { name: kube-api-access-7kx2p, projected: { sources: [{ serviceAccountToken: { path: token } }] } }
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: { name: ${kind === "Job" ? "lo$0ad" : "load"} }
    spec:
      completions: ${count}
      parallelism: ${count}
      template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } }
  `;

  test("a pod lists its volumes with their type, and whether their disks are attached to its node", () =>
    checkHover(load("Pod"), [
      "**Pod web runs on ip-10-0-1-2** · eks",
      "| volume | is | |",
      "| own | [Claim data](file:///workspace/all.yaml#L3) | Bound, attached to ip-10-0-1-2 |",
      "| tmp | [Claim web-tmp](file:///workspace/all.yaml#L13) | Bound, attached to ip-10-0-1-2 |",
      "| a | projected | |\n",
      // The token volume that every pod gets is not counted.
      "\n\nand 1 more",
    ]));

  test("a Job lists the nodes of its pods", () =>
    checkHover(load("Job"), [
      "**Job load has 6 of 6 pods ready or done** · eks",
      "| pod | node | phase |",
      ") | ip-10-0-1-2 | Running |\n",
      "\n\nand 1 more",
    ]));

  test("a Job does not mention more pods if all are listed", async () => {
    const { analysis, prediction, file, offset } = await atCursor(load("Job", 5), true);
    const { text = "" } = hover(analysis, prediction, file, offset) ?? {};
    assert.equal(text.match(/Running/g)?.length, 5);
    assert.doesNotMatch(text, / more/);
  });

  test("the kind in a reference is distinguished from the object's own kind", async () => {
    const copy = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec:
        dataSource: { ki$0nd: PersistentVolumeClaim, name: data }`;
    await checkHover(copy, ["`kind`: string", "Kind is the type of resource being referenced"]);
  });

  test("an object of the assumed cluster says that it is from there", () =>
    checkHover(
      `
        #- claimcheck.yaml
        profile: kind
        #- claim.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: stan$0dard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      `,
      [
        "**Class standard: 0 of 1 claims bound**, the default class · kind",
        "It is part of the assumed cluster “kind”: no file in the workspace defines it.",
      ],
    ));

  test("values say what they mean in their field", async () => {
    const claim = (spec: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, annotations: { volume.beta.kubernetes.io/storage-class: a } }
      spec: { ${spec} }
    `;
    await checkHover(claim("accessModes: [ReadWrite$0Many]"), [
      "`ReadWriteMany`: many nodes may write",
    ]);
    await checkHover(claim("resources: { requests: { storage: 1$00G } }"), [
      "`10G` is 10,000,000,000 bytes, about 9.31Gi",
    ]);
    await checkHover(claim('storageClassName: "$0"'), ['`""`: no class.']);
    await checkHover(claim("volumeMode: Blo$0ck"), ["`Block`: a raw device"]);
    await checkHover(claim("x: y").replace("storage-class:", "storage$0-class:"), [
      "`volume.beta.kubernetes.io/storage-class: a`",
      "takes precedence over spec.storageClassName",
    ]);
  });

  test("an empty class is explained differently for a claim and a volume", async () => {
    const emptied = (kind: string, more: string): string => `
      apiVersion: v1
      kind: ${kind}
      metadata: { name: data }
      spec: { storageClassName: "$0", accessModes: [ReadWriteOnce], ${more} }
    `;
    await checkHover(
      emptied("PersistentVolumeClaim", "resources: { requests: { storage: 1Gi } }"),
      ["no class. Only volumes without a class fit, nothing is provisioned"],
    );
    await checkHover(
      emptied("PersistentVolume", "capacity: { storage: 1Gi }, nfs: { server: s, path: /x }"),
      ['no class, as without the field. Claims with `storageClassName: ""` find it.'],
    );
    const named = emptied("PersistentVolume", "nfs: { server: s, path: /x }").replace("$0", "a$0");
    const { analysis, prediction, file, offset } = await atCursor(named, true);
    assert.doesNotMatch(hover(analysis, prediction, file, offset)?.text ?? "", /no class/);
  });

  test("a parameter says whether the driver, the sidecars or nothing reads it", async () => {
    const storageClass = (parameter: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      parameters: { ${parameter} }
    `;
    await checkHover(storageClass("ty$0pe: gp3"), ["`type`: a parameter of "]);
    await checkHover(storageClass("csi.storage.k8s.io/fs$0type: xfs"), ["the file system that"]);
    await checkHover(storageClass("colo$0r: red"), ["reads no such parameter. It reads `"]);
  });

  test("a parameter of an attributes or snapshot class is not judged as one of a storage class", async () => {
    const attributes = (driver: string, parameter: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: ${driver}
      parameters: { ${parameter} }
    `;
    const disks = "pd.csi.storage.gke.io";
    const pd = "Google Compute Engine Persistent Disk";
    await checkHover(attributes(disks, 'io$0ps: "3000"'), [`\`iops\`: a parameter of ${pd}.`]);
    await checkHover(attributes(disks, "ty$0pe: pd-ssd"), [
      `\`type\`: ${pd} reads no such parameter. It reads \`iops\`, \`throughput\`.`,
    ]);
    await checkHover(attributes("disk.csi.azure.com", "skuna$0me: Premium_LRS"), [
      "`skuname`: a parameter of Azure Disk.",
    ]);
    const snapshots = (driver: string, parameter: string): string => `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: daily }
      driver: ${driver}
      deletionPolicy: Delete
      parameters: { ${parameter} }
    `;
    await checkHover(snapshots(disks, "storage-loc$0ations: us"), [
      `\`storage-locations\`: a parameter of ${pd}.`,
    ]);
    await checkHover(snapshots("driver.longhorn.io", "ty$0pe: bak"), [
      "`type`: read by `driver.longhorn.io`; Kubernetes passes it on unchanged.",
    ]);
  });

  test("a parameter says whether the driver requires it, even for provisioners of directories", async () => {
    const storageClass = (provisioner: string, parameter: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ${provisioner}
      parameters: { ${parameter} }
    `;
    await checkHover(storageClass("rbd.csi.ceph.com", "clus$0terID: c"), [
      "`clusterID`: a parameter of Ceph RBD, which needs it.",
    ]);
    await checkHover(storageClass("rancher.io/local-path", "pathPat$0tern: x"), [
      "`pathPattern`: a parameter of rancher.io/local-path.",
    ]);
    await checkHover(storageClass("ebs.csi.aws.com", "Ty$0pe: gp3"), ["`Type`: a parameter of "]);
  });

  test("a driver says where it runs, or what it can do if it is not installed", async () => {
    const text = (profile: string): string => `
      #- claimcheck.yaml
      profile: ${profile}
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi$0.aws.com
    `;
    await checkHover(text("eks"), [
      "**Driver ebs.csi.aws.com is registered on 3 of 3 nodes** · eks",
    ]);
    await checkHover(text("kind"), [
      "**Driver ebs.csi.aws.com is not installed in this cluster** · kind",
      "| access modes | ReadWriteOnce ReadWriteOncePod |",
    ]);
  });

  test("a mount shows what it mounts", () =>
    checkHover(
      pair("claim")
        .replace("$0", "")

        .replace("volumeMounts: [{ name: v", "volumeMounts: [{ name: $0v"),
      ["**Claim data stays Pending"],
    ));

  test("a quota shows what is charged to it at rest", () =>
    checkHover(
      `
        #- claimcheck.yaml
        profile: bare-metal
        #- all.yaml
        apiVersion: v1
        kind: ResourceQuota
        metadata: { name: sto$0rage }
        spec: { hard: { requests.storage: 5Gi, persistentvolumeclaims: "3" } }
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
      `,
      [
        "**ResourceQuota storage** · bare-metal",
        "| resource | used | hard |",
        "| persistentvolumeclaims | 1 | 3 |",
        "| requests.storage | 2Gi | 5Gi |",
      ],
    ));

  test("the hover's range is the key or the value under the cursor", async () => {
    const claim = (metadata: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        ${metadata}
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
    `;
    for (const [marked, told] of [
      ["na$0me: data", "name"],
      ["name: da$0ta", "data"],
    ] as const) {
      const { analysis, prediction, file, offset } = await atCursor(claim(marked), true);
      const { start = 0, end = 0 } = hover(analysis, prediction, file, offset)?.span ?? {};
      assert.equal(file.manifest.text.slice(start, end), told);
    }
  });

  test("links to commands are only for a client that supports them", async () => {
    const { analysis, prediction, file, offset } = await atCursor(pair("claim"), true);
    const plain = hover(analysis, prediction, file, offset)?.text ?? "";
    const linked = hover(analysis, prediction, file, offset, { commandLinks: true })?.text ?? "";
    assert.doesNotMatch(plain, /command:/);
    assert.match(linked, /\[Explain\]\(command:claimcheck\.explain\?%5B%7B%22uri/);
    assert.ok(linked.split("\n").length <= 18, linked);
  });
});
