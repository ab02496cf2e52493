/** What a scenario expects of the cluster at one moment. */
import {
  isNamespaced,
  type Kind,
  type KubeObject,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import { podsOf } from "../../engine/explain/pods-using.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import { verdictOn } from "../../engine/explain/verdicts.ts";
import type { Simulation } from "../../engine/simulation.ts";
import { printRef } from "../prediction/print-ref.ts";
import { printObjectText } from "./object-text.ts";

/** Only the keys that are present are compared. */
export interface Expectation {
  readonly kind?: Kind;
  readonly namespace?: string;
  readonly name?: string;
  /** How many objects of the kind there are, in the namespace if one is given. */
  readonly count?: number;
  readonly absent?: boolean;
  readonly deleting?: boolean;
  readonly phase?: string;
  /** A claim's volume. */
  readonly volume?: string;
  /** A claim's or volume's size. */
  readonly capacity?: string;
  /** The node that a pod was placed on, or on which `mount` or `path` is looked for. */
  readonly node?: string;
  readonly ready?: boolean;
  readonly readyReplicas?: number;
  /** How many pods of a Job have succeeded. */
  readonly succeeded?: number;
  /** On how many nodes a workload's pods are. */
  readonly nodeCount?: number;
  /** Reason of an event about `about`. */
  readonly event?: string;
  readonly about?: Ref;
  /** Message of the event or the refusal, or a part of it. */
  readonly message?: string;
  /** A mount point or path that exists on a node. */
  readonly mount?: string;
  readonly path?: string;
  /** An object that the API server refused. */
  readonly refused?: Ref;
  /** How long to wait for it; not at all if absent. */
  readonly withinMs?: number;
}

/** What the API server has refused since the last expectations. */
export type Refusals = ReadonlyMap<Ref, { readonly message: string }>;

/** The differences in words; empty if the expectation holds. */
export function unmet(
  expected: Expectation,
  simulation: Simulation,
  refusals: Refusals,
): readonly string[] {
  if (expected.refused !== undefined) return unmetRefusal(expected.refused, expected, refusals);
  if (expected.event !== undefined) return unmetEvent(expected, simulation);
  if (expected.mount !== undefined || expected.path !== undefined) {
    return unmetPath(expected, simulation);
  }
  const { kind } = expected;
  if (kind === undefined) return [];
  const facts = new RunFacts(simulation.trace);
  if (expected.count !== undefined) {
    const within = isNamespaced(kind) ? expected.namespace : undefined;
    const counted = facts
      .list(kind)
      .filter(({ metadata }) => within === undefined || metadata.namespace === within);
    return differs(`number of ${kind} objects`, expected.count, counted.length);
  }
  const namespace = isNamespaced(kind) ? (expected.namespace ?? "default") : undefined;
  const object = facts.get(kind, namespace, expected.name ?? "");
  const called = printObjectText(makeRef(kind, namespace, expected.name ?? ""));
  if (expected.absent === true)
    return object === undefined ? [] : withReason([`${called} exists`], object, facts);
  if (object === undefined) return [`${called} does not exist`];
  const differences = fields(expected, object, facts).map((line) => `${called}: ${line}`);
  return withReason(differences, object, facts);
}

/** Appends the object's actual outcome to the first difference; for a workload, also that of its first failing pod. */
function withReason(
  [first, ...others]: readonly string[],
  object: KubeObject,
  facts: RunFacts,
): readonly string[] {
  if (first === undefined) return [];
  const judged = [object, ...podsOf(facts, object.metadata.uid)].flatMap((one) => {
    const verdict = verdictOn(facts, one as KubeObject);
    return verdict === undefined || verdict.kind === "healthy" ? [] : [verdict];
  });
  const [own, pod] = judged;
  if (own === undefined) return [first, ...others];
  const because = pod === undefined ? "" : `: ${printRef(pod.ref)} ${pod.headline}`;
  return [`${first}; it ${own.headline}${because}`, ...others];
}

function fields(expected: Expectation, object: KubeObject, facts: RunFacts): readonly string[] {
  const status = (object as { status?: Readonly<Record<string, unknown>> }).status ?? {};
  const spec = (object as { spec?: Readonly<Record<string, unknown>> }).spec ?? {};
  const capacity = (object.kind === "PersistentVolume" ? spec : status)["capacity"] as
    | Readonly<Record<string, string>>
    | undefined;
  const pods = podsOf(facts, object.metadata.uid);
  const found: Readonly<Record<string, unknown>> = {
    phase: status["phase"],
    volume: spec["volumeName"],
    capacity: capacity?.["storage"],
    node: spec["nodeName"],
    deleting: object.metadata.deletionTimestamp !== undefined,
    ready: isReady(object),
    // DaemonSets and Jobs have other names for this count.
    readyReplicas: status["readyReplicas"] ?? status["numberReady"] ?? status["ready"] ?? 0,
    succeeded: status["succeeded"] ?? 0,
    nodeCount: new Set(pods.flatMap((pod) => pod.spec.nodeName ?? [])).size,
  };
  return Object.keys(found).flatMap((key) => {
    const wanted = (expected as Readonly<Record<string, unknown>>)[key];
    return wanted === undefined ? [] : differs(key, wanted, found[key]);
  });
}

/** True if it has a condition Ready that is true. */
export function isReady(object: KubeObject): boolean {
  const { status } = object as { status?: { readonly conditions?: readonly Condition[] } };
  return (status?.conditions ?? []).some((one) => one.type === "Ready" && one.status === "True");
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

function unmetRefusal(ref: Ref, { message }: Expectation, refusals: Refusals): readonly string[] {
  const found = refusals.get(ref)?.message;
  if (found === undefined) return [`${printObjectText(ref)} was not refused`];
  return holds(found, message) ? [] : differs("the refusal", message, found);
}

/** True if the text contains the part. Parts, because messages contain generated names. */
function holds(text: string, part: string | undefined): boolean {
  return part === undefined || text.includes(part);
}

function unmetEvent(expected: Expectation, simulation: Simulation): readonly string[] {
  const about = expected.about ?? "";
  const events = new RunFacts(simulation.trace).events(about);
  const same = events.filter((event) => event.reason === expected.event);
  if (same.some(({ message }) => holds(message, expected.message))) return [];
  const seen = [
    ...new Set((same.length > 0 ? same : events).map((e) => `${e.reason}: ${e.message}`)),
  ];
  const wanted = `${expected.event}${expected.message === undefined ? "" : `: ${expected.message}`}`;
  return [
    `${printObjectText(about)}: no event ${wanted}; seen: ${seen.length === 0 ? "none" : seen.join(" | ")}`,
  ];
}

function unmetPath(expected: Expectation, simulation: Simulation): readonly string[] {
  const machine = simulation.runtime.machines.get(expected.node ?? "");
  if (machine === undefined) return [`there is no node ${expected.node ?? ""}`];
  const { mount, path } = expected;
  if (mount !== undefined && machine.mounts.get(mount) === undefined) {
    return [`nothing is mounted at ${mount} on ${machine.name}`];
  }
  if (path !== undefined && !machine.files.exists(path)) {
    return [`${path} does not exist on ${machine.name}`];
  }
  return [];
}

function differs(what: string, wanted: unknown, found: unknown): readonly string[] {
  return wanted === found ? [] : [`${what} is ${String(found ?? "none")}, not ${String(wanted)}`];
}
