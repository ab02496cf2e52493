/** Deployments, ReplicaSets, DaemonSets. Upstream: pkg/apis/apps/validation, v1.36. */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath } from "../field-path.ts";
import { checkSubdomain } from "../names/names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type {
  DaemonSet,
  DaemonSetUpdateStrategy,
  Deployment,
  DeploymentStrategy,
  LabelSelector,
  PodTemplateSpec,
  ReplicaSet,
  ReplicationController,
} from "../types.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import {
  isEmptySelector,
  isUsableSelector,
  selectorValue,
  validateOwnSelector,
  validateRatchetedSelector,
} from "./selectors.ts";
import {
  intOrPercentValue,
  validateAtMostAll,
  validateIntOrPercent,
  validateKeepsRunning,
  validateNonNegative,
  validateRunningTemplate,
  validateSelectorMatches,
} from "./workload.ts";

const templatePath = specPath.child("template");
const selectorPath = specPath.child("selector");

export function validateDeployment(deployment: Deployment, errors: FieldErrors): void {
  validateObjectMeta(deployment.metadata, checkSubdomain, errors);
  validateDeploymentSpec(deployment, errors);
}

function validateDeploymentSpec({ spec }: Deployment, errors: FieldErrors): void {
  validateNonNegative(spec?.replicas, specPath.child("replicas"), errors);
  validateReplicaTemplate(spec?.selector, spec?.template, errors);
  validateDeploymentStrategy(spec?.strategy ?? {}, specPath.child("strategy"), errors);
  validateNonNegative(spec?.minReadySeconds, specPath.child("minReadySeconds"), errors);
  validateNonNegative(spec?.revisionHistoryLimit, specPath.child("revisionHistoryLimit"), errors);
  const deadline = spec?.progressDeadlineSeconds;
  if (deadline === undefined) return;
  const path = specPath.child("progressDeadlineSeconds");
  validateNonNegative(deadline, path, errors);
  if (deadline <= (spec?.minReadySeconds ?? 0))
    errors.invalid(path, deadline, "must be greater than minReadySeconds");
}

/** The selector and template of a Deployment or ReplicaSet; the server's errors call both a deployment. */
function validateReplicaTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec | undefined,
  errors: FieldErrors,
): void {
  validateOwnSelector(selector, "deployment", selectorPath, errors);
  if (!isUsableSelector(selector)) {
    errors.invalid(selectorPath, selectorValue(selector), "invalid label selector");
    return;
  }
  validateSelectorMatches(selector, template, templatePath, errors);
  validatePodTemplate(template, templatePath, errors);
  validateKeepsRunning(template, "ReplicaSet", templatePath, errors);
}

function validateDeploymentStrategy(
  strategy: DeploymentStrategy,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const rolling = path.child("rollingUpdate");
  switch (strategy.type) {
    case "Recreate":
      if (strategy.rollingUpdate !== undefined) {
        errors.forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
      }
      break;
    case "RollingUpdate": {
      const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
      validateIntOrPercent(maxUnavailable, rolling.child("maxUnavailable"), errors);
      validateIntOrPercent(maxSurge, rolling.child("maxSurge"), errors);
      if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
        errors.invalid(
          rolling.child("maxUnavailable"),
          asJson(maxUnavailable),
          "may not be 0 when `maxSurge` is 0",
        );
      }
      validateAtMostAll(maxUnavailable, rolling.child("maxUnavailable"), errors);
      break;
    }
    default:
      errors.notSupported(path, asJson(strategyValue(strategy)), ["Recreate", "RollingUpdate"]);
  }
}

function strategyValue({
  type = "",
  rollingUpdate,
}: DeploymentStrategy | DaemonSetUpdateStrategy): unknown {
  if (rollingUpdate === undefined) return { Type: type, RollingUpdate: null };
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  return { Type: type, RollingUpdate: { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } };
}

export function validateDeploymentUpdate(
  next: Deployment,
  old: Deployment,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateDeploymentSpec(next, errors);
  validateSelectorUnchanged(next.spec?.selector, old.spec?.selector, errors);
}

function validateSelectorUnchanged(
  next: LabelSelector | undefined,
  old: LabelSelector | undefined,
  errors: FieldErrors,
): void {
  if (!semanticEqual(next, old))
    errors.invalid(selectorPath, selectorValue(next), "field is immutable");
}

export function validateReplicaSet(replicaSet: ReplicaSet, errors: FieldErrors): void {
  validateObjectMeta(replicaSet.metadata, checkSubdomain, errors);
  validateReplicaSetSpec(replicaSet, errors);
}

