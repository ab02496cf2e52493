import assert from "node:assert/strict";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { actionsAtCursor, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { type Fixture, readFixture } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

interface Answer {
  readonly fixture: Fixture;
  readonly actions: readonly CodeAction[];
}

async function actionsAt(text: string): Promise<Answer> {
  const fixture = readFixture(text);
  return { fixture, actions: actionsAtCursor(await loadFixture(fixture, true), fixture) };
}

/** Returns the text of a changed file after the action whose title starts with `title`. */
function applied({ fixture, actions }: Answer, title: string): (name: string) => string {
  const action = actions.find((candidate) => candidate.title.startsWith(title));
  assert.ok(action !== undefined, `only: ${actions.map((one) => one.title).join("; ")}`);
  return (name) => {
    const after = afterAction(fixture.files, action).get(name);
    assert.ok(after !== undefined && after !== fixture.files.get(name), `no edit of ${name}`);
    return after;
  };
}

const noProvisioner = `apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer`;

/** The codes of all findings in the files. */
async function codesOf(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const service = await loadFixture({ files, labels: [] }, true);
  return [...files.keys()].flatMap((name) =>
    findingsOf(service, memoryUri(name)).map(({ code }) => code),
  );
}

const withoutClass = `
  #- claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: fa$0st
    resources: { requests: { storage: 1Gi } }
`;

suite("code actions", () => {
  test("an action's title says only what it does, even if the finding names an alternative", async () => {
    const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: eks
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: disks
        accessModes: [ReadWrite$0Many]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
    `);
    assert.equal(actions[0]?.title, "Ask for ReadWriteOnce only");
  });

  test("a class whose zone has no node is offered the zones of the files' nodes, never those of assumed nodes", async () => {
    const offered = async (nodes: string): Promise<readonly string[]> => {
      const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: far }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: Immediate
      allowedTopologies:
        - matchLabelExpressions:
            - { key: topology.kubernetes.io/zone, values: [mars$0-1a] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: far
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ${nodes}
    `);
      return actions.filter(({ title }) => title.startsWith("Let class")).map(({ title }) => title);
    };
    const node = `---
      apiVersion: v1
      kind: Node
      metadata: { name: own, labels: { topology.kubernetes.io/zone: eu-a } }`;
    assert.deepEqual(await offered(node), [
      'Let class "far" make volumes where topology.kubernetes.io/zone is eu-a',
    ]);
    assert.deepEqual(await offered(""), []);
  });

  for (const place of ["here", "in this file", "in the project"]) {
    test(`a finding is silenced ${place}, without an unused-suppression finding afterwards`, async () => {
      const answer = await actionsAt(withoutClass);
      const text = applied(answer, `Ignore “pvc-class-missing” ${place}`);
      const name = place === "in the project" ? "claimcheck.yaml" : "claim.yaml";
      const codes = await codesOf(new Map([...answer.fixture.files, [name, text(name)]]));
      assert.ok(!codes.includes("pvc-class-missing") && !codes.includes("unused-suppression"));
    });
  }

  test("a suppression that silences nothing is removed, wherever it is, without the text around it", async () => {
    const rule = "pvc-class-empty";
    const claim = (annotations: string, behind: string): string =>
      `apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data${annotations} }
      spec:
        accessModes: [ReadWriteOnce]${behind}
        resources: { requests: { storage: 1Gi } }
      `;
    const project = "profile: kind\n";
    const entry = (id: string): string => `  - { rule: ${id}, files: "*.yaml" }\n`;
    const cases: readonly (readonly [before: string, after: string, name?: string])[] = [
      [claim("", ` # claimcheck-ignore ${rule}$0: old`), claim("", "")],
      [claim("", `\n        # claimcheck-ignore ${rule}$0`), claim("", "")],
      [
        claim("", ` # claimcheck-ignore class-unknown, ${rule}$0: old`),
        claim("", " # claimcheck-ignore class-unknown: old"),
      ],
      [
        claim("", ` # claimcheck-ignore ${rule}$0, class-unknown: old`),
        claim("", " # claimcheck-ignore class-unknown: old"),
      ],
      [
        claim(`, annotations: { team: a, claimcheck.dev/ignore: "${rule}$0" }`, ""),
        claim(", annotations: { team: a }", ""),
      ],
      [
        `${project}suppressions:\n${entry(`${rule}$0`)}${entry("pv-unclaimed")}`,
        `${project}suppressions:\n${entry("pv-unclaimed")}`,
        "claimcheck.yaml",
      ],
      [`${project}suppressions:\n${entry(`${rule}$0`)}`, project, "claimcheck.yaml"],
    ];
    for (const [before, after, name = "claim.yaml"] of cases) {
      const other = name === "claim.yaml" ? "" : `#- claim.yaml\n${claim("", "")}\n`;
      const marked = `${other}#- ${name}\n${before}`.replace(/^ {6}/gm, "");
      const answer = await actionsAt(marked);
      assert.equal(applied(answer, `Remove “${rule}”`)(name), after.replace(/^ {6}/gm, ""));
      assert.ok(answer.actions.every(({ title }) => !title.startsWith("Change to")));
    }
  });

  test("a misspelled rule in a suppression is offered its correction", async () => {
    const answer = await actionsAt(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: "" # claimcheck-ignore pvc-clas-emp$0ty, pvc-unused: made by hand
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `);
    assert.match(
      applied(answer, "Change to “pvc-class-empty”")("claim.yaml"),
      /# claimcheck-ignore pvc-class-empty, pvc-unused: made by hand/,
    );
  });

  test("a class that names a Secret without its namespace is offered that of the only Secret of the name", async () => {
    const secret = (namespace: string): string => `
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login, namespace: ${namespace} }`;
    const files = (secrets: string): string => `
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: disks.corp.example
      parameters:
        csi.storage.k8s.io/node-stage-secret-name: lo$0gin${secrets}
    `;
    const title = "Add its namespace “storage”";
    assert.match(
      applied(await actionsAt(files(secret("storage"))), title)("all.yaml"),
      /node-stage-secret-namespace: storage/,
    );
    const { actions } = await actionsAt(files(secret("storage") + secret("shop")));
    assert.ok(actions.every((action) => !action.title.startsWith("Add its namespace")));
  });

  test("no snapshot is offered for a claim that kustomize renames, as the restored claim would not find it", async () => {
    const restoring = async (transformer: string): Promise<boolean> => {
      const { actions } = await actionsAt(`
      #- kustomization.yaml
      ${transformer}
      resources: [claim.yaml]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
      return actions.some(({ title }) => title.startsWith("Create a snapshot of claim"));
    };
    assert.equal(await restoring("namespace: shop"), true);
    assert.equal(await restoring("namePrefix: east-"), false);
  });

  test("no object is offered to be created from a refused claim", async () => {
    const { actions } = await actionsAt(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 5gb } } }
    `);
    assert.ok(!actions.some(({ title }) => title.startsWith("Create ")));
  });

  test("a change is made in the patch that wrote the field", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], storageClassName: fast, resources: { requests: { storage: 1Gi } } }
      #- class.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: fa$0sr
      #- kustomization.yaml
      resources: [all.yaml]
      patches: [{ path: class.yaml }]
    `);
    assert.match(applied(answer, "Change to “fast”")("class.yaml"), /storageClassName: fast$/);
  });

  test("a change that a prediction suggests is made in the patch that wrote the field", async () => {
    const answer = await actionsAt(`
      #- kustomization.yaml
      resources: [all.yaml]
      patches: [{ path: size.yaml }]
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: small }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: nas, path: / } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: small, accessModes: [ReadWriteOnce] }
      #- size.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        volumeName: sma$0ll
        resources: { requests: { storage: 5Gi } }
    `);
    assert.match(applied(answer, "Ask for 1Gi")("size.yaml"), /requests: \{ storage: 1Gi \}/);
  });

  test("a change that helps in two ways is offered once", async () => {
    const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: fa$0sr
        resources: { requests: { storage: 1Gi } }
    `);
    const mending = actions.filter(
      ({ kind, title }) => kind === "quickfix" && !title.startsWith("Ignore"),
    );
    assert.deepEqual(
      mending.map(({ title }) => title),
      ["Change to “fast”"],
    );
  });

  test("a missing class that resembles none is offered the existing classes, unless there are many", async () => {
    const offered = async (count: number, spec: string): Promise<unknown> => {
      const classes = Array.from(
        { length: count },
        (_, i) => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${"xyzuvw".charAt(i).repeat(9)} }
      provisioner: disks.corp.example
      ---`,
      );
      const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml${classes.join("")}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: ${spec}
    `);
      return actions
        .filter(({ title }) => title.startsWith("Change to"))
        .map(({ title, isPreferred = false }) => [title, isPreferred]);
    };
    const claim =
      "{ storageClassName: fa$0st, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }";
    assert.deepEqual(await offered(2, claim), [
      ["Change to “xxxxxxxxx”", false],
      ["Change to “yyyyyyyyy”", false],
    ]);
    assert.deepEqual(await offered(6, claim), []);
  });

  test("fixes, such as creating a missing object, are offered before the ways to ignore the finding", async () => {
    const quickFixes = async (text: string): Promise<readonly string[]> =>
      (await actionsAt(text)).actions
        .filter(({ kind }) => kind === "quickfix")
        .map(({ title }) => title.replace(/^Ignore .*/, "Ignore"));
    const [first, ...others] = await quickFixes(`
      #- claimcheck.yaml
      profile: bare-metal
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: $0{ accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    assert.equal(first, "Create a volume that fits claim “data”");
    assert.deepEqual(new Set(others), new Set(["Ignore"]));
    const [claim] = await quickFixes(`
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
    `);
    assert.equal(claim, "Create claim “data”");
  });

  test("classes of shareable volumes are offered if the driver's disks are for one node", async () => {
    const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: gke
      #- app.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: standard-rwo
        accessModes: [$0ReadWriteMany]
        resources: { requests: { storage: 1Ti } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx, volumeMounts: [{ name: v, mountPath: /d }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const titles = actions.map(({ title }) => title).filter((title) => !title.startsWith("Ignore"));
    assert.deepEqual(titles.slice(0, 3), [
      "Ask for ReadWriteOnce only",
      'Set spec.storageClassName to "standard-rwx"',
      'Set spec.storageClassName to "enterprise-multishare-rwx"',
    ]);
    assert.ok(!titles.some((title) => title.includes("premium-rwo")));
  });

  test("a pod that names its node is changed so that the scheduler places it", async () => {
    const answer = await actionsAt(`
      #- claimcheck.yaml
      profile: kind
      #- pod.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeName: kind-control-$0plane # the large one
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const text = applied(answer, "Choose the node by its label")("pod.yaml");
    assert.match(
      text,
      /\n {2}nodeSelector:\n {4}kubernetes\.io\/hostname: kind-control-plane # the large/,
    );
    const codes = await codesOf(new Map([...answer.fixture.files, ["pod.yaml", text]]));
    assert.deepEqual(codes, ["pvc-class-absent-explicit"]);
  });

  test("a pod in JSON that names its node is changed in JSON so that the scheduler places it", async () => {
    const answer = await actionsAt(`
      #- claimcheck.yaml
      profile: kind
      #- all.json
      { "apiVersion": "v1", "kind": "List", "items": [
        { "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
          "spec": { "storageClassName": "standard", "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } } },
        { "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "web" },
          "spec": {
            "nodeName": "kind-control-$0plane",
            "containers": [{ "name": "c", "image": "i", "volumeMounts": [{ "name": "v", "mountPath": "/x" }] }],
            "volumes": [{ "name": "v", "persistentVolumeClaim": { "claimName": "data" } }] } }
      ] }
    `);
    const text = applied(answer, "Choose the node by its label")("all.json");
    const [, pod] = (JSON.parse(text) as { items: { spec: Record<string, unknown> }[] }).items;
    assert.deepEqual(pod?.spec["nodeSelector"], {
      "kubernetes.io/hostname": "kind-control-plane",
    });
    assert.equal(pod?.spec["nodeName"], undefined);
    assert.deepEqual(await codesOf(new Map([...answer.fixture.files, ["all.json", text]])), []);
  });

  test("a raw device among volumeMounts is moved to volumeDevices, and a file system the other way", async () => {
    const title = (list: string): string => `Move it to ${list}`;
    const pod = (mode: string, lists: string): string => `
      #- claimcheck.yaml
      profile: eks
      rules: { volume-unused: off }
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], volumeMode: ${mode}, resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
${lists}
        volumes:
          - { name: v, persistentVolumeClaim: { claimName: data } }
          - { name: tmp, emptyDir: {} }
    `;
    const cases = [
      ["Block", "volumeMounts:\n  - name: v # the disk\n    mountPath: /x$0", "volumeDevices"],
      ["Block", "volumeMounts: [{ name: v, mountPath: /x$0 }]", "volumeDevices"],
      [
        "Block",
        "volumeMounts:\n  - name: v\n    mountPath: /x$0\n  - name: tmp\n    mountPath: /tmp",
        "volumeDevices",
      ],
      [
        "Block",
        "volumeMounts: [{ name: tmp, mountPath: /tmp }, { name: v, mountPath: /x$0 }]",
        "volumeDevices",
      ],
      ["Filesystem", "volumeDevices:\n  - name: v\n    devicePath: /x$0", "volumeMounts"],
    ] as const;
    for (const [mode, lists, right] of cases) {
      const answer = await actionsAt(pod(mode, lists.replace(/^/gm, " ".repeat(12))));
      const text = applied(answer, title(right))("all.yaml");
      const codes = await codesOf(new Map([...answer.fixture.files, ["all.yaml", text]]));
      assert.deepEqual(codes, [], text);
      assert.match(text, new RegExp(`${right}:`));
    }
    const full = await actionsAt(
      pod("Block", "            volumeMounts: [{ name: v, mountPath: /x$0, readOnly: true }]"),
    );
    assert.throws(() => applied(full, title("volumeDevices")));
  });

  test("a selector that prevents provisioning is removed, from a claim template as well", async () => {
    const spec = (indent: string): string =>
      [
        "accessModes: [ReadWriteOnce]",
        "storageClassName: fast",
        "resources: { requests: { storage: 1Gi } }",
      ]
        .concat("selector: {$0 matchLabels: { disk: ssd } }")
        .join(`\n${indent}`);
    const files = (using: string): string => `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      ${using}
    `;
    const pod = "containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /x }] }]";
    for (const using of [
      `apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        ${spec("        ")}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { ${pod}, volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }] }`,
      `apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { ${pod} }
        volumeClaimTemplates:
          - metadata: { name: d }
            spec:
              ${spec("              ")}`,
    ]) {
      const answer = await actionsAt(files(using));
      const text = applied(answer, "Leave out spec.selector")("all.yaml");
      assert.doesNotMatch(text, /disk: ssd/);
      assert.deepEqual(await codesOf(new Map([...answer.fixture.files, ["all.yaml", text]])), []);
    }
  });

  test("a CronJob whose runs would overlap on one disk is set to Forbid concurrent runs", async () => {
    const answer = await actionsAt(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "*/5 * * * *"
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
                volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
    `);
    const text = applied(answer, "Set concurrencyPolicy to Forbid")("all.yaml");
    assert.match(text, /^ {2}concurrencyPolicy: Forbid$/m);
    const codes = await codesOf(new Map([...answer.fixture.files, ["all.yaml", text]]));
    assert.ok(!codes.includes("cronjob-concurrent-rwo"), codes.join());
  });

  test("a claim whose class lacks its provisioner is not offered that same class", async () => {
    const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs$0.csi.aws.com
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        resources: { requests: { storage: 1Gi } }
    `);
    const titles = actions.map(({ title }) => title);
    assert.ok(!titles.some((title) => title.includes("fast")), titles.join("; "));
  });

  test("fixes are offered in a file that was open before its folder was read, and after an edit", async () => {
    const before = `
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: slow, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: slow
        volumeName: di$0sk
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 1Gi } }
    `;
    const service = createLanguageService({
      fileSystem: memoryFileSystem(readFixture(before).files),
      pause: () => Promise.resolve(),
    });
    for (const text of [before, before.replace("apiVersion", "# edited\n      apiVersion")]) {
      const fixture = readFixture(text);
      service.setEditorText(memoryUri("claim.yaml"), fixture.files.get("claim.yaml") ?? "");
      for (const environment of service.environments()) await service.predict(environment);
      await service.loadFolders([memoryFolder]);
      for (const environment of service.environments()) await service.predict(environment);
      const mended = applied(
        { fixture, actions: actionsAtCursor(service, fixture) },
        "Ask only for ReadWriteOnce",
      );
      assert.match(mended("claim.yaml"), /\n {2}accessModes: \[ReadWriteOnce\]\n/);
    }
  });

  test("silencing in the project keeps the rest of its file", async () => {
    const files = `${withoutClass}
  #- claimcheck.yaml
  profile: eks # of the team
  rules:
    subpath-no-live-updates: off
`;
    const text = applied(await actionsAt(files), "Ignore “pvc-class-missing” in the project");
    assert.equal(
      text("claimcheck.yaml").trim(),
      'profile: eks # of the team\nrules:\n  subpath-no-live-updates: off\n  pvc-class-missing: "off"',
    );
  });

  test("a claim is bound to the volume that is created for it", async () => {
    const answer = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- claim.yaml
      apiVersion: v1
      kind: Persistent$0VolumeClaim
      metadata: { name: data, namespace: shop }
      spec:
        accessModes: [ReadWriteMany]
        storageClassName: manual
        selector: { matchLabels: { tier: gold } }
        resources: { requests: { storage: 3Gi } }
    `);
    const text = applied(answer, "Create a volume that fits")("claim.yaml");
    const service = await loadFixture(
      { files: new Map([...answer.fixture.files, ["claim.yaml", text]]), labels: [] },
      true,
    );
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    const facts = service.prediction(environment)?.facts;
    const claim = facts?.objects.get("PersistentVolumeClaim/shop/data");
    assert.ok(claim?.kind === "PersistentVolumeClaim");
    assert.equal(claim.status?.phase, "Bound");
    assert.equal(claim.spec.volumeName, "shop-data");
  });

  test("either of two access modes that exclude each other can be removed", async () => {
    for (const [modes, left] of [
      [
        "accessModes: [ReadWriteOncePod, Read$0WriteOnce]",
        (mode: string) => `accessModes: [${mode}]\n`,
      ],
      [
        "access$0Modes:\n    - ReadWriteOncePod\n    - ReadWriteOnce",
        (mode: string) => `accessModes:\n    - ${mode}\n  resources`,
      ],
    ] as const) {
      const answer = await actionsAt(`#- claim.yaml
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  ${modes}
  resources: { requests: { storage: 1Gi } }
`);
      const changed = (title: string): string => {
        const action = answer.actions.find((candidate) => candidate.title === title);
        return applied(
          { ...answer, actions: action === undefined ? [] : [action] },
          title,
        )("claim.yaml");
      };
      const both = [changed("Leave out ReadWriteOncePod"), changed("Leave out ReadWriteOnce")];
      const wanted = [left("ReadWriteOnce"), left("ReadWriteOncePod")];
      assert.deepEqual(
        both.map((text, i) => text.includes(wanted[i] ?? "")),
        [true, true],
        both.join("\n"),
      );
    }
  });

  test("a claim whose volume another claim took is offered a new volume, or that one", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /d } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: first }
      spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: man$0ual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    const written = applied(answer, "Create a volume that fits claim “data”")("all.yaml");
    const given = applied(
      answer,
      "Reserve volume “disk” for this claim in place of default/first",
    )("all.yaml");
    const holderOf = async (text: string): Promise<string | undefined> => {
      const service = await loadFixture(readFixture(`#- all.yaml\n${text}`), true);
      const [environment] = service.environments();
      assert.ok(environment !== undefined);
      const facts = service.prediction(environment)?.facts;
      return facts?.get("PersistentVolumeClaim", "default", "data")?.spec.volumeName;
    };
    assert.equal(await holderOf(written), "default-data");
    assert.equal(await holderOf(given), "disk");
  });

  test("a claim that waits for a volume on any node is offered a new one", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      ${noProvisioner}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: loc$0al, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const text = applied(answer, "Create a volume that fits claim “data”")("all.yaml");
    // Only the user knows which node has the path.
    assert.deepEqual(await codesOf(new Map([["all.yaml", text]])), ["hostpath-no-node-affinity"]);
  });

  test("the volume created for a claim of a raw device can be mapped by its pod", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: raw }
      spec: { storageClassName: "$0", volumeMode: Block, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeDevices: [{ name: v, devicePath: /dev/xvda }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: raw } }]
    `);
    const text = applied(answer, "Create a volume that fits claim “raw”")("all.yaml");
    assert.match(text, /volumeMode: Block/);
    assert.deepEqual(await codesOf(new Map([["all.yaml", text]])), []);
  });

  test("each claim of a template that finds no volume is offered one", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      ${noProvisioner}
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: first }
      spec: { storageClassName: local, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, namespace: default }
      spec:
        serviceName: db
        replicas: 3
        ordinals: { start: 5 }
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /x }] }] }
        volumeClaimTemplates:
          - metadata: { name: d }
            spec: { storageClassName: lo$0cal, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    const text = applied(answer, "Create volumes for the claims of template “d”")("all.yaml");
    assert.deepEqual(
      [...text.matchAll(/ {2}name: (default-.*)/g)].map(([, name]) => name),
      ["default-d-db-6", "default-d-db-7"],
    );
    assert.deepEqual(await codesOf(new Map([["all.yaml", text]])), [
      "hostpath-no-node-affinity",
      "hostpath-no-node-affinity",
    ]);
  });

  test("a claim and the volume it gets can be reserved for each other, by edits of both files", async () => {
    const answer = await actionsAt(`
        #- volume.yaml
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: disk }
        spec:
          storageClassName: manual
          capacity: { storage: 1Gi }
          accessModes: [ReadWriteOnce]
          hostPath: { path: /x }
        #- claim.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: da$0ta }
        spec:
          storageClassName: manual
          accessModes: [ReadWriteOnce]
          resources: { requests: { storage: 1Gi } }
      `);
    const text = applied(answer, "Bind to volume “disk”");
    const others = answer.actions.filter(({ kind }) => kind !== "quickfix");
    assert.ok(others.every(({ isPreferred }) => isPreferred === undefined));
    assert.match(text("claim.yaml"), /\n {2}volumeName: disk\n/);
    assert.match(
      text("volume.yaml"),
      /\n {2}claimRef:\n {4}name: data\n {4}namespace: default(?:\n|$)/,
    );
  });

  test("a claim cannot be reserved for a volume from a chart, as that would edit the template", async () => {
    const { actions } = await actionsAt(`
      #- claimcheck.yaml
      charts: [{ chart: disks }]
      #- disks/Chart.yaml
      apiVersion: v2
      name: disks
      version: 1.0.0
      #- disks/templates/volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: manual
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        hostPath: { path: /x }
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec:
        storageClassName: manual
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `);
    assert.ok(!actions.some(({ title }) => title.startsWith("Bind to volume")));
  });

  test("a claim that a pod lacks is created below the pod", async () => {
    const answer = await actionsAt(`
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        containers: [{ name: web, image: nginx }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
      ---
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
    `);
    const text = applied(answer, "Create claim “data”")("pod.yaml");
    assert.equal(text.split("---\n").length, 3);
    const codes = await codesOf(new Map([["pod.yaml", text]]));
    assert.ok(!codes.includes("pod-claim-missing"));
  });

  test("fixes of predicted outcomes: a mode of the only volume, a key of the ConfigMap, the claim's namespace", async () => {
    const titles = async (objects: string): Promise<readonly string[]> => {
      const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      ${objects}`);
      return actions.map(({ title }) => title);
    };
    const [mode] = await titles(`apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: manual
        accessModes: [Read$0WriteMany]
        resources: { requests: { storage: 1Gi } }`);
    assert.equal(mode, 'Ask for ReadWriteOnce, which volume "disk" has');
    const pod = (volume: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
        volumes: [{ name: a, ${volume} }]`;
    const [key] = await titles(`apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      data: { a.conf: x }
      ---${pod("configMap: { name: settings, items: [{ key: b.c$0onf, path: p }] }")}`);
    assert.equal(key, 'Take the key "a.conf" of ConfigMap "settings"');
    const [move] = await titles(`apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: shop }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      ---${pod("persistentVolumeClaim: { claimName: da$0ta }")}`);
    assert.equal(move, "Put the Pod into namespace “shop”");
  });

  test("a misspelled name is offered the existing name that it resembles", async () => {
    const claim = (name: string, more = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 1Gi } }
        ${more}`;
    const other = (kind: string, group: string, name: string, more: string): string => `
      apiVersion: ${group}
      kind: ${kind}
      metadata: { name: ${name} }
      ${more}`;
    const snapshotClass = other(
      "VolumeSnapshotClass",
      "snapshot.storage.k8s.io/v1",
      "daily",
      "driver: d.example.com\n      deletionPolicy: Delete",
    );
    const attributes = other(
      "VolumeAttributesClass",
      "storage.k8s.io/v1",
      "gold",
      "driverName: d.example.com\n      parameters: { a: b }",
    );
    const volume = (claimRef: string): string =>
      other(
        "PersistentVolume",
        "v1",
        "share",
        `spec: { storageClassName: "", capacity: { storage: 1Gi }, accessModes: [ReadWriteMany], nfs: { server: s, path: /x }${claimRef} }`,
      );
    const cases: readonly (readonly [meant: string, objects: readonly string[]])[] = [
      [
        "daily",
        [
          snapshotClass,
          claim("data"),
          other(
            "VolumeSnapshot",
            "snapshot.storage.k8s.io/v1",
            "s",
            "spec: { volumeSnapshotClassName: dai$0y, source: { persistentVolumeClaimName: data } }",
          ),
        ],
      ],
      ["gold", [attributes, claim("data", "volumeAttributesClassName: go$0lt")]],
      [
        "data",
        [claim("data"), claim("copy", "dataSource: { kind: PersistentVolumeClaim, name: da$0t }")],
      ],
      ["share", [volume(""), claim("data", "volumeName: sha$0r")]],
      ["data", [volume(", claimRef: { name: da$0t, namespace: default }"), claim("data")]],
    ];
    for (const [meant, objects] of cases) {
      const { actions } = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml${objects.join("\n      ---")}
    `);
      assert.equal(actions[0]?.title, `Change to “${meant}”`);
    }
  });

  test("a claim above a limit is offered the limit, and a claimRef without namespace that of the claim", async () => {
    const [limit] = (
      await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: LimitRange
      metadata: { name: limits }
      spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 5Gi } }] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 10$0Gi } }
    `)
    ).actions;
    assert.equal(limit?.title, "Ask for 5Gi");
    const reservation = await actionsAt(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        storageClassName: ""
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        nfs: { server: s, path: /x }
        claimRef: { name$0: data }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: shop }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
    `);
    assert.ok(reservation.actions.some(({ title }) => title === "Set namespace to shop"));
  });

  test("a claim that several pods lack is created for several nodes, with a class whose volumes can be shared", async () => {
    const written = async (workload: string, profile = "eks"): Promise<string> => {
      const answer = await actionsAt(`
      #- claimcheck.yaml
      profile: ${profile}
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: efs.csi.aws.com
      parameters: { provisioningMode: efs-ap, fileSystemId: fs-1, directoryPerms: "700" }
      ---
      apiVersion: apps/v1
      ${workload}
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: web, image: nginx, volumeMounts: [{ name: v, mountPath: /d }] }]
            volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
    `);
      const text = applied(answer, "Create claim “data”")("all.yaml");
      const found = await codesOf(new Map([...answer.fixture.files, ["all.yaml", text]]));
      const complaints = found.filter((code) => /claim|rwo|rwx|pending|access/.test(code));
      assert.deepEqual(complaints, [], text);
      return text.slice(text.lastIndexOf("---"));
    };
    const selector = "selector: { matchLabels: { app: web } }";
    const deployment = (replicas: number): string =>
      `kind: Deployment
      metadata: { name: web }
      spec:
        strategy: { type: Recreate }
        replicas: ${replicas}
        ${selector}`;
    const shared = /storageClassName: shares\n {2}accessModes:\n {4}- ReadWriteMany/;
    assert.match(await written(deployment(3)), shared);
    const daemons = `kind: DaemonSet
      metadata: { name: web }
      spec:
        ${selector}`;
    assert.match(await written(daemons), shared);
    const alone = await written(deployment(1));
    assert.match(alone, /- ReadWriteOnce\n/);
    assert.doesNotMatch(alone, /storageClassName/);
  });

  test("a missing source of a copy is created in the namespace where it is looked for", async () => {
    const answer = await actionsAt(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: copy, namespace: team-b }
      spec:
        accessModes: [ReadWriteOnce]
        dataSourceRef: { kind: PersistentVolumeClaim, name: sou$0rce, namespace: team-a }
        resources: { requests: { storage: 1Gi } }
    `);
    const text = applied(answer, "Create claim “source”")("claim.yaml");
    assert.match(text, /name: source\n {2}namespace: team-a/);
  });

  test("a missing source of a copy is created with the copy's driver, mode and size, and gets bound", async () => {
    const longhorn = (name: string, mode: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: driver.longhorn.io
      volumeBindingMode: ${mode}
      ---`;
    const files = (classes: string, more = ""): string => `
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml${classes}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec:
        storageClassName: copies
        accessModes: [ReadWriteOnce]
        volumeMode: Block
        dataSource: { kind: PersistentVolumeClaim, name: da$0ta }
        resources: { requests: { storage: 500Mi } }${more}
    `;
    const pod = (claim: string): string => `
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: ${claim} }
      spec:
        containers: [{ name: c, image: i, volumeDevices: [{ name: v, devicePath: /dev/v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: ${claim} } }]`;
    const written = async (text: string): Promise<string> => {
      const answer = await actionsAt(text);
      const after = applied(answer, "Create claim “data”")("all.yaml");
      const codes = await codesOf(new Map([...answer.fixture.files, ["all.yaml", after]]));
      assert.deepEqual([...new Set(codes)], ["provisioner-unknown"], after);
      return after.split("---\n").find((document) => document.includes("  name: data\n")) ?? "";
    };
    const same = longhorn("copies", "Immediate");
    const late = longhorn("copies", "WaitForFirstConsumer");
    const pods = pod("copy");
    const now = longhorn("now", "Immediate");
    const common = "accessModes:\n    - ReadWriteOnce\n  volumeMode: Block\n";
    const other = await written(files(late + now, pods));
    assert.ok(other.includes(`storageClassName: now\n  ${common}`), other);
    assert.match(other, /storage: 500Mi\n$/);
    for (const text of [files(same, pods), files(late, pods + pod("data"))])
      assert.match(await written(text), /storageClassName: copies\n/);
    const { actions } = await actionsAt(
      files(`${late}
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: others }
      provisioner: rbd.csi.ceph.com
      ---`),
    );
    const titles = actions.map(({ title }) => title);
    const offered = titles.filter((title) => title.startsWith("Create claim"));
    assert.deepEqual(offered, [], "only a class whose volumes wait for a pod");
  });

  test("a missing claim that a pod uses as a device is created as a raw device", async () => {
    const answer = await actionsAt(`
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx, volumeDevices: [{ name: v, devicePath: /dev/v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]
    `);
    const text = applied(answer, "Create claim “data”")("pod.yaml");
    assert.match(text, /kind: PersistentVolumeClaim[\s\S]*volumeMode: Block/);
    const codes = await codesOf(new Map([["pod.yaml", text]]));
    assert.ok(!codes.includes("filesystem-claim-device"), codes.join());
  });

  test("a local volume gets the node affinity that it lacks", async () => {
    const answer = await actionsAt(`
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: local
        local:
          path: /mnt/$0disk
    `);
    const text = applied(answer, "Say that the volume is on node")("volume.yaml");
    assert.match(text, /\n {2}nodeAffinity:\n {4}required:\n {6}nodeSelectorTerms:\n/);
    const codes = await codesOf(new Map([["volume.yaml", text]]));
    assert.ok(!codes.includes("api-refused"));
  });

  test("a snapshot of a claim and a claim restored from it are accepted", async () => {
    const answer = await actionsAt(
      withoutClass.replace("fa$0st", "fast").replace("data }", "da$0ta }"),
    );
    const text = applied(answer, "Create a snapshot")("claim.yaml");
    assert.equal(text.match(/^kind: /gm)?.length, 3);
    const codes = await codesOf(new Map([["claim.yaml", text]]));
    assert.ok(!codes.includes("api-refused") && !codes.includes("datasource-missing"));
  });

  test("a snapshot gets the class of the claim's driver, and none is offered if the driver takes no snapshots", async () => {
    const written = async (claim: string): Promise<string | undefined> => {
      const answer = await actionsAt(`
      #- all.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: others }
      driver: pd.csi.storage.gke.io
      deletionPolicy: Delete
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: ebs }
      driver: ebs.csi.aws.com
      deletionPolicy: Delete
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: files }
      provisioner: efs.csi.aws.com
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: export }
      spec: { storageClassName: hand, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { ${claim}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
      const isOffered = answer.actions.some(({ title }) => title.startsWith("Create a snapshot"));
      if (!isOffered) return undefined;
      const text = applied(answer, "Create a snapshot")("all.yaml");
      return /volumeSnapshotClassName: (.*)/.exec(text)?.[1];
    };
    assert.equal(await written("storageClassName: disks"), "ebs");
    assert.equal(await written("storageClassName: files"), undefined);
    assert.equal(await written("storageClassName: hand"), undefined);
  });

  test("a missing separator between two objects is reported once, and can be inserted", async () => {
    const answer = await actionsAt(`
      #- all.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: a }
      api$0Version: v1
      kind: Namespace
      metadata: { name: b }
    `);
    assert.deepEqual(await codesOf(answer.fixture.files), ["yaml-duplicate-key"]);
    const text = applied(answer, "Begin a document here")("all.yaml");
    assert.match(text, /name: a \}\n---\napiVersion: v1\n/);
    assert.deepEqual(await codesOf(new Map([["all.yaml", text]])), []);
  });

  test("all fixes of a file are applied at once", async () => {
    const answer = await actionsAt(`
      #- config.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: c$0
        labels: { a: yes, b: off }
    `);
    const text = applied(answer, "Fix all")("config.yaml");
    assert.match(text, /\{ a: "yes", b: "off" \}/);
  });
});

