/** Fixes offered for objects that the API server refuses: afterwards it accepts them. */
import assert from "node:assert/strict";
import { codeActions } from "../../../src/language-server/features/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { type Fixture, readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

interface Offer {
  readonly title: string;
  /** The file with the cursor after the fix. */
  readonly text: string;
  readonly isPreferred?: boolean;
}

async function offersAt(fixture: Fixture): Promise<readonly Offer[]> {
  const { cursor } = fixture;
  assert.ok(cursor !== undefined);
  const uri = memoryUri(cursor.file);
  const service = await loadFixture(fixture, false);
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  assert.ok(file !== undefined && analysis !== undefined);
  const range = { start: cursor.offset, end: cursor.offset };
  const diagnostics = findingsOf(service, uri);
  const actions = codeActions({
    analysis,
    prediction: undefined,
    file,
    diagnostics,
    range,
    findFile: (other) => service.file(other),
  });
  return actions
    .filter(({ title }) => !title.startsWith("Ignore"))
    .map(({ title, edits, isPreferred }) => ({
      title,
      ...(isPreferred !== undefined && { isPreferred }),
      text: [...edits]
        .sort((a, b) => b.start - a.start)
        .reduce(
          (text, e) => text.slice(0, e.start) + e.text + text.slice(e.end),
          file.manifest.text,
        ),
    }));
}

/** Checks the titles of all offers at the cursor, and that the server accepts the file after each of them. */
async function checkOffers(
  text: string,
  wanted: readonly (readonly [title: string, holds: string])[],
): Promise<void> {
  const fixture = readFixture(text);
  const offers = await offersAt(fixture);
  assert.deepEqual(
    offers.map(({ title }) => title),
    wanted.map(([title]) => title),
  );
  for (const [index, offer] of offers.entries()) {
    const [title = "", holds = ""] = wanted[index] ?? [];
    assert.ok(offer.text.includes(holds), `${title}:\n${offer.text}`);
    const name = fixture.cursor?.file ?? "";
    const files = new Map([...fixture.files, [name, offer.text]]);
    const service = await loadFixture({ ...fixture, files }, false);
    const left = findingsOf(service, memoryUri(name)).filter(
      ({ severity }) => severity === "error",
    );
    assert.deepEqual(
      left.map(({ message }) => message),
      [],
      title,
    );
  }
}

