/** Random Jobs with everything that ends or suspends them, CronJobs that users make Jobs from, and moves that change them. */
import fc from "fast-check";
import type { Manifest } from "../../src/engine/scenario.ts";
import { type Move, someObject } from "./arbitrary-move.ts";
import { arbitraryObjects, claimName, claimOf, nameOf, podSpec } from "./arbitrary-objects.ts";

const claimed = fc
  .record({ name: claimName, className: fc.constantFrom("block", "block-wffc", "file") })
  .map(({ name, className }) =>
    claimOf(name, {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: className,
    }),
  );

const exitCodes = (action: string, codes: readonly number[]): Manifest => ({
  action,
  onExitCodes: { operator: "In", values: codes },
});

/** Fields that may end a Job early. podFailurePolicy is only allowed with the restartPolicy Never, which `jobSpec` sets. */
const ending: fc.Arbitrary<Manifest> = fc.constantFrom(
  {},
  {},
  { activeDeadlineSeconds: 30 },
  { backoffLimit: 0 },
  { podFailurePolicy: { rules: [exitCodes("FailJob", [3])] } },
  { podFailurePolicy: { rules: [exitCodes("Ignore", [1])] }, activeDeadlineSeconds: 100 },
  { podFailurePolicy: { rules: [exitCodes("Count", [1]), exitCodes("FailJob", [3])] } },
  { podReplacementPolicy: "Failed" },
  { ttlSecondsAfterFinished: 0 },
);

/** Fields that are only allowed for Indexed Jobs. */
const indexedEnding: fc.Arbitrary<Manifest> = fc.constantFrom(
  {},
  { backoffLimitPerIndex: 0 },
  { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
  { backoffLimitPerIndex: 1, podFailurePolicy: { rules: [exitCodes("FailIndex", [3])] } },
  { successPolicy: { rules: [{ succeededIndexes: "0" }] } },
  { successPolicy: { rules: [{ succeededCount: 1 }] } },
);

const jobSpec: fc.Arbitrary<{ readonly claim: Manifest; readonly spec: Manifest }> = fc
  .record({
    claim: claimed,
    ending,
    indexedEnding: fc.option(indexedEnding, { nil: undefined }),
    completions: fc.integer({ min: 1, max: 3 }),
    parallelism: fc.integer({ min: 0, max: 3 }),
    suspend: fc.constantFrom(undefined, undefined, true),
    command: fc.constantFrom("exit 0", "exit 1", "exit 3", "sleep 20", "sleep 20; exit 1"),
    stopsSlowly: fc.boolean(),
  })
  .map(({ claim, completions, parallelism, suspend, command, stopsSlowly, ...ends }) => {
    const { name } = claim["metadata"] as { name: string };
    const pod = podSpec([{ claimName: name, isBlock: false }], command);
    return {
      claim,
      spec: {
        backoffLimit: 2,
        completions,
        parallelism,
        ...ends.ending,
        ...(ends.indexedEnding !== undefined && {
          completionMode: "Indexed",
          ...ends.indexedEnding,
        }),
        ...(suspend !== undefined && { suspend }),
        template: {
          spec: {
            restartPolicy: "Never",
            ...(stopsSlowly && { terminationGracePeriodSeconds: 60 }),
            ...pod,
          },
        },
      },
    };
  });

const job = fc
  .record({ name: nameOf("job"), of: jobSpec })
  .map(({ name, of: { claim, spec } }): Manifest[] => [
    claim,
    { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec },
  ]);

/** CronJobs that are suspended or never due, as the cluster would never be at rest if one kept making Jobs. */
const cronJob = fc
  .record({
    name: nameOf("cron"),
    of: jobSpec,
    concurrencyPolicy: fc.constantFrom("Allow", "Forbid", "Replace"),
    due: fc.constantFrom({ schedule: "0 0 30 2 *" }, { schedule: "@hourly", suspend: true }),
    failedJobsHistoryLimit: fc.constantFrom(0, 1),
    successfulJobsHistoryLimit: fc.constantFrom(0, 1, 3),
  })
  .map(({ name, of: { claim, spec }, due, ...rest }): Manifest[] => [
    claim,
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name },
      spec: { ...due, ...rest, jobTemplate: { spec } },
    },
  ]);

/** The objects of one apply, in scenarios about Jobs. */
export const batchObjects: fc.Arbitrary<readonly Manifest[]> = fc.oneof(
  { arbitrary: job, weight: 5 },
  { arbitrary: cronJob, weight: 2 },
  { arbitrary: arbitraryObjects, weight: 3 },
);

const newJob = fc.record({ choice: someObject, name: nameOf("manual") }).map(
  ({ choice, name }): Move =>
    (known) => {
      known.add([{ kind: "Job", metadata: { name } }]);
      return [{ type: "createJob", name, from: known.pick(["CronJob"], choice).name }];
    },
);

/** Suspends or resumes a Job, or changes its parallelism or deadline. */
const jobChange = fc
  .record({
    choice: someObject,
    spec: fc.constantFrom(
      { suspend: true },
      { suspend: false },
      { suspend: false },
      { parallelism: 0 },
      { parallelism: 3 },
      { activeDeadlineSeconds: 10 },
    ),
  })
  .map(
    ({ choice, spec }): Move =>
      (known) => [{ type: "patch", object: known.pick(["Job"], choice), patch: { spec } }],
  );

const cronJobRemoval = someObject.map(
  (choice): Move =>
    (known) => [{ type: "delete", objects: [known.pick(["CronJob"], choice)] }],
);

/** Moves only for Jobs and CronJobs, besides those for all objects. */
export const batchMove: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: newJob, weight: 4 },
  { arbitrary: jobChange, weight: 4 },
  { arbitrary: cronJobRemoval, weight: 1 },
);
