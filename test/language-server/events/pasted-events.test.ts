import assert from "node:assert/strict";
import { explainEvents } from "../../../src/language-server/events/explained-event.ts";
import { pastedEvents } from "../../../src/language-server/events/pasted-events.ts";
import { explainEventText } from "../../../src/language-server/features/event-explanation.ts";
import { atCursor } from "../../support/language-features.ts";
import { dedent } from "../../support/markers.ts";

function read(text: string): readonly string[] {
  return pastedEvents(dedent(text)).map(({ about, reason, message }) => {
    const object = about === undefined ? "?" : `${about.kind}/${about.namespace}/${about.name}`;
    return `${object} ${reason ?? "?"}: ${message}`;
  });
}

suite("reading pasted events", () => {
  test("a description tells its object once, and its events row by row", () =>
    assert.deepEqual(
      read(`
        Name:             web-0
        Namespace:        shop
        Node:             <none>
        Containers:
          main:
            Image:  nginx
        Events:
          Type     Reason            Age                   From               Message
          ----     ------            ----                  ----               -------
          Warning  FailedScheduling  2m13s (x3 over 7m)    default-scheduler  0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.
          Normal   Scheduled         5s                    default-scheduler  Successfully assigned shop/web-0 to node-a
      `),
      [
        "Pod/shop/web-0 FailedScheduling: 0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
        "Pod/shop/web-0 Scheduled: Successfully assigned shop/web-0 to node-a",
      ],
    ));

  test("the head of a description holds no events", () =>
    assert.deepEqual(
      read(`
        Name:          data
        Namespace:     shop
        Status:        Pending
        Finalizers:    [kubernetes.io/pvc-protection]
        Access Modes:
        Events:        <none>
      `),
      [],
    ));

  test("a list of events tells the object of each, with and without namespaces", () =>
    assert.deepEqual(
      read(`
        LAST SEEN   TYPE      REASON              OBJECT                        MESSAGE
        18s         Normal    FailedBinding       persistentvolumeclaim/data    no persistent volumes available for this claim and no storage class is set
        NAMESPACE   LAST SEEN   TYPE      REASON        OBJECT      MESSAGE
        shop        2m (x4 over 3m)   Warning   FailedMount   pod/web-0   MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found
      `),
      [
        "PersistentVolumeClaim//data FailedBinding: no persistent volumes available for this claim and no storage class is set",
        'Pod/shop/web-0 FailedMount: MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found',
      ],
    ));

  test("a line may be cut anywhere, as long as the message is there", () =>
    assert.deepEqual(
      [
        "Warning FailedScheduling … 0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
        "ProvisioningFailed: claim Selector is not supported",
        "no persistent volumes available for this claim and no storage class is set",
        'I see: Warning  FailedMount  2s  kubelet  MountVolume.SetUp failed for volume "h" : hostPath type check failed: /x is not a directory',
      ].flatMap(read),
      [
        "? FailedScheduling: 0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
        "? ProvisioningFailed: claim Selector is not supported",
        "? ?: no persistent volumes available for this claim and no storage class is set",
        '? FailedMount: MountVolume.SetUp failed for volume "h" : hostPath type check failed: /x is not a directory',
      ],
    ));

  test("event objects are read as YAML and as JSON", () => {
    const wanted = [
      "PersistentVolumeClaim/shop/data WaitForFirstConsumer: waiting for first consumer to be created before binding",
    ];
    assert.deepEqual(
      read(`
        apiVersion: v1
        kind: List
        items:
          - kind: Event
            reason: WaitForFirstConsumer
            message: waiting for first consumer to be created before binding
            involvedObject: { kind: PersistentVolumeClaim, namespace: shop, name: data }
      `),
      wanted,
    );
    assert.deepEqual(
      read(
        '{"kind":"Event","reason":"WaitForFirstConsumer","note":"waiting for first consumer to be created before binding","regarding":{"kind":"PersistentVolumeClaim","namespace":"shop","name":"data"}}',
      ),
      wanted,
    );
  });

  test("what is no event gives nothing, however large", () => {
    assert.deepEqual(read("hello\nworld\n"), []);
    assert.deepEqual(pastedEvents("word ".repeat(100_000)), []);
    assert.deepEqual(pastedEvents(`involvedObject: [${"[".repeat(500)}`), []);
  });
});

const workspace = `
  #- claimcheck.yaml
  profile: bare-metal
  #- app.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web }
  spec:
    selector: { matchLabels: { a: b } }
    template:
      metadata: { labels: { a: b } }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: $0data } }]
`;

