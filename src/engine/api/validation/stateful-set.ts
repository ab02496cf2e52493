/** StatefulSets. Upstream: pkg/apis/apps/validation ValidateStatefulSet, ValidateStatefulSetSpec, ValidateStatefulSetUpdate, v1.36. */
import {
  changesRevisionHistoryLimit,
  checksServiceNames,
  validatesStatefulSetTemplates,
} from "../../version-differences.ts";
import { asJson, FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath } from "../field-path.ts";
import { checkLabel } from "../names/names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type {
  PodTemplateSpec,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
  Volume,
} from "../types.ts";
import {
  validateAnnotations,
  validateLabels,
  validateMetaUpdate,
  validateObjectMeta,
} from "./object-meta.ts";
import { validateClaimSpec } from "./persistent-volume-claim.ts";
import { validatePodAnnotations } from "./pod-annotations.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import { isUsableSelector, selectorValue, validateOwnSelector } from "./selectors.ts";
import {
  intOrPercentValue,
  validateAtMostAll,
  validateIntOrPercent,
  validateKeepsRunning,
  validateNonNegative,
  validateSelectorMatches,
} from "./workload.ts";

const retentionPolicies: readonly string[] = ["Retain", "Delete"];
const templatePath = specPath.child("template");
const selectorPath = specPath.child("selector");

export function validateStatefulSet(set: StatefulSet, errors: FieldErrors): void {
  validateObjectMeta(set.metadata, checkLabel, errors);
  const looksIntoTemplate = validatesStatefulSetTemplates(errors.version);
  validateSpec(set.spec, { creates: true, looksIntoTemplate }, errors);
}

interface SpecOptions {
  /** True on create: only then are the claim templates and the service name validated. */
  readonly creates: boolean;
  /** Whether the pod template is validated; false if the stored set was already invalid. */
  readonly looksIntoTemplate: boolean;
}

function validateSpec(
  spec: StatefulSetSpec | undefined,
  { creates, looksIntoTemplate }: SpecOptions,
  errors: FieldErrors,
): void {
  validatePolicies(spec, errors);
  if (creates && validatesStatefulSetTemplates(errors.version)) {
    spec?.volumeClaimTemplates?.forEach((claim, index) => {
      validateClaimSpec(
        claim.spec,
        specPath.child("volumeClaimTemplates").index(index).child("spec"),
        errors,
      );
    });
  }
  validateNonNegative(spec?.replicas, specPath.child("replicas"), errors);
  validateNonNegative(spec?.minReadySeconds, specPath.child("minReadySeconds"), errors);
  validateNonNegative(spec?.ordinals?.start, specPath.child("ordinals").child("start"), errors);
  const serviceName = spec?.serviceName ?? "";
  if (creates && serviceName !== "" && checksServiceNames(errors.version))
    errors.invalidEach(specPath.child("serviceName"), serviceName, checkLabel(serviceName));
  validateTemplate(spec, looksIntoTemplate, errors);
}

function validatePolicies(spec: StatefulSetSpec | undefined, errors: FieldErrors): void {
  const { podManagementPolicy: management = "", persistentVolumeClaimRetentionPolicy: retention } =
    spec ?? {};
  if (management !== "OrderedReady" && management !== "Parallel") {
    errors.invalid(
      specPath.child("podManagementPolicy"),
      asJson(management),
      "must be 'OrderedReady' or 'Parallel'",
    );
  }
  validateUpdateStrategy(spec?.updateStrategy ?? {}, specPath.child("updateStrategy"), errors);
  for (const field of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention?.[field];
    if (policy === undefined || retentionPolicies.includes(policy)) continue;
    errors.notSupported(
      specPath.child("persistentVolumeClaimRetentionPolicy").child(field),
      asJson(policy),
      retentionPolicies,
    );
  }
}

