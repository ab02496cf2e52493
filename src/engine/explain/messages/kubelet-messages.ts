/**
 * Messages of kubelets that are not about volumes: images, sandboxes, probes, evictions and the node itself. Most of these
 * situations are not simulated; the patterns tell them apart from storage, and name storage where it may be the cause.
 * Upstream: pkg/kubelet v1.36 events/event.go, kubelet.go, kuberuntime, images, prober, eviction, nodestatus.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const kubelet = messagesOf("kubelet", "pkg/kubelet/");

const containers: readonly MessagePattern[] = [
  kubelet({
    id: "image-not-pulled",
    rule: "images/image_manager.go EnsureImageExists",
    reasons: [
      "Failed",
      "BackOff",
      "InspectFailed",
      "ErrImageNeverPull",
      "ErrImagePull",
      "ImagePullBackOff",
    ],
    texts: [
      'Failed to pull image "{image}": {why}',
      'Failed to inspect image "{image}": {why}',
      'Failed to apply default image tag "{image}": {why}',
      'Container image "{image}" is not present with pull policy of Never',
      'Back-off pulling image "{image}": {why}',
      "Back-off pulling image {image}",
      "Error: ErrImagePull",
      "Error: ImagePullBackOff",
      "Error: ErrImageNeverPull",
      "Error: InvalidImageName",
    ],
    cause:
      "The container's image, or one that it mounts as a volume, cannot be had. Storage is not in the way: the pod's other volumes are mounted before images are pulled.",
    change: ["correct the image's name and tag, the registry's address, or imagePullSecrets"],
  }),
  kubelet({
    id: "mount-point-is-link",
    rule: "kuberuntime/kuberuntime_container.go startContainer, runc rootfs_linux.go mountToRootfs, setRecAttr",
    reasons: ["Failed", "RunContainerError", "StartError"],
    texts: [
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: {runtime}error mounting "{source}" to rootfs at "{mountPath}": change mount propagation through procfd: open o_path procfd: open {path}: no such file or directory{rest}',
      '{before}error mounting "{source}" to rootfs at "{mountPath}": change mount propagation through procfd: open o_path procfd: open {path}: no such file or directory{rest}',
    ],
    cause:
      "In the image {mountPath} is a link, so that the volume came to lie over what the link points to and hid the link itself. First images of postgres 18 have one at /var/lib/postgresql/data.",
    change: [
      "mount the volume where the link leads: /var/lib/postgresql for postgres 18",
      "take an image without the link: those of postgres 18 from February 2026 on have none",
    ],
  }),
  kubelet({
    id: "mount-point-not-made",
    rule: "kuberuntime/kuberuntime_container.go startContainer, runc rootfs_linux.go createMountpoint",
    reasons: ["Failed", "RunContainerError", "StartError"],
    texts: [
      '{before}error mounting "{source}" to rootfs at "{mountPath}": {why}read-only file system{rest}',
      '{before}error mounting \\"{source}\\" to rootfs at \\"{mountPath}\\": {why}read-only file system{rest}',
    ],
    cause:
      "{mountPath} lies in another volume that is mounted read-only and has no such directory, and the runtime cannot make it there.",
    change: [
      "make the directory in that volume, or mount the two beside each other",
      "mount that volume writable",
    ],
  }),
  kubelet({
    id: "host-directory-not-made",
    rule: "kuberuntime/kuberuntime_container.go startContainer, containerd os.MkdirAll of a mount's source",
    reasons: ["Failed", "CreateContainerError"],
    texts: ['{before}failed to mkdir "{path}": mkdir {target}: read-only file system{rest}'],
    cause:
      "The runtime makes a hostPath's directory where the node has none, and the node's file system is read-only at {path}, as most of Talos, Flatcar and Bottlerocket is.",
    change: [
      "name a directory that the node lets be written: below /var",
      "where a driver's chart has it: look for its setting for such nodes",
    ],
  }),
  kubelet({
    id: "mount-into-container-failed",
    rule: "kuberuntime/kuberuntime_container.go startContainer, runc rootfs_linux.go",
    reasons: ["Failed", "ContainerCannotRun", "StartError", "RunContainerError"],
    texts: [
      "{before}volume-subpaths{after}no such file or directory{rest}",
      "{before}volume-subpaths{after}not a directory{rest}",
      "{before}OCI runtime create failed{after}mounting {path} to rootfs{rest}",
      "{before}error during container init: error mounting {path} to rootfs{rest}",
    ],
    cause:
      "The runtime could not mount a volume into the container: a file stands where a directory is to be mounted or the other way round, or the subPath's source has changed since the container was made.",
    change: [
      "compare mountPath and subPath: a file onto a file, a directory onto a directory",
      "after a ConfigMap or Secret with subPath was changed, delete the pod, so that it is recreated",
    ],
  }),
  kubelet({
    id: "bind-mount-unreadable",
    rule: "kuberuntime/kuberuntime_container.go startContainer, Docker volume/mounts parser.go ParseMountRaw",
    reasons: ["Failed"],
    texts: [
      "{before}invalid mode: {mode}",
      "{before}invalid volume specification: '{mount}'{rest}",
    ],
    cause:
      "Docker divides what it mounts at colons, and there is one too many: in the hostPath, as of a drive of Windows, or in the mountPath.",
    change: [
      "name the directory as the node has it: C:\\data is /run/desktop/mnt/host/c/data on Docker Desktop with WSL 2",
      "take the colon out of mountPath",
    ],
  }),
  kubelet({
    id: "mount-not-shared",
    rule: "kuberuntime/kuberuntime_container.go generateContainerConfig, mountPropagation",
    reasons: ["Failed"],
    texts: [
      '{before}path "{path}" is mounted on "{mount}" but it is not a shared mount{rest}',
      "{before}path {path} is mounted on {mount} but it is not a shared mount{rest}",
      '{before}path "{path}" is mounted on "{mount}" but it is not a shared or slave mount{rest}',
    ],
    cause:
      "The container asks for mountPropagation, and the directory's mount on the node is not shared. CSI drivers' node plugins need it.",
    change: ["mount --make-rshared / on the node, or on the directory that is named"],
  }),
  kubelet({
    id: "program-not-executable",
    rule: "kuberuntime/kuberuntime_container.go startContainer, runc standard_init_linux.go",
    reasons: ["Failed", "StartError", "RunContainerError", "ContainerCannotRun"],
    texts: [
      '{before}exec: "{path}": permission denied{rest}',
      "exec {path}: permission denied{rest}",
    ],
    cause:
      "The container's program, {path}, exists but is not executable. Files of ConfigMaps and Secrets have mode 0644 unless another one is set.",
    change: [
      "where it is mounted of a ConfigMap or Secret: set defaultMode: 0755, or give it to a shell",
      "where it is the image's: give it the mode when the image is built",
    ],
  }),
  kubelet({
    id: "program-not-there",
    rule: "kuberuntime/kuberuntime_container.go startContainer, runc standard_init_linux.go",
    reasons: ["Failed", "StartError", "RunContainerError", "ContainerCannotRun"],
    texts: [
      '{before}exec: "{path}": stat {file}: no such file or directory{rest}',
      '{before}exec: "{path}": executable file not found in $PATH{rest}',
      "{before}Container command '{path}' not found or does not exist{rest}",
    ],
    cause:
      "Nothing is at {path} in the container: the image lacks it, or a volume is mounted over its directory and hides it.",
    change: [
      "mount the volume elsewhere, or single files with subPath",
      "correct the container's command",
    ],
  }),
  kubelet({
    id: "mount-not-read-only-throughout",
    rule: "kubelet_pods.go makeMounts, resolveRecursiveReadOnly",
    reasons: ["Failed"],
    texts: ["Error: failed to resolve recursive read-only mode: {why}"],
    cause:
      "A volumeMount has recursiveReadOnly: Enabled, which the container runtime or the kernel of this node cannot do.",
    change: [
      "set recursiveReadOnly: IfPossible",
      "run the pod on nodes whose status.runtimeHandlers tell recursiveReadOnlyMounts: true",
    ],
  }),
  kubelet({
    id: "container-not-started",
    rule: "kuberuntime/kuberuntime_container.go startContainer",
    reasons: ["Failed", "FailedCreatePodContainer"],
    texts: [
      'Error: failed to start container "{container}": {detail}',
      "Error: failed to create containerd task: {detail}",
      "Error: failed to create shim task: {detail}",
      'Error: failed to generate container "{container}" spec: {detail}',
      "Error: container has runAsNonRoot and image {why}",
      "Error: container's runAsUser breaks non-root policy {where}",
      "Error: services have not yet been read at least once, cannot construct envvars",
      "Error: context deadline exceeded",
      "Error: failed to reserve container name {why}",
      "Error: Error response from daemon: {detail}",
      "error making pod data directories: {detail}",
      "unable to ensure pod container exists: {detail}",
    ],
    cause:
      "The container's volumes are mounted, and the container could not be started or prepared.",
    change: ["read the rest of the message: it is the container runtime's own"],
  }),
  kubelet({
    id: "hook-failed",
    rule: "kuberuntime/kuberuntime_container.go startContainer, executePreStopHook",
    reasons: ["FailedPostStartHook", "FailedPreStopHook", "Killing"],
    texts: ["PostStartHook failed", "FailedPostStartHook", "PreStopHook failed"],
    cause:
      "What the container's lifecycle has run in it failed. After a failed postStart the container is killed and started again; a failed preStop does not keep it from being ended.",
    change: [
      "correct the command or request of its lifecycle; the kubelet's log says how it failed",
    ],
  }),
  kubelet({
    id: "path-missing-on-node",
    rule: "kubelet_pods.go makeMounts",
    reasons: ["Failed"],
    texts: [
      "Error: stat {path}: no such file or directory",
      "Error: lstat {path}: no such file or directory",
    ],
    cause:
      "{path} is not there for the kubelet, which prepares the subPath of a volume below it. A kubelet that runs in a container sees only those of the node's directories that are mounted into it.",
    change: [
      "make the directory on the node",
      "let the node's container mount it at the same path (kind extraMounts, minikube mount)",
    ],
  }),
  kubelet({
    id: "probe-without-port",
    rule: "prober/prober.go probe, pkg/probe/util.go ResolveContainerPort",
    reasons: ["Unhealthy"],
    texts: [
      '{probe} probe errored and resulted in unknown state: strconv.Atoi: parsing "{port}": invalid syntax',
      '{probe} probe errored: strconv.Atoi: parsing "{port}": invalid syntax',
    ],
    cause:
      "The probe asks port {port} of its container, and none of the container's ports has that name. It is never made: a container with such a readiness probe is never ready, with such a startup probe it never counts as started.",
    change: ["name the container's port {port}", "ask the port by its number"],
  }),
  kubelet({
    id: "probe-redirected",
    rule: "prober/prober.go probe, pkg/probe/http/http.go DoHTTPProbe",
    reasons: ["ProbeWarning"],
    texts: ["{probe} probe warning: {why}"],
    cause:
      "The container answers its probe by sending it to another host, where it does not go: the probe counts as successful, whatever is there.",
    change: ["let the probe ask for a path that the container answers itself"],
    outlook: "done",
  }),
  kubelet({
    id: "probe-failed",
    rule: "prober/prober.go probe, kuberuntime/kuberuntime_manager.go computePodActions",
    reasons: ["Unhealthy", "Killing"],
    texts: [
      "{probe} probe failed: {why}",
      "{probe} probe errored: {why}",
      "{probe} probe errored and resulted in {why}",
      "{probe} probe failed:",
      ...["Container", "Init container"].flatMap((what) =>
        ["liveness", "startup"].flatMap((probe) => [
          `${what} {container} failed ${probe} probe, will be restarted`,
          `${what} {container} failed ${probe} probe`,
        ]),
      ),
    ],
    cause:
      "The container runs and does not answer its probe. Its volumes are mounted; a program that waits for its data, or may not write to it, looks like this.",
    change: ["kubectl logs of the container", "give it more time with a startupProbe"],
  }),
  kubelet({
    id: "sandbox-failed",
    rule: "kuberuntime/kuberuntime_sandbox.go createPodSandbox",
    reasons: [
      "FailedCreatePodSandBox",
      "FailedPodSandBoxStatus",
      "SandboxChanged",
      "NetworkNotReady",
    ],
    texts: [
      "Failed to create pod sandbox: {why}",
      "Failed create pod sandbox: {why}",
      "Unable to get pod sandbox status: {why}",
      "Pod sandbox changed, it will be killed and re-created.",
      "network is not ready: {why}",
    ],
    cause: "A matter of the node's container runtime and network, which come after the volumes.",
    change: ["look at the network plugin's pods on the node"],
  }),
  kubelet({
    id: "pod-not-ended",
    rule: "kubelet.go syncTerminatingPod",
    reasons: ["FailedKillPod", "ExceededGracePeriod"],
    texts: [
      "error killing pod: {why}",
      "error killing old pod: {why}",
      "Container runtime did not kill the pod within specified grace period.",
    ],
    cause:
      "The pod's containers do not end. Until they have, its volumes stay mounted and attached, and no other node gets those that are ReadWriteOnce.",
    change: [
      "look at the runtime on the node; a process that waits for a dead file server cannot be killed",
    ],
  }),
  kubelet({
    id: "pod-not-synced",
    rule: "pod_workers.go podWorkerLoop",
    reasons: ["FailedSync"],
    texts: [
      "Error syncing pod, skipping: {detail}",
      "Error syncing pod",
      "error determining status: {why}",
    ],
    cause: "A summary of the other events of the pod.",
    change: ["read the pod's FailedMount, Failed and FailedCreatePodSandBox events"],
  }),
  kubelet({
    id: "made-room-for-critical-pod",
    rule: "preemption/preemption.go evictPodsToFreeRequests",
    reasons: ["Preempting"],
    texts: ["Preempted in order to admit critical pod"],
    cause: "The pod was ended to make room on its node for a critical one.",
    change: ["add nodes; look at its owner for the pod that replaces it"],
    outlook: "done",
  }),
  kubelet({
    id: "container-back-off",
    rule: "kuberuntime/kuberuntime_manager.go doBackOff",
    reasons: ["BackOff"],
    texts: [
      "back-off {delay} restarting failed container={container} {where}",
      "Back-off restarting failed container {container} {where}",
      "Back-off restarting failed container",
    ],
    cause:
      "The container ends soon after each start; its own log says why. Permissions on a volume are a common reason.",
    change: [
      "kubectl logs --previous; compare the container's user with fsGroup and the volume's owner",
    ],
  }),
  kubelet({
    id: "pod-life",
    rule: "kuberuntime",
    reasons: ["Created", "Started", "Killing", "Pulled", "Pulling"],
    texts: [
      "Container created",
      "Container started",
      "Created container: {container}",
      "Created container {container}",
      "Started container {container}",
      "Stopping container {container}",
      "Container {container} definition changed, will be restarted",
      "Init container {container} definition changed",
      "Container is in {state} state, try killing it before restart",
      "Init container is in {state} state, try killing it before restart",
      "Container {container} resize requires restart",
      "killing",
      "Container image {image} already present on machine",
      "Container image {image} already present on machine and can be accessed by the pod",
      "Pulling image {image}",
      "Successfully pulled image {image}",
    ],
    cause: "The containers come and go; storage is not in the way.",
    change: [],
    outlook: "done",
  }),
  kubelet({
    id: "deadline-exceeded",
    rule: "active_deadline.go ShouldEvict",
    reasons: ["DeadlineExceeded"],
    texts: ["Pod was active on the node longer than the specified deadline"],
    cause:
      "The pod was ended because its activeDeadlineSeconds are over. They count from when the kubelet took it in, so that slow volumes use them up too.",
    change: ["raise spec.activeDeadlineSeconds, or leave it out"],
    outlook: "stuck",
    field: "spec.activeDeadlineSeconds",
  }),
  kubelet({
    id: "pull-secret-missing",
    rule: "kubelet_pods.go getPullSecretsForPod",
    reasons: ["FailedToRetrieveImagePullSecret"],
    texts: [
      "Unable to retrieve some image pull secrets ({names}); attempting to pull the image may not succeed.",
    ],
    cause: "The images are pulled without these secrets, which only a public registry allows.",
    change: ["make the Secrets, or correct imagePullSecrets"],
    outlook: "done",
  }),
  kubelet({
    id: "environment-keys-skipped",
    rule: "kubelet_pods.go makeEnvironmentVariables",
    reasons: ["InvalidEnvironmentVariableNames"],
    texts: [
      "Keys [{keys}] from the EnvFrom {object} were skipped since they are considered invalid environment variable names.",
    ],
    cause:
      "The container starts without these keys in its environment: kubelets before 1.32 take only names that a shell knows.",
    change: ["rename the keys, or mount the object as a volume"],
    outlook: "done",
  }),
];

const nodes: readonly MessagePattern[] = [
  kubelet({
    id: "evicted-for-node-pressure",
    rule: "eviction/eviction_manager.go synchronize, helpers.go evictionMessage",
    reasons: ["Evicted"],
    texts: [
      "The node was low on resource: {resource}. {consumers}",
      "The node was low on resource: {resource}.",
    ],
    cause:
      "The node ran short, of disk most often, and ended pods that use more than they request. What containers write to their own file system, to logs and to emptyDir counts; claims do not, unless their files lie on the same disk (local-path, hostPath).",
    change: [
      "set requests and limits for ephemeral-storage, and write what is large to a claim",
      "give the node a larger disk, or clear images and logs",
    ],
    outlook: "stuck",
  }),
  kubelet({
    id: "empty-dir-over-limit",
    rule: "eviction/eviction_manager.go localStorageEviction",
    reasons: ["Evicted"],
    texts: [
      'Usage of EmptyDir volume "{volumeName}" exceeds the limit "{limit}".',
      "Pod ephemeral local storage usage exceeds the total limit of containers {limit}.",
      'Container {container} exceeded its local ephemeral storage limit "{limit}".',
    ],
    cause:
      "The pod has written more than its emptyDir, or its ephemeral-storage limit, allows, and was ended for it.",
    change: ["raise sizeLimit or the ephemeral-storage limit, write less, or use a claim"],
    outlook: "stuck",
  }),
  kubelet({
    id: "node-under-pressure",
    rule: "nodestatus/setters.go, images/image_gc_manager.go, eviction/eviction_manager.go",
    reasons: [
      "NodeHasDiskPressure",
      "NodeHasInsufficientMemory",
      "NodeHasInsufficientPID",
      "EvictionThresholdMet",
      "FreeDiskSpaceFailed",
      "ImageGCFailed",
      "ContainerGCFailed",
      "InvalidDiskCapacity",
      "SystemOOM",
      "OOMKilling",
    ],
    texts: [
      "Node {node} status is now: NodeHasDiskPressure",
      "Node {node} status is now: NodeHasInsufficientMemory",
      "Node {node} status is now: NodeHasInsufficientPID",
      "Attempting to reclaim {resource}",
      "Failed to garbage collect required amount of images. {why}",
      "failed to garbage collect required amount of images. {why}",
      "System OOM encountered, victim process: {why}",
      "invalid capacity 0 on image filesystem",
      "wanted to free {count} bytes, but freed {why}",
    ],
    cause: "The node runs short of disk or memory: it takes no new pods, and ends some.",
    change: ["free disk on the node: images, logs, emptyDir and hostPath volumes"],
  }),
  kubelet({
    id: "node-life",
    rule: "kubelet.go, nodestatus/setters.go; pkg/controller/nodelifecycle",
    reasons: [
      "NodeReady",
      "NodeHasNoDiskPressure",
      "NodeHasSufficientMemory",
      "NodeHasSufficientPID",
      "NodeSchedulable",
      "NodeNotSchedulable",
      "NodeAllocatableEnforced",
      "Starting",
      "Rebooted",
      "RegisteredNode",
      "RemovingNode",
      "DeletingNode",
      "DeletingAllPods",
      "TerminatedAllPods",
      "NodeShutdown",
      "Shutdown",
      "CIDRNotAvailable",
      "CgroupV1",
    ],
    texts: [
      "Node {node} status is now: {status}",
      "Updated Node Allocatable limit across pods",
      "Starting kubelet.",
      "Node {node} has been rebooted, boot id: {id}",
      "Node {node} event: {what}",
      "Deleting all Pods from Node {node}.",
      "Deleting node {node} because it does not exist in the cloud provider",
      "Shutdown manager detected shutdown event",
      "cgroup v1 support is in maintenance mode, please migrate to cgroup v2",
    ],
    cause:
      "What happened to the node. Pods of a node that has gone leave their volumes attached to it until they are deleted too.",
    change: [],
    outlook: "done",
  }),
  kubelet({
    id: "name-servers-limited",
    rule: "network/dns/dns.go",
    reasons: ["DNSConfigForming", "MissingClusterDNS"],
    texts: [
      "Nameserver limits were exceeded, {why}",
      "Search Line limits were exceeded, {why}",
      "pod: {podId}. kubelet does not have ClusterDNS IP configured and cannot create Pod using {why}",
      "kubelet does not have ClusterDNS IP configured and cannot create Pod using {why}",
    ],
    cause: "A matter of the node's name servers, not of storage.",
    change: [],
    outlook: "done",
  }),
];

const devices: readonly MessagePattern[] = [
  kubelet({
    id: "devices-not-prepared",
    rule: "cm/dra",
    reasons: ["FailedPrepareDynamicResources"],
    texts: ["Failed to prepare dynamic resources: {why}"],
    cause:
      "The node could not prepare a device that the pod's ResourceClaim gives it; that is not simulated here, and no matter of volumes.",
    change: ["look at the device driver's pod on the node"],
  }),
  kubelet({
    id: "pod-resized",
    rule: "allocation/allocation_manager.go",
    reasons: [
      "ResizeStarted",
      "ResizeCompleted",
      "ResizeDeferred",
      "ResizeInfeasible",
      "ResizeError",
    ],
    texts: ["{detail}"],
    cause: "The pod's CPU and memory are changed while it runs; its volumes stay as they are.",
    change: [],
    outlook: "done",
    isLastResort: true,
  }),
];

export const kubeletMessages: readonly MessagePattern[] = [...containers, ...nodes, ...devices];
