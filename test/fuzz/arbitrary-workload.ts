/** Random DaemonSets, Jobs and quotas, and what users do to workloads: scale, change and delete them. */
import fc from "fast-check";
import type { Manifest, Step } from "../../src/engine/scenario.ts";

const index = fc.integer({ min: 0, max: 3 });

const container = (command?: string): Manifest => ({
  name: "app",
  image: "busybox",
  ...(command !== undefined && { command: ["sh", "-c", command] }),
});

const daemon = fc.record({ i: index, surge: fc.boolean() }).map(({ i, surge }): Manifest => {
  const labels = { daemon: `agent-${i}` };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: `agent-${i}` },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: {
        type: "RollingUpdate",
        rollingUpdate: surge
          ? { maxSurge: 1, maxUnavailable: 0 }
          : { maxSurge: 0, maxUnavailable: 2 },
      },
      template: { metadata: { labels }, spec: { containers: [container()] } },
    },
  };
});

const job = fc
  .record({
    i: index,
    completions: fc.integer({ min: 1, max: 3 }),
    parallelism: fc.integer({ min: 1, max: 3 }),
    indexed: fc.boolean(),
    command: fc.constantFrom("exit 0", "exit 1", "sleep 20"),
    restartPolicy: fc.constantFrom("Never", "OnFailure"),
  })
  .map(
    ({ i, completions, parallelism, indexed, command, restartPolicy }): Manifest => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: `job-${i}` },
      spec: {
        completions,
        parallelism,
        completionMode: indexed ? "Indexed" : "NonIndexed",
        backoffLimit: 2,
        template: { spec: { restartPolicy, containers: [container(command)] } },
      },
    }),
  );

const quota = fc.integer({ min: 0, max: 8 }).map(
  (pods): Manifest => ({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "limits" },
    spec: { hard: { pods: String(pods), "requests.storage": `${pods}Gi` } },
  }),
);

export const otherWork: fc.Arbitrary<Manifest> = fc.oneof(daemon, job, quota);

const target = fc
  .record({
    i: index,
    kind: fc.constantFrom("Deployment", "StatefulSet", "DaemonSet", "Job"),
  })
  .map(({ i, kind }) => {
    const prefix = { Deployment: "app", StatefulSet: "set", DaemonSet: "agent", Job: "job" }[kind];
    return { kind, name: `${prefix}-${i}` } as const;
  });

/** Steps that may meet nothing: then the API server says so. */
export const workloadStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      target,
      propagationPolicy: fc.constantFrom(
        "Background" as const,
        "Foreground" as const,
        "Orphan" as const,
      ),
    })
    .map(
      ({ target, propagationPolicy }): Step => ({
        type: "delete",
        objects: [{ ...target, propagationPolicy }],
      }),
    ),
  fc
    .record({ target, replicas: fc.integer({ min: 0, max: 3 }) })
    .map(
      ({ target, replicas }): Step =>
        target.kind === "Deployment" || target.kind === "StatefulSet"
          ? { type: "scale", object: target, replicas }
          : { type: "advance", ms: 1000 },
    ),
  fc.record({ target, version: fc.integer({ min: 1, max: 3 }) }).map(
    ({ target, version }): Step => ({
      type: "patch",
      object: target,
      patch: { spec: { template: { metadata: { annotations: { version: `${version}` } } } } },
    }),
  ),
);
