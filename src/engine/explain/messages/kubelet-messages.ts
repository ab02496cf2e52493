/**
 * Messages of kubelets that are not about volumes: images, sandboxes, probes, evictions and the node itself. Most of those
 * situations are not simulated; they are told apart from storage, and storage is named where it may be behind them.
 * Upstream: pkg/kubelet v1.36 events/event.go, kubelet.go, kuberuntime, images, prober, eviction, nodestatus.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern, Outlook } from "./message-pattern.ts";

const part = partsOf("kubelet", "pkg/kubelet/");

function event(
  id: string,
  rule: string,
  reasons: readonly string[],
  texts: readonly string[],
  cause: string,
  change: readonly string[],
  outlook: Outlook = "retried",
): MessagePattern {
  return { ...part(id, rule, texts, cause, change, outlook), reasons };
}

const containers: readonly MessagePattern[] = [
  event(
    "image-not-pulled",
    "images/image_manager.go EnsureImageExists",
    ["Failed", "BackOff", "InspectFailed", "ErrImageNeverPull", "ErrImagePull", "ImagePullBackOff"],
    [
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
    "The container's image cannot be had. Storage is not in the way: the pod's volumes are mounted before images are pulled.",
    ["correct the image's name and tag, the registry's address, or imagePullSecrets"],
  ),
  event(
    "mount-into-container-failed",
    "kuberuntime/kuberuntime_container.go startContainer, runc rootfs_linux.go",
    ["Failed", "ContainerCannotRun", "StartError", "RunContainerError"],
    [
      "{before}volume-subpaths{after}no such file or directory{rest}",
      "{before}volume-subpaths{after}not a directory{rest}",
      "{before}OCI runtime create failed{after}mounting {path} to rootfs{rest}",
    ],
    "The runtime could not mount a volume into the container: a file stands where a directory is to be mounted or the other way round, or the subPath's source has changed since the container was made.",
    [
      "compare mountPath and subPath: a file onto a file, a directory onto a directory",
      "after a ConfigMap or Secret with subPath was changed, delete the pod, so that it is made anew",
    ],
  ),
  event(
    "mount-not-shared",
    "kuberuntime/kuberuntime_container.go generateContainerConfig, mountPropagation",
    ["Failed"],
    [
      '{before}path "{path}" is mounted on "{mount}" but it is not a shared mount{rest}',
      "{before}path {path} is mounted on {mount} but it is not a shared mount{rest}",
      '{before}path "{path}" is mounted on "{mount}" but it is not a shared or slave mount{rest}',
    ],
    "The container asks for mountPropagation, and the directory's mount on the node is not shared. CSI drivers' node plugins need it.",
    ["mount --make-rshared / on the node, or on the directory that is named"],
  ),
  event(
    "container-not-started",
    "kuberuntime/kuberuntime_container.go startContainer",
    ["Failed", "FailedCreatePodContainer", "FailedPostStartHook", "FailedPreStopHook"],
    [
      'Error: failed to start container "{container}": {detail}',
      "Error: failed to create containerd task: {detail}",
      "Error: failed to create shim task: {detail}",
      'Error: failed to generate container "{container}" spec: {detail}',
      "Error: container has runAsNonRoot and image {why}",
      "Error: context deadline exceeded",
      "Error: failed to reserve container name {why}",
      "Error: Error response from daemon: {detail}",
      "error making pod data directories: {detail}",
      "unable to ensure pod container exists: {detail}",
      "PostStartHook failed",
      "PreStopHook failed",
    ],
    "The container's volumes are mounted, and the container could not be started or prepared.",
    ["read the rest of the message: it is the container runtime's own"],
  ),
  event(
    "path-missing-on-node",
    "kubelet_pods.go makeMounts",
    ["Failed"],
    [
      "Error: stat {path}: no such file or directory",
      "Error: lstat {path}: no such file or directory",
    ],
    "{path} is not there for the kubelet, which prepares the subPath of a volume below it. A kubelet that runs in a container sees only those of the node's directories that are mounted into it.",
    [
      "make the directory on the node",
      "let the node's container mount it at the same path (kind extraMounts, minikube mount)",
    ],
  ),
  event(
    "probe-failed",
    "prober/prober.go probe",
    ["Unhealthy", "ProbeWarning"],
    [
      "{probe} probe failed: {why}",
      "{probe} probe errored: {why}",
      "{probe} probe errored and resulted in {why}",
      "{probe} probe warning: {why}",
    ],
    "The container runs and does not answer its probe. Its volumes are mounted; a program that waits for its data, or may not write to it, looks like this.",
    ["kubectl logs of the container", "give it more time with a startupProbe"],
  ),
  event(
    "sandbox-failed",
    "kuberuntime/kuberuntime_sandbox.go createPodSandbox",
    ["FailedCreatePodSandBox", "FailedPodSandBoxStatus", "SandboxChanged", "NetworkNotReady"],
    [
      "Failed to create pod sandbox: {why}",
      "Failed create pod sandbox: {why}",
      "Unable to get pod sandbox status: {why}",
      "Pod sandbox changed, it will be killed and re-created.",
      "network is not ready: {why}",
    ],
    "A matter of the node's container runtime and network, which come after the volumes.",
    ["look at the network plugin's pods on the node"],
  ),
  event(
    "pod-not-ended",
    "kubelet.go syncTerminatingPod",
    ["FailedKillPod", "ExceededGracePeriod"],
    [
      "error killing pod: {why}",
      "error killing old pod: {why}",
      "Container runtime did not kill the pod within specified grace period.",
    ],
    "The pod's containers do not end. Until they have, its volumes stay mounted and attached, and no other node gets those that are ReadWriteOnce.",
    [
      "look at the runtime on the node; a process that waits for a dead file server cannot be killed",
    ],
  ),
  event(
    "pod-not-synced",
    "pod_workers.go podWorkerLoop",
    ["FailedSync"],
    [
      "Error syncing pod, skipping: {detail}",
      "Error syncing pod",
      "error determining status: {why}",
    ],
    "A summary of the other events of the pod.",
    ["read the pod's FailedMount, Failed and FailedCreatePodSandBox events"],
  ),
  event(
    "made-room-for-critical-pod",
    "preemption/preemption.go evictPodsToFreeRequests",
    ["Preempting"],
    ["Preempted in order to admit critical pod"],
    "The pod was ended to make room on its node for a critical one.",
    ["add nodes; look at its owner for the pod that replaces it"],
    "done",
  ),
];

const nodes: readonly MessagePattern[] = [
  event(
    "evicted-for-node-pressure",
    "eviction/eviction_manager.go synchronize, helpers.go evictionMessage",
    ["Evicted"],
    [
      "The node was low on resource: {resource}. {consumers}",
      "The node was low on resource: {resource}.",
      "The node had condition: [{condition}].",
      "Pod The node had condition: [{condition}].",
    ],
    "The node ran short, of disk most often, and ended pods that use more than they request. What containers write to their own file system, to logs and to emptyDir counts; claims do not, unless their files lie on the same disk (local-path, hostPath).",
    [
      "set requests and limits for ephemeral-storage, and write what is large to a claim",
      "give the node a larger disk, or clear images and logs",
    ],
    "stuck",
  ),
  event(
    "node-under-pressure",
    "nodestatus/setters.go, images/image_gc_manager.go, eviction/eviction_manager.go",
    [
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
    [
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
    "The node runs short of disk or memory: it takes no new pods, and ends some.",
    ["free disk on the node: images, logs, emptyDir and hostPath volumes"],
  ),
  event(
    "node-life",
    "kubelet.go, nodestatus/setters.go; pkg/controller/nodelifecycle",
    [
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
    ],
    [
      "Node {node} status is now: {status}",
      "Updated Node Allocatable limit across pods",
      "Starting kubelet.",
      "Node {node} has been rebooted, boot id: {id}",
      "Node {node} event: {what}",
      "Deleting all Pods from Node {node}.",
      "Deleting node {node} because it does not exist in the cloud provider",
      "Shutdown manager detected shutdown event",
    ],
    "What happened to the node. Pods of a node that has gone leave their volumes attached to it until they are deleted too.",
    [],
    "done",
  ),
  event(
    "name-servers-limited",
    "network/dns/dns.go",
    ["DNSConfigForming", "MissingClusterDNS"],
    [
      "Nameserver limits were exceeded, {why}",
      "Search Line limits were exceeded, {why}",
      "pod: {pod}. kubelet does not have ClusterDNS IP configured and cannot create Pod using {why}",
    ],
    "A matter of the node's name servers, not of storage.",
    [],
    "done",
  ),
];

const devices: readonly MessagePattern[] = [
  event(
    "devices-not-prepared",
    "cm/dra",
    ["FailedPrepareDynamicResources"],
    ["Failed to prepare dynamic resources: {why}"],
    "The node could not prepare a device that the pod's ResourceClaim gives it; that is not simulated here, and no matter of volumes.",
    ["look at the device driver's pod on the node"],
  ),
  {
    ...event(
      "pod-resized",
      "allocation/allocation_manager.go",
      ["ResizeStarted", "ResizeCompleted", "ResizeDeferred", "ResizeInfeasible", "ResizeError"],
      ["{detail}"],
      "The pod's CPU and memory are changed while it runs; its volumes stay as they are.",
      [],
      "done",
    ),
    isLastResort: true,
  },
];

export const kubeletMessages: readonly MessagePattern[] = [...containers, ...nodes, ...devices];