function validateReplicaSetSpec({ spec }: ReplicaSet, errors: FieldErrors): void {
  validateNonNegative(spec?.replicas, specPath.child("replicas"), errors);
  validateNonNegative(spec?.minReadySeconds, specPath.child("minReadySeconds"), errors);
  validateReplicaTemplate(spec?.selector, spec?.template, errors);
}

export function validateReplicaSetUpdate(
  next: ReplicaSet,
  old: ReplicaSet,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateReplicaSetSpec(next, errors);
  validateSelectorUnchanged(next.spec?.selector, old.spec?.selector, errors);
}

export function validateReplicationController(
  controller: ReplicationController,
  errors: FieldErrors,
): void {
  validateObjectMeta(controller.metadata, checkSubdomain, errors);
  validateReplicationControllerSpec(controller, errors);
}

/** Validates everything as on create, then the spec once more. Upstream: rcStrategy ValidateUpdate. */
export function validateReplicationControllerUpdate(
  next: ReplicationController,
  old: ReplicationController,
  errors: FieldErrors,
): void {
  validateReplicationController(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateReplicationControllerSpec(next, errors);
}

function validateReplicationControllerSpec(
  { spec }: ReplicationController,
  errors: FieldErrors,
): void {
  validateNonNegative(spec?.minReadySeconds, specPath.child("minReadySeconds"), errors);
  if (Object.keys(spec?.selector ?? {}).length === 0) errors.required(selectorPath);
  validateNonNegative(spec?.replicas, specPath.child("replicas"), errors);
  if (spec?.template === undefined) {
    errors.required(templatePath);
    return;
  }
  validateSelectorMatches(
    { matchLabels: spec.selector ?? {} },
    spec.template,
    templatePath,
    errors,
  );
  validateRunningTemplate(spec.template, "ReplicationController", templatePath, errors);
}

export function validateDaemonSet(set: DaemonSet, errors: FieldErrors): void {
  validateObjectMeta(set.metadata, checkSubdomain, errors);
  validateDaemonSetSpec(set, errors);
}

function validateDaemonSetSpec({ spec }: DaemonSet, errors: FieldErrors): void {
  const selector = spec?.selector;
  validateRatchetedSelector(selector, selectorPath, errors);
  if (isUsableSelector(selector))
    validateSelectorMatches(selector, spec?.template, templatePath, errors);
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.invalid(
      selectorPath,
      selectorValue(selector),
      "empty selector is invalid for daemonset",
    );
  }
  validatePodTemplate(spec?.template, templatePath, errors);
  validateKeepsRunning(spec?.template, "DaemonSet", templatePath, errors);
  validateNonNegative(spec?.minReadySeconds, specPath.child("minReadySeconds"), errors);
  validateDaemonStrategy(spec?.updateStrategy ?? {}, specPath.child("updateStrategy"), errors);
  validateNonNegative(spec?.revisionHistoryLimit, specPath.child("revisionHistoryLimit"), errors);
}

/** Exactly one of maxUnavailable and maxSurge must be other than 0. */
function validateDaemonStrategy(
  strategy: DaemonSetUpdateStrategy,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (strategy.type === "OnDelete") return;
  if (strategy.type !== "RollingUpdate") {
    errors.notSupported(path, asJson(strategyValue(strategy)), ["RollingUpdate", "OnDelete"]);
    return;
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
  const unavailablePath = path.child("rollingUpdate").child("maxUnavailable");
  const surgePath = path.child("rollingUpdate").child("maxSurge");
  validateIntOrPercent(maxUnavailable, unavailablePath, errors);
  validateIntOrPercent(maxSurge, surgePath, errors);
  validateAtMostAll(maxUnavailable, unavailablePath, errors);
  validateAtMostAll(maxSurge, surgePath, errors);
  const removes = intOrPercentValue(maxUnavailable) !== 0;
  const adds = intOrPercentValue(maxSurge) !== 0;
  if (removes && adds)
    errors.invalid(surgePath, asJson(maxSurge), "may not be set when maxUnavailable is non-zero");
  if (!removes && !adds) errors.required(unavailablePath, "cannot be 0 when maxSurge is 0");
}

export function validateDaemonSetUpdate(
  next: DaemonSet,
  old: DaemonSet,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateSelectorUnchanged(next.spec?.selector, old.spec?.selector, errors);
  validateDaemonSetSpec(next, errors);
}
