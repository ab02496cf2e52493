/**
 * The status of a job: its conditions, times, indexes and counts must be consistent and must not go back. Most rules apply only
 * to what changes, so that a status which a change of the spec made wrong can be put right. Upstream: pkg/apis/batch/
 * validation validateJobStatus, ValidateJobStatusUpdate, pkg/registry/batch/job/strategy.go getStatusValidationOptions, v1.35.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { statusPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { semanticEqual } from "../semantic-equal.ts";
import { instantOf } from "../timestamp.ts";
import type { Job, JobStatus } from "../types.ts";
import { countIndexes, intervalOf } from "./job-policies.ts";

/** The state of a job before or after the update. */
interface Course {
  readonly status: JobStatus;
  readonly isComplete: boolean;
  readonly hasFailed: boolean;
  readonly isFinished: boolean;
  readonly isFailing: boolean;
  readonly isSucceeding: boolean;
}

type Changes = (...facts: readonly (keyof Course | keyof JobStatus)[]) => boolean;

const conditionsPath = statusPath.child("conditions");
const startPath = statusPath.child("startTime");
const completionPath = statusPath.child("completionTime");
const completedPath = statusPath.child("completedIndexes");
const failedPath = statusPath.child("failedIndexes");

export function validateJobStatus(next: Job, old: Job, errors: FieldErrors): void {
  const [course, before] = [courseOf(next), courseOf(old)];
  const changes: Changes = (...facts) =>
    facts.some((fact) =>
      fact in course
        ? course[fact as keyof Course] !== before[fact as keyof Course]
        : differs(course.status, before.status, fact as keyof JobStatus),
    );
  validateUncounted(course.status, errors);
  validateCompletion(course, changes, errors);
  validateFinished(next, course, changes, errors);
  validateIndexes(next, course.status, changes, errors);
  validateCounts(course, changes, errors);
  validateSuccess(next, course, errors);
  validateCourse(next, old, errors);
  validateTimes(next, old, errors);
  validateSuccessCourse(course, before, errors);
}

function courseOf(job: Job): Course {
  const [isComplete, hasFailed] = [isTrue(job, "Complete"), isTrue(job, "Failed")];
  return {
    status: job.status ?? {},
    isComplete,
    hasFailed,
    isFinished: isComplete || hasFailed,
    isFailing: isTrue(job, "FailureTarget"),
    isSucceeding: isTrue(job, "SuccessCriteriaMet"),
  };
}

function hasCondition({ status }: Job, type: string, value: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === value) === true;
}

function isTrue(job: Job, type: string): boolean {
  return hasCondition(job, type, "True");
}

/** The fields that are not pointers upstream, with the value that counts as absent. */
const plainFields: Partial<JobStatus> = { active: 0, completedIndexes: "" };

function differs(next: JobStatus, old: JobStatus, field: keyof JobStatus): boolean {
  const none = plainFields[field];
  return !semanticEqual(next[field] ?? none, old[field] ?? none);
}

function validateUncounted({ uncountedTerminatedPods }: JobStatus, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const)
    uncountedTerminatedPods?.[list]?.forEach((uid, index) => {
      const path = statusPath.child("uncountedTerminatedPods").child(list).index(index);
      if (uid === "") errors.invalid(path, uid, "must not be empty");
      else if (seen.has(uid)) errors.duplicate(path, uid);
      seen.add(uid);
    });
}

function validateCompletion(course: Course, changes: Changes, errors: FieldErrors): void {
  const { isComplete, hasFailed, isFailing, isSucceeding } = course;
  const { startTime, completionTime } = course.status;
  if (changes("isComplete", "hasFailed") && isComplete && hasFailed)
    errors.wrong(conditionsPath, "cannot set Complete=True and Failed=true conditions");
  if (changes("isComplete", "isFailing") && isComplete && isFailing)
    errors.wrong(conditionsPath, "cannot set Complete=True and FailureTarget=true conditions");
  if (changes("isComplete", "completionTime")) {
    if (completionTime !== undefined && !isComplete) {
      const detail = "cannot set completionTime when there is no Complete=True condition";
      errors.invalid(completionPath, completionTime, detail);
    }
    if (completionTime === undefined && isComplete)
      errors.required(completionPath, "completionTime is required for Complete jobs");
  }
  if (changes("startTime", "completionTime") && startTime !== undefined) {
    if (completionTime !== undefined && instantOf(completionTime) < instantOf(startTime))
      errors.invalid(completionPath, completionTime, "must be equal to or after `startTime`");
  }
  if (changes("hasFailed", "failedIndexes") && hasFailed && !isFailing) {
    const detail = "cannot set Failed=True condition without the FailureTarget=true condition";
    errors.wrong(conditionsPath, detail);
  }
  if (changes("isComplete", "isSucceeding") && isComplete && !isSucceeding) {
    const detail =
      "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    errors.wrong(conditionsPath, detail);
  }
}

function validateFinished(
  { spec }: Job,
  { isFinished, status }: Course,
  changes: Changes,
  errors: FieldErrors,
): void {
  if (!isFinished) return;
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = status;
  if (changes("isFinished", "active") && active > 0)
    errors.invalid(statusPath.child("active"), active, "active>0 is invalid for finished job");
  const isNeverStarted = spec?.suspend === true && spec.completions === 0;
  if (changes("isFinished", "startTime") && startTime === undefined && !isNeverStarted)
    errors.required(startPath, "startTime is required for finished job");
  if (!changes("isFinished", "uncountedTerminatedPods") || uncounted === undefined) return;
  const { succeeded = [], failed = [] } = uncounted;
  if (succeeded.length + failed.length > 0)
    errors.invalid(
      statusPath.child("uncountedTerminatedPods"),
      asJson(goStruct("UncountedTerminatedPods", uncounted)),
      "must be empty for finished job",
    );
}

