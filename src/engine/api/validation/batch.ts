/** Jobs and CronJobs. Upstream: pkg/apis/batch/validation, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { changesSuspendedJobs } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength, sortedMap } from "../go/text.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { labelSelectorMatches } from "../selection/label-selector.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type {
  Container,
  CronJob,
  CronJobSpec,
  Job,
  JobSpec,
  PodSpec,
  PodTemplateSpec,
} from "../types.ts";
import { scheduleError } from "./cron-schedule.ts";
import { validatePolicies } from "./job-policies.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import { isUsableSelector, selectorValue, validateRatchetedSelector } from "./selectors.ts";
import { timeZoneErrors } from "./time-zone.ts";
import { validateNonNegative, validateSelectorMatches } from "./workload.ts";

const completionModes: readonly string[] = ["NonIndexed", "Indexed"];
const concurrencyPolicies: readonly string[] = ["Allow", "Forbid", "Replace"];
const managerBytesMax = 63;
/** For indexed jobs. */
const parallelismMax = 100_000;
const failedIndexesMax = 100_000;
const manyCompletions = 100_000;
/** For indexed jobs with many completions and a backoff limit for each index. */
const highMax = 10_000;
const cronJobNameLengthMax = 52;

export function validateJob(job: Job, errors: FieldErrors): void {
  validateObjectMeta(job.metadata, checkSubdomain, errors);
  if (job.spec === undefined) return;
  validateGeneratedSelector(job, job.spec, errors);
  validateJobSpec(job.spec, specPath, errors);
  validateJobSelector(job.spec, errors);
  validateIndexedName(job.metadata.name, job.spec, errors);
}

/** Refuses the labels and the selector of another job, as in a copy of a stored one. Upstream: validateGeneratedSelector. */
function validateGeneratedSelector(job: Job, spec: JobSpec, errors: FieldErrors): void {
  const { name, uid } = job.metadata;
  if (spec.manualSelector === true || spec.selector === undefined || uid === undefined) return;
  const labels = spec.template.metadata?.labels ?? {};
  const expected: Readonly<Record<string, string>> = {
    "controller-uid": uid,
    "job-name": name,
    ...(!errors.flaws.has("unprefixedJobLabels") && {
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": name,
    }),
  };
  const path = specPath.child("template").child("metadata").child("labels");
  for (const key of Object.keys(expected)) {
    const detail = `must be '${expected[key]}'`;
    if (labels[key] === undefined) errors.required(path.key(key), detail);
    else if (labels[key] !== expected[key])
      errors.invalid(path.key(key), asJson(sortedMap(labels)), detail);
  }
  if (!isUsableSelector(spec.selector) || labelSelectorMatches(spec.selector, expected)) return;
  const shown = selectorValue(spec.selector);
  errors.invalid(specPath.child("selector"), shown, "`selector` not auto-generated");
}

function validateJobSelector(spec: JobSpec, errors: FieldErrors): void {
  if (spec.selector === undefined) errors.required(specPath.child("selector"));
  else validateRatchetedSelector(spec.selector, specPath.child("selector"), errors);
  if (isUsableSelector(spec.selector))
    validateSelectorMatches(spec.selector, spec.template, specPath.child("template"), errors);
}

/** The pods of an indexed job get the job's name with their index as hostname, which must be a label. */
function validateIndexedName(name: string, spec: JobSpec, errors: FieldErrors): void {
  if (spec.completionMode !== "Indexed" || spec.completions === undefined || spec.completions <= 0)
    return;
  const hostname = `${name}-${spec.completions - 1}`;
  if (checkLabel(hostname).length > 0) {
    errors.invalid(
      metadataPath.child("name"),
      name,
      `will not able to create pod with invalid DNS label: ${hostname}`,
    );
  }
}

const amounts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

function validateJobSpec(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  for (const field of amounts) validateNonNegative(spec[field], path.child(field), errors);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  if (spec.managedBy !== undefined)
    validateManager(spec.managedBy, path.child("managedBy"), errors);
  validateCompletionMode(spec, path, errors);
  validatePolicies(spec, path, errors);
  validatePodTemplate(spec.template, path.child("template"), errors);
  const policy = spec.template.spec?.restartPolicy ?? "";
  const policyPath = path.child("template").child("spec").child("restartPolicy");
  // Defaulting fills in Always, so the server treats it as missing.
  if (policy === "Always") errors.required(policyPath, 'valid values: "OnFailure", "Never"');
  else if (policy !== "OnFailure" && policy !== "Never")
    errors.notSupported(policyPath, asJson(policy), ["OnFailure", "Never"]);
  else if (policy !== "Never" && spec.podFailurePolicy !== undefined) {
    errors.invalid(
      policyPath,
      asJson(policy),
      'only "Never" is supported when podFailurePolicy is specified',
    );
  }
}

function validateCompletionMode(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  const { completionMode } = spec;
  if (completionMode !== undefined && !completionModes.includes(completionMode))
    errors.notSupported(path.child("completionMode"), asJson(completionMode), completionModes);
  if (completionMode === "Indexed") {
    if (spec.completions === undefined)
      errors.required(path.child("completions"), "when completion mode is Indexed");
    validateIndexed(spec, path, errors);
  } else if (completionMode === undefined || completionMode === "NonIndexed") {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"] as const) {
      const value = spec[field];
      if (value !== undefined)
        errors.invalid(path.child(field), value, "requires indexed completion mode");
    }
  }
}