function validateUpdateStrategy(
  strategy: StatefulSetUpdateStrategy,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { type = "", rollingUpdate } = strategy;
  const rolling = path.child("rollingUpdate");
  const shown =
    rollingUpdate === undefined
      ? null
      : {
          Partition: rollingUpdate.partition ?? 0,
          MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
        };
  if (type === "OnDelete") {
    if (rollingUpdate !== undefined)
      errors.invalid(rolling, asJson(shown), "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type === "RollingUpdate") {
    validateNonNegative(rollingUpdate?.partition, rolling.child("partition"), errors);
    const unavailable = rollingUpdate?.maxUnavailable;
    if (unavailable !== undefined)
      validateMaxUnavailable(unavailable, rolling.child("maxUnavailable"), errors);
  } else {
    errors.invalid(
      path,
      asJson({ Type: type, RollingUpdate: shown }),
      "must be 'RollingUpdate' or 'OnDelete'",
    );
  }
}

/** Only a set that was stored with maxUnavailable has it. Upstream: validateRollingUpdateStatefulSet. */
function validateMaxUnavailable(
  value: number | string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateIntOrPercent(value, path, errors);
  if (intOrPercentValue(value) === 0) errors.invalid(path, asJson(value), "cannot be 0");
  validateAtMostAll(value, path, errors);
}

function validateTemplate(
  spec: StatefulSetSpec | undefined,
  looksIntoTemplate: boolean,
  errors: FieldErrors,
): void {
  const selector = spec?.selector;
  validateOwnSelector(selector, "statefulset", selectorPath, errors);
  if (!isUsableSelector(selector)) errors.invalid(selectorPath, selectorValue(selector), "");
  else {
    validateSelectorMatches(selector, spec?.template, templatePath, errors);
    if (looksIntoTemplate) validatePodTemplate(asOfPods(spec), templatePath, errors);
    // Labels and annotations are validated once more.
    const { labels, annotations } = spec?.template?.metadata ?? {};
    const annotationsPath = templatePath.child("annotations");
    validateLabels(labels, templatePath.child("labels"), errors);
    validateAnnotations(annotations, annotationsPath, errors);
    if (annotations !== undefined && spec?.template?.spec !== undefined)
      validatePodAnnotations(annotations, spec.template.spec, annotationsPath, errors);
  }
  validateKeepsRunning(spec?.template, "StatefulSet", templatePath, errors);
}

/**
 * The template as its pods will have it: a claim for each claim template, instead of a volume of the same name. Hostname and
 * subdomain are removed, since the set assigns them. Upstream: volumesToAddForTemplates, the copy in ValidateStatefulSetSpec.
 */
function asOfPods(spec: StatefulSetSpec | undefined): PodTemplateSpec | undefined {
  const template = spec?.template;
  if (template?.spec === undefined) return template;
  const { hostname: _h, subdomain: _s, ...podSpec } = template.spec;
  const made = new Map<string, Volume>();
  for (const { metadata } of spec?.volumeClaimTemplates ?? []) {
    const name = metadata.name ?? "";
    made.set(name, { name, persistentVolumeClaim: { claimName: name } });
  }
  if (made.size === 0) return { ...template, spec: podSpec };
  const others = (podSpec.volumes ?? []).filter((volume) => !made.has(volume.name));
  return { ...template, spec: { ...podSpec, volumes: [...made.values(), ...others] } };
}

const mutableFields = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
]);

function immutableText(limit: string): string {
  return `updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', ${limit}'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`;
}

export function validateStatefulSetUpdate(
  next: StatefulSet,
  old: StatefulSet,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  const before = new FieldErrors(errors.version, errors.flaws);
  validateSpec(old.spec, { creates: false, looksIntoTemplate: true }, before);
  validateSpec(next.spec, { creates: false, looksIntoTemplate: before.none }, errors);
  const mayForget = changesRevisionHistoryLimit(errors.version);
  if (!semanticEqual(immutablePart(next.spec, mayForget), immutablePart(old.spec, mayForget)))
    errors.forbidden(specPath, immutableText(mayForget ? "'revisionHistoryLimit', " : ""));
}

function immutablePart(spec: StatefulSetSpec | undefined, mayForget: boolean): unknown {
  return Object.fromEntries(
    Object.entries(spec ?? {}).filter(
      ([field]) => !mutableFields.has(field) && !(mayForget && field === "revisionHistoryLimit"),
    ),
  );
}
