/** The recognition of messages: of those that real Kubernetes wrote and those that users paste. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messagePatterns } from "../../../src/engine/explain/messages/catalogue.ts";
import { recognizeFragment } from "../../../src/engine/explain/messages/fragment.ts";
import type { Recognition } from "../../../src/engine/explain/messages/recognition.ts";
import { recognize, recognizeByReason } from "../../../src/engine/explain/messages/recognize.ts";
import { check } from "./recognized.ts";

interface RecordedEvent {
  readonly kind: string;
  readonly reason: string;
  readonly message: string;
}

const recordings = join(import.meta.dirname, "..", "..", "recordings", "recordings");

function recordedEvents(): readonly RecordedEvent[] {
  const found = new Map<string, RecordedEvent>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { reason, message, involvedObject, about } = value as Readonly<Record<string, unknown>>;
    const isEvent = involvedObject !== undefined || about !== undefined;
    if (isEvent && typeof reason === "string" && typeof message === "string") {
      // Recordings write names that differ from run to run as `<uid …>`.
      const text = message.replace(/<[^>]*>/g, "x");
      found.set(`${reason} ${text}`, { kind: "", reason, message: text });
    }
    for (const child of Object.values(value)) walk(child);
  };
  for (const area of readdirSync(recordings)) {
    for (const name of readdirSync(join(recordings, area)))
      walk(JSON.parse(readFileSync(join(recordings, area, name), "utf8")));
  }
  return [...found.values()];
}

/** Values of the placeholders that do not match an ordinary word, such as their own name. */
const examples: Readonly<Record<string, string>> = {
  available: "0",
  total: "3",
  count: "4",
  times: "2",
  exitCode: "32",
};

