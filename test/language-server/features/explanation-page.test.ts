import assert from "node:assert/strict";
import { explanationPage } from "../../../src/language-server/features/explanation-page.ts";
import { linesOf } from "../../../src/language-server/text-lines.ts";
import type { ExplainReply } from "../../../src/protocol/messages.ts";
import { atCursor, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const volumes = `
  #- claimcheck.yaml
  profile: bare-metal
  #- volumes.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: small }
  spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
  ---
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: large }
  spec: { storageClassName: other, capacity: { storage: 9Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /y } }
  #- app.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    storageClassName: manual
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 2Gi } }
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: logs }
  spec: { storageClassName: other, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }, { name: w, mountPath: /y }] }]
    volumes:
      - { name: v, persistentVolumeClaim: { claimName: $0data } }
      - { name: w, persistentVolumeClaim: { claimName: logs } }
`;

async function pageOf(text: string, ref: string): Promise<string> {
  const { prediction } = await atCursor(text, true);
  assert.ok(prediction !== undefined);
  return explanationPage(prediction, ref) ?? "";
}

async function explainedAt(text: string): Promise<ExplainReply | null> {
  const fixture = readFixture(text);
  const service = await loadFixture(fixture, false);
  const { file, offset } = fixture.cursor ?? assert.fail();
  const uri = memoryUri(file);
  const { manifest } = service.file(uri) ?? assert.fail();
  return service.explain({ uri, position: linesOf(manifest).positionAt(offset) });
}

function holds(page: string, lines: readonly string[]): void {
  let at = 0;
  for (const line of lines) {
    const next = page.indexOf(line, at);
    assert.ok(next >= 0, `${JSON.stringify(line)} is missing in\n${page}`);
    at = next + line.length;
  }
}

suite("explanation", () => {
  test("is not made, and nothing is predicted for it, if the request is canceled", async () => {
    const service = await loadFixture(readFixture(volumes), false);
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    const asked = { environment: environment.id, ref: "Pod/default/web" };
    assert.equal(await service.explain(asked, () => true), null);
    assert.equal(service.prediction(environment), undefined);
    assert.match((await service.explain(asked))?.text ?? "", /Pod web/);
  });

  test("at a reference to a missing object, is about the object that has the reference", async () => {
    const reply = await explainedAt(`
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: app, image: nginx }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: da$0ta } }]
    `);
    assert.equal(reply?.ref, "Pod/default/web");
    holds(reply?.text ?? "", ['stays Pending: its claim "data" does not exist', "pod.yaml#L6"]);
  });

  test("in a refused object, gives each reason with its line", async () => {
    const reply = await explainedAt(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data$0 }
      spec:
        accessModes: [ReadWriteOnc]
        resources: { requests: {} }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: Other }
    `);
    assert.equal(reply?.ref, "PersistentVolumeClaim/default/data");
    const page = reply?.text ?? "";
    holds(page, [
      "Claim data is not in the cluster, because it is refused",
      "claim.yaml#L5",
      "claim.yaml#L6",
    ]);
    assert.ok(!page.includes("#L10"), page);
  });

  test("of a refused object requested by name, as its lens does, says why it is refused", async () => {
    const fixture = readFixture(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnc], resources: { requests: { storage: 1Gi } } }
    `);
    const service = await loadFixture(fixture, false);
    const environment = service.environments()[0]?.id ?? assert.fail();
    const ref = "PersistentVolumeClaim/default/data";
    const reply = await service.explain({ environment, ref });
    holds(reply?.text ?? "", ["Claim data is not in the cluster", "claim.yaml#L4"]);
  });

  test("says that the cluster profile is only assumed", async () => {
    const reply = await explainedAt(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    holds(reply?.text ?? "", [
      "Cluster profile “generic” (assumed, because nothing names yours: profile in claimcheck.yaml does)",
    ]);
  });

  test("of an object of a running cluster, says which change is refused", async () => {
    const reply = await explainedAt(`
      #- claimcheck.yaml
      cluster: { import: cluster.yaml }
      #- cluster.yaml
      apiVersion: v1
      kind: List
      items:
      - { apiVersion: v1, kind: Node, metadata: { name: worker, uid: "1" } }
      - apiVersion: v1
        kind: PersistentVolume
        metadata: { name: disk, uid: "2" }
        spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
        status: { phase: Available }
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: di$0sk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /y } }
    `);
    holds(reply?.text ?? "", [
      "# Volume disk is Available",
      "refuses to change it",
      "spec.persistentvolumesource is immutable after creation\n",
      '+  "Path": "/y",\n',
    ]);
  });

  test("in an object that a patch made invalid, leads to the patch", async () => {
    const reply = await explainedAt(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: patch.yaml }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data$0 }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- patch.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { volumeMode: Fast }
    `);
    assert.equal(reply?.ref, "PersistentVolumeClaim/default/data");
    holds(reply?.text ?? "", ["because it is refused", "[patch.yaml:4]", "#L4"]);
  });

  test("in an object that storage has nothing to do with, is empty", async () => {
    const reply = await explainedAt(`
      #- config.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: con$0fig }
    `);
    assert.equal(reply, null);
  });

  test("leads from a pod through its claims, their classes and volumes to the first wrong line", async () => {
    const page = await pageOf(volumes, "Pod/default/web");
    holds(page, [
      '# Pod web stays Pending: claim "data"',
      "Cluster profile “bare-metal”, Kubernetes 1.36",
      "> **FailedScheduling** 0/3 nodes are available",
      "is still Pending: the cause is at the claim, not at the pod",
      "1. ✗ [Pod web](file:///workspace/app.yaml#L16) stays Pending",
      "2. ✗ [Claim data](file:///workspace/app.yaml#L3) stays Pending",
      '> ProvisioningFailed: storageclass.storage.k8s.io "manual" not found',
      "3. ✓ Class manual is a name that volumes made by hand carry, no class",
      "4. ✓ [Claim logs](file:///workspace/app.yaml#L11) is bound",
      "5. ✓ [Volume large](file:///workspace/volumes.yaml#L8) is bound to claim default/logs (9Gi, ReadWriteOnce, Filesystem)",
    ]);
    // The verdict decides which of the claim's lines it is.
    assert.match(
      page,
      /## The first wrong line\n\n\[Claim data\]\(file:\/\/\/workspace\/app\.yaml#L\d\) `spec\.[\w.]+`\n\n```yaml\n {2}\S/,
    );
  });

  test("compares a claim with every volume by every rule, and all claims with all volumes", async () => {
    const page = await pageOf(volumes, "PersistentVolumeClaim/default/data");
    holds(page, [
      "## The first wrong line",
      "## To change",
      "## Candidates for Claim data",
      "| | storageClassName | accessModes | capacity | volumeMode | selector | claimRef | phase |",
      "| [Volume small](file:///workspace/volumes.yaml#L3) | ✓ | ✓ | ✗ `2Gi` ≠ `1Gi` | ✓ | ✓ | ✓ | ✓ |",
      "| [Volume large](file:///workspace/volumes.yaml#L8) | ✗ `manual` ≠ `other` |",
      "## Claims and volumes",
      "Each cell lists the rules that the volume fails for the claim; it is empty if the volume was not checked.",
      "| | [Volume large](file:///workspace/volumes.yaml#L8) | [Volume small](file:///workspace/volumes.yaml#L3) |",
      "| [Claim data](file:///workspace/app.yaml#L3) | ",
      " | capacity |",
      "| [Claim logs](file:///workspace/app.yaml#L11) | **chosen** | ",
      "## Its events",
      "| Warning | ProvisioningFailed | persistentvolume-controller | storageclass.storage.k8s.io",
    ]);
  });

  test("compares a pod that fits no node with every node", async () => {
    const page = await pageOf(
      `
        #- claimcheck.yaml
        profile: generic
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          nodeSelector: { disk: ssd$0 }
          containers: [{ name: c, image: i }]
      `,
      "Pod/default/web",
    );
    holds(page, [
      "# Pod web stays Pending: no node can take it",
      "## The first wrong line\n\n[Pod web](file:///workspace/pod.yaml#L5) `spec.nodeSelector`",
      "## Candidates for Pod web",
      "| | node selector (NodeAffinity) |",
      "| Node ",
      "✗ `disk=ssd` ≠ `labels that do not match` |",
    ]);
  });

  test("says of a class that it belongs to the assumed cluster, and what it does", async () => {
    const page = await pageOf(
      `
        #- claimcheck.yaml
        profile: kind
        #- claim.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: da$0ta }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      `,
      "PersistentVolumeClaim/default/data",
    );
    holds(page, [
      "1. ✗ [Claim data]",
      "> WaitForFirstConsumer: waiting for first consumer",
      "2. ✓ Class standard is the default class; it has provisioner rancher.io/local-path, WaitForFirstConsumer, Delete (part of the assumed cluster “kind”)",
    ]);
  });

  test("is empty for an object that is not in the cluster", async () => {
    assert.equal(await pageOf(volumes, "Pod/default/none"), "");
  });

  test("explains a claim that waits for its pod by that pod", async () => {
    const page = await pageOf(
      `
        #- claimcheck.yaml
        profile: kind
        #- app.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        ---
        apiVersion: v1
        kind: Pod
        metadata: { name: w$0eb }
        spec:
          nodeSelector: { disk: ssd }
          containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
          volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
      `,
      "PersistentVolumeClaim/default/data",
    );
    holds(page, [
      "> **WaitForPodScheduled** waiting for pod web to be scheduled",
      "✗ [Pod web](file:///workspace/app.yaml#L8) stays Pending: no node can take it",
      "## Candidates for Pod web",
    ]);
  });

  test("never fails for any object in the cluster", async () => {
    const { prediction } = await atCursor(volumes, true);
    assert.ok(prediction !== undefined);
    const pages = [...prediction.facts.objects.keys()].map((ref) =>
      explanationPage(prediction, ref),
    );
    assert.ok(pages.filter((page) => page?.startsWith("# ")).length >= 5);
  });
});
