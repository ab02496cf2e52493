/** Messages of the resizer. Upstream: external-resizer v2 pkg/controller, pkg/modifycontroller. */
import type { MessagePattern } from "./message-pattern.ts";

const resizer = "external-resizer";

export const resizerMessages: readonly MessagePattern[] = [
  {
    id: "resizing",
    component: resizer,
    rule: "controller.go expandVolume",
    reasons: ["Resizing"],
    texts: ["External resizer is resizing volume {volume}"],
    outlook: "waits",
    cause: "The driver grows volume {volume}; its answer is the next event.",
    change: [],
  },
  {
    id: "resize-on-node",
    component: resizer,
    rule: "controller.go markForPendingNodeExpansion",
    reasons: ["FileSystemResizeRequired"],
    texts: [
      "Require file system resize of volume on node",
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
      "waiting for user to (re-)start a pod to finish file system resize of volume on node",
    ],
    outlook: "waits",
    cause:
      "The volume has grown; the file system in it grows when a kubelet mounts it, or where it is mounted within 90 s, when its pod is synced next.",
    change: ["start a pod that mounts the claim, or restart it if nothing happens"],
  },
  {
    id: "resize-only-offline",
    component: resizer,
    rule: "controller.go resizeVolume",
    reasons: ["VolumeResizeFailed"],
    texts: [
      "Unable to expand {claim} because CSI driver {driver} only supports offline expansion and volume is currently in-use",
    ],
    outlook: "retried",
    cause: "Driver {driver} grows volumes only while no pod uses them.",
    change: ["end the pods that use the claim, and start them again when it has grown"],
  },
  {
    id: "in-tree-resize-failed",
    component: "volume-expand",
    rule: "operation_generator.go GenerateExpandVolumeFunc, up to 1.29",
    reasons: ["VolumeResizeFailed"],
    texts: ['error expanding volume "{claim}" of plugin "{plugin}": {detail}'],
    outlook: "retried",
    cause:
      "Kubernetes' own plugin {plugin} could not grow the volume of claim {claim} from the control plane.",
    change: ["look at kube-controller-manager's log: its machine may lack the plugin's programs"],
  },
  {
    id: "resize-failed",
    component: resizer,
    rule: "controller.go resizeVolume",
    reasons: ["VolumeResizeFailed"],
    texts: ['resize volume "{volume}" by resizer "{driver}" failed: {detail}', "{detail}"],
    outlook: "retried",
    cause: "The driver refused to grow the volume.",
    change: [
      "ask for a size that it can give: a larger request that failed may be lowered again, not below status.capacity",
    ],
  },
  {
    id: "growth-failed-so-far",
    component: resizer,
    rule: "resize_status.go; kubelet resize_util.go MarkNodeExpansionFailedCondition",
    texts: ["failed to expand pvc with {detail}"],
    outlook: "retried",
    cause:
      "The volume has not grown: its driver's controller could not (condition ControllerResizeError), or its node plugin (NodeResizeError). The condition keeps the first failure's text.",
    change: [
      "ask for a size that the driver can give: a larger request that failed may be lowered again, not below status.capacity",
    ],
  },
  {
    id: "resized",
    component: resizer,
    rule: "controller.go markOverallExpansionAsFinished",
    reasons: ["VolumeResizeSuccessful"],
    texts: ["Resize volume succeeded"],
    outlook: "done",
    cause: "The volume has the size that the claim asks for.",
    change: [],
  },
  {
    id: "modifying",
    component: resizer,
    rule: "pkg/modifycontroller",
    reasons: ["VolumeModify", "VolumeModifySuccessful", "VolumeModifyCanceled"],
    texts: [
      "Cancelled modify.",
      "external resizer is modifying volume {claim} with vac {attributesClass}",
      "external resizer modified volume {claim} with vac {attributesClass} successfully",
    ],
    outlook: "done",
    cause: "The volume gets the attributes of another VolumeAttributesClass, or keeps its own.",
    change: [],
  },
  {
    id: "modify-failed",
    component: resizer,
    rule: "pkg/modifycontroller",
    reasons: ["VolumeModifyFailed"],
    texts: [
      'VAC "{attributesClass}" does not exist.',
      "{detail}. Still modifying to VAC {attributesClass}",
      "{detail}",
    ],
    outlook: "retried",
    cause: "The volume does not get the attributes of its VolumeAttributesClass.",
    change: [
      "name a VolumeAttributesClass of the volume's driver that exists, with parameters that it takes",
    ],
  },
];