suite("fixes of refused objects", () => {
  const claim = (modes: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: ${modes}
        resources: { requests: { storage: 1Gi } }
    `;

  test("an invalid enum value: the likely one first, then the others", () =>
    checkOffers(claim("[Read$0WriteOnly]"), [
      ["Change to “ReadWriteOnce”", "accessModes: [ReadWriteOnce]"],
      ["Change to “ReadOnlyMany”", "accessModes: [ReadOnlyMany]"],
      ["Change to “ReadWriteMany”", "accessModes: [ReadWriteMany]"],
      ["Change to “ReadWriteOncePod”", "accessModes: [ReadWriteOncePod]"],
    ]));

  test("kubectl's short names of access modes are known", async () => {
    const [offer] = await offersAt(readFixture(claim("[R$0WX]")));
    assert.equal(offer?.title, "Change to “ReadWriteMany”");
  });

  test("one item where a list is wanted", () =>
    checkOffers(claim("Read$0WriteOnce"), [["Make it a list", "accessModes: [ReadWriteOnce]"]]));

  test("a claim's missing required fields", () =>
    checkOffers(
      `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      sp$0ec:
        accessModes: [ReadWriteOnce]
    `,
      [["Ask for 1Gi", "  resources:\n    requests:\n      storage: 1Gi\n"]],
    ));

  test("a claim's empty required fields", async () => {
    const unfinished = (spec: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        ${spec}
    `;
    const size = "resources: { requests: { storage: 1Gi } }";
    const one: [string, string] = [
      "Set accessModes to [ReadWriteOnce]",
      '"\n  accessModes:\n    - ReadWriteOnce\n  resources',
    ];
    await checkOffers(unfinished(`access$0Modes:\n        ${size}`), [one]);
    await checkOffers(unfinished(`accessModes: [$0]\n        ${size}`), [one]);
    const modes = "accessModes: [ReadWriteOnce]";
    for (const begun of ["resources:", "resources:\n          requests:"])
      await checkOffers(unfinished(`${modes}\n        ${begun.replace("res", "r$0es")}`), [
        ["Ask for 1Gi", "  resources:\n    requests:\n      storage: 1Gi\n"],
      ]);
  });

  test("a size under a misspelled key is not added a second time", async () => {
    const text = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { Stor$0age: 1Gi } }
    `;
    const titles = (await offersAt(readFixture(text))).map(({ title }) => title);
    assert.equal(titles.includes("Ask for 1Gi"), false);
  });

  test("an empty item: the values that the list does not have yet, none of them preferred", async () => {
    const text = claim("\n          - ReadOnlyMany\n          - $0");
    const offered = ["ReadWriteMany", "ReadWriteOnce"];
    const offers = await offersAt(readFixture(text));
    for (const mode of offered) {
      const offer = offers.find(({ title }) => title === `Change to “${mode}”`);
      assert.ok(offer?.text.includes(`    - ReadOnlyMany\n    - ${mode}\n`), offer?.text);
      assert.equal(offer?.isPreferred, undefined);
    }
    assert.ok(!offers.some(({ title }) => title === "Change to “ReadOnlyMany”"));
  });

  test("a size that is only a limit", async () => {
    const [offer] = await offersAt(
      readFixture(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        re$0sources: { limits: { storage: 5Gi } }
    `),
    );
    assert.equal(offer?.title, "Ask for 5Gi");
    assert.ok(offer?.text.includes("requests: { storage: 5Gi }"));
  });

  test("a misplaced field is moved to where it belongs", async () => {
    const moved = (spec: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce] # one
        ${spec}
    `;
    await checkOffers(moved("stor$0age: 1Gi"), [
      [
        "Move it below “resources.requests”",
        "# one\n  resources:\n    requests:\n      storage: 1Gi\n",
      ],
    ]);
    await checkOffers(
      moved("resources:\n          stor$0age: 1Gi").replace("# one", "\n        volumeMode: Block"),
      [["Move it below “requests”", "Block\n  resources:\n    requests:\n      storage: 1Gi\n"]],
    );
    await checkOffers(moved("resources: { requests: { storage: 1Gi }, volume$0Mode: Block }"), [
      [
        "Move it beside “resources”",
        "  resources: { requests: { storage: 1Gi } }\n  volumeMode: Block\n",
      ],
    ]);
    const container = (rest: string): string => `
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: Pod
          metadata: { name: web }
          spec:
            containers:
              - name: c
                image: i
                vol$0umes:
                  - name: data${rest}
                    emptyDir: {}
    `;
    await checkOffers(container(""), [
      [
        "Move it beside “containers”",
        "          image: i\n      volumes:\n        - name: data\n          emptyDir: {}\n",
      ],
    ]);
    await checkOffers(
      moved("resources: { requests: { storage: 1Gi } }\n      volume$0Mode: Block"),
      [
        [
          "Move it below “spec”",
          "  resources: { requests: { storage: 1Gi } }\n  volumeMode: Block\n",
        ],
      ],
    );
    // No fix removes a comment.
    await checkOffers(container(" # scratch"), []);
  });

  test("a superfluous mapping around fields is removed, and its content is kept", async () => {
    await checkOffers(
      `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      s$0pec:
        # The cloud's
        provisioner: ebs.csi.aws.com
        parameters:
          type: gp3 # the newest
      volumeBindingMode: WaitForFirstConsumer
    `,
      [
        [
          "Remove “spec” and keep its fields",
          "# The cloud's\nprovisioner: ebs.csi.aws.com\nparameters:\n  type: gp3 # the newest\nvolumeBindingMode",
        ],
      ],
    );
    const configMap = (spec: string): string => `
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: c }
          ${spec}
    `;
    await checkOffers(configMap("s$0pec: { data: { a: b } }"), [
      ["Remove “spec” and keep its fields", "    metadata: { name: c }\n    data:\n      a: b\n"],
    ]);
    await checkOffers(
      configMap(
        "s$0pec:\n            data:\n              a: |\n                x\n                  y",
      ),
      [["Remove “spec” and keep its fields", "    data:\n      a: |\n        x\n          y\n"]],
    );
    // No fix removes a comment or duplicates a key.
    await checkOffers(configMap("s$0pec:\n      # of old\n            data: { a: b }"), []);
    await checkOffers(configMap("s$0pec: # of old\n            data: { a: b }"), []);
    await checkOffers(configMap("s$0pec: { data: { a: b } }\n          data: { c: d }"), []);
  });

  test("a kind without its version", async () => {
    const noVersion = (text: string): string => text.replace(/^ *apiVersion.*\n/gm, "");
    await checkOffers(noVersion(claim("[ReadWriteOnce]")).replace("Vol", "V$0ol"), [
      ["Set apiVersion to v1", "apiVersion: v1\nkind: PersistentVolumeClaim\n"],
    ]);
    await checkOffers('{\n  "kind": "Name$0space",\n  "metadata": { "name": "shop" }\n}\n', [
      ["Set apiVersion to v1", '{\n  "apiVersion": "v1",\n  "kind": "Namespace",\n'],
    ]);
    // Not if it is the key `kind` that is misspelled.
    await checkOffers(claim("[ReadWriteOnce]").replace("kind:", "Ki$0nd:"), [
      ["Change to “kind”", "apiVersion: v1\nkind: PersistentVolumeClaim\n"],
    ]);
  });

  test("tabs in place of spaces, but not those inside texts", () =>
    checkOffers(
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\t$0name: site\ndata:\n\tmake: |\n\t\tall:\n",
      [["Indent with spaces", "metadata:\n  name: site\ndata:\n  make: |\n    all:\n"]],
    ));

  test("a volume's missing required fields", () =>
    checkOffers(
      `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: data }
      sp$0ec:
        accessModes: [ReadWriteOnce]
        nfs: { server: nas, path: / }
    `,
      [["Set capacity to 1Gi", "  capacity:\n    storage: 1Gi\n"]],
    ));

  const workload = (selector: string, metadata: string): string => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        ${selector}
        template:
          ${metadata}
          spec:
            containers: [{ name: c, image: i }]
    `;

  test("a template without the labels that its workload selects", async () => {
    await checkOffers(
      workload(
        "selector: { matchLabels: { app: web, tier: front } }",
        "metadata: { labels: { app: w$0eb, tier: back } }",
      ),
      [
        ["Give the Pods the labels of the selector", "labels: { app: web, tier: front }"],
        ["Select the labels that the Pods have", "matchLabels: { app: web, tier: back }"],
      ],
    );
    await checkOffers(
      workload(
        "selector: { matchLabels: { app: web, tier: front } }",
        "metadata: { labels: { app: w$0eb } }",
      ),
      [
        ["Give the Pods the labels of the selector", "labels: { app: web, tier: front }"],
        ["Select the labels that the Pods have", "matchLabels: { app: web }"],
      ],
    );
    await checkOffers(
      workload("selector: { matchLabels: { app: web } }", "meta$0data: { annotations: { a: b } }"),
      [
        [
          "Give the Pods the labels of the selector",
          "metadata: { annotations: { a: b }, labels: { app: web } }",
        ],
      ],
    );
    await checkOffers(
      workload("selector: { matchLabels: { app: web } }", "").replace("template:", "temp$0late:"),
      [
        [
          "Give the Pods the labels of the selector",
          "    metadata:\n      labels:\n        app: web\n",
        ],
      ],
    );
  });

  test("a workload without a selector, which is reported once", () =>
    checkOffers(
      workload("replicas: 1", "metadata: { labels: { app: web } }").replace(
        "      spec:\n",
        "      sp$0ec:\n",
      ),
      [
        [
          "Select the Pods by the labels of the template",
          "  selector:\n    matchLabels:\n      app: web\n",
        ],
      ],
    ));

  test("a Job's selector, and its restart policy", async () => {
    const job = (selector: string, policy: string, kind = "ki$0nd"): string => `
      apiVersion: batch/v1
      ${kind}: Job
      metadata: { name: once }
      spec:
        ${selector}
        template:
          metadata: { labels: { app: web } }
          spec:
            ${policy}
            containers: [{ name: c, image: i }]
    `;
    await checkOffers(
      job("selector: { matchLabels: { app: w$0eb } }", "restartPolicy: Never", "kind"),
      [["Leave it out: the server chooses a Job's selector", "spec:\n  template:"]],
    );
    await checkOffers(job("parallelism: 1", "restartPolicy: Al$0ways", "kind"), [
      ["Set restartPolicy to OnFailure", "restartPolicy: OnFailure"],
      ["Set restartPolicy to Never", "restartPolicy: Never"],
    ]);
    await checkOffers(
      job("parallelism: 1", "terminationGracePeriodSeconds: 1", "kind").replace(
        "    spec:\n            term",
        "    sp$0ec:\n            term",
      ),
      [
        ["Set restartPolicy to OnFailure", "restartPolicy: OnFailure"],
        ["Set restartPolicy to Never", "restartPolicy: Never"],
      ],
    );
  });

  const pod = (
    mount: string,
    volumes: string,
    list = "volumeMounts: [{ mountPath: /d,",
  ): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, ${list} name: ${mount} }] }]
        ${volumes}
    `;

  test("a mount of a missing volume: the likely existing one, or a new one", async () => {
    await checkOffers(
      pod("d$0ta", "volumes:\n          - name: data\n            emptyDir: {} # scratch\n"),
      [
        ["Change to “data”", "name: data }] }]"],
        [
          "Add volume “dta”: an empty directory",
          "emptyDir: {} # scratch\n    - { name: dta, emptyDir: {} }\n",
        ],
      ],
    );
    await checkOffers(
      pod("lo$0gs", "volumes: [{ name: data, emptyDir: {} }, { name: tmp, emptyDir: {} }]"),
      [
        ["Change to “data”", "name: data }] }]"],
        ["Change to “tmp”", "name: tmp }] }]"],
        [
          "Add volume “logs”: an empty directory",
          "{ name: tmp, emptyDir: {} }, { name: logs, emptyDir: {} }]",
        ],
      ],
    );
    await checkOffers(pod("lo$0gs", "restartPolicy: Never"), [
      ["Add volume “logs”: an empty directory", "volumes:\n    - name: logs\n      emptyDir: {}"],
    ]);
  });

  test("a missing volume is created from the claim, ConfigMap or Secret of the mount's name", async () => {
    const other = (kind: string, rest = ""): string => `---
      apiVersion: v1
      kind: ${kind}
      metadata: { name: logs }
      ${rest}`;
    const claimed = other(
      "PersistentVolumeClaim",
      "spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }",
    );
    const wanted = [
      [claimed, "claim", "persistentVolumeClaim:\n        claimName: logs"],
      [other("ConfigMap"), "ConfigMap", "configMap:\n        name: logs"],
      [other("Secret"), "Secret", "secret:\n        secretName: logs"],
    ] as const;
    for (const [object, what, source] of wanted)
      await checkOffers(pod("lo$0gs", `restartPolicy: Never\n      ${object}`), [
        [`Add volume “logs”: the ${what} of that name`, source],
      ]);
  });

  test("a subPath that must not start with a slash", () =>
    checkOffers(
      pod(
        "data",
        "volumes: [{ name: data, emptyDir: {} }]",
        "volumeMounts: [{ mountPath: /d, subPath: /l$0ogs,",
      ),
      [["Leave out the first slash", "subPath: logs,"]],
    ));

  test("a local volume without its node", () =>
    checkOffers(
      `
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      sp$0ec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        local: { path: /mnt }
    `,
      [
        [
          "Say that the volume is on node “kind-control-plane” (nodeAffinity)",
          "            values:\n                - kind-control-plane",
        ],
      ],
    ));

  test("a snapshot in v1alpha1 gets no fix, because its fields have other names in v1", () =>
    checkOffers(
      `apiVersion: snapshot.storage.k8s.io/v1al$0pha1
kind: VolumeSnapshotClass
metadata: { name: nightly }
snapshotter: ebs.csi.aws.com
`,
      [],
    ));

  test("a device of a missing volume: no fix unless a claim has its name", () =>
    checkOffers(pod("lo$0gs", "restartPolicy: Never", "volumeDevices: [{ devicePath: /d,"), []));
});
