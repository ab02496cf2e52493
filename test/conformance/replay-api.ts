/**
 * Replays recorded API answers (`create.jsonl`, `update.jsonl`, `patch.jsonl`) and reports where the engine's answers differ.
 * Answers agree if status, reason, message, causes and warnings are the same and, for accepted objects, the stored object. For
 * answers marked `random` only status and reason count. Generated and stamped fields of metadata are ignored on both sides.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { mergePatch } from "../../src/engine/api/json.ts";
import type { Cause, Draft, Kind, KubeObject } from "../../src/engine/api/meta.ts";
import type { ClusterView, RequestContext } from "../../src/engine/api/request-context.ts";
import { answerCreate, answerUpdate, type RequestAnswer } from "../../src/engine/api/requests.ts";
import type { StorageClass } from "../../src/engine/api/types.ts";
import { asMergePatch } from "../engine/api/answer.ts";

export interface Disagreement {
  readonly id: string;
  /** The differences, as lines. */
  readonly differences: readonly string[];
}

export interface ApiReplay {
  readonly agree: number;
  readonly total: number;
  readonly disagreements: readonly Disagreement[];
}

interface RecordedAnswer {
  readonly id: string;
  readonly start?: string;
  readonly object: unknown;
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  readonly warnings?: readonly string[];
  readonly result?: unknown;
  readonly random?: boolean;
}

interface RecordedStart {
  readonly start: string;
  readonly old: unknown;
  readonly status?: unknown;
}

/** A merge patch of `old`, whose uid, version and time are those of these tests. */
interface RecordedPatch extends Omit<RecordedAnswer, "object"> {
  readonly old: KubeObject;
  readonly patch: unknown;
  readonly subresource?: "status";
}

const now = "2026-01-01T00:00:00Z";
const resourceVersion = "4242";
const uid = "11111111-1111-4111-8111-111111111111";

export function replayApi(directory: string): ApiReplay {
  const disagreements: Disagreement[] = [];
  let total = 0;
  const count = (id: string, differences: readonly string[]): void => {
    total++;
    if (differences.length > 0) disagreements.push({ id, differences });
  };
  for (const line of lines(path.join(directory, "create.jsonl"))) {
    const recorded = JSON.parse(line) as RecordedAnswer;
    count(recorded.id, compare(recorded, answerCreate(recorded.object, context(noObjects)), 201));
  }
  const starts = new Map<string, KubeObject>();
  for (const line of lines(path.join(directory, "update.jsonl"))) {
    const recorded = JSON.parse(line) as RecordedAnswer | RecordedStart;
    if ("old" in recorded) starts.set(recorded.start, stored(recorded.old));
    else {
      const current = starts.get(recorded.start ?? "");
      if (current === undefined) throw new Error(`no start ${recorded.start}`);
      const answer = answerUpdate(current, versioned(recorded.object), context(threeClasses), "");
      count(recorded.id, compare(recorded, answer, 200));
    }
  }
  for (const line of lines(path.join(directory, "patch.jsonl"))) {
    const recorded = JSON.parse(line) as RecordedPatch;
    const { id, old, patch, subresource = "" } = recorded;
    const next = mergePatch(old, patch);
    const requests = { ...context(noObjects), patch: asMergePatch };
    const answer = answerUpdate(old, next, requests, subresource);
    count(id, compare(recorded, answer, 200));
  }
  return { agree: total - disagreements.length, total, disagreements };
}

/** Splits at line feeds only: the texts contain other separators, at which newer versions of Node's readline break too. */
function lines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function context(cluster: ClusterView): RequestContext {
  const disabledAdmissionPlugins = ["ServiceAccount"] as const;
  return { version: "1.36", cluster, now, uid, nameSuffix: "abcde", disabledAdmissionPlugins };
}

const noObjects: ClusterView = { get: () => undefined, list: () => [] };

const classes: readonly StorageClass[] = ["fast", "slow", "fixed"].map((name) => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name, uid, resourceVersion: "1", creationTimestamp: now },
  provisioner: "block.csi.test",
  allowVolumeExpansion: name !== "fixed",
}));

const threeClasses: ClusterView = {
  get: <K extends Kind>(kind: K, _namespace: string | undefined, name: string) =>
    kind === "StorageClass"
      ? (classes.find((c) => c.metadata.name === name) as KubeObject<K> | undefined)
      : undefined,
  list: <K extends Kind>(kind: K) =>
    kind === "StorageClass" ? (classes as unknown as readonly KubeObject<K>[]) : [],
};

/** An existing object as storage has it. */
function stored(old: unknown): KubeObject {
  const object = withoutNulls(old) as KubeObject;
  return {
    ...object,
    metadata: { ...object.metadata, uid, resourceVersion, creationTimestamp: now },
  } as KubeObject;
}

function versioned(object: unknown): unknown {
  const { metadata } = object as { metadata?: unknown };
  if (
    typeof metadata !== "object" ||
    metadata === null ||
    Array.isArray(metadata) ||
    "resourceVersion" in metadata
  )
    return object;
  return { ...(object as object), metadata: { ...metadata, resourceVersion } };
}

/** Removes the nulls that Go writes: the engine leaves such fields out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([key, part]) => [key, withoutNulls(part)]),
  );
}

function compare(
  recorded: Omit<RecordedAnswer, "object">,
  answer: RequestAnswer,
  success: number,
): readonly string[] {
  const status = answer.ok ? success : answer.error.code;
  const differences: string[] = [];
  const expect = (what: string, wanted: unknown, got: unknown): void => {
    const [w, g] = [print(wanted), print(got)];
    if (w !== g)
      differences.push(`${what}: recorded ${w}`, `${" ".repeat(what.length)}  answered ${g}`);
  };
  expect("status", recorded.status, status);
  expect("reason", recorded.reason, answer.ok ? undefined : answer.error.reason);
  if (recorded.random === true) return differences;
  expect(
    "message",
    recorded.message,
    answer.ok ? undefined : answer.error.message.replaceAll(uid, "<uid>"),
  );
  expect(
    "causes",
    causeLines(recorded.causes),
    answer.ok ? undefined : causeLines(answer.error.causes),
  );
  expect("warnings", recorded.warnings ?? [], answer.warnings);
  if (answer.ok && recorded.result !== undefined)
    differences.push(...compareObjects(recorded.result, answer.object));
  return differences;
}

function causeLines(causes: readonly Cause[] | undefined): readonly string[] | undefined {
  return causes?.map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
}

function print(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** The leaves that differ. */
function compareObjects(recorded: unknown, answered: Draft): readonly string[] {
  const wanted = leaves(recorded);
  const got = leaves(answered);
  const differences: string[] = [];
  for (const [at, value] of wanted)
    if (got.get(at) !== value)
      differences.push(`result ${at}: recorded ${value}, answered ${got.get(at)}`);
  for (const [at, value] of got)
    if (!wanted.has(at)) differences.push(`result ${at}: recorded nothing, answered ${value}`);
  return differences;
}

const stamped: ReadonlySet<string> = new Set([
  "uid",
  "creationTimestamp",
  "resourceVersion",
  "generation",
  "managedFields",
]);

function leaves(object: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, at: string): void => {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      return;
    if (typeof value !== "object") {
      const text = value === now ? "<time>" : value === uid ? "<uid>" : value;
      found.set(at, JSON.stringify(text));
      return;
    }
    const entries = Object.entries(value);
    if (entries.length === 0) found.set(at, "{}");
    for (const [key, part] of entries) {
      if (at === ".metadata" && stamped.has(key)) continue;
      walk(part, Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`);
    }
  };
  walk(object, "");
  return found;
}
