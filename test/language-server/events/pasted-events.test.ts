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
  test("kubectl describe names the object once, for all rows of its events", () =>
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

  test("the kind of a described object is recognized by its first lines", () => {
    const rows = `Events:
          Type     Reason     Age  From     Message
          ----     ------     ---- ----     -------
          Warning  FailedX    5s   someone  said`;
    const about = (head: string): readonly string[] =>
      read(`Name: a\nNamespace: shop\n${head}${rows}`);
    assert.deepEqual(about("Priority: 0\nService Account: default\n"), [
      "Pod/shop/a FailedX: said",
    ]);
    assert.deepEqual(about("Node: node-a\nStatus: Running\n"), ["Pod/shop/a FailedX: said"]);
    assert.deepEqual(about("StorageClass: fast\nStatus: Bound\nVolume: v\n"), [
      "PersistentVolumeClaim/shop/a FailedX: said",
    ]);
    assert.deepEqual(about("Replicas: 1 current / 1 desired\nPods Status: 1 Running\n"), [
      "ReplicaSet/shop/a FailedX: said",
    ]);
    assert.deepEqual(about("Pod Template:\n  Service Account: x\n  Containers:\n"), [
      "? FailedX: said",
    ]);
  });

  test("the fields above a description's events are not read as events", () =>
    assert.deepEqual(
      read(`
        Name:          data
        Namespace:     shop
        Status:        Bound
        Finalizers:    [kubernetes.io/pvc-protection]
        Access Modes:
        Events:        <none>

        Name:    node-a
        Lease:   Failed to get lease: leases.coordination.k8s.io "node-a" not found
        Allocatable:
          pods:  110
      `),
      [],
    ));

  test("a description yields a state for an object that is not ready, and nothing for a ready one", () =>
    assert.deepEqual(
      read(`
        Name:          data
        Namespace:     shop
        Status:        Pending
        Access Modes:
        Events:        <none>

        Name:             web-0
        Namespace:        shop
        Node:             node-a/10.0.0.1
        Status:           Pending

        Name:           web-1
        Namespace:      shop
        Node:           <none>
        Status:         Pending

        Name:           web-2
        Namespace:      shop
        Node:           node-a/10.0.0.1
        Status:         Running

        Name:            pv-1
        Status:          Available
        Claim:           shop/other
        Reclaim Policy:  Retain

        Name:            pv-2
        Status:          Available
        Claim:
        Reclaim Policy:  Retain

        Name:               web
        Namespace:          shop
        Replicas:           3 desired | 3 total
        Pods Status:        1 Running / 2 Waiting / 0 Succeeded / 0 Failed
        Volume Claims:      <none>

        Name:           site
        Namespace:      shop
        Replicas:       2 desired | 2 updated | 2 total | 0 available | 2 unavailable
        StrategyType:   RollingUpdate

        Name:           agent
        Namespace:      shop
        Node-Selector:  <none>
        Desired Number of Nodes Scheduled: 3
        Current Number of Nodes Scheduled: 3
        Pods Status:  1 Running / 2 Waiting / 0 Succeeded / 0 Failed

        Name:           load
        Namespace:      shop
        Completions:    1
        Pods Statuses:  1 Active (0 Ready) / 0 Succeeded / 0 Failed

        Name:         csi-1
        Kind:         VolumeAttachment
        Status:
          Attached:  false
        Events:      <none>

        Name:         snap
        Namespace:    shop
        Kind:         VolumeSnapshot
        Spec:
          Source:
        Events:      <none>
      `),
      [
        "PersistentVolumeClaim/shop/data ?: persistentvolumeclaim Pending",
        "Pod/shop/web-0 ?: pod ContainerCreating",
        "Pod/shop/web-1 ?: pod Pending",
        "PersistentVolume//pv-1 ?: persistentvolume reserved",
        "StatefulSet/shop/web ?: statefulset 1/3 ready",
        "Deployment/shop/site ?: deployment 0/2 ready",
        "DaemonSet/shop/agent ?: daemonset 1/3 ready",
        "Job/shop/load ?: job 0/1 ready",
        "VolumeAttachment//csi-1 ?: volumeattachment not attached",
        "VolumeSnapshot/shop/snap ?: volumesnapshot not ready",
      ],
    ));

  test("a description of a Terminating object yields what keeps it, which no event says", () => {
    assert.deepEqual(
      read(`
        Name:          data
        Namespace:     shop
        Status:        Terminating (lasts 5m)
        Volume:        pv-1
        Finalizers:    [kubernetes.io/pvc-protection]
        Access Modes:  RWO
        Used By:       load-x7k2p
                       web-0
        Events:        <none>

        Name:            pv-1
        Finalizers:      [kubernetes.io/pv-protection]
        Status:          Terminating (lasts 1m)
        Claim:           shop/data
        Reclaim Policy:  Retain

        Name:                      web-0
        Namespace:                 shop
        Node:                      node-a/10.0.0.1
        Status:                    Terminating (lasts 12m)
        Termination Grace Period:  30s
      `),
      [
        "PersistentVolumeClaim/shop/data ?: Status: Terminating; Finalizers: [kubernetes.io/pvc-protection]; Used By: load-x7k2p, web-0",
        "PersistentVolume//pv-1 ?: Status: Terminating; Finalizers: [kubernetes.io/pv-protection]; Claim: shop/data; Reclaim Policy: Retain",
        "Pod/shop/web-0 ?: Status: Terminating; Node: node-a",
      ],
    );
  });

  test("a table of objects yields those that are Terminating, Released or Lost", () =>
    assert.deepEqual(
      read(`
        NAMESPACE   NAME    STATUS        VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
        shop        data    Terminating   pv-1     10Gi       RWO            gp3            5d
        shop        other   Bound         pv-2     10Gi       RWO            gp3            5d
        shop        old     Lost          pv-3     0                         gp3            5d

        NAME   CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM       STORAGECLASS   REASON   AGE
        pv-4   10Gi       RWO            Retain           Released   shop/gone   gp3                     5d
      `),
      [
        "PersistentVolumeClaim/shop/data ?: persistentvolumeclaim Terminating",
        "PersistentVolumeClaim/shop/old ?: persistentvolumeclaim Lost",
        "PersistentVolume//pv-4 ?: persistentvolume Released",
      ],
    ));

  test("tables, even of several kinds, yield the objects that are not ready, and nothing for the others", () =>
    assert.deepEqual(
      read(`
        $ kubectl get pod,pvc,pv
        NAME        READY   STATUS              RESTARTS      AGE
        pod/web-0   0/1     ContainerCreating   0             5m
        pod/web-1   0/1     Init:0/1            0             5m
        pod/web-2   0/1     CrashLoopBackOff    4 (2m ago)    5m
        pod/web-3   1/1     Running             0             5m

        NAME                         STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
        persistentvolumeclaim/data   Pending                                      gp3            5m
        persistentvolumeclaim/more   Bound     pv-1     1Gi        RWO            gp3            5m

        NAME                    CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS      CLAIM       STORAGECLASS   REASON   AGE
        persistentvolume/pv-1   1Gi        RWO            Retain           Bound       shop/more   gp3                     5m
        persistentvolume/pv-2   1Gi        RWO            Retain           Available   shop/data   gp3                     5m
        persistentvolume/pv-3   1Gi        RWO            Retain           Available               gp3                     5m
        persistentvolume/pv-4   1Gi        RWO            Delete           Failed      shop/old    gp3                     5m

        NAME                   READY   UP-TO-DATE   AVAILABLE   AGE
        deployment.apps/site   0/2     2            0           5m
        deployment.apps/api    2/2     2            2           5m

        NAME                              DESIRED   CURRENT   READY   AGE
        replicaset.apps/site-76bf64bfd4   2         2         0       5m
        replicaset.apps/site-5cc8d8d47b   0         0         0       5m

        NAME                   READY   AGE
        statefulset.apps/web   1/4     5m

        NAMESPACE   NAME   READYTOUSE   SOURCEPVC   SOURCESNAPSHOTCONTENT   RESTORESIZE   SNAPSHOTCLASS   SNAPSHOTCONTENT   CREATIONTIME   AGE
        shop        old    true         data                                1Gi           daily           snapcontent-1     5m             5m
        shop        new    false        data                                              daily           snapcontent-2                    5m

        NAME    ATTACHER          PV     NODE     ATTACHED   AGE
        csi-1   ebs.csi.aws.com   pv-1   node-a   true       5m
        csi-2   ebs.csi.aws.com   pv-2   node-a   false      5m

        NAME   STATUS        AGE
        shop   Terminating   5m
      `),
      [
        "Pod//web-0 ?: pod ContainerCreating",
        "Pod//web-1 ?: pod Init:0/1",
        "Pod//web-2 ?: pod CrashLoopBackOff",
        "PersistentVolumeClaim//data ?: persistentvolumeclaim Pending",
        "PersistentVolume//pv-2 ?: persistentvolume reserved",
        "PersistentVolume//pv-4 ?: persistentvolume Failed",
        "Deployment//site ?: deployment 0/2 ready",
        "ReplicaSet//site-76bf64bfd4 ?: replicaset 0/2 ready",
        "StatefulSet//web ?: statefulset 1/4 ready",
        "VolumeSnapshot/shop/new ?: volumesnapshot not ready",
        "VolumeAttachment//csi-2 ?: volumeattachment not attached",
      ],
    ));

  test("a table with custom columns names the object by its columns KIND and NAME", () =>
    assert.deepEqual(
      read(`
        LAST                   TYPE      REASON               KIND                    NAME   MSG
        2026-11-30T05:03:24Z   Warning   ProvisioningFailed   PersistentVolumeClaim   data   storageclass.storage.k8s.io "fast" not found
      `),
      [
        'PersistentVolumeClaim//data ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
      ],
    ));

  test("an object as YAML yields that it is Terminating or Released, and nothing if it is healthy", () =>
    assert.deepEqual(
      read(`
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data, namespace: shop, deletionTimestamp: "2026-01-01T00:00:00Z" }
        status: { phase: Bound }
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: pv-4 }
        status: { phase: Released }
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: pv-5 }
        status: { phase: Bound }
      `),
      [
        "PersistentVolumeClaim/shop/data ?: persistentvolumeclaim Terminating",
        "PersistentVolume//pv-4 ?: persistentvolume Released",
      ],
    ));

  test("a list of events names the object of each, with and without namespaces", () =>
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

  test("a line may lack any of its columns, as long as the message is there", () =>
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

  test("tables of older kubectl versions are read, whose columns are in another order", () => {
    const message =
      'Unable to mount volumes for pod "web-0": timeout expired waiting for volumes to attach/mount for pod "shop"/"web-0". list of unattached/unmounted volumes=[data]';
    assert.deepEqual(
      read(`
        FirstSeen  LastSeen  Count  From             SubObjectPath  Type     Reason       Message
        10m        1m        5      kubelet, node-a                 Warning  FailedMount  ${message}
        4m  2m  2  {kubelet node-a}  spec.containers{main}  Warning  FailedMount  ${message}
        2018-01-02 03:04:05 +0000 UTC   2018-01-02 03:00:00 +0000 UTC   12   web-0.153bda428c5eccff   Pod   Warning   FailedMount   kubelet, node-a   ${message}
        LAST SEEN   TYPE      REASON         KIND                    MESSAGE
        1s          Normal    FailedBinding  PersistentVolumeClaim   no persistent volumes available for this claim and no storage class is set
      `),
      [
        `? FailedMount: ${message}`,
        `Pod//web-0 FailedMount: ${message}`,
        "? FailedBinding: no persistent volumes available for this claim and no storage class is set",
      ],
    );
  });

  test("a wide list is read, which has columns on both sides of the message", () =>
    assert.deepEqual(
      pastedEvents(
        'shop   3m   Warning   Failed   pod/web-1   spec.containers{web}   kubelet, node-a   Error: failed to prepare subPath for volumeMount "v" of container "web"   5m2s   3   web-1.17b2c4a5d0a9e2f1',
      ),
      [
        {
          about: { kind: "Pod", namespace: "shop", name: "web-1" },
          source: "kubelet",
          reason: "Failed",
          message: 'Error: failed to prepare subPath for volumeMount "v" of container "web"',
        },
      ],
    ));

  test("an event's source may have two words, or be missing", () => {
    const [resizing, unknownAge] = pastedEvents(
      dedent(`
        Normal   Resizing          6m (x3 over 15m)  external-resizer ebs.csi.aws.com  External resizer is resizing volume pv-a
        Warning  FailedScheduling  <unknown>         0/4 nodes are available: 4 Insufficient cpu.
      `),
    );
    assert.equal(resizing?.source, "external-resizer ebs.csi.aws.com");
    assert.equal(unknownAge?.message, "0/4 nodes are available: 4 Insufficient cpu.");
  });

  test("the lines below a message belong to it as long as they make more of it recognizable", () =>
    assert.deepEqual(
      read(`
        Warning  FailedMount  30s  kubelet  MountVolume.SetUp failed for volume "v" : mount failed: exit status 32
        Mounting command: mount
        Mounting arguments: -t nfs fs:/a /b
        Output: mount.nfs: access denied by server while mounting fs:/a
        Can anybody help me?
        Warning  FailedUnMount  9s  kubelet  UnmountVolume.TearDown failed for volume "v" : unmount failed: exit status 32
        Unmounting arguments: /b
        Output: umount: /b: target is busy.
        0/3 nodes are available: 1 node(s) had taint {a: },
        that the pod didn't tolerate, 2 node(s) had volume node affinity conflict.
        Normal  SuccessfulMountVolume  46s  kubelet, node-a
        MountVolume.SetUp succeeded for volume "token"
      `),
      [
        '? FailedMount: MountVolume.SetUp failed for volume "v" : mount failed: exit status 32 Mounting command: mount Mounting arguments: -t nfs fs:/a /b Output: mount.nfs: access denied by server while mounting fs:/a',
        '? FailedUnMount: UnmountVolume.TearDown failed for volume "v" : unmount failed: exit status 32 Unmounting arguments: /b Output: umount: /b: target is busy.',
        "? ?: 0/3 nodes are available: 1 node(s) had taint {a: }, that the pod didn't tolerate, 2 node(s) had volume node affinity conflict.",
        '? SuccessfulMountVolume: MountVolume.SetUp succeeded for volume "token"',
      ],
    ));

  test("empty lines within a message, and lines that end at a cell, do not interrupt the event", () =>
    assert.deepEqual(
      read(`
        54s  Warning  FailedMount  pod/web-0  MountVolume.MountDevice failed for volume "v" : mount failed: exit status 32

        Mounting command: mount

        Mounting arguments: -t cifs //fs/a /b
        Output: mount error(2): No such file or directory

        Warning  ProvisioningFailed  90s  persistentvolume-controller
          storageclass.storage.k8s.io "fast" not found
        Warning  FailedMount

        configmap "settings" not found
        persistentvolumeclaim "data" not found
      `),
      [
        'Pod//web-0 FailedMount: MountVolume.MountDevice failed for volume "v" : mount failed: exit status 32 Mounting command: mount Mounting arguments: -t cifs //fs/a /b Output: mount error(2): No such file or directory',
        '? ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
        '? FailedMount: configmap "settings" not found',
        '? ?: persistentvolumeclaim "data" not found',
      ],
    ));

  test("the API server's error about a field may be broken anywhere, and be in comments", () =>
    assert.deepEqual(
      read(`
        The PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage:
        Forbidden: field can not be less than status.capacity
        The PersistentVolume "disk" is invalid: spec.nodeAffinity: Required
        value: Local volume requires node affinity
        #   Error from server (Forbidden): persistentvolumeclaims "data" is forbidden: only
        #   dynamically provisioned pvc can be resized and the storageclass that provisions the pvc
        #   must support resize.
      `),
      [
        '? ?: The PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
        '? ?: The PersistentVolume "disk" is invalid: spec.nodeAffinity: Required value: Local volume requires node affinity',
        '? ?: Error from server (Forbidden): persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      ],
    ));

  test("events are read in the format of end-to-end tests, and with a colon after the reason", () =>
    assert.deepEqual(
      read(`
        Apr 15 23:17:54.837: INFO: At 2021-04-15 23:13:00 +0000 UTC - event for web-0: {kubelet node-a} FailedMount: secret "s" not found
        Warning FailedScheduling: 0/1 nodes are available: 1 node(s) had volume node affinity conflict.
      `),
      [
        '? FailedMount: secret "s" not found',
        "? FailedScheduling: 0/1 nodes are available: 1 node(s) had volume node affinity conflict.",
      ],
    ));

  test("the period that ends a sentence is not part of the message", () =>
    assert.deepEqual(
      [
        'the claim says storageclass.storage.k8s.io "fast" not found.',
        'Warning  ProvisioningFailed  4m  persistentvolume-controller  storageclass.storage.k8s.io "fast" not found.',
      ].flatMap(read),
      [
        '? ?: storageclass.storage.k8s.io "fast" not found',
        '? ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
      ],
    ));

  test("kubectl's error about a refused patch is read without the patch", () =>
    assert.deepEqual(
      read(`
        Error from server (Forbidden): error when applying patch:
        {"spec":{"resources":{"requests":{"storage":"2Gi"}}}}
        to:
        Resource: "/v1, Resource=persistentvolumeclaims", GroupVersionKind: "/v1, Kind=PersistentVolumeClaim"
        Name: "data", Namespace: "shop"
        for: "data.yaml": error when patching "data.yaml": persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a, used: b, limited: c
      `),
      [
        '? ?: Error from server (Forbidden): error when applying patch: error when patching "data.yaml": persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a, used: b, limited: c',
      ],
    ));

  test("errors are read from the logs of provisioners, attachers and drivers", () =>
    assert.deepEqual(
      read(`
        E0101 10:00:00.000000 1 controller.go:957] error syncing claim "shop/data": failed to provision volume with StorageClass "fast": rpc error: code = Unavailable desc = no
        I0101 10:00:00.000000 1 csi_handler.go:243] "Error processing" VolumeAttachment="csi-1" err="failed to attach: rpc error: code = Aborted desc = not yet"
        time="2023-04-18T19:37:43Z" level=error msg="method failed" error="rpc error: code = Internal desc = no" nodeID=
        time="2023-04-18T19:37:43Z" level=error msg="something else" error="of another program"
        HTTP response body: {"kind":"Status","message":"persistentvolumeclaims \\"data\\" is forbidden: exceeded quota: q, requested: a, used: b, limited: c","code":403}
        "Msg": "MountVolume.SetUp failed for volume \\u0022v\\u0022 : rpc error: code = Internal desc = no",
        MountVolume.SetUp failed for volume "kubernetes.io/nfs/1-v" (spec.Name: "v") pod "1" (UID: "1") with: mount failed: exit status 32
      `),
      [
        'PersistentVolumeClaim/shop/data ?: failed to provision volume with StorageClass "fast": rpc error: code = Unavailable desc = no',
        "VolumeAttachment//csi-1 ?: failed to attach: rpc error: code = Aborted desc = not yet",
        "? ?: rpc error: code = Internal desc = no",
        '? ?: persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a, used: b, limited: c',
        '? ?: MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = no',
        '? ?: MountVolume.SetUp failed for volume "v" : mount failed: exit status 32',
      ],
    ));

  test("events with their objects, and errors of operations, are read from components' logs", () =>
    assert.deepEqual(
      read(`
        I1222 03:50:09.373103  1 event.go:218] Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"web-0", UID:"1", APIVersion:"v1", ResourceVersion:"4", FieldPath:""}): type: 'Warning' reason: 'FailedMount' MountVolume.SetUp failed for volume "v" : secret "s" not found
        I0101 00:00:00.000000  1 event.go:377] "Event occurred" object="shop/data" fieldPath="" kind="PersistentVolumeClaim" apiVersion="v1" type="Normal" reason="ProvisioningFailed" message="storageclass.storage.k8s.io \\"fast\\" not found"
        E0830 12:42:45.750826  2 nestedpendingoperations.go:301] Operation for "{volumeName:a podName: nodeName:}" failed. No retries permitted until later (durationBeforeRetry 2m2s). Error: "Volume not attached according to node status for volume \\"v\\" (UniqueName: \\"a^b\\") pod \\"web-0\\" (UID: \\"1\\") "
        E0212 10:03:56.535364  9 operation_generator.go:2058] NodeExpandVolume.NodeExpandVolume failed for volume "v" (UniqueName: "a^b") pod "web-0" (UID: "1") : Expander.NodeExpand failed to expand the volume : rpc error: code = Unknown desc = no
        E0212 10:03:56.535364  9 nestedpendingoperations.go:348] Operation for "{volumeName:a podName: nodeName:}" failed. No retries permitted until later (durationBeforeRetry 2m2s). Error: GetDeviceMountRefs check failed for volume "v" (UniqueName: "a^b") on node "n" : the device mount path "/g" is still mounted by other references [/m]
        E0212 10:03:56.535364  9 reconciler_common.go:169] "operationExecutor.UnmountVolume failed (controllerAttachDetachEnabled true) for volume \\"data\\" (UniqueName: \\"a^b\\") pod \\"1\\" (UID: \\"1\\") : UnmountVolume.NewUnmounter failed for volume \\"data\\" (UniqueName: \\"a^b\\") pod \\"1\\" (UID: \\"1\\") : kubernetes.io/csi: unmounter failed to load volume data file [/d]: no"
        E0101 10:00:00.000000 1234 pod_workers.go:1301] "Error syncing pod, skipping" err="unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded" pod="shop/web-0" podUID="1"
        E0101 10:00:00.000000 1 server.go:100] "GRPC error" err="rpc error: code = Unknown desc = provider \\"aws\\" not found"
        E0101 10:00:00.000000 1 kubelet_volumes.go:128] Orphaned pod "1" found, but volume paths are still present on disk
      `),
      [
        'Pod/shop/web-0 FailedMount: MountVolume.SetUp failed for volume "v" : secret "s" not found',
        'PersistentVolumeClaim/shop/data ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
        '? ?: Volume not attached according to node status for volume "v"',
        '? ?: NodeExpandVolume.NodeExpandVolume failed for volume "v" : Expander.NodeExpand failed to expand the volume : rpc error: code = Unknown desc = no',
        '? ?: GetDeviceMountRefs check failed for volume "v" : the device mount path "/g" is still mounted by other references [/m]',
        '? ?: UnmountVolume.NewUnmounter failed for volume "data" : kubernetes.io/csi: unmounter failed to load volume data file [/d]: no',
        "Pod/shop/web-0 FailedMount: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded",
        '? ?: rpc error: code = Unknown desc = provider "aws" not found',
        '? ?: Orphaned pod "1" found, but volume paths are still present on disk',
      ],
    ));

  test("marks of quotation, emphasis and code, a terminal's frame and colors, and escaped quotes are ignored", () =>
    assert.deepEqual(
      [
        '> **Warning  FailedMount  2s  kubelet  secret "s" not found**',
        '`Warning  FailedMount  2s  kubelet  secret "s" not found`',
        '│  Warning  FailedMount  2s  kubelet  secret "s" not found   │',
        '\u001b[33mWarning\u001b[0m  \u001b[1;31mFailedMount\u001b[m  2s  kubelet  secret "s" not found',
        '[33mWarning[0m  [1;31mFailedMount[0m  2s  kubelet  secret "s" not found',
        '"message": "secret \\"s\\" not found",',
      ].flatMap(read),
      [
        '? FailedMount: secret "s" not found',
        '? FailedMount: secret "s" not found',
        '? FailedMount: secret "s" not found',
        '? FailedMount: secret "s" not found',
        '? FailedMount: secret "s" not found',
        '? ?: secret "s" not found',
      ],
    ));

  test("an object's status yields the known messages and states of its conditions and attachment", () =>
    assert.deepEqual(
      read(`
        apiVersion: v1
        kind: Pod
        metadata: { name: web-0, namespace: shop }
        status:
          conditions:
            - { type: Initialized, status: "True", reason: Fine, message: all is well }
            - type: PodScheduled
              reason: Unschedulable
              message: '0/1 nodes are available: persistentvolumeclaim "data" not found. preemption:
                0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
        ---
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttachment
        metadata: { name: csi-1 }
        status:
          attached: false
          attachError: { message: 'PersistentVolume "v" is marked for deletion' }
        ---
        apiVersion: v1
        kind: Pod
        metadata: { name: web-1, namespace: shop }
        spec: { nodeName: n1 }
        status: { phase: Pending }
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: pv-1 }
        spec: { claimRef: { namespace: shop, name: other } }
        status: { phase: Available }
        ---
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshot
        metadata: { name: snap, namespace: shop }
        status: { readyToUse: false }
      `),
      [
        'Pod/shop/web-0 Unschedulable: 0/1 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
        "VolumeAttachment//csi-1 ?: volumeattachment not attached",
        'VolumeAttachment//csi-1 ?: PersistentVolume "v" is marked for deletion',
        "Pod/shop/web-1 ?: pod ContainerCreating",
        "PersistentVolume//pv-1 ?: persistentvolume reserved",
        "VolumeSnapshot/shop/snap ?: volumesnapshot not ready",
      ],
    ));

  test("the reason of a pod's failure is read from the description's Reason and Message", () =>
    assert.deepEqual(
      read(`
        Name:       web-0
        Namespace:  shop
        Status:     Failed
        Reason:     Evicted
        Message:    The node was low on resource: ephemeral-storage. Container a was using 92Ki, which exceeds its request of 0.
        Containers:
      `),
      [
        "Pod/shop/web-0 Evicted: The node was low on resource: ephemeral-storage. Container a was using 92Ki, which exceeds its request of 0.",
      ],
    ));

  test("messages that differ only in the order of their volumes are listed once", () => {
    const row = (volumes: string): string =>
      `Warning  FailedMount  9m  kubelet  Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[${volumes}]: timed out waiting for the condition`;
    assert.equal(pastedEvents([row("v config"), row("config v")].join("\n")).length, 1);
    assert.equal(pastedEvents([row("v config"), row("v other")].join("\n")).length, 2);
  });

  test("text without events yields nothing, however large", () => {
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
  test("names the component, its rule, the cause, what to change, and the place in the workspace", async () => {
    const found = await explain(
      "18s  Normal  FailedBinding  persistentvolumeclaim/data  no persistent volumes available for this claim and no storage class is set",
    );
    const lines = [
      "**FailedBinding**\n",
      "(persistentvolume-binder, pv",
      "> no persistent volumes available",
      "No volume fits the claim, and none is provisioned",
      "\\_controller.go syncUnboundClaim",
      "Nothing in the cluster will ever change this by itself.",
      "- name a class in spec.storageClassName",
      "In the workspace:\n- [Claim data](file:///workspace/app.yaml#L4) stays Pending: there is no volume and the cluster has no default class (predicted)",
    ];
    for (const line of lines) assert.ok(found.includes(line), `${line} is missing in\n${found}`);
  });

  test("a pod of another cluster leads to its workload, and each filter's share of the nodes is explained", async () => {
    const found = await explain(
      "2m  Warning  FailedScheduling  pod/web-7c5b8d9f4-x2x9z  0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had volume node affinity conflict.",
    );
    assert.ok(found.includes("1 of the nodes: These nodes have less left"), found);
    assert.ok(found.includes("2 of the nodes: A volume of the pod can be reached"), found);
    assert.ok(found.includes("[Pod web-7c5b8d9f4-x2x9z](file:///workspace/app.yaml#L8)"), found);
  });

  test("a pod whose name begins with the names of two workloads leads to the longer one", async () => {
    const { prediction } = await atCursor(
      `${workspace}
  ---
  apiVersion: batch/v1
  kind: Job
  metadata: { name: web-init }
  spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }
`,
      true,
    );
    const found = explainEventText(
      "2m  Warning  FailedScheduling  pod/web-init-zzzzz  0/3 nodes are available: 1 Insufficient cpu.",
      prediction,
    );
    assert.ok(found.includes("[Pod web-init-zzzzz](file:///workspace/app.yaml#L20)"), found);
  });

  test("an event's source is what kubectl prints, its rule is attributed to the component's binary", async () => {
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

  test("an error of kubectl apply leads to the field", async () => {
    const found = await explain(
      'The PersistentVolumeClaim "data" is invalid: spec.accessModes: Required value: at least 1 access mode is required',
    );
    assert.ok(found.includes("[Claim data](file:///workspace/app.yaml#L4"), found);
  });

  test("the object of a conflict is found by its kind, whichever component reports it", async () => {
    const found = await explain(
      'Failed to create snapshot content with error snapshot controller failed to update data on API server: Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified; please apply your changes to the latest version and try again',
    );
    assert.ok(found.includes("[Claim data](file:///workspace/app.yaml"), found);
    assert.ok(!found.includes("Snapshot data"), found);
  });

  test("a refused server-side apply and a failed release lead to the object, and the field", async () => {
    const applied = await explain(
      "failed to create typed patch object (default/data; /v1, Kind=PersistentVolumeClaim): .spec.resources: field not declared in schema",
    );
    assert.ok(applied.includes("[Claim data](file:///workspace/app.yaml#L4"), applied);
    const released = await explain(
      'Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: Deployment.apps "web" is invalid: spec.selector: Invalid value: x: field is immutable',
    );
    assert.ok(released.includes("[Deployment web](file:///workspace/app.yaml#L10"), released);
  });

  test("a failed probe leads to its field in the object that the pod is made from", async () => {
    const { prediction } = await atCursor(
      `
        #- claimcheck.yaml
        profile: bare-metal
        #- app.yaml
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web }
        spec:
          selector: { matchLabels: { a: b } }
          template:
            metadata: { labels: { a: b } }
            spec:
              containers:
                - name: main$0
                  image: i
                  ports: [{ name: http, containerPort: 8080 }]
                  readinessProbe:
                    httpGet: { path: /, port: http }
                  startupProbe:
                    tcpSocket: { port: 8081 }
      `,
      true,
    );
    const refused =
      'probe failed: Get "http://10.0.0.7:8080/": dial tcp 10.0.0.7:8080: connect: connection refused';
    const place = /\[(.*)\]\(file:\/\/\/workspace\/app.yaml#L14\)/;
    const ofPod = `Warning  Unhealthy  5s  pod/web-7c5b8d9f4-x2x9z  Readiness ${refused}`;
    assert.match(explainEventText(ofPod, prediction), place);
    // Without the pod, only the probed address says which probe it is.
    assert.match(explainEventText(`Readiness ${refused}`, prediction), place);
    const other = "Readiness probe failed: HTTP probe failed with statuscode: 503";
    assert.doesNotMatch(explainEventText(other, prediction), place);
  });

  test("a field that OpenShift's security constraints refuse is found in the workload's template", async () => {
    const { prediction } = await atCursor(
      `
        #- claimcheck.yaml
        profile: bare-metal
        #- app.yaml
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web }
        spec:
          selector: { matchLabels: { a: b } }
          template:
            metadata: { labels: { a: b } }
            spec:
              securityContext:
                runAsNonRoot: true
                fsGroup: $026
              containers:
                - name: c
                  image: i
                  securityContext:
                    privileged: false
                    runAsUser: 26
      `,
      true,
    );
    const refused = (what: string): string =>
      explainEventText(
        `pods "web-7c5b8d9f4-" is forbidden: unable to validate against any security context constraint: [${what}]`,
        prediction,
      );
    const group = refused("fsGroup: Invalid value: []int64{26}: 26 is not an allowed group");
    assert.ok(group.includes("app.yaml#L11"), group);
    const user = refused(
      'provider "restricted-v2": .containers[0].runAsUser: Invalid value: 26: must be in the ranges: [1000680000, 1000689999]',
    );
    assert.ok(user.includes("app.yaml#L17"), user);
  });

  test("an event of which only the reason is known is attributed to the source that kubectl prints", async () => {
    const found = await explain(
      "  Warning  ProvisioningFailed  2s  persistentvolume-controller  we have none left",
    );
    assert.ok(found.includes("(persistentvolume-controller, events with reason"), found);
  });

  test("a name without a namespace means the only object of that name", async () => {
    const { prediction } = await atCursor(
      `
        #- claimcheck.yaml
        profile: bare-metal
        #- app.yaml
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: $0data, namespace: shop }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      `,
      true,
    );
    const { events } = explainEvents('persistentvolumeclaim "data" not found', prediction);
    assert.deepEqual(
      events.flatMap(({ places }) => places.map(({ ref }) => ref)),
      ["PersistentVolumeClaim/shop/data"],
    );
  });

  test("an error about a key missing in a driver's secret leads to the class and its Secret", async () => {
    const { prediction } = await atCursor(
      `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ce$0ph }
      provisioner: rbd.csi.ceph.com
      parameters:
        clusterID: main
        pool: kube
        csi.storage.k8s.io/provisioner-secret-name: login
        csi.storage.k8s.io/provisioner-secret-namespace: default
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      stringData: { userKey: k }
    `,
      true,
    );
    const { events } = explainEvents(
      `Warning ProvisioningFailed failed to provision volume with StorageClass "ceph": rpc error: code = InvalidArgument desc = missing ID field 'userID' in secrets`,
      prediction,
    );
    assert.deepEqual(
      events.flatMap(({ places }) =>
        places.map(({ ref, source }) => `${ref} ${source?.path.join(".")}`),
      ),
      ["StorageClass//ceph ", "Secret/default/login stringData"],
    );
  });

  test("a missing PriorityClass is not taken for a StorageClass", async () => {
    const { prediction } = await atCursor(workspace, true);
    const { events } = explainEvents("no PriorityClass with name urgent was found", prediction);
    assert.deepEqual(
      events.flatMap(({ places }) => places.map(({ ref }) => ref)),
      ["PriorityClass//urgent"],
    );
  });

  test("each of the pods that a message lists is found", async () => {
    const { prediction } = await atCursor(workspace, true);
    const found = (message: string): readonly string[] =>
      explainEvents(message, prediction).events.flatMap(({ places }) =>
        places.map(({ ref, source }) => `${ref} ${source === undefined ? "nowhere" : "here"}`),
      );
    const [one, two] = ["web-7c5b8d9f4-x2x9z", "web-7c5b8d9f4-aaaaa"];
    const pods = [`Pod/default/${one} here`, `Pod/default/${two} here`];
    const used = 'Multi-Attach error for volume "pvc-1" Volume is already used by';
    assert.deepEqual(found(`${used} pod(s) ${one}, ${two} and 2 pod(s) in different namespaces`), [
      "PersistentVolume//pvc-1 nowhere",
      ...pods,
    ]);
    assert.deepEqual(found(`${used} 2 pod(s) in different namespaces`), [
      "PersistentVolume//pvc-1 nowhere",
    ]);
    assert.deepEqual(found(`waiting for pods ${one},${two} to be scheduled`), pods);
  });

  test("a pod's own volume is found in the template of its workload", async () => {
    const { prediction } = await atCursor(workspace, true);
    const placesOf = (volume: string): readonly string[] =>
      explainEvents(
        `2s  Warning  FailedMount  pod/web-7c5b8d9f4-x2x9z  MountVolume.SetUp failed for volume "${volume}" : mount failed`,
        prediction,
      ).events.flatMap(({ places }) =>
        places.map(({ ref, source }) => `${ref} ${source?.path.join(".")}`),
      );
    assert.deepEqual(placesOf("v"), [
      "Pod/default/web-7c5b8d9f4-x2x9z spec.template.spec.volumes.0",
    ]);
    assert.deepEqual(placesOf("kube-api-access-abcde"), ["Pod/default/web-7c5b8d9f4-x2x9z "]);
    assert.deepEqual(placesOf("pvc-1"), [
      "Pod/default/web-7c5b8d9f4-x2x9z ",
      "PersistentVolume//pvc-1 undefined",
    ]);
  });

  test("a pod's own volume is found for a message without an object if only one pod has it", async () => {
    const { prediction } = await atCursor(workspace, true);
    const message = 'MountVolume.SetUp failed for volume "v" : mount failed';
    const [event] = explainEvents(message, prediction).events;
    assert.deepEqual(
      event?.places.map(({ ref, source }) => `${ref.slice(0, 16)} ${source?.path.join(".")}`),
      ["Pod/default/web- spec.template.spec.volumes.0"],
    );
  });

  test("a pod that waits for its claim leads to the claim if the same is predicted", async () => {
    const { prediction } = await atCursor(workspace, true);
    assert.ok(prediction !== undefined);
    const refsOf = (message: string): readonly string[] =>
      explainEvents(
        `2m  Warning  FailedScheduling  pod/${podName}  ${message}`,
        prediction,
      ).events.flatMap(({ places, roots }) => [...places, ...roots].map(({ ref }) => ref));
    const podName = prediction.verdicts.find(({ ref }) => ref.startsWith("Pod/"))?.ref.slice(12);
    assert.deepEqual(
      refsOf("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."),
      [`Pod/default/${podName}`, "PersistentVolumeClaim/default/data"],
    );
    const ofAnotherCluster =
      "2m  Warning  FailedScheduling  pod/web-7c5b8d9f4-x2x9z  0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    const [other] = explainEvents(ofAnotherCluster, prediction).events;
    assert.deepEqual(
      [...(other?.places ?? []), ...(other?.roots ?? [])].map(({ ref }) => ref),
      ["Pod/default/web-7c5b8d9f4-x2x9z", "PersistentVolumeClaim/default/data"],
    );
    assert.deepEqual(refsOf("0/3 nodes are available: 3 Insufficient cpu."), [
      `Pod/default/${podName}`,
    ]);
  });

  test("a Normal event is not called harmless if it waits for something that is predicted never to happen", async () => {
    const manifests = (provisioner: string): string => `
      #- a.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ${provisioner}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `;
    const explained = async (provisioner: string) => {
      const { prediction } = await atCursor(manifests(provisioner), true);
      const text = `Normal  ExternalProvisioning  2s  persistentvolume-controller  Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
      const [event] = explainEvents(text, prediction).events;
      return [event?.outlook, ...(event?.roots ?? []).map(({ ref }) => ref)];
    };
    assert.deepEqual(await explained("ebs.csi.aws.co"), ["stuck", "StorageClass//fast"]);
    assert.deepEqual(await explained("ebs.csi.aws.com"), ["waits"]);
  });

  test("an object that is in no file is reported as such", async () => {
    const found = await explain('persistentvolumeclaim "other" not found');
    assert.ok(found.includes("- Claim other is in no file of this workspace"), found);
  });

  test("a message without an object leads to the objects for which the same is predicted", async () => {
    const found = await explain(
      "no persistent volumes available for this claim and no storage class is set",
    );
    assert.ok(found.includes("The same is predicted here for:\n- [Claim data]"), found);
  });

  test("failures come before successes, and unknown messages are listed", () => {
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

  test("a shortened message is explained with … for the names that it leaves out", async () => {
    const found = await explain(
      "VolumeMismatch: requested PV is too small / incompatible accessMode",
    );
    assert.ok(found.includes("**VolumeMismatch**\n"), found);
    assert.ok(found.includes("The claim names volume …, which"), found);
  });

  test("the explanation of a kubectl apply error names the refused object, not the file", async () => {
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

  test("changes that remove the cause come before those that help to find it", () => {
    const { events } = explainEvents(
      "Warning  FailedMount  2s  kubelet  Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: error processing PVC shop/data: PVC is not bound",
      undefined,
    );
    assert.deepEqual(events[0]?.changes, [
      "replace spec.nodeName by a nodeSelector on kubernetes.io/hostname",
      "look for FailedAttachVolume and the first FailedMount of the pod",
    ]);
  });

  test("changing control-plane nodes is advised only if nothing else can be changed", () => {
    const changes = (reasons: string): readonly string[] =>
      explainEvents(
        `Warning  FailedScheduling  2s  default-scheduler  0/3 nodes are available: ${reasons}.`,
        undefined,
      ).events[0]?.changes ?? [];
    const tainted = "1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }";
    assert.deepEqual(changes(`${tainted}, 2 Insufficient memory`), [
      "lower the requests, or add nodes",
    ]);
    assert.deepEqual(changes(tainted), [
      "add nodes for pods; or, in a cluster that has no others, remove the taint",
    ]);
  });

  test("an unknown message is explained by its reason", () => {
    const { events, unknown } = explainEvents(
      dedent(`
        Warning  FailedMount  2s  kubelet  my own plugin is tired
        Warning  FailedScheduling  2s  my-scheduler  the stars are wrong
      `),
      undefined,
    );
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      events.map(({ patterns }) => patterns.join(" > ")),
      ["other-mount-failure", "other-scheduling-failure"],
    );
  });

  test("a controller's refused request is retried, a person's is not", () => {
    const refused =
      'persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a=2, used: a=9, limited: a=10';
    const outlookOf = (text: string): string | undefined =>
      explainEvents(text, undefined).events[0]?.outlook;
    assert.equal(outlookOf(`Error from server (Forbidden): ${refused}`), "stuck");
    assert.equal(
      outlookOf(
        `Warning  FailedCreate  1s  statefulset-controller  create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ${refused}`,
      ),
      "retried",
    );
    // A Deployment retries only until its progress deadline, and a failed Job is not retried at all.
    const ofSet = `Failed to create new replica set "web-1": ${refused}`;
    assert.equal(outlookOf(`Warning  ReplicaSetCreateError  1s  x  ${ofSet}`), "stuck");
    assert.equal(outlookOf("Job has reached the specified backoff limit"), "stuck");
  });

  test("a message with escaped quotes, and one about a quota broken over lines, are read whole", () => {
    const text = [
      'Warning  FailedMount  1s  kubelet  MountVolume.SetUp failed for volume \\"v\\" : secret \\"s\\" not found',
      'Error from server (Forbidden): persistentvolumeclaims "data" is forbidden: exceeded quota: q,',
      "requested: a=2,",
      "used: a=9, limited: a=10",
    ].join("\n");
    const { events, unknown } = explainEvents(text, undefined);
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      events.map(({ event }) => event.message),
      [
        'MountVolume.SetUp failed for volume "v" : secret "s" not found',
        'Error from server (Forbidden): persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: a=2, used: a=9, limited: a=10',
      ],
    );
  });

  test("the diff lines below a refused change of a claim are part of the message", () =>
    assert.deepEqual(
      read(`
        PersistentVolumeClaim "grafana" is invalid: spec: Forbidden: spec is immutable
        after creation except resources.requests and volumeAttributesClassName for bound claims
        - "StorageClassName": "fast",
        + "StorageClassName": null,
      `),
      [
        '? ?: PersistentVolumeClaim "grafana" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims - "StorageClassName": "fast", + "StorageClassName": null,',
      ],
    ));

  test("the lines that a mount program prints are part of the kubelet's message", () => {
    const text = [
      '  Warning  FailedMount  4s  kubelet  MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = Could not mount "fs-1:/" at "/mount": mount failed: exit status 32',
      "Mounting command: mount",
      "Mounting arguments: -t efs -o tls fs-1:/ /mount",
      'Output: Could not start amazon-efs-mount-watchdog, unrecognized init system "aws-efs-csi-dri"',
      "b'mount.nfs4: access denied by server while mounting 127.0.0.1:/'",
    ].join("\n");
    const { events } = explainEvents(text, undefined);
    assert.equal(events.length, 1);
    assert.match(events[0]?.causes.at(-1)?.cause ?? "", /^EFS does not let this mount in/);
  });

  test("the lines that iscsiadm prints are part of the kubelet's message", () => {
    const text = [
      '  Warning  FailedMount  2m  kubelet  MountVolume.WaitForAttach failed for volume "v" : failed to get any path for iscsi disk, last err seen:',
      "iscsi: failed to attach disk: Error: iscsiadm: Could not login to [iface: default, target: iqn.2016-09.com.example:v, portal: 10.43.188.30,3260].",
      "iscsiadm: initiator reported error (12 - iSCSI driver not found. Please make sure it is loaded, and retry the operation)",
    ].join("\n");
    const { events, unknown } = explainEvents(text, undefined);
    assert.deepEqual(unknown, []);
    assert.equal(events.length, 1);
    assert.match(events[0]?.causes.at(-1)?.cause ?? "", /initiator does not run/);
  });

  test("text crafted to take long is read in reasonable time", () => {
    const row = "Warning  FailedMount  1m  kubelet  ";
    for (const part of ['"', "\\", "[", " ", ": ", "a b "]) {
      const long = part.repeat(8000).slice(0, 8000);
      pastedEvents(`${long}!\n${row}${long}!\n`.repeat(4));
    }
    assert.deepEqual(pastedEvents("\n".repeat(300_000)), []);
  });

  test("one long word is read in time linear in its length", () => {
    const of = (part: string): string => part.repeat(8000 / part.length);
    const lines = [
      `${of("a.")} Warning FailedMount x`,
      `level=error msg="${of("-")}x`,
      `Operation (UniqueName: "${of("a")} (UniqueName: x`,
      `| a | ${of(" ")}x`,
    ];
    for (const line of lines) pastedEvents(`${line}\n`.repeat(150));
  });

  test("thousands of lines that each begin a message are read in reasonable time", () => {
    const begun = 'MapVolume.NewBlockVolumeMapper initialization failed for volume "';
    assert.equal(pastedEvents(`${begun}\n`.repeat(3000)).length, 1);
    const others = Array.from({ length: 5000 }, (_, i) => `${begun}v${i}" : timed out`);
    assert.equal(pastedEvents(others.join("\n")).length, 50);
  });

  test("text without events says what to paste", async () => {
    assert.match(await explain("hello"), /^This text contains no event of Kubernetes/);
  });
});
