/** Explains states such as Pending in pasted tables, and pasted events that a later state has made obsolete. */
import assert from "node:assert/strict";
import {
  type ExplainedEvent,
  explainEvents,
} from "../../../src/language-server/events/explained-event.ts";
import { explainEventText } from "../../../src/language-server/features/event-explanation.ts";
import { atCursor } from "../../support/language-features.ts";
import { dedent } from "../../support/markers.ts";

const files = `
  #- shop.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data, namespace: shop }
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: $0nowhere
    resources: { requests: { storage: 1Gi } }
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, namespace: shop }
  spec:
    selector: { matchLabels: { app: web } }
    template:
      metadata: { labels: { app: web } }
      spec:
        containers:
          - name: main
            image: nginx
            volumeMounts: [{ name: data, mountPath: /data }]
        volumes:
          - name: data
            persistentVolumeClaim: { claimName: data }
`;

function messagesOf(events: readonly ExplainedEvent[]): readonly string[] {
  return events.map(({ event, outlook }) => `${outlook}: ${event.message}`);
}

suite("pasted states of objects", () => {
  test("a claim that is Pending in a table leads to the field that is predicted to be the cause", async () => {
    const { prediction } = await atCursor(files, true);
    const text = explainEventText(
      dedent(`
        NAMESPACE   NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
        shop        data   Pending                                      nowhere        5m
      `),
      prediction,
    );
    assert.match(text, /Nothing in the cluster will ever change this by itself/);
    assert.match(text, /shop\.yaml#L6[^)]*\) stays Pending: class "nowhere" does not exist/);
  });

  test("a workload and its ReplicaSet lead to what keeps their pods from starting, whatever the pods' names", async () => {
    const { prediction } = await atCursor(files, true);
    const { events } = explainEvents(
      dedent(`
        NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE
        shop        web    0/1     1            0           5m
        NAMESPACE   NAME             DESIRED   CURRENT   READY   AGE
        shop        web-5f5f5f5f5f   1         1         0       5m
      `),
      prediction,
    );
    assert.deepEqual(
      events.map(({ places, roots }) => [
        places[0]?.source?.entry.object.kind,
        ...roots.map(({ ref }) => ref),
      ]),
      [
        ["Deployment", "PersistentVolumeClaim/shop/data"],
        ["Deployment", "PersistentVolumeClaim/shop/data"],
      ],
    );
  });

  test("an object that is not ready is not listed beside the event that says why, nor beside its pods", () => {
    const { events } = explainEvents(
      dedent(`
        NAMESPACE   NAME                 READY   STATUS              RESTARTS   AGE
        shop        web-5f5f5f5f5f-x7k2p   0/1     Pending             0          5m
        shop        other                0/1     ContainerCreating   0          5m
        NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE
        shop        web    0/1     1            0           5m

        Name:             web-5f5f5f5f5f-x7k2p
        Namespace:        shop
        Node:             <none>
        Status:           Pending
        Events:
          Type     Reason            Age  From               Message
          ----     ------            ---- ----               -------
          Warning  FailedScheduling  5s   default-scheduler  0/1 nodes are available: persistentvolumeclaim "data" not found.
      `),
      undefined,
    );
    assert.deepEqual(messagesOf(events), [
      "waits: pod ContainerCreating",
      'retried: 0/1 nodes are available: persistentvolumeclaim "data" not found.',
    ]);
  });

  test("events that the object's described status has overcome are over, and suggest no change", () => {
    const { events } = explainEvents(
      dedent(`
        Name:          data
        Namespace:     shop
        Status:        Bound
        Volume:        pv-1
        Access Modes:  RWO
        Events:
          Type     Reason              Age  From                         Message
          ----     ------              ---- ----                         -------
          Warning  ProvisioningFailed  9m   persistentvolume-controller  storageclass.storage.k8s.io "fast" not found
          Warning  VolumeResizeFailed  1m   external-resizer x           resize volume "pv-1" by resizer "x" failed: rpc error: code = Internal desc = no
        Name:             web-0
        Namespace:        shop
        Node:             node-a/10.0.0.1
        Status:           Running
        Events:
          Type     Reason            Age  From               Message
          ----     ------            ---- ----               -------
          Warning  FailedScheduling  9m   default-scheduler  0/1 nodes are available: persistentvolumeclaim "data" not found.
          Warning  FailedMount       8m   kubelet            MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found
          Normal   Started           7m   kubelet            Started container main
          Warning  FailedMount       1m   kubelet            MountVolume.SetUp failed for volume "key" : secret "key" not found
      `),
      undefined,
    );
    assert.deepEqual(messagesOf(events), [
      'retried: resize volume "pv-1" by resizer "x" failed: rpc error: code = Internal desc = no',
      'retried: MountVolume.SetUp failed for volume "key" : secret "key" not found',
      'over: storageclass.storage.k8s.io "fast" not found',
      'over: 0/1 nodes are available: persistentvolumeclaim "data" not found.',
      'over: MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found',
      "done: Started container main",
    ]);
    assert.deepEqual(
      events.filter(({ outlook }) => outlook === "over").flatMap(({ changes }) => changes),
      [],
    );
  });
});
