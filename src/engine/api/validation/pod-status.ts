/**
 * What is reported of a pod. Upstream: pkg/apis/core/validation ValidatePodStatusUpdate, v1.36. Not modelled: its addresses,
 * devices and users.
 */

import { isRestarted } from "../../matching/restart-policy.ts";
import { nominatesBeforeBinding } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, statusPath } from "../field-path.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { containersAtCreation } from "../pod-containers.ts";
import type { Pod, PodSpec, PodStatus } from "../types.ts";

const systemConditions: readonly string[] = ["PodScheduled", "Ready", "Initialized"];

export function validatePodStatus(next: Pod, old: Pod, errors: FieldErrors): void {
  const status: PodStatus = next.status ?? {};
  const before: PodStatus = old.status ?? {};
  status.conditions?.forEach(({ type, observedGeneration }, index) => {
    const path = statusPath.child("conditions").index(index);
    validateGeneration(observedGeneration, path, errors);
    if (!systemConditions.includes(type))
      errors.invalidEach(path.child("Type"), type, checkLabelKey(type));
  });
  const { nominatedNodeName: node = "" } = status;
  if (node !== "" && node !== before.nominatedNodeName) {
    const path = statusPath.child("nominatedNodeName");
    errors.invalidEach(path, node, checkSubdomain(node));
    if (nominatesBeforeBinding(errors.version) && (old.spec.nodeName ?? "") !== "")
      errors.forbidden(path, "may not be set on pods that are already bound to a node");
  }
  validateGeneration(status.observedGeneration, statusPath, errors);
  if ((status.qosClass ?? "") !== (before.qosClass ?? ""))
    errors.invalid(
      statusPath.child("qosClass"),
      asJson(status.qosClass ?? ""),
      "field is immutable",
    );
  for (const list of lists) validateTransitions(status, before, list, old.spec, errors);
}

function validateGeneration(
  generation: number | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (generation !== undefined && generation < 0)
    errors.invalid(path.child("observedGeneration"), generation, "must be a non-negative integer");
}

const containersOf = {
  containerStatuses: "containers",
  initContainerStatuses: "initContainers",
} as const;

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** What has ended for good does not run again. */
function validateTransitions(
  status: PodStatus,
  before: PodStatus,
  list: (typeof lists)[number],
  spec: PodSpec,
  errors: FieldErrors,
): void {
  const containers = list === "ephemeralContainerStatuses" ? undefined : spec[containersOf[list]];
  const isAnyRestartingAll = containersAtCreation(spec).some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );
  if (containers !== undefined && isAnyRestartingAll) return;
  before[list]?.forEach(({ name, state }, index) => {
    const terminated = state?.terminated;
    if (terminated === undefined) return;
    const container = containers?.find((each) => each.name === name);
    if (container !== undefined && isRestarted(container, spec, terminated.exitCode)) return;
    const runsAgain = status[list]?.some(
      ({ name: other, state: next }) => other === name && next?.terminated === undefined,
    );
    if (runsAgain !== true) return;
    const path = statusPath.child(list).index(index).child("state");
    errors.forbidden(path, "may not be transitioned to non-terminated state");
  });
}
