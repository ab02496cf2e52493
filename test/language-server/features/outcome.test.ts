import assert from "node:assert/strict";
import type { OutcomeReply, OutcomeRow } from "../../../src/protocol/messages.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";

async function outcomeOf(text: string): Promise<OutcomeReply> {
  const service = await loadFixture(readFixture(text), true);
  const [environment] = service.environments();
  return service.outcome({ environment: environment?.id ?? "" }) ?? assert.fail("no prediction");
}

/** The first row with the name. */
async function rowOf(text: string, name: string): Promise<OutcomeRow> {
  const rows = (await outcomeOf(text)).groups.flatMap((group) => group.rows);
  return rows.find((row) => row.name === name) ?? assert.fail(JSON.stringify(rows));
}

function claim(name: string, spec: string): string {
  return `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { ${name} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }
`;
}

const volume = `---
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { storageClassName: "", capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
`;

const manifests = [
  "#- all.yaml\n",
  volume,
  claim("name: bound", 'storageClassName: ""'),
  claim("name: z-unbound", "storageClassName: none"),
  claim("name: a-unbound", "storageClassName: none"),
  claim("name: zz-refused", "volumeMode: Fast"),
].join("");

const pod = (name: string): string =>
  `containers: [{ name: app, image: nginx }], volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]`;

const cluster = `#- claimcheck.yaml
cluster: { import: cluster.yaml }
#- cluster.yaml
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: Node, metadata: { name: worker, uid: "1" } }
- apiVersion: v1
  kind: PersistentVolume
  metadata: { name: old, uid: "2", finalizers: [kubernetes.io/pv-protection] }
  spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
  status: { phase: Available }
`;

const provisioned = `#- claimcheck.yaml
profile: kind
#- all.yaml
${claim("name: data", "volumeMode: Filesystem")}---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { ${pod("data")} } }
`;