suite("folders with the same objects for several clusters", () => {
  const namespace = "\n      apiVersion: v1\n      kind: Namespace\n      metadata: { name: ";

  test("get a project file each if they have none", async () => {
    const answer = await actionsAt(`
      #- clusters/claimcheck.yaml
      profile: eks
      #- clusters/east/apps/ns.yaml${namespace}me$0dia }
      #- clusters/west/apps/ns.yaml${namespace}media }
    `);
    const title = "Treat “east” and “west” as separate clusters (adds a claimcheck.yaml to each)";
    const file = applied(answer, title);
    const made = answer.actions.find((action) => action.title === title)?.creates ?? [];
    const names = ["clusters/east/claimcheck.yaml", "clusters/west/claimcheck.yaml"];
    assert.deepEqual(made, names.map(memoryUri));
    const files = new Map(answer.fixture.files);
    for (const name of names) files.set(name, file(name));
    const service = await loadFixture({ files, labels: [] }, false);
    assert.deepEqual(findingsOf(service, memoryUri("clusters/east/apps/ns.yaml")), []);
  });

  test("are not separated if one file is above or beside the other", async () => {
    for (const other of ["ns.yaml", "east/other.yaml"]) {
      const { actions } = await actionsAt(
        `\n      #- east/ns.yaml${namespace}me$0dia }\n      #- ${other}${namespace}media }\n`,
      );
      assert.deepEqual(
        actions.filter(({ title }) => title.startsWith("Treat")),
        [],
      );
    }
  });

  test("are not separated if a kustomization includes something from outside", async () => {
    const { actions } = await actionsAt(`
      #- base/kustomization.yaml
      resources: []
      #- east/kustomization.yaml
      resources: [../base, ns.yaml]
      #- east/ns.yaml${namespace}me$0dia }
      #- west/ns.yaml${namespace}media }
    `);
    assert.deepEqual(
      actions.filter(({ title }) => title.startsWith("Treat")),
      [],
    );
  });
});