suite("recognizing messages", () => {
  test("knows every event in the recordings of real Kubernetes by its reason", () => {
    const events = recordedEvents();
    assert.ok(events.length > 200, `${events.length} events`);
    const unknown = events.filter(
      ({ reason, message }) =>
        recognize(message, reason)?.pattern.reasons?.includes(reason) !== true,
    );
    assert.deepEqual(unknown, []);
  });

  test("knows every reason of events that the engine's components record", () => {
    const known = new Set(messagePatterns.flatMap(({ reasons }) => reasons ?? []));
    const engine = join(import.meta.dirname, "..", "..", "..", "src", "engine");
    const unknown = ["controllers", "kubelet", "scheduler"].flatMap((folder) =>
      readdirSync(join(engine, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) => {
          const source = readFileSync(join(engine, folder, name), "utf8");
          return [...source.matchAll(/"(?:Warning|Normal)",\s*"([A-Z]\w+)"/g)]
            .map((match) => match[1] ?? "")
            .filter((reason) => !known.has(reason))
            .map((reason) => `${reason} of ${name}`);
        }),
    );
    assert.deepEqual(unknown, []);
  });

  test("has one pattern for each id", () => {
    const ids = messagePatterns.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    );
  });

  test("finds each wording in its message, with any of its reasons", () => {
    const ids = (found: Recognition | undefined): readonly string[] =>
      found === undefined ? [] : [found.pattern.id, ...found.inner.flatMap(ids)];
    const isKnown = (id: string, message: string, reason: string | undefined): boolean =>
      ids(recognize(message, reason) ?? recognizeByReason(message, reason)).includes(id);
    const missed = messagePatterns.flatMap(({ id, texts, reasons = [undefined], isAnywhere }) =>
      texts.flatMap((text) => {
        const said = text.replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => examples[name] ?? name);
        const message =
          isAnywhere === true
            ? `AttachVolume.Attach failed for volume "pv" : (${said}) and more`
            : said;
        return reasons.every((reason) => isKnown(id, message, reason)) ? [] : [`${id}: ${text}`];
      }),
    );
    assert.deepEqual(missed, []);
  });

  test("has every placeholder of a cause or change in all wordings", () => {
    const mentioned = (text: string): readonly string[] =>
      [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const missing = messagePatterns.flatMap(({ id, cause, change, texts }) =>
      mentioned([cause, ...change].join(" ")).flatMap((name) =>
        texts.every((text) => mentioned(text).includes(name)) ? [] : [`${id}: ${name}`],
      ),
    );
    assert.deepEqual(missing, []);
  });

  test("has advice for every stuck pattern, itself or in its detail", () => {
    const silent = messagePatterns.filter(
      ({ outlook, change, texts }) =>
        outlook === "stuck" &&
        change.length === 0 &&
        texts.every((text) => !text.includes("{detail}")),
    );
    assert.deepEqual(
      silent.map(({ id }) => id),
      [],
    );
  });

  test("knows the binder's messages, in current and older words", () =>
    check({
      "no persistent volumes available for this claim and no storage class is set":
        "no-volume-and-no-class",
      "waiting for first consumer to be created before binding": "waits-for-first-consumer",
      "waiting for pod web-0 to be scheduled": "waits-for-pod",
      "waiting for pods a,b to be scheduled": "waits-for-pod",
      "Waiting for a volume to be created either by the external provisioner 'ebs.csi.aws.com' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.":
        "waits-for-provisioner",
      'waiting for a volume to be created, either by external provisioner "ebs.csi.aws.com" or manually created by system administrator':
        "waits-for-provisioner",
      'storageclass.storage.k8s.io "fast" not found': "class-not-found",
      'Cannot bind to requested volume "small": requested PV is too small':
        "requested-volume-too-small",
      'Cannot bind to requested volume "small": storageClassName does not match':
        "requested-volume-other-class",
      'volume "x" already bound to a different claim.': "volume-of-other-claim",
      "Bound claim has lost its PersistentVolume. Data on the volume is lost!": "claim-lost-volume",
    }));

  test("takes a FailedScheduling event apart, filter by filter", () =>
    check(
      {
        "0/4 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }, 2 node(s) didn't match PersistentVolume's node affinity. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.":
          "unschedulable > 1× not-enough-resources, 1× node-in-trouble, 2× volume-out-of-reach",
        "0/3 nodes are available: 3 node(s) had volume node affinity conflict.":
          "unschedulable > 3× volume-out-of-reach",
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.":
          "unschedulable > unbound-immediate-claims",
        "0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.":
          "unschedulable > 3× unbound-immediate-claims",
        '0/1 nodes are available: persistentvolumeclaim "x" not found. not found':
          "unschedulable > claim-not-found",
        "0/2 nodes are available: 2 node(s) exceed max volume count.":
          "unschedulable > 2× volume-limit-reached",
        'running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "data"':
          "bind-volumes-failed > provisioning-failed-for-pod",
      },
      "FailedScheduling",
    ));

  test("knows Docker's answers to an extra colon in a mount", () =>
    check(
      {
        "Error: Error response from daemon: invalid mode: /data": "bind-mount-unreadable",
        "Error response from daemon: invalid volume specification: 'C:\\a:/data:z:rw'":
          "bind-mount-unreadable",
      },
      "Failed",
    ));

  test("takes no common error of the operating system for a certain message", () => {
    for (const text of [
      "cp: /data: Operation not permitted",
      "find: /x: No such file or directory",
    ])
      assert.equal(recognizeFragment(text), undefined, text);
  });

  test("blames the volume if programs cannot run, or if owners cannot be changed", () =>
    check({
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/scripts/run.sh": permission denied: unknown':
        "program-not-executable",
      "exec /scripts/run.sh: permission denied": "program-not-executable",
      'Error: failed to start container "c": Error response from daemon: OCI runtime create failed: runc create failed: unable to start container process: exec: "/app/app.sh": stat /app/app.sh: no such file or directory: unknown':
        "program-not-there",
      "Error response from daemon: Container command '/app/app.sh' not found or does not exist.":
        "program-not-there",
      "chown: /data: Operation not permitted": "chown-refused",
      "chown: changing ownership of '/data': Input/output error": "chown-impossible",
      "chown: changing ownership of ‘/data/pgdata’: Invalid argument": "chown-impossible",
      "chown: /consul/config: Read-only file system": "written-read-only",
      "chmod: /var/run/postgresql: Read-only file system": "written-read-only",
      'FATAL: could not create lock file "/var/run/postgresql/.s.PGSQL.5432.lock": Read-only file system':
        "written-read-only",
      "cp: cannot create regular file '/opt/bitnami/postgresql/conf/postgresql.conf': Read-only file system":
        "written-read-only",
      'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)':
        "written-read-only",
      "sed: can't create temp file '/etc/rabbitmq/rabbitmq.confXXXXXX': Read-only file system":
        "written-read-only",
      "sh: can't create /etc/nginx/conf.d/default.conf: Read-only file system": "written-read-only",
      "Permissions 0440 for '/ssh/id_rsa' are too open.": "key-open-to-others",
      "error: migration failed (id = create migration_log table): database is locked":
        "sqlite-locked",
      "Error: EROFS: read-only file system, mkdir '/root/.pm2'": "written-read-only",
      "chown: changing ownership of '/data': Operation not permitted": "chown-refused",
      "panic: Unable to create mmap-ed active query log": "query-log-not-made",
      'err="open /prometheus/queries.active: permission denied"': "query-log-not-made",
      "mkdir: can't create directory '/var/lib/grafana/plugins': Permission denied":
        "directory-not-writable",
      "GF_PATHS_DATA='/var/lib/grafana' is not writable.": "directory-not-writable",
      "touch: cannot touch '/var/jenkins_home/copy_reference_file.log': Permission denied":
        "directory-not-writable",
      "Can not write to /var/jenkins_home/copy_reference_file.log. Wrong volume permissions?":
        "directory-not-writable",
      "/config/apply.sh: 4: cannot create /var/jenkins_home/state: Permission denied":
        "directory-not-writable",
      "java.io.IOException: The specified working directory should be fully accessible to the remoting executable (RWX): /home/jenkins/agent":
        "directory-not-writable",
      "nested: AccessDeniedException[/usr/share/elasticsearch/data/nodes];":
        "directory-not-writable",
      'initdb: error: directory "/var/lib/postgresql/data" exists but is not empty':
        "directory-not-empty",
      "2024-01-01 [ERROR] --initialize specified but the data directory has files in it. Aborting.":
        "directory-not-empty",
      "Found directory /var/lib/kafka/data/lost+found, 'lost+found' is not in the form of topic-partition or topic-partition.uniqueId-delete (if marked for deletion).":
        "directory-not-empty",
    }));

  test("finds the causes inside attach and mount failures", () =>
    check({
      'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another':
        "multi-attach",
      'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-7d4 and 1 pod(s) in different namespaces':
        "multi-attach",
      'Waiting for detach for volume "pvc-1" Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node':
        "multi-attach",
      'Waiting for detach for volume "pvc-1" Volume is already used by pod(s) web-7d4':
        "multi-attach",
      'AttachVolume.Attach failed for volume "pv-a" : timed out waiting for external-attacher of ebs.csi.aws.com CSI driver to attach volume vol-1':
        "attach-failed > attacher-silent",
      'AttachVolume.Attach failed for volume "pv-a" : CSINode node-a does not contain driver ebs.csi.aws.com':
        "attach-failed > driver-missing-on-csinode",
      'AttachVolume.Attach failed for volume "pv-a" : rpc error: code = ResourceExhausted desc = no slot':
        "attach-failed > csi-resource-exhausted",
      'MountVolume.MountDevice failed for volume "pv-a" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name x not found in the list of registered CSI drivers':
        "stage-failed > driver-not-registered",
      'MountVolume.NewMounter initialization failed for volume "pv-a" : path "/mnt/disk" does not exist':
        "new-mounter-failed > local-path-missing",
      'MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found':
        "publish-failed > config-map-not-found",
      'MountVolume.SetUp failed for volume "cfg" : secret "key" not found':
        "publish-failed > secret-not-found",
      'MountVolume.SetUp failed for volume "h" : hostPath type check failed: /data is not a directory':
        "publish-failed > host-path-no-directory",
      'MountVolume.SetUp failed for volume "h" : hostPath type check failed: /dev/x is not a block device':
        "publish-failed > host-path-type-wrong",
      "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-x]: timed out waiting for the condition":
        "volumes-not-ready > timed-out",
      "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC default/data: PVC is not bound":
        "volumes-not-ready > claim-not-bound",
    }));

  test("knows messages about provisioning, cloning, restoring and expanding", () =>
    check(
      {
        'failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = invalid access_mode, MULTI_NODE_MULTI_WRITER':
          "provisioning-failed > csi-invalid-argument > several-writers-refused",
        "claim Selector is not supported": "provisioner-failed > selector-not-supported",
        'failed to provision volume with StorageClass "fast": failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/fsType" with reserved namespace csi.storage.k8s.io/':
          "provisioning-failed > parameter-with-reserved-prefix",
        "error generating accessibility requirements: no available topology found":
          "provisioner-failed > topology-failed > topology-unknown",
        "error generating accessibility requirements: topology labels from selected node map[] does not match topology keys from CSINode [topology.csi/zone]":
          "provisioner-failed > topology-failed > topology-unknown",
        "error getting handle for DataSource Type VolumeSnapshot by Name s: requested volume size 1 is less than the size 2 for the source snapshot s":
          "provisioner-failed > data-source-failed > restore-too-small",
        "error getting handle for DataSource Type VolumeSnapshot by Name s: snapshotcontent c for snapshot s is not handled by CSI driver of StorageClass fast":
          "provisioner-failed > data-source-failed > snapshot-of-other-driver",
        "error getting handle for DataSource Type VolumeSnapshot by Name s: snapshot s not bound":
          "provisioner-failed > data-source-failed > snapshot-not-bound",
        "error getting handle for DataSource Type VolumeSnapshot by Name s: snapshot s is currently being deleted":
          "provisioner-failed > data-source-failed > snapshot-not-usable",
      },
      "ProvisioningFailed",
    ));

  test("knows answers of the API server", () =>
    check({
      'Error from server (Forbidden): error when applying patch: persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize':
        "server-refused > object-forbidden > expansion-forbidden",
      'The PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims':
        "object-invalid > claim-spec-immutable",
      'The PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity':
        "object-invalid > claim-shrink",
      'persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=9Gi, limited: requests.storage=10Gi':
        "object-forbidden > quota-exceeded",
      'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi':
        "object-forbidden > limit-range",
      'pods "web" is forbidden: violates PodSecurity "baseline:latest": hostPath volumes (volume "data")':
        "object-forbidden > pod-security",
    }));

  test("knows the filters' older names, and others who count nodes like the scheduler", () =>
    check(
      {
        "0/3 nodes are available: 1 PodToleratesNodeTaints, 2 NoVolumeZoneConflict.":
          "unschedulable > 1× untolerated-taint, 2× no-volume-zone",
        "No nodes are available that match all of the following predicates:: MatchNodeSelector (1), NoVolumeNodeConflict (2).":
          "unschedulable-by-predicates > 1× node-selector-mismatch, 2× volume-out-of-reach",
        'PersistentVolumeClaim is not bound: "data" (repeated 3 times)': "claim-not-bound-yet",
        'error while running "VolumeBinding" prebind plugin for pod "web-0": Failed to bind volumes: timed out waiting for the condition':
          "bind-volumes-failed > timed-out",
        'running PreBind plugin "VolumeBinding": Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified; please apply your changes to the latest version and try again':
          "bind-volumes-failed > write-conflict",
        "skip schedule deleting pod: shop/web-0": "being-deleted",
        "0/3 nodes are available: 3 Insufficient memory.; [pod has unbound immediate PersistentVolumeClaims (repeated 2 times)]":
          "unschedulable > 3× not-enough-resources, unbound-immediate-claims",
      },
      "FailedScheduling",
    ));

  test("does not advise to tolerate a taint that Kubernetes itself sets", () =>
    check({
      "0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 1 node(s) had untolerated taint {node.kubernetes.io/unschedulable: }, 1 node(s) had untolerated taint {dedicated: db}.":
        "unschedulable > 1× node-in-trouble, 1× node-unschedulable, 1× untolerated-taint",
    }));

  test("does not advise to change a control plane node", () =>
    check({
      "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Insufficient memory.":
        "unschedulable > 1× control-plane-node, 2× not-enough-resources",
    }));

  test("tells drivers that expand only detached volumes from others that refuse to expand", () =>
    check(
      {
        'resize volume "pv" by resizer "d" failed: rpc error: code = FailedPrecondition desc = failed to expand volume: "7" to size: 12288. Volume is attached to node "4". Only offline volume expansion is supported':
          "resize-failed > csi-failed-precondition > grows-only-detached",
        'resize volume "pv" by resizer "d" failed: rpc error: code = FailedPrecondition desc = volume is not in an availble state for OFFLINE expansion':
          "resize-failed > csi-failed-precondition > grows-only-detached",
      },
      "VolumeResizeFailed",
    ));

  test("knows why an autoscaler's node groups do not help", () =>
    check(
      {
        "pod didn't trigger scale-up: 2 node(s) had volume node affinity conflict, 1 max node group size reached":
          "no-scale-up > 2× volume-out-of-reach, 1× node-group-full",
      },
      "NotTriggerScaleUp",
    ));

  test("finds the output of mount commands inside kubelets' and drivers' messages, and inside each other", () => {
    const failure = (output: string): string =>
      `mount failed: exit status 32 Mounting command: mount Mounting arguments: -t nfs fs:/a /var/lib/kubelet/b Output: ${output}`;
    const nfs = failure("mount.nfs: access denied by server while mounting fs:/a");
    check({
      [`MountVolume.SetUp failed for volume "v" : ${nfs}`]:
        "publish-failed > mount-command-failed > nfs-access-denied",
      [`MountVolume.SetUp failed for volume "v" : ${failure("mount.nfs: Operation not permitted for fs:/a on /b")}`]:
        "publish-failed > mount-command-failed > nfs-mount-not-permitted",
      [`MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = Could not mount "a" at "b": ${failure("mount: unknown filesystem type 'efs'.")}`]:
        "publish-failed > csi-internal > mount-command-failed > protocol-not-supported",
      [`MountVolume.SetUp failed for volume "v" : mount failed: exit status 1 Mounting command: mounter Mounting arguments: mount Output: Mount failed: ${nfs}`]:
        "publish-failed > mount-command-failed > mount-command-failed > nfs-access-denied",
      "MountVolume.MountDevice failed for volume \"v\" : 'fsck' found errors on device /dev/sdb but could not correct them.":
        "stage-failed > file-system-damaged",
      'MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = failed to mount the volume as "xfs", it already contains ext4. Mount error: mount failed: exit status 32 Mounting command: mount Mounting arguments: a Output: mount: wrong fs type, bad option, bad superblock':
        "stage-failed > csi-internal > holds-other-file-system",
      'MountVolume.SetUp failed for volume "v" : mkdir /var/lib/kubelet/pods/a: Read-only file system':
        "publish-failed > read-only-file-system",
    });
  });

  test("finds programs' output in failures to make, expand and unmount file systems", () => {
    const inDriver = "rpc error: code = Internal desc = ";
    const staging = 'MountVolume.MountDevice failed for volume "v" : ';
    const growing = `NodeExpandVolume.NodeExpandVolume failed for volume "v" : ${inDriver}`;
    const leaving = 'UnmountVolume.TearDown failed for volume "v" : ';
    const format = `format of disk "/dev/sdb" failed: type:("xfs") target:("/m") options:("defaults") errcode:(exit status 1) output:`;
    check({
      [`${staging}${format}(mkfs.xfs: /dev/sdb is apparently in use by the system) `]:
        "stage-failed > file-system-not-made > mount-point-busy",
      [`${staging}${inDriver}failed to get disk format of disk /dev/sdb: exit status 8`]:
        "stage-failed > csi-internal > disk-not-readable",
      [`${growing}resize of device /m failed: exit status 1. xfs_growfs output: xfs_growfs: /m is not a mounted XFS filesystem`]:
        "node-expand-failed > csi-internal > file-system-not-grown",
      [`${growing}resize of device /dev/sdb failed: exit status 1. resize2fs output: resize2fs: Permission denied to resize filesystem`]:
        "node-expand-failed > csi-internal > file-system-not-grown > resize-not-permitted",
      [`${growing}ResizeFS.Resize - resize of format zfs is not supported for device /dev/sdb mounted at /m`]:
        "node-expand-failed > csi-internal > file-system-cannot-grow",
      [`${leaving}unmount failed: exit status 32 Unmounting arguments: /m Output: umount: /m: target is busy.`]:
        "unmount-failed > unmount-command-failed > mount-point-busy",
      [`${leaving}failed to cleanup mount point /m`]: "unmount-failed > unmount-in-vain",
    });
  });

  test("takes a cloud's message for the cause, whatever gRPC code its driver uses", () =>
    check({
      'AttachVolume.Attach failed for volume "v" : rpc error: code = Internal desc = could not attach: VolumeInUse: vol-1 is attached':
        "attach-failed > csi-internal > attached-elsewhere",
      'failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = UnauthorizedOperation: no':
        "provisioning-failed > csi-internal > not-authorized",
      'resize volume "v" by resizer "ebs.csi.aws.com" failed: rpc error: code = Internal desc = VolumeModificationRateExceeded: wait':
        "resize-failed > csi-internal > changed-too-soon",
    }));

  test("knows that a cloud's disk is for another zone, another machine type or a newer driver", () =>
    check({
      "AttachVolume.Attach failed for volume \"v\" : rpc error: code = Unknown desc = Disk cannot be attached to the VM because it is not in zone '2'":
        "attach-failed > csi-unknown > other-zone",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = Internal desc = RawError: { "error": { "code": "InvalidParameter", "target": "managedDisk.storageAccountType", "message": "Managed disks with \'PremiumV2_LRS\' storage account type can be used only with Virtual Machines in an Availability Zone." } }':
        "attach-failed > csi-internal > disk-type-wants-zone",
      'failed to provision volume with StorageClass "v2": rpc error: code = Internal desc = Retriable: false, RetryAfter: 0s, HTTPStatusCode: 400, RawError: { "error": { "code": "InvalidParameter", "message": "PremiumV2_LRS disk is not supported." } }':
        "provisioning-failed > csi-internal > disk-type-not-offered",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = InvalidArgument desc = Failed to Attach: failed when waiting for zonal op: rpc error: code = InvalidArgument desc = operation o failed (UNSUPPORTED_OPERATION): [pd-balanced, c4-standard-16] features are not compatible for creating instance.':
        "attach-failed > csi-invalid-argument > csi-invalid-argument > disk-type-not-for-machine",
      "pd-balanced disk type cannot be used by a4x-highgpu-4g machine type": "unknown",
      "failed to provision volume with StorageClass \"b\": rpc error: code = Unknown desc = CreateVolume failed to create single zonal disk d: failed to insert zonal disk: unknown Insert disk error: googleapi: Error 400: Invalid value for field 'resource.multiWriter': 'true'. Cannot specify the multi writer field for 'hyperdisk-balanced' disks, please use access mode instead., invalid":
        "provisioning-failed > csi-unknown > shared-hyperdisk-asked-the-old-way",
      'failed to provision volume with StorageClass "io2": rpc error: code = Internal desc = Could not create volume "v": invalid combination of volume size 10 GB and iopsPerGB 0: the resulting IOPS 0 is too low for AWS, it must be at least 100':
        "provisioning-failed > csi-internal > operations-missing",
    }));

  test("does not take too few nodes for LINSTOR's replicas for a full pool", () =>
    check({
      "failed to provision volume with StorageClass \"fast\": rpc error: code = Internal desc = CreateVolume failed for v: rpc error: code = ResourceExhausted desc = failed to enough replicas on requisite nodes: Message: 'Not enough available nodes'; Details: 'Not enough nodes fulfilling the following auto-place criteria: * the storage pools have to have at least 10485760 free space'":
        "provisioning-failed > csi-internal > csi-resource-exhausted > too-few-nodes-for-copies",
      'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = insufficient free space':
        "provisioning-failed > csi-resource-exhausted > system-too-small",
    }));

  test("does not advise to look into /etc/exports for an Azure storage account that denies NFS", () => {
    const denied = (server: string): string =>
      `MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = mount failed: exit status 32 Output: mount.nfs: access denied by server while mounting ${server}:/a/share`;
    check({
      [denied("a.file.core.windows.net")]:
        "stage-failed > csi-internal > mount-command-failed > azure-nfs-access-denied",
      [denied("10.0.0.5")]:
        "stage-failed > csi-internal > mount-command-failed > nfs-access-denied",
    });
  });

  test("tells a claim replaced by a manifest without volume or class from one with another volume", () => {
    const refused = (changes: string): string =>
      `PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims ${changes}`;
    const emptied = "object-invalid > claim-spec-immutable > claim-field-emptied";
    check({
      [refused(
        'core.PersistentVolumeClaimSpec { ... - VolumeName: "pvc-1", + VolumeName: "", ... }',
      )]: emptied,
      [refused('@@ -9,7 +9,7 @@ } }, - "VolumeName": "pvc-1", + "VolumeName": "",')]: emptied,
      [refused('- StorageClassName: &"gp2", + StorageClassName: nil,')]: emptied,
      [refused('- "StorageClassName": "fast", + "StorageClassName": null,')]: emptied,
      [refused('- "VolumeName": "a", + "VolumeName": "b",')]:
        "object-invalid > claim-spec-immutable",
    });
  });

  test("tells a hostPath that cannot be created from a read-only volume", () =>
    check(
      {
        'Error: failed to generate container "c" spec: failed to generate spec: failed to mkdir "/etc/hpe-storage": mkdir /etc/hpe-storage: read-only file system':
          "host-directory-not-made",
      },
      "Failed",
    ));

  test("tells failures of scripts by what they could not write", () =>
    check({
      "/run.sh: line 23: cannot create temp file for here-document: Read-only file system":
        "no-temporary-files",
      "mktemp: failed to create file via template '/tmp/tmp.XXXXXXXXXX': Read-only file system":
        "no-temporary-files",
      "/usr/local/bin/docker-entrypoint.sh: line 196: /var/lib/rabbitmq/.erlang.cookie: Permission denied":
        "shell-denied",
      "sh: can't create /var/lib/rabbitmq/.erlang.cookie: Permission denied":
        "directory-not-writable",
    }));

  test("knows how databases say that they cannot write to their directory", () =>
    check({
      'initdb: error: could not create directory "/var/lib/postgresql/data/pgdata": Permission denied':
        "directory-not-writable",
      'initdb: could not access directory "/pgdata/statefulset-0": Permission denied':
        "directory-not-writable",
      "mysqld: Can't create/write to file '/var/lib/mysql/is_writable' (Errcode: 13 - Permission denied)":
        "directory-not-writable",
      "exception in initAndListen: 20 Attempted to create a lock file on a read-only directory: /data/db, terminating":
        "directory-not-writable",
      'time="2017-08-04T16:56:37Z" level=error msg="Opening storage failed: open DB in /var/prometheus/data: open /var/prometheus/data/969552713: permission denied" source="main.go:219"':
        "query-log-not-made",
      "1:M 19 Oct 2019 16:53:20.295 # Can't open the append-only file: Permission denied":
        "redis-files-not-made",
      "Can't open or create append-only dir appendonlydir: Permission denied":
        "redis-files-not-made",
      "60:C 07 Mar 2024 16:20:46.078 # Failed opening the temp RDB file temp-60.rdb (in server root dir /data) for saving: Permission denied":
        "redis-files-not-made",
    }));

  test("does not take a kernel without SMB for a missing device", () =>
    check({
      'MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = mount failed: exit status 32 Output: mount error: cifs filesystem not supported by the system mount error(19): No such device Refer to the mount.cifs(8) manual page':
        "stage-failed > csi-internal > mount-command-failed > smb-not-in-kernel",
    }));

  test("knows that Windows nodes mount no NFS and make no Linux file systems", () =>
    check({
      "MountVolume.MountDevice failed for volume \"azure\" : azureDisk - mountDevice:FormatAndMount failed with diskMount: format disk failed, error: exit status 1, output: Format-Volume : Cannot validate argument on parameter 'FileSystem'. The argument ext4 does not belong to the set":
        "stage-failed > windows-formats-otherwise",
      'MountVolume.SetUp failed for volume "nfs" : azureMount: only cifs mount is supported now':
        "publish-failed > windows-mounts-smb-only",
    }));

  test("knows RabbitMQ's messages about a read-only directory and an open cookie", () =>
    check({
      '11:20:37.345 [warning] Failed to write PID file "/bitnami/rabbitmq/mnesia/rabbit@r-0.pid": permission denied':
        "directory-not-writable",
      "Cookie file /var/lib/rabbitmq/.erlang.cookie must be accessible by owner only":
        "cookie-open-to-group",
    }));

  test("knows what the Secrets Store driver misses: the class, the provider, or the permission to read", () =>
    check({
      'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = failed to get secretproviderclass shop/keys, error: SecretProviderClass.secrets-store.csi.x-k8s.io "keys" not found':
        "publish-failed > csi-unknown > secret-provider-class-missing",
      'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/web, err: error connecting to provider "azure": provider not found: provider "azure"':
        "publish-failed > csi-unknown > secrets-not-fetched > secrets-provider-missing",
      'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/web, err: rpc error: code = Unknown desc = failed to login':
        "publish-failed > csi-unknown > secrets-not-fetched > csi-unknown",
    }));

  test("tells a secret that lacks a key from a missing secret", () =>
    check({
      "failed to provision volume with StorageClass \"fast\": rpc error: code = InvalidArgument desc = missing ID field 'userID' in secrets":
        "provisioning-failed > csi-invalid-argument > ceph-secret-incomplete",
      'failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = invalid encryption kms configuration: missing encryption passphrase in secrets':
        "provisioning-failed > csi-invalid-argument > ceph-passphrase-missing",
      "failed to provision volume with StorageClass \"fast\": rpc error: code = InvalidArgument desc = invalid OpenStack secrets: missing required parameter 'os-region'":
        "provisioning-failed > csi-invalid-argument > manila-secret-incomplete",
      "MountVolume.MountDevice failed for volume \"v\" : rpc error: code = Internal desc = failed to get user credentials from node stage secrets: missing ID field 'userID' in secrets":
        "stage-failed > csi-internal > ceph-secret-incomplete",
      'MountVolume.MountDevice failed for volume "v" : rpc error: code = InvalidArgument desc = GetAccountInfo(share) failed with error: could not find accountkey or azurestorageaccountkey field in secrets':
        "stage-failed > csi-invalid-argument > azure-account-not-in-secret",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = Could not mount juicefs: rpc error: code = InvalidArgument desc = Empty name':
        "publish-failed > csi-internal > juicefs-not-mounted > csi-invalid-argument > juicefs-name-missing",
    }));

  test("finds more in drivers' own texts than in their gRPC codes", () => {
    const staged = (said: string): string =>
      `MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = ${said}`;
    const published = (said: string): string =>
      `MountVolume.SetUp failed for volume "v" : rpc error: code = InvalidArgument desc = ${said}`;
    const refused = (said: string): string =>
      `failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = ${said}`;
    check({
      'failed to provision volume with StorageClass "vsan": rpc error: code = FailedPrecondition desc = no datastores found to create file volume, vSAN file service may be disabled':
        "provisioning-failed > csi-failed-precondition > vsphere-no-file-service",
      [refused("Missing fileSystemId parameter")]:
        "provisioning-failed > csi-invalid-argument > efs-parameter-missing",
      [refused(
        'failed to fetch monitor list using clusterID (c): missing configuration for cluster ID "c"',
      )]: "provisioning-failed > csi-invalid-argument > ceph-cluster-unknown",
      [refused(
        "failed to create volume. Error: Datastore: ds:///a/ specified in the storage class is not accessible to all nodes.",
      )]: "provisioning-failed > csi-invalid-argument > vsphere-datastore-not-shared",
      [staged("volume v is not ready for workloads")]:
        "stage-failed > csi-internal > longhorn-not-ready",
      [staged(
        "an error (exit status 32) occurred while running mount args: [-t ceph a:/b /c -o name=d] stderr: failed for service _ceph-mon._tcp mount error 13 = Permission denied",
      )]: "stage-failed > csi-internal > ceph-program-failed > ceph-login-refused",
      [staged("NodePublishVolume failed for v: failed to stat source device: stat : no such file")]:
        "stage-failed > csi-internal > linstor-device-missing",
      [staged("Could not mount juicefs: mount j at /jfs/v failed, mountpod: p, failed log: no")]:
        "stage-failed > csi-internal > juicefs-not-mounted > juicefs-mount-pod-failed",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = InvalidArgument desc = Bucket name not provided':
        "publish-failed > csi-invalid-argument > s3-bucket-missing",
      [published(`volume ID 'data' is invalid: Expected a file system ID of the form 'fs-...'`)]:
        "publish-failed > csi-invalid-argument > efs-handle-wrong",
      [published('Volume context property "path" must be an absolute path')]:
        "publish-failed > csi-invalid-argument > efs-attribute-wrong",
      [published("server is a required parameter")]:
        "publish-failed > csi-invalid-argument > nfs-attribute-missing",
      [published("Readonly is not true in request")]:
        "publish-failed > csi-invalid-argument > secrets-volume-writable",
      [published(
        'NodePublishVolume VolumeContext "bucketName" must be provided for ephemeral storage',
      )]: "publish-failed > csi-invalid-argument > gcs-fuse-no-bucket",
      [published('volume attribute enableMetrics only accepts a valid bool value, got "on"')]:
        "publish-failed > csi-invalid-argument > gcs-fuse-attribute-wrong",
      [staged("stage secrets cannot be nil or empty")]:
        "stage-failed > csi-internal > ceph-stage-secret-missing",
      [staged("rbd: RWX access mode request is only valid for volumes with access type `block`")]:
        "stage-failed > csi-internal > ceph-image-for-one-node",
      [staged("source field is missing, current context: map[]")]:
        "stage-failed > csi-internal > smb-source-missing",
      [staged("volume context cannot be nil or empty")]:
        "stage-failed > csi-internal > manila-no-attributes",
      [refused("secrets cannot be nil or empty")]:
        "provisioning-failed > csi-invalid-argument > manila-no-secrets",
      [refused("feature fast-diff requires object-map to be set")]:
        "provisioning-failed > csi-invalid-argument > ceph-feature-wrong",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = Unknown desc = secretProviderClass is not set':
        "publish-failed > csi-unknown > secrets-class-not-named",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = FailedPrecondition desc = failed to find the sidecar container in Pod spec':
        "publish-failed > csi-failed-precondition > gcs-fuse-no-sidecar",
      [`failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = SDK.ServerError ErrorCode: InvalidParameter RequestId: E8 Message: The specified parameter "Size" is not valid.`]:
        "provisioning-failed > csi-internal > size-not-made",
      [`failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = {"error":"Unable to add block storage: Invalid size (8GB) - Must be between 10GB and 10000GB.","status":400}`]:
        "provisioning-failed > csi-internal > size-not-made",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = NotFound desc = failed to get azure instance id for node "a" (instance not found)':
        "attach-failed > csi-not-found > azure-machine-unknown",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = Unavailable desc = ControllerPublish not permitted on node "a" due to backoff condition':
        "attach-failed > csi-unavailable > compute-engine-backs-off",
      "failed to attach: rpc error: code = Internal desc = Message: unable to attach: volume v not scheduled, code=Server Error":
        "attacher-failed > csi-internal > longhorn-not-scheduled",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = InvalidArgument desc = OSS url error: url is invalid, https://b.oss-cn-hangzhou.aliyuncs.com is a bucket domain name, please use endpoint instead':
        "attach-failed > csi-invalid-argument > oss-bucket-domain",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = InvalidArgument desc = OSS authorization error: ossfs: missing access key in node publish secret':
        "publish-failed > csi-invalid-argument > oss-no-access-key",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = InvalidArgument desc = rpc error: code = InvalidArgument desc = invalid otherOpts: "allow_other"':
        "publish-failed > csi-invalid-argument > csi-invalid-argument > oss-options",
      'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/web, err: rpc error: code = Unknown desc = failed to mount objects, error: failed to get keyvault client: no token':
        "publish-failed > csi-unknown > secrets-not-fetched > csi-unknown > key-vault-failed > key-vault-no-token",
    });
  });

  test("takes a failed EFS mount for EFS's, although its tunnel makes it an NFS mount of 127.0.0.1", () =>
    check({
      'rpc error: code = Internal desc = Could not mount "a" at "b": mount failed: exit status 32 Mounting command: mount Mounting arguments: -t efs fs-0:/ /x Output: mount.nfs4: access denied by server while mounting 127.0.0.1:/':
        "csi-internal > mount-command-failed > efs-not-let-in",
      'rpc error: code = Internal desc = Could not mount "a" at "b": mount failed: exit status 32 Output: mount.nfs4: access denied by server while mounting 10.0.0.9:/':
        "csi-internal > mount-command-failed > nfs-access-denied",
      'rpc error: code = Internal desc = Could not mount "a" at "b": mount failed: exit status 32 Output: mount.nfs4: mounting 127.0.0.1:/logs failed, reason given by server: No such file or directory':
        "csi-internal > mount-command-failed > efs-path-missing",
      'rpc error: code = Internal desc = Could not mount "a" at "b": mount failed: exit status 1 Output: Failed to resolve "fs-0.efs.us-east-1.amazonaws.com" - check that your file system ID is correct.':
        "csi-internal > mount-command-failed > efs-name-unknown",
    }));

  test("knows what Ceph lacks, and whom it does not let in", () => {
    const inside = (cause: string): string => `rpc error: code = Internal desc = ${cause}`;
    check({
      [inside("pool not found: pool (fast) not found in Ceph cluster")]:
        "csi-internal > ceph-pool-missing",
      [inside(
        "an error (exit status 32) occurred while running mount args: [-t ceph] stderr: mount error: no mds server is up or the cluster is laggy",
      )]: "csi-internal > ceph-program-failed > ceph-no-metadata-server",
      [inside("mount failed: exit status 32 Output: mount error 2 = No such file or directory")]:
        "csi-internal > mount-command-failed > ceph-no-such-path",
      [inside(
        "rbd: sysfs write failed RBD image feature set mismatch. rbd: map failed: (6) No such device or address",
      )]: "csi-internal > ceph-image-features-unknown",
      [inside("rbd: map failed: (108) Cannot send after transport endpoint shutdown")]:
        "csi-internal > ceph-node-blocked",
    });
  });

  test("knows why an encrypted volume is not opened: a wrong key, or it is open already", () =>
    check({
      "rpc error: code = Internal desc = failed to run cryptsetup args: [luksOpen /dev/longhorn/v v -d /dev/stdin] output: error: exit status 5":
        "csi-internal > encryption-device-in-use",
      "rpc error: code = Internal desc = cryptsetup failed: No key available with this passphrase.":
        "csi-internal > encryption-key-wrong",
    }));

  test("knows which volumes Fargate's scheduler does not support", () =>
    check(
      {
        "Pod not supported on Fargate: volumes not supported: data not supported because: PVC data not bound, run is of an unsupported volume Type":
          "fargate-volumes > fargate-claim-unbound, fargate-volume-type",
        "Pod not supported on Fargate: volumes not supported: d not supported because: PVC d bound to invalid PV pvc-1 with CSI Driver: ebs.csi.aws.com":
          "fargate-volumes > fargate-driver",
        "Pod not supported on Fargate: fields not supported: HostNetwork": "fargate-unfit",
      },
      "FailedScheduling",
    ));

  test("tells a mount point that is a link in the image from a file in place of a directory", () => {
    const error = (mountPath: string, why: string): string =>
      `Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/1/volumes/v/mount" to rootfs at "${mountPath}": ${why}`;
    check(
      {
        [error(
          "/data",
          "change mount propagation through procfd: open o_path procfd: open /run/rootfs/data: no such file or directory",
        )]: "mount-point-is-link",
        [error("/data", "mount src=/v, dst=/data: not a directory: unknown")]:
          "mount-into-container-failed",
      },
      "Failed",
    );
  });

  test("tells a directory that the runtime cannot make in a read-only volume from other mount failures", () =>
    check(
      {
        'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/v" to rootfs at "/app/tmp": create mountpoint for /app/tmp mount: mkdirat /run/rootfs/app/tmp: read-only file system':
          "mount-point-not-made",
        'Error: container create failed: time="2026" level=error msg="runc create failed: unable to start container process: error during container init: error mounting \\"/v\\" to rootfs at \\"/etc/x\\": mkdir /x: read-only file system"':
          "mount-point-not-made",
      },
      "Failed",
    ));

  test("knows how databases complain about the mode, the owner or the layout of their directory", () =>
    check({
      'FATAL: data directory "/var/lib/postgresql/data" has invalid permissions':
        "directory-mode-refused",
      'initdb: error: could not change permissions of directory "/var/lib/postgresql/data": Operation not permitted':
        "directory-not-closed",
      "java.nio.file.AccessDeniedException: /usr/share/elasticsearch/data/nodes":
        "directory-not-writable",
      'Error: in 18+, these Docker images are configured to store database data in a format which is compatible with "pg_ctlcluster"':
        "directory-of-new-image",
    }));

  test("tells a kubelet that does not have a Secret yet from one that waits for a volume", () =>
    check({
      'MountVolume.SetUp failed for volume "certs" : failed to sync secret cache: timed out waiting for the condition':
        "publish-failed > object-not-watched-yet",
    }));

  test("knows what KubeVirt's importer misses in claims", () =>
    check({
      "PVC spec is missing accessMode and no storageClass to choose profile":
        "import-without-class",
      "no accessMode specified in StorageProfile ceph-block": "import-profile-without-modes",
      "The source snapshot images/fedora doesn't exist": "clone-without-source",
      "The source pvc doesn't exist": "unknown",
    }));

  test("knows Karpenter's message about a claim without a class", () =>
    check(
      {
        "Failed to schedule pod, unbound pvc must define a storage class (PersistentVolumeClaim=logs/loki-0, StorageClass=)":
          "karpenter-claim-without-class",
      },
      "FailedScheduling",
    ));

  test("blames a local volume's path only if the kubelet says so", () =>
    check({
      'MountVolume.NewMounter initialization failed for volume "v" : path "/mnt/a" does not exist':
        "new-mounter-failed > local-path-missing",
      'MountVolume.SetUp failed for volume "v" : applyFSGroup failed for vol h: lstat /var/lib/a/mount: no such file or directory':
        "publish-failed > group-not-applied > path-not-found",
      'MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = stat /var/lib/a/mount: connection refused':
        "publish-failed > csi-internal > serving-process-gone",
      'UnmountVolume.TearDown failed for volume "v" : remove /var/lib/a: directory not empty':
        "unmount-failed > mount-point-not-empty",
    }));

  test("finds why a volume is not unmounted in the kubelet's log", () => {
    const directory = "/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pv";
    const open = `failed to open volume data file [${directory}/vol_data.json]: open ${directory}/vol_data.json: no such file or directory`;
    check({
      [`UnmountVolume.NewUnmounter failed for volume "v" : kubernetes.io/csi: unmounter failed to load volume data file [${directory}/mount]: kubernetes.io/csi: ${open}`]:
        "unmount-failed > volume-record-missing > path-not-found",
      [`GetDeviceMountRefs check failed for volume "v" : the device mount path "/x/globalmount" is still mounted by other references [${directory}/mount]`]:
        "unmount-failed > device-still-mounted",
      'UnmapDevice failed for volume "v" : The device "/x" is still referenced from other Pods [/y /z]':
        "unmount-failed > device-still-mounted",
    });
  });

  test("does not take every unreachable address for a file server", () =>
    check({
      'Failed to provision volume with StorageClass "g": create volume err: Post http://heketi/volumes: dial tcp: lookup heketi: no such host.':
        "in-tree-provisioning-failed > name-not-resolved",
      'MountVolume.SetUp failed for volume "v": rpc error: code = Unknown desc = Get "http://localhost:1/token": dial tcp 127.0.0.1:1: connect: connection refused':
        "publish-failed > csi-unknown > address-not-reached",
      'AttachVolume.Attach failed for volume "v" rpc error: code = Unavailable desc = dial unix /csi/csi.sock: connect: connection refused':
        "attach-failed > csi-unavailable > driver-socket-closed",
    }));

  test("does not take a snapshot that cannot be written for a refused or wrong one", () =>
    check({
      "Error creating volume snapshot content object for snapshot shop/s: create not allowed while custom resource definition is terminating.":
        "snapshot-content-not-created",
      "Failed to create snapshot content with error snapshot controller failed to update data on API server: cannot add finalizer on claim because it is being deleted":
        "snapshot-content-failed > snapshot-source-in-deletion",
      "Failed to check and update snapshot: snapshot shop/s expects a pre-provisioned VolumeSnapshotContent c but gets a dynamically provisioned one":
        "snapshot-finalizer-not-written > snapshot-content-of-other-origin",
      'Failed to create snapshot: failed to add VolumeSnapshotBeingCreated annotation on the content c: "snapshot controller failed to update c on API server: Operation cannot be fulfilled on volumesnapshotcontents.snapshot.storage.k8s.io "c": the object has been modified; please apply your changes to the latest version and try again"':
        "snapshot-driver-failed > snapshot-mark-not-written > snapshot-not-written > write-conflict",
      'Failed to check and update snapshot content: failed to add VolumeSnapshotBeingCreated annotation on the content c: "snapshot controller failed to update c on API server: VolumeSnapshotContent.snapshot.storage.k8s.io \\"c\\" is invalid: spec: Invalid value: \\"object\\": sourceVolumeMode is required once set"':
        "snapshot-driver-failed > snapshot-mark-not-written > snapshot-not-written > snapshot-writer-too-old",
      'The VolumeSnapshotContent "c" is invalid: spec: Invalid value: sourceVolumeMode is required once set':
        "object-invalid > snapshot-writer-too-old",
    }));

  test("does not take Forbidden in a storage system's message for a field of the API", () =>
    check({
      'MountVolume.SetUp failed for volume "s3-pv" : rpc error: code = Internal desc = Could not mount "b" at "/x/mount": in region us-west-2 1: Client error 2: Forbidden: no way':
        "publish-failed > csi-internal",
      "* spec.volumes[0].hostPath.path: Required value": "value-missing",
    }));

  test("does not take brackets in a driver's message for a list of the API server", () =>
    check({
      'MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = [object Object]':
        "stage-failed > csi-internal",
    }));

  test("knows fields and releases in messages of kubectl and helm around the API server's answer", () =>
    check({
      'error: error validating "a.yaml": error validating data: ValidationError(PersistentVolumeClaim.spec): unknown field "size" in io.k8s.api.core.v1.PersistentVolumeClaimSpec; if you choose to ignore these errors, turn validation off with --validate=false':
        "manifest-not-sent > field-not-in-schema",
      'error: error validating "a.yaml": error validating data: [ValidationError(Pod.spec): missing required field "containers" in io.k8s.api.core.v1.PodSpec, kind not set]':
        "manifest-not-sent > several-errors > field-missing, kind-not-told",
      'Error from server (BadRequest): error when creating "a.yaml": PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: strict decoding error: unknown field "spec.size"':
        "server-refused > manifest-not-read > field-unknown",
      "failed to create typed patch object (shop/data; /v1, Kind=PersistentVolumeClaim): .spec.size: field not declared in schema":
        "field-not-declared",
      'Error: UPGRADE FAILED: cannot patch "db" with kind StatefulSet: StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than \'replicas\' are forbidden: no Secret':
        "release-failed > release-not-patched > object-invalid > set-update-forbidden",
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden.":
        "set-update-forbidden",
    }));

  test("finds the inner error after a colon", () =>
    check({
      'resize volume "v" by resizer "d.io" failed: failed to get capabilities of volume v with error getting controller capabilities: rpc error: code = Unavailable desc = no':
        "resize-failed > csi-unavailable",
      'MountVolume.SetUp failed for volume "v" : cannot prepare it: secrets "key" not found':
        "publish-failed > secret-not-found",
    }));

  test("knows messages about nodes without drivers, and about silent attachers", () =>
    check({
      'AttachVolume.Attach failed for volume "v" : attachdetachment timeout for volume handle-1':
        "attach-failed > attacher-silent",
      'AttachVolume.Attach failed for volume "v" : csinodes.storage.k8s.io "node-a" not found':
        "attach-failed > no-driver-on-csinode",
      'PersistentVolume "v" is marked for deletion': "volume-marked-for-deletion",
      'Volume not attached according to node status for volume "v"': "volume-not-reported-attached",
    }));

  test("knows why a kubelet does not admit a pod, from its events and the pod's status", () =>
    check({
      "Node didn't have enough resource: cpu, requested: 9000, used: 0, capacity: 8000":
        "pod-rejected-by-node",
      "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector":
        "pod-rejected > pod-rejected-by-node > node-selector-mismatch",
      "Pod was rejected: Failed to admit pod as the OS field doesn't match node OS":
        "pod-rejected > pod-for-other-os",
      'forbidden sysctl: "net.core.somaxconn" not allowlisted': "sysctl-not-allowed",
      "Allocate failed due to no healthy devices present; cannot allocate unhealthy devices example.com/gpu, which is unexpected":
        "devices-not-allocated",
      "Pod was rejected as the node is shutting down.": "node-shutting-down",
    }));

  test("knows what the kubelet itself finds wrong with a volume, after the step that failed", () => {
    const setUp = (why: string): string => `MountVolume.SetUp failed for volume "v" : ${why}`;
    check({
      [setUp('unknown storage medium "Disk"')]: "publish-failed > storage-medium-unknown",
      [setUp(
        "medium HugePages: hugePages storage requested, but there is no resource request for huge pages",
      )]: "publish-failed > huge-pages-not-asked-for",
      [setUp("medium: HugePages can't be used if container requests multiple huge page sizes")]:
        "publish-failed > huge-pages-of-several-sizes",
      [setUp(
        "mkdir /var/lib/kubelet/pods/p/volumes/x/v/..2026_01_02_03_04_05.6/a: not a directory",
      )]: "publish-failed > volume-files-clash",
      [setUp("invalid path: filenames must be less than or equal to 255 characters")]:
        "publish-failed > volume-path-too-long",
      [setUp("mkdir /mnt/a: not a directory")]: "publish-failed",
      'MountVolume.WaitForAttach failed for volume "pv" : volume vol is not attached for volume attachment csi-1':
        "wait-for-attach-failed > volume-not-attached",
      'MapVolume.EvalHostSymlinks failed for volume "pv" : lstat /dev/sdz: no such file or directory':
        "publish-failed > path-not-found",
      'MountVolume.MountDevice failed for volume "pv" : cannot mount unformatted disk /dev/sdb as we are manipulating it in read-only mode':
        "stage-failed > empty-disk-only-read",
      'MountVolume.MountDevice failed for volume "pv" : rpc error: code = Internal desc = unknown data, probably partitions':
        "stage-failed > csi-internal > disk-has-partitions",
      'MountVolume.Setup failed while expanding volume for volume "pv" : NodeExpand is not supported by the CSI driver nfs.csi.k8s.io':
        "node-expansion-failed > node-expansion-unsupported",
    });
  });

  test("finds the driver's answer in a claim's condition about a failed expansion", () =>
    check({
      "failed to expand pvc with Expander.NodeExpand failed to expand the volume : rpc error: code = Internal desc = resize2fs failed":
        "growth-failed-so-far > expander-failed > csi-internal",
      "failed to expand pvc with rpc error: code = OutOfRange desc = too large":
        "growth-failed-so-far > csi-out-of-range",
    }));

  test("does not take other failures of kubelets for a driver's", () =>
    check({
      'NodeExpandVolume.NodeExpandVolume failed for volume "v" : Expander.NodeExpand failed to check if node supports expansion : rpc error: code = Unavailable desc = connection refused':
        "node-expand-failed > node-plugin-silent > csi-unavailable",
      'NodeExpandVolume.NodeExpandVolume failed to resize volume for volume "v" : volume resizing failed for unknown reason':
        "node-expand-waits",
      'NodeExpandVolume.NodeExpandVolume failed to resize volume for volume "v" : rpc error: code = Unavailable desc = connection refused':
        "node-expand-failed > csi-unavailable",
      'Failed to pull image "a:b": rpc error: code = NotFound desc = not there': "image-not-pulled",
      "Failed to create pod sandbox: rpc error: code = Unknown desc = no network": "sandbox-failed",
      "Readiness probe failed: HTTP probe failed with statuscode: 503": "probe-failed",
      "Readiness probe warning: Probe terminated redirects, Response body: moved":
        "probe-redirected",
      "PostStartHook failed": "hook-failed",
      "Cancelling deletion of Pod shop/web-0": "eviction-cancelled",
      "Marking for deletion Pod shop/web-0": "evicted-by-taint",
      "Saw completed job: back-up-1, condition: Complete": "job-ended",
      "Not starting job because prior execution is running and concurrency policy is Forbid":
        "job-still-active",
      "Create Pod db-0 in StatefulSet db failed error: failed to create PVC data-db-0: no":
        "set-cannot-create > set-claim-refused",
      "Create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted":
        "set-cannot-create > set-claim-being-deleted",
      "Readiness probe failed: ": "probe-failed",
      'Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax':
        "probe-without-port",
      'Startup probe errored: strconv.Atoi: parsing "http": invalid syntax': "probe-without-port",
      "Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = no":
        "probe-failed",
      "Container web failed liveness probe, will be restarted": "probe-failed",
      "Init container proxy failed startup probe, will be restarted": "probe-failed",
      "Error: missing value for POD_NAME": "sub-path-variable-missing",
      "Error: error DevicePath `xvda` must be an absolute path": "device-path-relative",
      'Error: container\'s runAsUser breaks non-root policy (pod: "web_shop(1-2)", container: web)':
        "container-not-started",
      "Container web definition changed, will be restarted": "pod-life",
      "Init container proxy definition changed": "pod-life",
      "Error: stat /data/app: no such file or directory": "path-missing-on-node",
      'Error: failed to create containerd task: error mounting "/var/lib/kubelet/pods/p/volume-subpaths/c/app/0" to rootfs at "/etc/a.conf": not a directory: unknown':
        "mount-into-container-failed",
      'Pod "shop"/"web-0" matches multiple PodDisruptionBudgets.  Chose "web" arbitrarily.':
        "disruption-budget",
      "Failed to calculate the number of expected pods: daemonsets.apps does not implement the scale subresource":
        "budget-without-scale",
      "Failed to calculate the number of expected pods: not known": "disruption-budget",
      'error when evicting pods/"web-0" -n "shop" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.':
        "eviction-refused > eviction-refused",
      "Job was active longer than specified deadline": "job-given-up",
      "Deployment does not have minimum availability.": "too-few-available",
      "The node was low on resource: ephemeral-storage. Container a was using 92Ki, which exceeds its request of 0.":
        "evicted-for-node-pressure",
      "Pod was rejected: The node had condition: [MemoryPressure DiskPressure]. ":
        "pod-rejected > pod-refused-for-node-pressure",
      "SupplementalGroupsPolicy=Strict is not supported in this node":
        "strict-groups-not-supported",
      'MountVolume.SetUp failed for volume "t" : object "shop"/"kube-root-ca.crt" not registered':
        "publish-failed > object-not-registered",
      'MountVolume.SetUp failed for volume "t" : failed to fetch token: serviceaccounts "app" not found':
        "publish-failed > token-refused > object-not-found",
    }));

  test("tells a pod preempted before it was bound from a deleted one", () =>
    check(
      {
        "Preempted by pod 7c5b on node node-a": "preempted",
        "Preempted by pod 7c5b on node node-a (in kube-scheduler memory).":
          "preempted-before-binding",
      },
      "Preempted",
    ));

  test("knows rare messages of kubelets and controllers", () =>
    check({
      'Error: cannot find the volume "shared" referenced by FileKeyRef': "container-config",
      "Error: couldn't parse env file": "variables-file-unreadable",
      "Error: rpc error: code = Internal desc = grpc: error while marshaling: string field contains invalid UTF-8":
        "variables-not-text",
      'AttachVolume.FindAttachablePluginBySpec failed for volume "pv" ': "attach-failed",
      'AttachVolume.MarkVolumeAsAttached failed for volume "pv" : failed to get AttachablePlugin from volumeSpec for volume "pv" err=plugin do not support attachment':
        "attached-unknown",
      'Error deleting: Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again':
        "workload-cannot-delete > write-conflict",
      'Cannot bind to requested volume "v": volumeAttributesClassName is not supported when the feature-gate VolumeAttributesClass is disabled':
        "requested-volume-attributes-class-off",
    }));

  test("reads an event that stands for many similar ones as one of them", () =>
    check({
      '(combined from similar events): MountVolume.SetUp failed for volume "v" : secret "s" not found':
        "publish-failed > secret-not-found",
    }));

  test("takes a text that occurs inside other messages for no message by itself", () =>
    assert.equal(recognize("the disk has no space left on device"), undefined));

  test("keeps the values before the cut of a message that is cut at its end", () => {
    const cut =
      'waiting for a volume to be created, either by external provisioner "nfs.csi.k8s.io" or manually created by syst...';
    assert.deepEqual(recognizeFragment(cut)?.values, { driver: "nfs.csi.k8s.io" });
    check({
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't find available persistent volumes to bi...":
        "unschedulable > 1× not-enough-resources, 2× no-volume-to-bind",
    });
  });

  test("knows what the API server says about fields, and what kubectl and helm say themselves", () =>
    check({
      'Error creating: pods "web-" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, minimum memory usage per Pod is 1Gi, but request is 1Mi]':
        "workload-cannot-create > object-forbidden > several-errors > limit-range-of-pods, limit-range-of-pods",
      'The PersistentVolume "v" is invalid: spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation':
        "object-invalid > volume-source-immutable",
      'The StorageClass "fast" is invalid: parameters: Forbidden: updates to parameters are forbidden.':
        "object-invalid > class-immutable",
      'The Pod "web" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "data"':
        "object-invalid > name-not-there",
      'The PersistentVolumeClaim "data" is invalid: spec.resources[storage]: Required value':
        "object-invalid > value-missing",
      'error: resource mapping not found for name: "snap" namespace: "" from "a.yaml": no matches for kind "VolumeSnapshot" in version "snapshot.storage.k8s.io/v1" ensure CRDs are installed first':
        "kind-not-served",
      'Error from server (AlreadyExists): error when creating "a.yaml": object is being deleted: persistentvolumeclaims "data" already exists':
        "server-refused > object-still-goes",
      'Error from server (AlreadyExists): error when creating "a.yaml": persistentvolumeclaims "data" already exists':
        "server-refused > object-exists",
      "Error: INSTALLATION FAILED: timed out waiting for the condition": "helm-waited",
      'AttachVolume.Attach failed for volume "v" : rpc error: code = Internal desc = Could not attach volume "a" to node "b": context deadline exceeded':
        "attach-failed > csi-internal > timed-out",
    }));

  test("tells a missing permission or an unsupported request from missing objects", () =>
    check({
      'AttachVolume.Attach failed for volume "v" : failed to load secret "shop/s": secrets "s" is forbidden: User "u" cannot get resource "secrets" in API group "" in the namespace "shop"':
        "attach-failed > secret-not-read > object-forbidden > account-may-not",
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = Volume capability not supported':
        "provisioning-failed > csi-invalid-argument > capability-not-supported",
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = invalid parameter "path" in storage class':
        "provisioning-failed > csi-invalid-argument > class-parameter-unknown",
      "Failed to get GCE GCECloudProvider with error <nil>": "in-tree-cloud-missing",
    }));

  test("knows messages about disks and file systems that would be too small", () =>
    check({
      'failed to provision volume with StorageClass "a": rpc error: code = Unknown desc = XFS filesystems with size 104857600, smaller than 314572800, are not supported':
        "provisioning-failed > csi-unknown > size-under-least",
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = CreateVolume failed to create single zonal disk pvc-1: failed to insert zonal disk: unknown Insert disk error: googleapi: Error 400: Disk size cannot be smaller than 4 GB for disk type hyperdisk-balanced., badRequest':
        "provisioning-failed > csi-invalid-argument > size-under-least",
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = CreateVolume failed: rpc error: code = InvalidArgument desc = CreateVolume failed to create single zonal disk pvc-1: failed to insert zonal disk: unknown Insert disk error: googleapi: Error 400: Disk size cannot be smaller than 4 GB for disk type hyperdisk-balanced., badRequest':
        "provisioning-failed > csi-invalid-argument > csi-invalid-argument > size-under-least",
      'failed to provision volume with StorageClass "essd": rpc error: code = Internal desc = all attempts failed: cloud_essd.PL1: requested size 8GiB is less than minimum 20GiB':
        "provisioning-failed > csi-internal > size-under-least",
    }));

  test("knows what disk drivers and OpenShift's policies refuse", () =>
    check({
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = VolumeCapabilities is invalid: specified multi writer with mount access type':
        "provisioning-failed > csi-invalid-argument > several-writers-refused",
      'failed to provision volume with StorageClass "a": rpc error: code = InvalidArgument desc = VolumeContentSource must be provided when AccessMode is set to read only':
        "provisioning-failed > csi-invalid-argument > empty-volume-only-read",
      "MountVolume.MountDevice failed for volume \"v\" : rpc error: code = Internal desc = mount failed: Is 'fsx' the correct filesystem name?":
        "stage-failed > csi-internal > lustre-name-wrong",
      'pods "web-" is forbidden: unable to validate against any security context constraint: [fsGroup: Invalid value: []int64{26}: 26 is not an allowed group]':
        "object-forbidden > constraints-deny > several-errors > constraint-group",
      'pods "web-" is forbidden: unable to validate against any security context constraint: [provider "restricted-v2": .containers[0].runAsUser: Invalid value: 0: must be in the ranges: [1000680000, 1000689999]]':
        "object-forbidden > constraints-deny > several-errors > constraint-user",
      'pods "web-" is forbidden: unable to validate against any security context constraint: [spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used]':
        "object-forbidden > constraints-deny > several-errors > constraint-volume",
    }));

  test("knows a mounted directory that nobody may enter, and a driver that knows no account", () =>
    check({
      "ls: cannot access '/tmp/s3': Permission denied": "directory-not-entered",
      "sh: can't cd to /app/external: Permission denied": "directory-not-entered",
      'MountVolume.SetUp failed for volume "files" : rpc error: code = InvalidArgument desc = failed to get account name from csi-d08c':
        "publish-failed > csi-invalid-argument > azure-account-unknown",
    }));

  test("recognizes parts of messages, as people quote them", () => {
    const cases: Readonly<Record<string, string>> = {
      "VolumeMismatch: requested PV is too small": "requested-volume-too-small",
      "Multi-Attach error for volume ... Volume is already exclusively attached to one node":
        "multi-attach",
      "it says node(s) exceed max volume count, or so": "volume-limit-reached",
      "... Data on the volume is lost!": "claim-lost-volume",
      "driver name X not found in the list of registered CSI drivers": "driver-not-registered",
      "volume node affinity conflict": "volume-out-of-reach",
      "Cannot bind to requested volume … storageClassName does not match, it says":
        "requested-volume-other-class",
      "Output: mount.nfs: Connection timed out": "server-not-reached",
    };
    for (const [text, wanted] of Object.entries(cases))
      assert.equal(recognizeFragment(text)?.pattern.id, wanted, text);
    assert.equal(recognizeFragment("then: failed to create volume: it says"), undefined);
    assert.equal(recognizeFragment("a volume of data is not found in the cluster"), undefined);
  });

  test("recognizes no other text", () => {
    for (const text of ["", "hello", "rpc error", "{detail}", "x".repeat(100_000)])
      assert.equal(recognize(text), undefined);
  });
});