function validateIndexed(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  const { parallelism = 0, completions, maxFailedIndexes: failed } = spec;
  const atMost = (field: "parallelism" | "maxFailedIndexes", limit: number, when: string): void => {
    const value = spec[field] ?? 0;
    if (value > limit)
      errors.invalid(path.child(field), value, `must be less than or equal to ${limit}${when}`);
  };
  atMost("parallelism", parallelismMax, " when completion mode is Indexed");
  if (completions !== undefined && failed !== undefined && failed > completions)
    errors.invalid(
      path.child("maxFailedIndexes"),
      failed,
      "must be less than or equal to completions",
    );
  atMost("maxFailedIndexes", failedIndexesMax, "");
  if ((completions ?? 0) <= manyCompletions || spec.backoffLimitPerIndex === undefined) return;
  if (failed === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    errors.required(path.child("maxFailedIndexes"), detail);
  }
  const when = ` when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (parallelism > 0) atMost("parallelism", highMax, when);
  atMost("maxFailedIndexes", highMax, when);
}

/** Upstream: IsDomainPrefixedPath. */
function validateManager(name: string, path: FieldPath, errors: FieldErrors): void {
  const slash = name.indexOf("/");
  const [domain, rest] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (name === "") errors.required(path);
  else if (domain === "" || rest === "")
    errors.invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    errors.invalidEach(path, domain, checkSubdomain(domain));
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) {
      const detail =
        "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
      errors.invalid(path, rest, detail);
    }
  }
  if (byteLength(name) > managerBytesMax) errors.tooLong(path, managerBytesMax);
}

export function validateJobUpdate(next: Job, old: Job, errors: FieldErrors): void {
  validateJob(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
  const [spec, before] = [next.spec, old.spec];
  if (spec === undefined || before === undefined) return;
  validateJobSpec(spec, specPath, errors);
  validateJobSelector(spec, errors);
  validateCompletions(spec, before, errors);
  if (!semanticEqual(spec.selector, before.selector)) {
    errors.invalid(specPath.child("selector"), selectorValue(spec.selector), "field is immutable");
  }
  validateTemplateUpdate(next, old, errors);
  for (const field of immutableFields) {
    const value = spec[field];
    if (semanticEqual(value, before[field])) continue;
    const model = policyModels[field];
    const shown = model === undefined || value === undefined ? value : goStruct(model, value);
    errors.invalid(specPath.child(field), asJson(shown ?? null), "field is immutable");
  }
}

/** Upstream: validatePodTemplateUpdate. */
function validateTemplateUpdate(next: Job, old: Job, errors: FieldErrors): void {
  const [template, before] = [next.spec?.template, old.spec?.template];
  if (template === undefined || before === undefined) return;
  const path = specPath.child("template");
  const { version } = errors;
  const directed = maySendElsewhere(old, version) ? withDirectives(before, template) : before;
  if (mayResize(old, version)) {
    // In this case only the pods' specs are compared.
    if (semanticEqual(template.spec, withResourcesOf(directed.spec, template.spec))) return;
    const shown = asJson(goStruct("PodSpec", template.spec));
    errors.invalid(path.child("spec"), shown, "field is immutable");
  } else if (!semanticEqual(template, directed)) {
    errors.invalid(path, asJson(goStruct("PodTemplateSpec", template)), "field is immutable");
  }
}

/** Upstream: validationOptionsForJob, AllowMutableSchedulingDirectives. */
function maySendElsewhere(job: Job, version: KubernetesVersion): boolean {
  const isNew = job.status?.startTime === undefined;
  return job.spec?.suspend === true && (isNew || mayResize(job, version));
}

/** True once the job controller has suspended the job and none of its pods runs. Upstream: AllowMutablePodResources. */
function mayResize({ spec, status }: Job, version: KubernetesVersion): boolean {
  if (!changesSuspendedJobs(version)) return false;
  const isSuspended =
    status?.conditions?.some(({ type, status }) => type === "Suspended" && status === "True") ??
    false;
  return spec?.suspend === true && isSuspended && (status?.active ?? 0) === 0;
}

/** The old template with those fields of the new one that a queue may still decide: where pods run, labels, annotations. */
function withDirectives(old: PodTemplateSpec, next: PodTemplateSpec): PodTemplateSpec {
  const { annotations: _a, labels: _l, ...metadata } = old.metadata ?? {};
  const { annotations, labels } = next.metadata ?? {};
  const {
    affinity,
    nodeSelector: _n,
    tolerations: _t,
    schedulingGates: _g,
    ...spec
  } = old.spec ?? {
    containers: [],
  };
  const { nodeSelector, tolerations, schedulingGates } = next.spec ?? {};
  const { nodeAffinity: _, ...others } = affinity ?? {};
  const nodeAffinity = next.spec?.affinity?.nodeAffinity;
  const merged = { ...others, ...(nodeAffinity !== undefined && { nodeAffinity }) };
  const hasAffinity = next.spec?.affinity !== undefined || Object.keys(merged).length > 0;
  return {
    ...old,
    metadata: {
      ...metadata,
      ...(annotations !== undefined && { annotations }),
      ...(labels !== undefined && { labels }),
    },
    spec: {
      ...spec,
      ...(hasAffinity && { affinity: merged }),
      ...(nodeSelector !== undefined && { nodeSelector }),
      ...(tolerations !== undefined && { tolerations }),
      ...(schedulingGates !== undefined && { schedulingGates }),
    },
  };
}

/** Upstream: validatePodResourceUpdatesOnly. */
function withResourcesOf(old: PodSpec | undefined, next: PodSpec | undefined): PodSpec | undefined {
  if (old === undefined) return undefined;
  const initContainers = withResources(old.initContainers, next?.initContainers);
  return {
    ...old,
    containers: withResources(old.containers, next?.containers) ?? [],
    ...(initContainers !== undefined && { initContainers }),
  };
}

function withResources(
  old: readonly Container[] | undefined,
  next: readonly Container[] | undefined,
): readonly Container[] | undefined {
  return old?.map((container, at) => {
    const { resources: _, ...others } = container;
    const resources = next?.[at]?.resources;
    return { ...others, ...(resources !== undefined && { resources }) };
  });
}

const immutableFields = [
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
] as const;
const policyModels: Readonly<Record<string, string>> = {
  podFailurePolicy: "PodFailurePolicy",
  successPolicy: "SuccessPolicy",
};

/** The completions of an indexed job may change if they are equal to its parallelism afterwards. */
function validateCompletions(spec: JobSpec, before: JobSpec, errors: FieldErrors): void {
  if (spec.completions === before.completions) return;
  const path = specPath.child("completions");
  if (spec.completionMode !== "Indexed")
    errors.invalid(path, asJson(spec.completions ?? null), "field is immutable");
  else if (spec.completions !== undefined && spec.completions !== spec.parallelism) {
    errors.invalid(path, spec.completions, "can only be modified in tandem with spec.parallelism");
  }
}

export function validateCronJob(cronJob: CronJob, errors: FieldErrors): void {
  validateObjectMeta(cronJob.metadata, checkSubdomain, errors);
  validateCronJobSpec(cronJob.spec, undefined, errors);
  if (byteLength(cronJob.metadata.name) > cronJobNameLengthMax) {
    errors.invalid(
      metadataPath.child("name"),
      cronJob.metadata.name,
      `must be no more than ${cronJobNameLengthMax} characters`,
    );
  }
}

export function validateCronJobUpdate(next: CronJob, old: CronJob, errors: FieldErrors): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateCronJobSpec(next.spec, old.spec, errors);
}

/** A job template has no selector: each job gets its own when it is created. */
function validateJobTemplate(
  spec: JobSpec | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (spec === undefined) return;
  validateJobSpec(spec, path, errors);
  if (spec.selector !== undefined) {
    errors.invalid(
      path.child("selector"),
      selectorValue(spec.selector),
      "`selector` will be auto-generated",
    );
  }
  if (spec.manualSelector === true)
    errors.notSupported(path.child("manualSelector"), true, ["nil", "false"]);
}

function validateCronJobSpec(
  spec: CronJobSpec,
  old: CronJobSpec | undefined,
  errors: FieldErrors,
): void {
  const { schedule, concurrencyPolicy = "", timeZone } = spec;
  const problem = schedule === "" ? undefined : scheduleError(schedule);
  if (schedule === "") errors.required(specPath.child("schedule"));
  else {
    const path = specPath.child("schedule");
    if (problem !== undefined) errors.invalid(path, schedule, problem);
    // Schedules were once allowed to name their zone; stored ones that do may keep it.
    if (schedule.includes("TZ")) {
      if (old?.schedule.includes("TZ") !== true)
        errors.invalid(
          path,
          schedule,
          "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
        );
      else if (timeZone !== undefined)
        errors.invalid(
          path,
          schedule,
          "cannot use both timeZone field and TZ or CRON_TZ in schedule",
        );
    }
  }
  validateNonNegative(
    spec.startingDeadlineSeconds,
    specPath.child("startingDeadlineSeconds"),
    errors,
  );
  if (timeZone !== undefined && timeZone !== old?.timeZone)
    errors.invalidEach(specPath.child("timeZone"), timeZone, timeZoneErrors(timeZone));
  if (!concurrencyPolicies.includes(concurrencyPolicy)) {
    errors.notSupported(
      specPath.child("concurrencyPolicy"),
      asJson(concurrencyPolicy),
      concurrencyPolicies,
    );
  }
  validateJobTemplate(spec.jobTemplate.spec, specPath.child("jobTemplate").child("spec"), errors);
  validateNonNegative(
    spec.successfulJobsHistoryLimit,
    specPath.child("successfulJobsHistoryLimit"),
    errors,
  );
  validateNonNegative(
    spec.failedJobsHistoryLimit,
    specPath.child("failedJobsHistoryLimit"),
    errors,
  );
}