suite("outcome", () => {
  test("lists kinds in the page's order, and the objects of each by severity, then by name", async () => {
    const { trouble, groups } = await outcomeOf(manifests);
    assert.deepEqual(
      groups.map(({ kind, count, trouble: own, rows }) => [
        kind,
        count,
        own,
        rows.map(({ name, mark, state }) => `${name}: ${mark}, ${state}`),
      ]),
      [
        [
          "PersistentVolumeClaim",
          4,
          "1 refused, 2 stuck",
          [
            "zz-refused: refused, Refused",
            "a-unbound: stuck, Pending",
            "z-unbound: stuck, Pending",
            "bound: healthy, Bound · disk",
          ],
        ],
        ["PersistentVolume", 1, "", ["disk: healthy, Bound · default/bound"]],
      ],
    );
    assert.equal(trouble, "1 refused, 2 stuck");
  });

  test("says of each object its state, Kubernetes' message, where the cause is and what would help", async () => {
    const user = `---\napiVersion: v1\nkind: Pod\nmetadata: { name: user }\nspec: { ${pod("a-unbound")} }\n`;
    const { headline, details } = await rowOf(manifests, "a-unbound");
    assert.equal(headline, 'a-unbound stays Pending: class "none" does not exist');
    assert.equal(
      details,
      [
        '**a-unbound stays Pending: class "none" does not exist**',
        '`ProvisioningFailed` storageclass.storage.k8s.io "none" not found',
        'To change:\n- create a StorageClass "none"',
      ].join("\n\n"),
    );
    const ofPod = (await rowOf(manifests + user, "user")).details;
    assert.match(ofPod, /^\*\*user stays Pending: .*\*\*\n\n`FailedScheduling` /);
    assert.match(ofPod, /\n\n→ Claim a-unbound stays Pending/);
  });

  test("escapes Markdown and links in texts from files", async () => {
    const named = "'![x](http://example.com/x.png)[run](command:x)<b>$(zap)'";
    const { details } = await rowOf(
      `#- all.yaml\n${claim("name: data", `storageClassName: ${named}`)}`,
      "data",
    );
    assert.doesNotMatch(details, /(?<!\\)[[\]<]/);
    assert.match(details, /!\\\[x\\\]\(http:/);
  });

  test("leads to the field to blame, in whichever object, and to the object itself if nothing is wrong", async () => {
    const unbound = "PersistentVolumeClaim/default/a-unbound";
    const { groups } = await outcomeOf(`${manifests}---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { ${pod("a-unbound")} }
`);
    const places = new Map(
      groups.flatMap(({ rows }) => rows.map(({ name, place }) => [name, place] as const)),
    );
    const field = "spec.storageClassName";
    assert.deepEqual(places.get("a-unbound"), { ref: unbound, field });
    assert.deepEqual(places.get("web"), { ref: unbound, field });
    assert.deepEqual(places.get("disk"), { ref: "PersistentVolume//disk" });
    const refused = "PersistentVolumeClaim/default/zz-refused";
    assert.deepEqual(places.get("zz-refused"), { ref: refused, field: "spec.volumeMode" });
  });

  test("omits the name of a volume that is yet to be created, and a Deployment's ReplicaSets", async () => {
    const { groups } = await outcomeOf(provisioned);
    assert.deepEqual(
      groups.map(({ kind, rows }) => `${kind} ${rows.map(({ state }) => state).join()}`),
      [
        "PersistentVolumeClaim Bound · a new volume",
        "PersistentVolume Bound · default/data",
        "Pod Running · kind-control-plane",
        "Deployment 1/1 ready",
      ],
    );
  });

  test("leads from volumes and pods that are not in files to the claim or workload they were made for", async () => {
    const service = await loadFixture(readFixture(provisioned), true);
    const environment = service.environments()[0]?.id ?? assert.fail();
    const { groups } = service.outcome({ environment }) ?? assert.fail();
    const lines = groups.map(({ kind, rows: [row] }) => {
      const place = service.locate({ environment, ...(row?.place ?? assert.fail()) });
      return `${kind} ${place?.range.start.line}`;
    });
    assert.deepEqual(lines, [
      "PersistentVolumeClaim 3",
      "PersistentVolume 3",
      "Pod 11",
      "Deployment 8",
    ]);
  });

  test("lists an object once if its second manifest is refused, and refused objects only of listed kinds", async () => {
    const { groups } = await outcomeOf(
      `${manifests}${claim("name: bound", "volumeMode: Block")}---\napiVersion: v1\nkind: Secret\nmetadata: { name: UP }\n`,
    );
    const names = groups.flatMap(({ rows }) => rows.map(({ name }) => name));
    assert.equal(names.filter((name) => name === "bound").length, 1);
    assert.ok(!names.includes("UP"));
  });

  test("names namespaces if there are several", async () => {
    const shop = "---\n{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }\n";
    const other = claim("name: other, namespace: shop", "storageClassName: none");
    const { groups } = await outcomeOf(`${manifests}${shop}${other}`);
    const names = groups.flatMap(({ rows }) => rows.map(({ name }) => name));
    assert.ok(names.includes("shop/other") && names.includes("default/bound"), names.join());
    assert.ok(names.includes("disk"), "a cluster-scoped name has no prefix");
  });

  test("lists what the manifests change in an imported cluster, and everything if they change nothing", async () => {
    const namesIn = async (text: string): Promise<readonly string[]> =>
      (await outcomeOf(text)).groups.flatMap(({ rows }) => rows.map(({ name }) => name));
    const changed = `${cluster}#- app.yaml\n${claim("name: data", "storageClassName: none")}`;
    assert.deepEqual(await namesIn(changed), ["data"]);
    const without =
      "#- app.yaml\n{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings } }\n";
    assert.deepEqual(await namesIn(cluster + without), ["old"]);
    assert.deepEqual(await namesIn(cluster), ["old"]);
  });

  test("says of an object of a running cluster what its state is and which change is refused", async () => {
    const change = volume.replace("name: disk", "name: old").replace("path: /x", "path: /y");
    const old = await rowOf(`${cluster}#- app.yaml\n${change}`, "old");
    assert.deepEqual(
      [old.mark, old.state, old.headline],
      ["refused", "Available", "old is Available: no claim has it"],
    );
    assert.match(
      old.details,
      /\n\nPersistentVolume "old" is invalid: spec\.persistentvolumesource: /,
    );
  });

  test("counts all objects of a kind, and lists at most 500, the worst first", async () => {
    const { groups } = await outcomeOf(`#- all.yaml
apiVersion: v1
kind: Pod
metadata: { name: a }
spec: { containers: [{ name: app, image: nginx }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 501
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { ${pod("missing")} } }
`);
    const [pods] = groups;
    assert.deepEqual([pods?.count, pods?.trouble], [502, "501 waiting for you"]);
    assert.deepEqual([pods?.rows.length, pods?.rows[0]?.mark], [500, "waits-for-you"]);
  });

  test("escapes invisible characters in a name", async () => {
    const { groups } = await outcomeOf(
      `#- all.yaml\n${claim('name: "a\\u202eb"', "storageClassName: none")}`,
    );
    assert.equal(groups[0]?.rows[0]?.name, "a\\u202eb");
  });

  test("names an attachment by its volume, once", async () => {
    const attachment = `---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: { name: by-hand }
spec: { attacher: gone.example.com, nodeName: metal-1, source: { persistentVolumeName: disk } }
`;
    const text = `#- claimcheck.yaml\nprofile: bare-metal\n#- all.yaml\n${volume}${attachment}`;
    const reply = await outcomeOf(text);
    const rows = reply.groups.find(({ kind }) => kind === "VolumeAttachment")?.rows ?? [];
    const sentence =
      "disk is not attached to metal-1: nothing in this cluster attaches volumes of gone.example.com";
    assert.deepEqual(
      rows.map(({ name, headline }) => [name, headline]),
      [["disk", sentence]],
    );
    const service = await loadFixture(readFixture(text), true);
    const [environment] = service.environments();
    const ref = "VolumeAttachment//by-hand";
    const page = await service.explain({ environment: environment?.id ?? "", ref });
    assert.ok(page?.text.startsWith(`# Attachment by-hand: ${sentence}`), page?.text);
  });
});
