/** Jobs and CronJobs. Upstream: pkg/apis/batch/validation, v1.36. Not modelled: pod failure and success policies. */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goStruct } from "../go-struct.ts";
import { checkLabel, checkSubdomain } from "../names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { CronJob, CronJobSpec, Job, JobSpec } from "../types.ts";
import { scheduleError } from "./cron-schedule.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import { isUsableSelector, selectorValue, validateLabelSelector } from "./selectors.ts";
import { timeZoneError } from "./time-zone.ts";
import { validateNonNegative, validateSelectorMatches } from "./workload.ts";

const completionModes: readonly string[] = ["NonIndexed", "Indexed"];
const concurrencyPolicies: readonly string[] = ["Allow", "Forbid", "Replace"];
const replacementPolicies: readonly string[] = ["Failed", "TerminatingOrFailed"];
const cronJobNameLengthMax = 52;

export function validateJob(job: Job, errors: FieldErrors): void {
  validateObjectMeta(job.metadata, checkSubdomain, errors);
  if (job.spec === undefined) return;
  validateJobSpec(job.spec, specPath, errors);
  validateJobSelector(job.spec, errors);
  validateIndexedName(job.metadata.name, job.spec, errors);
}

function validateJobSelector(spec: JobSpec, errors: FieldErrors): void {
  if (spec.selector === undefined) errors.required(specPath.child("selector"));
  else validateLabelSelector(spec.selector, specPath.child("selector"), errors);
  if (isUsableSelector(spec.selector))
    validateSelectorMatches(spec.selector, spec.template, specPath.child("template"), errors);
}

/** Pods of an indexed job are called after it, with their index. */
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
  const { completionMode, podReplacementPolicy } = spec;
  if (completionMode !== undefined) {
    if (!completionModes.includes(completionMode))
      errors.notSupported(path.child("completionMode"), asJson(completionMode), completionModes);
    if (completionMode === "Indexed" && spec.completions === undefined) {
      errors.required(path.child("completions"), "when completion mode is Indexed");
    }
  }
  if (podReplacementPolicy !== undefined && !replacementPolicies.includes(podReplacementPolicy)) {
    errors.notSupported(
      path.child("podReplacementPolicy"),
      asJson(podReplacementPolicy),
      replacementPolicies,
    );
  }
  validatePodTemplate(spec.template, path.child("template"), errors);
  const policy = spec.template.spec?.restartPolicy ?? "";
  const policyPath = path.child("template").child("spec").child("restartPolicy");
  // Always is what defaulting fills in, so it reads like nothing.
  if (policy === "Always") errors.required(policyPath, 'valid values: "OnFailure", "Never"');
  else if (policy !== "OnFailure" && policy !== "Never")
    errors.notSupported(policyPath, asJson(policy), ["OnFailure", "Never"]);
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
  if (!semanticEqual(spec.template, before.template)) {
    errors.invalid(
      specPath.child("template"),
      asJson(goStruct("PodTemplateSpec", spec.template)),
      "field is immutable",
    );
  }
  if (spec.completionMode !== before.completionMode) {
    errors.invalid(
      specPath.child("completionMode"),
      asJson(spec.completionMode ?? null),
      "field is immutable",
    );
  }
}

/** An indexed job may grow and shrink if its parallelism does so with it. */
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
  validateCronJobSpec(cronJob.spec, errors);
  if (cronJob.metadata.name.length > cronJobNameLengthMax) {
    errors.invalid(
      metadataPath.child("name"),
      cronJob.metadata.name,
      `must be no more than ${cronJobNameLengthMax} characters`,
    );
  }
}

export function validateCronJobUpdate(next: CronJob, old: CronJob, errors: FieldErrors): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateCronJobSpec(next.spec, errors);
}

/** The selector of each job is made with the job. */
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

function validateCronJobSpec(spec: CronJobSpec, errors: FieldErrors): void {
  const { schedule, concurrencyPolicy = "", timeZone } = spec;
  const problem = schedule === "" ? undefined : scheduleError(schedule);
  if (schedule === "") errors.required(specPath.child("schedule"));
  else {
    const path = specPath.child("schedule");
    if (problem !== undefined) errors.invalid(path, schedule, problem);
    if (schedule.includes("TZ") && timeZone !== undefined) {
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
  const zoneProblem = timeZone === undefined ? undefined : timeZoneError(timeZone);
  if (zoneProblem !== undefined) {
    errors.invalid(specPath.child("timeZone"), asJson(timeZone), zoneProblem);
  }
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
