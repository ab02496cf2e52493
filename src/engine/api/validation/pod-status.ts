/**
 * What is reported of a pod. Upstream: pkg/apis/core/validation ValidatePodStatusUpdate, v1.36. Not modelled: its addresses,
 * devices and users, and containers that rules restart.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { metadataPath, statusPath } from "../field-path.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { containersAtCreation, isSidecar } from "../pod-containers.ts";
import type { ContainerStatus, Pod, PodSpec, PodStatus } from "../types.ts";

const systemConditions: readonly string[] = ["PodScheduled", "Ready", "Initialized"];

export function validatePodStatus(next: Pod, old: Pod, errors: FieldErrors): void {
  const status: PodStatus = next.status ?? {};
  const before: PodStatus = old.status ?? {};
  status.conditions?.forEach(({ type }, index) => {
    if (systemConditions.includes(type)) return;
    // Conditions are taken for metadata.
    const path = metadataPath.child("conditions").index(index).child("Type");
    errors.invalidEach(path, type, checkLabelKey(type));
  });
  const { nominatedNodeName: node = "" } = status;
  if (node !== "" && node !== before.nominatedNodeName)
    errors.invalidEach(statusPath.child("nominatedNodeName"), node, checkSubdomain(node));
  if ((status.qosClass ?? "") !== (before.qosClass ?? ""))
    errors.invalid(
      statusPath.child("qosClass"),
      asJson(status.qosClass ?? ""),
      "field is immutable",
    );
  for (const list of lists) validateTransitions(status, before, list, old.spec, errors);
}

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** What has ended for good does not run again. */
function validateTransitions(
  status: PodStatus,
  before: PodStatus,
  list: (typeof lists)[number],
  spec: PodSpec,
  errors: FieldErrors,
): void {
  const policy = list === "ephemeralContainerStatuses" ? "Never" : spec.restartPolicy;
  if (policy === "Always") return;
  const restarts = (name: string): boolean => {
    const all = containersAtCreation(spec);
    if (all.some(({ restartPolicyRules }) => restartPolicyRules !== undefined)) return true;
    const container = all.find((each) => each.name === name);
    return (
      container !== undefined && (isSidecar(container) || container.restartPolicy === "OnFailure")
    );
  };
  before[list]?.forEach(({ name, state }, index) => {
    const terminated = state?.terminated;
    if (terminated === undefined || restarts(name)) return;
    if (terminated.exitCode !== 0 && policy === "OnFailure") return;
    const runsAgain = ({ name: other, state: next }: ContainerStatus): boolean =>
      other === name && next?.terminated === undefined;
    for (const _ of status[list]?.filter(runsAgain) ?? []) {
      const path = statusPath.child(list).index(index).child("state");
      errors.forbidden(path, "may not be transitioned to non-terminated state");
    }
  });
}