async function explain(text: string): Promise<string> {
  const { prediction } = await atCursor(workspace, true);
  return explainEventText(text, prediction);
}

suite("explaining pasted events", () => {
  test("the component, its rule, the cause, what to change, and the place in the workspace", async () => {
    const found = await explain(
      "18s  Normal  FailedBinding  persistentvolumeclaim/data  no persistent volumes available for this claim and no storage class is set",
    );
    const lines = [
      "**FailedBinding**\n",
      "(persistentvolume-binder, pv",
      "> no persistent volumes available",
      "No volume fits the claim, and nobody may make one",
      "\\_controller.go syncUnboundClaim",
      "Nothing in the cluster will ever change this by itself.",
      "- name a class in spec.storageClassName",
      "In the workspace:\n- [Claim data](file:///workspace/app.yaml#L3) stays Pending: there is no volume and the cluster has no default class (predicted)",
    ];
    for (const line of lines) assert.ok(found.includes(line), `${line} is missing in\n${found}`);
  });

  test("a pod of another cluster leads to its workload, and each filter tells its part", async () => {
    const found = await explain(
      "2m  Warning  FailedScheduling  pod/web-7c5b8d9f4-x2x9z  0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had volume node affinity conflict.",
    );
    assert.ok(found.includes("1 of the nodes: These nodes have less left"), found);
    assert.ok(found.includes("2 of the nodes: A volume of the pod can be reached"), found);
    assert.ok(found.includes("[Pod web-7c5b8d9f4-x2x9z](file:///workspace/app.yaml#L8)"), found);
  });

  test("an event comes from whom kubectl says, its rule is of the component that runs", async () => {
    const message = "0/3 nodes are available: 3 Insufficient cpu.";
    for (const text of [
      `  Warning  FailedScheduling  2s  default-scheduler  ${message}`,
      `{"kind":"Event","reason":"FailedScheduling","message":"${message}","involvedObject":{},"source":{"component":""},"reportingComponent":"default-scheduler"}`,
    ]) {
      const found = await explain(text);
      assert.match(found, /^\*\*FailedScheduling\*\* from default-scheduler\n/);
      assert.ok(found.includes("(kube-scheduler, "), found);
    }
    const kubelet =
      "  Warning  FailedMount  1s  kubelet, node-a  Unable to attach or mount volumes: x";
    assert.equal(pastedEvents(kubelet)[0]?.source, "kubelet");
  });

  test("an object that is in no file is said to be so", async () => {
    const found = await explain('persistentvolumeclaim "other" not found');
    assert.ok(found.includes("- Claim other is in no file of this workspace"), found);
  });

  test("a message without an object leads to those of which the same is predicted", async () => {
    const found = await explain(
      "no persistent volumes available for this claim and no storage class is set",
    );
    assert.ok(found.includes("The same is predicted here of:\n- [Claim data]"), found);
  });

  test("bad news come before good ones, and unknown lines are named", () => {
    const { events, unknown } = explainEvents(
      dedent(`
        Events:
          Normal   Scheduled    5s  default-scheduler  Successfully assigned default/web to node-a
          Warning  FailedMount  1s  kubelet            MountVolume.SetUp failed for volume "x" : secret "k" not found
          Warning  Odd          1s  somebody           something else altogether
      `),
      undefined,
    );
    assert.deepEqual(
      events.map(({ patterns }) => patterns.join(" > ")),
      ["publish-failed > secret-not-found", "scheduled"],
    );
    assert.deepEqual(
      unknown.map(({ message }) => message),
      ["something else altogether"],
    );
  });

  test("a shortened message is explained without the names that it leaves out", async () => {
    const found = await explain(
      "VolumeMismatch: requested PV is too small / incompatible accessMode",
    );
    assert.ok(found.includes("**VolumeMismatch**\n"), found);
    assert.ok(found.includes("The claim names volume …, which"), found);
  });

  test("an error of kubectl apply names what was refused, and not the file", async () => {
    const refused =
      'persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a=2, used: a=9, limited: a=10';
    for (const command of ['error when creating "m.yaml": ', "error when applying patch: ", ""]) {
      const text = explainEventText(
        `Error from server (Forbidden): ${command}${refused}`,
        undefined,
      );
      assert.match(text, /An admission plugin refused persistentvolumeclaims data\./);
    }
  });

  test("text without events says what to paste", async () => {
    assert.match(await explain("hello"), /^No event of Kubernetes/);
  });
});
