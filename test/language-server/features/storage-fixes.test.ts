/** Fixes that need another class, another driver or another kind of volume: afterwards their finding is gone. */
import assert from "node:assert/strict";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import { actionsAtCursor, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

interface Offer {
  readonly title: string;
  /** The file with the cursor after the fix. */
  readonly text: string;
  /** The codes of its findings after the fix. */
  readonly codes: readonly string[];
  readonly isPreferred: boolean;
}

/** The fixes of the rule's finding at the cursor. */
async function offersFor(rule: string, text: string): Promise<readonly Offer[]> {
  const fixture = readFixture(text);
  const name = fixture.cursor?.file ?? "";
  const actions = actionsAtCursor(await loadFixture(fixture, true), fixture).filter(
    ({ diagnostic, title }) => diagnostic?.code === rule && !title.startsWith("Ignore"),
  );
  return Promise.all(
    actions.map(async (action: CodeAction) => {
      const files = afterAction(fixture.files, action);
      const after = await loadFixture({ files, labels: [] }, true);
      const codes = findingsOf(after, memoryUri(name)).map(({ code }) => code);
      assert.ok(!codes.includes(rule), `${action.title}:\n${files.get(name)}`);
      const { title, isPreferred = false } = action;
      return { title, text: files.get(name) ?? "", codes, isPreferred };
    }),
  );
}

const storageClass = (name: string, provisioner: string, more = ""): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: ${provisioner}
      volumeBindingMode: WaitForFirstConsumer${more}
      ---`;

const disks: string = storageClass("disks", "ebs.csi.aws.com");
const shares: string = storageClass(
  "shares",
  "efs.csi.aws.com",
  '\n      parameters: { provisioningMode: efs-ap, fileSystemId: fs-1, directoryPerms: "700" }',
);

const claim = (className: string, more = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ${className}
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 10Gi } }${more}
      ---`;

const workload = (kind: string, spec: string, apiVersion = "apps/v1"): string => `
      apiVersion: ${apiVersion}
      kind: ${kind}
      metadata: { name: web }
      spec:
        ${spec}
        ${kind === "Job" ? "" : "selector: { matchLabels: { app: web } }"}
        template:
          metadata: { labels: { app: web } }
          spec:
            ${kind === "Job" ? "restartPolicy: Never" : ""}
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes:
              - name: data
                persistentVolumeClaim: { claimName: da$0ta }
    `;

const onEks = (objects: string): string => `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml${objects}`;

suite("several pods that use a claim for one node", () => {
  test("get as safest fix one pod, with strategy Recreate in a Deployment, then a class of shares", async () => {
    const objects = disks + shares + claim("disks") + workload("Deployment", "replicas: 3");
    const [one, many, ...others] = await offersFor("rwo-replicas", onEks(objects));
    assert.equal(
      one?.title,
      "Run one Pod, and end it before the next one starts (replicas, strategy)",
    );
    assert.match(one.text, /\n {2}replicas: 1\n[\s\S]*\n {2}strategy:\n {4}type: Recreate/);
    assert.equal(
      many?.title,
      "Let several nodes use claim “data”: ReadWriteMany of class “shares” (recreate the claim)",
    );
    assert.match(many.text, /storageClassName: shares\n {2}accessModes: \[ReadWriteMany\]\n/);
    assert.deepEqual(others, []);
    assert.deepEqual([...one.codes, ...many.codes], []);
    assert.deepEqual([one.isPreferred, many.isPreferred], [true, false]);
  });

  test("get no shared volume for a raw device, as programs rarely support a shared one", async () => {
    const copies = storageClass("copies", "driver.longhorn.io");
    const device = workload("StatefulSet", "replicas: 2\n        serviceName: web").replace(
      "volumeMounts: [{ name: data, mountPath: /d }]",
      "volumeDevices: [{ name: data, devicePath: /dev/d }]",
    );
    const text = `
      #- claimcheck.yaml
      profile: longhorn
      #- all.yaml${copies}${claim("copies", "\n        volumeMode: Block")}${device}`;
    const offers = await offersFor("statefulset-direct-claim", text);
    assert.deepEqual(
      offers.map(({ title }) => title),
      ["Run one Pod (replicas)"],
    );
  });

  test("keep the class if its driver can share volumes", async () => {
    const copies = storageClass("copies", "driver.longhorn.io");
    const text = `
      #- claimcheck.yaml
      profile: longhorn
      #- all.yaml${copies}${claim("copies")}${workload("StatefulSet", "replicas: 2\n        serviceName: web")}`;
    const [, many, ...others] = await offersFor("statefulset-direct-claim", text);
    assert.equal(
      many?.title,
      "Let several nodes use claim “data”: ReadWriteMany (recreate the claim)",
    );
    assert.match(many.text, /storageClassName: copies\n {2}accessModes: \[ReadWriteMany\]\n/);
    assert.deepEqual(others, []);
  });

  test("are not reduced to one pod if an autoscaler scales them or the strategy sets maxSurge", async () => {
    const autoscaler = `
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 3 }`;
    const surging = "strategy: { rollingUpdate: { maxSurge: 1 } }\n        replicas: 3";
    for (const text of [
      `${workload("Deployment", "replicas: 3").trimEnd()}${autoscaler}`,
      workload("Deployment", surging),
    ])
      assert.deepEqual(await offersFor("rwo-replicas", onEks(disks + claim("disks") + text)), []);
  });

  test("keep the class of a copy and of a claim with a given volume", async () => {
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: disks
        capacity: { storage: 10Gi }
        accessModes: [ReadWriteOnce]
        csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1 }
      ---`;
    const copy = claim("disks", "\n        dataSource: { kind: PersistentVolumeClaim, name: a }");
    for (const objects of [copy, volume + claim("disks", "\n        volumeName: disk")]) {
      const text = onEks(disks + shares + objects + workload("Deployment", "replicas: 3"));
      const titles = (await offersFor("rwo-replicas", text)).map(({ title }) => title);
      assert.deepEqual(titles, [
        "Run one Pod, and end it before the next one starts (replicas, strategy)",
      ]);
    }
  });

  test("can get a volume each, in a DaemonSet or a Job, specified like the claim", async () => {
    for (const [rule, made] of [
      ["daemonset-rwo", workload("DaemonSet", "minReadySeconds: 1")],
      ["job-parallel-rwo", workload("Job", "parallelism: 3", "batch/v1")],
    ] as const) {
      const offers = await offersFor(rule, onEks(disks + claim("disks") + made));
      const each = offers.at(-1);
      assert.equal(each?.title, "Give each Pod a volume of its own, deleted with it (ephemeral)");
      assert.ok(
        each.text.includes(`
        - name: data
          ephemeral:
            volumeClaimTemplate:
              spec:
                storageClassName: disks
                accessModes:
                  - ReadWriteOnce
                resources:
                  requests:
                    storage: 10Gi
`),
        each.text,
      );
      assert.deepEqual(new Set(each.codes), new Set(["class-wffc-no-consumer"]));
    }
  });
});

suite("an inline volume of a driver that only takes claims", () => {
  const pod = (more: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, csi: { driver: ebs.csi$0.aws.com${more} } }]`;

  test("becomes an ephemeral volume of a class of the driver", async () => {
    const text = onEks(shares + disks + pod(", fsType: ext4"));
    const offers = await offersFor("csi-ephemeral-undeclared", text);
    assert.deepEqual(
      offers.map(({ title }) => title),
      [
        "Use an ephemeral volume of class “disks” for each Pod",
        "Use an ephemeral volume of class “gp2” for each Pod",
      ],
    );
    assert.ok(
      offers[0]?.text.includes(
        "{ name: data, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: disks,",
      ),
      offers[0]?.text,
    );
    assert.deepEqual(offers[0]?.codes, []);
  });

  test("is left alone if it has volumeAttributes or is read-only", async () => {
    for (const more of [", volumeAttributes: { a: b }", ", readOnly: true"])
      assert.deepEqual(await offersFor("csi-ephemeral-undeclared", onEks(disks + pod(more))), []);
  });
});

suite("a snapshot whose class is of another driver", () => {
  const snapshotClass = (name: string, driver: string): string => `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: ${name} }
      driver: ${driver}
      deletionPolicy: Delete
      ---`;
  const files = (classes: string, named = "volumeSnapshotClassName: dai$0ly"): string => `
      #- claimcheck.yaml
      profile: longhorn
      #- all.yaml${storageClass("copies", "driver.longhorn.io").replace("WaitForFirstConsumer", "Immediate")}${claim("copies")}${classes}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec:
        ${named}
        source: { persistentVolumeClaimName: data }
    `;
  const rule = "snapshot-class-driver";
  const other: string = snapshotClass("daily", "ebs.csi.aws.com");

  test("takes a class of its volume's driver", async () => {
    const right = snapshotClass("hourly", "driver.longhorn.io");
    const offers = await offersFor(rule, files(other + right));
    assert.deepEqual(
      offers.map(({ title }) => title),
      ["Use VolumeSnapshotClass “hourly”"],
    );
    const codes = offers[0]?.codes ?? [];
    assert.ok(!codes.some((code) => code.startsWith("snapshot")), codes.join());
  });

  test("gets a new class if there is none", async () => {
    const [offer, ...others] = await offersFor(rule, files(other));
    assert.equal(offer?.title, "Create and use a snapshot class for driver “driver.longhorn.io”");
    assert.ok(!offer.codes.some((code) => code.startsWith("snapshot")), offer.codes.join());
    assert.deepEqual(others, []);
  });

  const secret = (use: string, name = "login"): string =>
    `csi.storage.k8s.io/${use}-name: ${name}, csi.storage.k8s.io/${use}-namespace: default`;
  const ofClass = (parameters: string): string =>
    files(other).replace(
      /(provisioner: \S+\n)/,
      (line) => `${line}      parameters: ${parameters}\n`,
    );
  const onCeph = (keys: string): string =>
    ofClass(`{ clusterID: c, pool: p, ${keys} }`)
      .replace("profile: longhorn", "profile: rook-ceph")
      .replace("driver.longhorn.io", "rook-ceph.rbd.csi.ceph.com");

  test("gets a new class with the secret and the cluster of the claim's class, if the driver requires them", async () => {
    for (const use of ["secret", "provisioner-secret"]) {
      const written = onCeph(secret(use));
      const login =
        "\n      #- login.yaml\n      { apiVersion: v1, kind: Secret, metadata: { name: login }, data: {} }";
      const [offer] = await offersFor(rule, `${written.trimEnd()}${login}`);
      const parameters = new RegExp(
        `parameters:\\s+${secret("snapshotter-secret").replace(", ", "\\s+")}\\s+clusterID: c\\n`,
      );
      assert.match(offer?.text ?? "", parameters);
      assert.ok(!offer?.codes.some((code) => code.startsWith("snapshot")), offer?.codes.join());
    }
  });

  test("gets a new class without a secret if each claim has its own or the driver requires none", async () => {
    for (const text of [
      onCeph(secret("secret", '"${pvc.name}"')),
      ofClass(`{ ${secret("secret")} }`),
    ]) {
      const [offer] = await offersFor(rule, text);
      assert.match(offer?.title ?? "", /^Create and use a snapshot class /);
      assert.doesNotMatch(offer?.text ?? "", /snapshotter-secret/);
    }
  });
});

suite("a database whose data directory is the volume's root", () => {
  const pod = (fields: string): string => `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml${disks}${claim("disks")}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: db }
      spec:
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        ${fields}`;
  const container = (env: string, more = ""): string => `containers:
          - name: postgres
            image: postgres:16
            ${env}
            volumeMounts: [{ name: data, mountPath: /var/lib/post$0gresql/data${more} }]`;
  const below = "/var/lib/postgresql/data/pgdata";

  test("gets a directory below it, with one slash between the two", async () => {
    const mounted = container("workingDir: /").replace("/data }", "/data/ }");
    const [offer] = await offersFor("data-dir-lost-found", pod(mounted));
    assert.equal(offer?.title, `Set PGDATA to ${below}`);
  });

  test("gets a directory below it, wherever its variables are", async () => {
    const variables: readonly (readonly [string, string])[] = [
      ["workingDir: /", `env: - name: PGDATA value: ${below}`],
      ["env:\n              - { name: TZ, value: UTC }", `- { name: PGDATA, value: ${below} }`],
      [
        "env: [{ name: PGDATA, value: /var/lib/postgresql/data }]",
        `env: [{ name: PGDATA, value: ${below} }]`,
      ],
    ];
    for (const [env, written] of variables) {
      const offers = await offersFor("data-dir-lost-found", pod(container(env)));
      const offer = offers.find(({ title }) => title === `Set PGDATA to ${below}`);
      assert.ok(offer?.text.replace(/\s+/g, " ").includes(written), offer?.text);
    }
  });

  test("gets a directory below it if its user may not change the root's mode", async () => {
    const user = "securityContext: { runAsUser: 999, fsGroup: 999 }";
    const offers = await offersFor(
      "data-dir-owned-by-root",
      pod(`${user}\n        ${container("env: []", ", subPath: data")}`),
    );
    assert.deepEqual(offers, []);
    const [offer, ...others] = await offersFor(
      "data-dir-owned-by-root",
      pod(`${user}\n        ${container("workingDir: /", ", subPath: data")}`),
    );
    assert.deepEqual([offer?.title, others], [`Set PGDATA to ${below}`, []]);
  });
});

suite("a probe of a port name that its container lacks", () => {
  const asks = (ports: string): string => {
    const probe = "readinessProbe: { httpGet: { port: ht$0tp } }";
    const web = workload("Deployment", "replicas: 1").replace("da$0ta", "data");
    return onEks(
      disks + claim("disks") + web.replace("image: i", `image: i, ports: [${ports}], ${probe}`),
    );
  };

  test("is changed to the only port, or that port gets the name", async () => {
    const named = async (ports: string): Promise<readonly string[]> =>
      (await offersFor("pod-does-not-start", asks(ports))).map(
        ({ title, text, codes }) =>
          `${title}: ${/ports: .* } }/.exec(text)?.[0]}${codes.includes("api-refused")}`,
      );
    assert.deepEqual(await named("{ containerPort: 80 }"), [
      'Name port 80 "http": ports: [{ containerPort: 80, name: http }], readinessProbe: { httpGet: { port: http } }false',
      "Ask port 80: ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 80 } }false",
    ]);
    assert.deepEqual(await named("{ containerPort: 80, name: web }"), [
      "Ask port web: ports: [{ containerPort: 80, name: web }], readinessProbe: { httpGet: { port: web } }false",
    ]);
  });
});

suite("an inline volume that its driver mounts only read-only", () => {
  test("becomes read-only", async () => {
    const csi = "driver: secrets-store.csi.k8s.io, volumeAttributes: { secretProviderClass: keys }";
    const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: app }
      spec:
        containers: [{ name: app, image: busybox, volumeMounts: [{ name: keys, mountPath: /keys }] }]
        volumes:
          - name: keys
            c$0si: { ${csi} }`;
    const [offer] = await offersFor("pod-does-not-start", onEks(pod));
    assert.match(offer?.text ?? "", /, readOnly: true }/);
    assert.ok(!offer?.codes.includes("api-refused"));
  });
});

suite("a decimal size", () => {
  const volume = (capacity: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: manual
        accessModes: [ReadWriteOnce]
        capacity: { storage: ${capacity} }
        nfs: { server: a, path: / }
      ---`;
  const request = "resources: { requests: { storage: 10Gi } }";
  const sized = claim("manual").replace("10Gi", "10G$0");
  const template = `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { storageClassName: manual, accessModes: [ReadWriteOnce], ${request.replace("10Gi", "10G$0")} }`;

  test("is increased together with the volume that would be too small for it", async () => {
    for (const asking of [sized, template]) {
      const offers = await offersFor("quantity-decimal", onEks(volume("10G") + asking));
      assert.deepEqual(
        offers.map(({ title, codes }) => [title, codes.includes("quantity-decimal")]),
        [["Change to 10Gi, and volume “disk” with it", false]],
      );
      assert.equal(offers[0]?.text.match(/storage: 10Gi/g)?.length, 2);
    }
  });

  test("is increased alone if the volume is large enough", async () => {
    const [offer, ...others] = await offersFor("quantity-decimal", onEks(volume("20Gi") + sized));
    assert.deepEqual([offer?.title, others], ["Change to 10Gi", []]);
  });

  test("is not part of fixing all if its volume is in another file", async () => {
    const fixture = readFixture(`
      #- volume.yaml${volume("10G").replace(/\n *---$/, "")}
      #- claim.yaml${sized}`);
    const service = await loadFixture(fixture, true);
    assert.ok(actionsAtCursor(service, fixture).every(({ kind }) => kind !== "source.fixAll"));
  });
});

suite("an image that writes to a read-only root", () => {
  const pod = (container: string, volumes = ""): string => `
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: web
            image: nginx:1.29
            securityContext: { readOnlyRootFilesystem: tr$0ue }
            ${container}
        ${volumes}`;
  const [run, cache] = ["{ name: run, mountPath: /run }", "mountPath: /var/cache/nginx"];

  for (const [what, container, volumes, title, written] of [
    [
      "each directory",
      "imagePullPolicy: Always",
      "restartPolicy: Always",
      "Mount an emptyDir at /var/cache/nginx and /run",
      "volumeMounts: - name: var-cache-nginx mountPath: /var/cache/nginx - name: run mountPath: /run",
    ],
    [
      "each directory, after other volumes",
      "volumeMounts:\n              - { name: run, mountPath: /data }",
      "volumes:\n          - { name: run, emptyDir: {} }",
      "Mount an emptyDir at /var/cache/nginx and /run",
      "- { name: run, mountPath: /data } - { name: run-scratch, mountPath: /run }",
    ],
    [
      "the directory that lacks one",
      `volumeMounts: [${run}]`,
      "volumes: [{ name: run, emptyDir: {} }]",
      "Mount an emptyDir at /var/cache/nginx",
      `volumeMounts: [${run}, { name: var-cache-nginx, ${cache} }]`,
    ],
  ] as const)
    test(`gets an empty volume at ${what}`, async () => {
      const offers = await offersFor("root-read-only", pod(container, volumes));
      assert.deepEqual(
        offers.map((offer) => [offer.title, offer.codes]),
        [[title, []]],
      );
      assert.ok(offers[0]?.text.replace(/\s+/g, " ").includes(written), offers[0]?.text);
    });
});

suite("a chown that has no effect on an SMB share", () => {
  const share = (options: string): string => `
      #- claimcheck.yaml
      drivers: [{ name: smb.csi.k8s.io }]
      rules: { class-secret-missing: off }
      #- all.yaml${claim("shares").replace("\n      ---", "")}
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: smb.csi.k8s.io${options}
      parameters: { source: //files.example.com/data }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        initContainers:
          - name: owner
            image: busybox
            command: [ch$0own, "1000:2000", /data]
            volumeMounts: [{ name: data, mountPath: /data }]
        containers:
          - { name: web, image: example.com/web, volumeMounts: [{ name: data, mountPath: /data }] }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `;

  for (const [what, options, written] of [
    ["no mount options", "", "mountOptions: - uid=1000 - gid=2000"],
    [
      "other mount options",
      "\n      mountOptions: [vers=3.0]",
      "mountOptions: [vers=3.0, gid=2000, uid=1000]",
    ],
  ] as const)
    test(`gets the owner in the class, which has ${what}`, async () => {
      const [offer, ...others] = await offersFor("chown-without-effect", share(options));
      assert.deepEqual(
        [offer?.title, others],
        ["Give StorageClass “shares” uid=1000 and gid=2000", []],
      );
      assert.ok(offer?.text.replace(/\s+/g, " ").includes(written), offer?.text);
    });
});

suite("a database whose data directory is on no volume", () => {
  const pod = (env: string): string => `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml${disks}${claim("disks")}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      data: { DATA: /srv/db }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: db }
      spec:
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        containers:
          - name: postgres
            image: postgres:16
            ${env}
            volumeMounts: [{ name: data, mountPath: /va$0r/lib/data }]`;

  for (const [what, env, directory] of [
    ["the image's default", "workingDir: /", "/var/lib/postgresql/data"],
    ["the directory in its variable", "env: [{ name: PGDATA, value: /srv/db }]", "/srv/db"],
    [
      "the directory in a ConfigMap's variable",
      "envFrom: [{ prefix: PG, configMapRef: { name: settings } }]",
      "/srv/db",
    ],
    [
      "the image's volume if the directory is in it",
      "env: [{ name: PGDATA, value: /var/lib/postgresql/data/db }]",
      "/var/lib/postgresql/data",
    ],
  ] as const)
    test(`gets its volume mounted at ${what}`, async () => {
      const [offer] = await offersFor("data-dir-not-mounted", pod(env));
      assert.equal(offer?.title, `Set mountPath to ${directory}`);
    });
});