function validateIndexes(
  { spec }: Job,
  { completedIndexes: completed = "", failedIndexes: failed }: JobStatus,
  changes: Changes,
  errors: FieldErrors,
): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec ?? {};
  const [completedChanged, failedChanged] = [changes("completedIndexes"), changes("failedIndexes")];
  if (completedChanged && completions !== undefined) {
    const counted = countIndexes(completed, completions);
    if (typeof counted === "string")
      errors.invalid(completedPath, completed, `error parsing completedIndexes: ${counted}`);
  }
  if (failedChanged && failed !== undefined && backoffLimitPerIndex !== undefined) {
    const counted = completions === undefined ? 0 : countIndexes(failed, completions);
    if (typeof counted === "string")
      errors.invalid(failedPath, failed, `error parsing failedIndexes: ${counted}`);
  }
  if (completedChanged && completed !== "" && completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.invalid(completedPath, completed, detail);
  }
  if (failed === undefined) return;
  if (failedChanged && backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.invalid(failedPath, failed, detail);
  }
  if (!completedChanged && !failedChanged) return;
  const common = completions === undefined ? undefined : overlap(completed, failed, completions);
  if (common !== undefined) {
    const detail = `failedIndexes and completedIndexes overlap at index: ${common}`;
    errors.invalid(failedPath, failed, detail);
  }
}

/** The first index in both lists; invalid intervals are skipped. Upstream: validateFailedIndexesNotOverlapCompleted. */
function overlap(completed: string, failed: string, completions: number): number | undefined {
  const parse = (text: string) => text.split(",").map((part) => intervalOf(part, completions));
  const [ends, failures] = [parse(completed), parse(failed)];
  let [at, failedAt] = [0, 0];
  for (;;) {
    const [end, failure] = [ends[at], failures[failedAt]];
    if (end === undefined || failure === undefined) return undefined;
    if (typeof end === "string") at += 1;
    else if (typeof failure === "string") failedAt += 1;
    else if (end[0] <= failure[1] && failure[0] <= end[1]) return Math.max(end[0], failure[0]);
    else if (end[0] <= failure[0]) at += 1;
    else failedAt += 1;
  }
}

function validateCounts(
  { isFinished, status: { active = 0, ready, terminating = 0 } }: Course,
  changes: Changes,
  errors: FieldErrors,
): void {
  if (changes("isFinished", "terminating") && terminating > 0 && isFinished) {
    const detail = "terminating>0 is invalid for finished job";
    errors.invalid(statusPath.child("terminating"), terminating, detail);
  }
  if (changes("ready", "active") && ready !== undefined && ready > active)
    errors.invalid(statusPath.child("ready"), ready, "cannot set more ready pods than active");
}

function validateSuccess(
  { spec }: Job,
  { isComplete, hasFailed, isFailing, isSucceeding }: Course,
  errors: FieldErrors,
): void {
  if (isSucceeding && hasFailed)
    errors.wrong(conditionsPath, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (isSucceeding && isFailing) {
    const detail = "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions";
    errors.wrong(conditionsPath, detail);
  }
  if (spec?.successPolicy !== undefined && !isSucceeding && isComplete) {
    const detail =
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    errors.wrong(conditionsPath, detail);
  }
}

/** Terminal conditions stay, and counts do not decrease, except for the successes of an indexed job that may be scaled. */
function validateCourse(next: Job, old: Job, errors: FieldErrors): void {
  for (const type of ["Failed", "Complete", "FailureTarget"])
    if (isTrue(old, type) && !isTrue(next, type))
      errors.wrong(conditionsPath, `cannot disable the terminal ${type}=True condition`);
  const { completionMode, completions, parallelism } = next.spec ?? {};
  const mayShrink = completionMode === "Indexed" && completions === parallelism;
  for (const count of mayShrink ? (["failed"] as const) : (["failed", "succeeded"] as const)) {
    const now = next.status?.[count] ?? 0;
    if (now < (old.status?.[count] ?? 0))
      errors.invalid(statusPath.child(count), now, `cannot decrease the ${count} counter`);
  }
}

function validateTimes(next: Job, old: Job, errors: FieldErrors): void {
  const { startTime: start, completionTime: completion } = next.status ?? {};
  const { startTime: oldStart, completionTime: oldCompletion } = old.status ?? {};
  if (completion !== undefined && oldCompletion !== undefined && completion !== oldCompletion)
    errors.invalid(completionPath, completion, "field is immutable");
  if (oldStart === undefined || start === oldStart || next.spec?.suspend === true) return;
  const isResumed = isTrue(old, "Suspended") && hasCondition(next, "Suspended", "False");
  if (!isResumed)
    errors.invalid(
      startPath,
      start ?? asJson(null),
      "field is immutable for unsuspended job once set",
    );
}

function validateSuccessCourse(course: Course, before: Course, errors: FieldErrors): void {
  if (before.isSucceeding && !course.isSucceeding)
    errors.wrong(conditionsPath, "cannot disable the SuccessCriteriaMet=True condition");
  if (before.isComplete && !before.isSucceeding && course.isSucceeding) {
    const detail =
      "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.wrong(conditionsPath, detail);
  }
}