suite("all fixes of a file at once", () => {
  const fixedAll = async (spec: string): Promise<string> => {
    const text = `
      #- claimcheck.yaml
      profile: bare-metal
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local, annotations: { storageclass.kubernetes.io/is-default-class: "yes" } }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: Immediate$0${spec}
    `;
    return applied(await actionsAt(text), "Fix all")("class.yaml");
  };

  test("do not change a class's immutable fields, as it may be in the cluster already", async () => {
    const after = await fixedAll("");
    assert.match(after, /is-default-class: "true"/);
    assert.match(after, /volumeBindingMode: Immediate/);
  });

  const snapshotClass = (name: string, more: string): string => `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: ${name}${more} }
      driver: disks.corp.example
      deletionPolicy: Delete`;
  const isDefault = ', annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" }';

  test("change a snapshot class, as its fields are mutable", async () => {
    const copied = snapshotClass("a", ', $0uid: u, resourceVersion: "7"');
    const after = applied(await actionsAt(`\n      #- all.yaml${copied}\n    `), "Fix all");
    assert.doesNotMatch(after("all.yaml"), /uid/);
  });

  const guesses: Readonly<Record<string, string>> = {
    "which of two default snapshot classes is the right one": `${snapshotClass("a", isDefault.replace("true", "$0true"))}
      ---${snapshotClass("b", isDefault)}`,
    "in which namespace the Secret of a class is": `${snapshotClass("a", "")}
      parameters: { csi.storage.k8s.io/snapshotter-secret-name: lo$0gin }
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login, namespace: storage }`,
    "the unit of half a byte": `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 0$0.5 } }`,
  };
  for (const [what, text] of Object.entries(guesses))
    test(`leave open ${what}`, async () => {
      const { actions } = await actionsAt(`\n      #- all.yaml${text}\n    `);
      const titles = actions.map(({ title }) => title);
      assert.ok(titles.some((title) => /^(?:Unmark|Add|Change) /.test(title)));
      assert.ok(!titles.some((title) => title.startsWith("Fix all")), titles.join("\n"));
    });

  test("change immutable fields if the API server refuses the class anyway", async () => {
    assert.match(await fixedAll("\n      reclaimPolicy: Keep"), /WaitForFirstConsumer/);
  });
});
