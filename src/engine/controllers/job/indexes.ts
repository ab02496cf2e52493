/**
 * Completion indexes of an Indexed Job. Upstream: pkg/controller/job/indexed_job_utils.go v1.36.
 */
import type { Draft, KubeObject } from "../../api/meta.ts";
import type { Container } from "../../api/types.ts";

/** How much of generateName the API server keeps. Upstream: names.MaxGeneratedNameLength. */
const generatedNameMax = 58;
const indexKey = "batch.kubernetes.io/job-completion-index";

export function isIndexed(job: KubeObject<"Job">): boolean {
  return job.spec?.completionMode === "Indexed";
}

/** The pod's index; undefined if it has no valid annotation. */
export function completionIndex(pod: KubeObject<"Pod">): number | undefined {
  const text = pod.metadata.annotations?.[indexKey] ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** The pod's index if it is below the number of completions; otherwise undefined. */
export function validIndex(job: KubeObject<"Job">, pod: KubeObject<"Pod">): number | undefined {
  const index = completionIndex(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** `1,3-5`: first and last of each range of indexes that are below `completions`. */
export function* indexRanges(
  text: string | undefined,
  completions: number,
): Generator<readonly [first: number, last: number]> {
  for (const part of (text ?? "").split(",")) {
    const [first, last = first] = part.split("-");
    if (first === undefined || first === "" || Number(first) >= completions) continue;
    yield [Number(first), Math.min(Number(last), completions - 1)];
  }
}

/** Every index of the ranges. */
export function parseIndexes(text: string | undefined, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const [first, last] of indexRanges(text, completions))
    for (let index = first; index <= last; index++) indexes.add(index);
  return indexes;
}

/** Lists up to two consecutive indexes, and writes three or more as a range. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    if (end > i + 1) parts.push(`${sorted[i]}-${sorted[end]}`);
    else parts.push(...sorted.slice(i, end + 1).map(String));
    i = end + 1;
  }
  return parts.join(",");
}

export function indexesOf(pods: readonly KubeObject<"Pod">[]): readonly number[] {
  return pods.map(completionIndex).filter((index) => index !== undefined);
}

/** The lowest `count` indexes that are not taken. Upstream: firstPendingIndexes. */
export function pendingIndexes(
  completions: number,
  taken: ReadonlySet<number>,
  count: number,
): readonly number[] {
  const pending: number[] = [];
  for (let i = 0; i < completions && pending.length < count; i++)
    if (!taken.has(i)) pending.push(i);
  return pending;
}

/** The pod for one index, which is in its annotation, label, host name, environment and generateName. */
export function withIndex(
  draft: Draft<"Pod">,
  job: KubeObject<"Job">,
  index: number,
): Draft<"Pod"> {
  const value = String(index);
  const spec = draft.spec ?? { containers: [] };
  const { initContainers } = spec;
  return {
    ...draft,
    metadata: {
      ...draft.metadata,
      generateName: generateNameWith(job.metadata.name, value),
      annotations: { ...draft.metadata.annotations, [indexKey]: value },
      labels: { ...draft.metadata.labels, [indexKey]: value },
    },
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${value}`,
      containers: spec.containers.map(withIndexVariable),
      ...(initContainers !== undefined && {
        initContainers: initContainers.map(withIndexVariable),
      }),
    },
  };
}

/** Cuts a long name, never the index. Upstream: podGenerateNameWithIndex. */
function generateNameWith(name: string, index: string): string {
  const end = `-${index}-`;
  return `${name.slice(0, generatedNameMax - end.length)}${end}`;
}

function withIndexVariable(container: Container): Container {
  const name = "JOB_COMPLETION_INDEX";
  if (container.env?.some((variable) => variable.name === name) === true) return container;
  const fieldRef = { apiVersion: "v1", fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef } }] };
}
