/** A pasted event, with its cause and the places of its objects in the workspace. */
import type { Ref } from "../../engine/api/meta.ts";
import { recognizeFragment } from "../../engine/explain/messages/fragment.ts";
import {
  fillIn,
  type MessagePattern,
  type Outlook,
} from "../../engine/explain/messages/message-pattern.ts";
import { type Recognition, worthChanging } from "../../engine/explain/messages/recognition.ts";
import { recognize, recognizeByReason } from "../../engine/explain/messages/recognize.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { sourceOf } from "../prediction/source-of.ts";
import { startsWithPath } from "../workspace/manifest-fields.ts";
import { type EventPlace, placeOfRef, placesOf } from "./event-places.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { pastedEvents } from "./pasted-events.ts";

/** What the message says about the future, or "over" if it is outdated. */
export type EventOutlook = Outlook | "over";

/** What one part of the message says. */
export interface EventCause {
  readonly component: string;
  readonly rule: string;
  readonly cause: string;
  /** How many nodes it applies to. */
  readonly nodeCount?: number;
}

export interface ExplainedEvent {
  readonly event: PastedEvent;
  /** True if it says that something is wrong, but not what. */
  readonly isOutline: boolean;
  /** Ids of the message patterns, the outermost first. */
  readonly patterns: readonly string[];
  readonly outlook: EventOutlook;
  /** From the symptom to the cause. */
  readonly causes: readonly EventCause[];
  /** What helps, likeliest first. */
  readonly changes: readonly string[];
  readonly places: readonly EventPlace[];
  /** Objects with the same predicted trouble, for an event that names no known object. */
  readonly alike: readonly EventPlace[];
  /** Where the predicted cause of the same trouble is, if that is another object than those that the event names. */
  readonly roots: readonly EventPlace[];
}

export interface ExplainedText {
  readonly events: readonly ExplainedEvent[];
  /** Messages that no component of the engine writes. */
  readonly unknown: readonly PastedEvent[];
}

export function explainEvents(text: string, prediction: Prediction | undefined): ExplainedText {
  const events: ExplainedEvent[] = [];
  const unknown: PastedEvent[] = [];
  for (const event of pastedEvents(text)) {
    const { message, reason } = event;
    const found =
      recognize(message, reason) ??
      recognizeFragment(message) ??
      recognizeByReason(message, reason);
    if (found === undefined) unknown.push(event);
    else events.push(explained(event, found, prediction));
  }
  return { events: withoutTold(events).sort((a, b) => rank(a) - rank(b)), unknown };
}

/** Bad news first; otherwise the order of the text. */
function rank(event: ExplainedEvent): number {
  return isPast(event) ? 1 : 0;
}

function isPast({ outlook }: ExplainedEvent): boolean {
  return outlook === "done" || outlook === "over";
}

/** Drops "not ready" states where the object's own events, or its pods, say more. */
function withoutTold(events: readonly ExplainedEvent[]): ExplainedEvent[] {
  const troubles = events.filter((event) => !isPast(event));
  return events.filter(({ event: { about }, isOutline }) => {
    if (!isOutline || about === undefined) return true;
    return !troubles.some(({ event, isOutline: isOther }) => {
      if (event.about?.namespace !== about.namespace) return false;
      const { kind, name } = event.about;
      if (kind === about.kind && name === about.name) return !isOther;
      return kind === "Pod" && about.kind !== "Pod" && name.startsWith(`${about.name}-`);
    });
  });
}

function explained(
  event: PastedEvent,
  found: Recognition,
  prediction: Prediction | undefined,
): ExplainedEvent {
  const parts = flatten(found);
  const leaves = parts.filter(({ inner }) => inner.length === 0);
  const isOver = event.isOver === true;
  const isOutline = found.pattern.isOutline === true;
  const changes = worthChanging(innermostFirst(found)).flatMap(({ pattern, values }) =>
    isOver ? [] : pattern.change.map((text) => fillIn(text, values)),
  );
  const places = placesOf(event, parts, prediction);
  const own = isOver ? [] : sameTrouble(places[0], leaves, prediction);
  const alike =
    prediction === undefined || isOver || isOutline ? [] : alikeIn(prediction, leaves, places);
  const others = alike.flatMap((place) => sameTrouble(place, leaves, prediction));
  const troubles = [...own, ...others];
  const atRoot = (place: EventPlace): EventPlace => atFieldToBlame(place, troubles, prediction);
  return {
    event,
    isOutline,
    patterns: parts.map(({ pattern }) => pattern.id),
    outlook: isOver ? "over" : expected(troubles, outlookOf(found, leaves)),
    causes: withoutRepetition(
      parts.map(({ pattern, values, nodeCount }) => ({
        ...senderOf(pattern, event),
        cause: fillIn(pattern.cause, values),
        ...(nodeCount !== undefined && { nodeCount }),
      })),
    ),
    changes: [...new Set(changes)],
    places: places.map(atRoot),
    alike: alike.map(atRoot),
    roots: rootsOf(troubles, [...places, ...alike], prediction),
  };
}

function expected(troubles: readonly Verdict[], outlook: Outlook): Outlook {
  return troubles.some(({ kind }) => kind === "stuck") ? "stuck" : outlook;
}

/**
 * For a pattern that accepts any text, the sender is the one that the event names, unless that is a provisioner, whose name
 * ends with that of its pod.
 */
function senderOf(
  { component, rule, texts }: MessagePattern,
  { source, reason }: PastedEvent,
): { readonly component: string; readonly rule: string } {
  const takesAny = texts.every((text) => text === "{detail}");
  const isOther = source !== undefined && /^[a-z-]+$/.test(source) && source !== component;
  return takesAny && isOther
    ? { component: source, rule: `events with reason ${reason}` }
    : { component, rule };
}

function flatten(found: Recognition): readonly Recognition[] {
  return [found, ...found.inner.flatMap(flatten)];
}

/** Old summaries, and mount commands that start others, say the same thing twice. */
function withoutRepetition(causes: readonly EventCause[]): readonly EventCause[] {
  const byText = new Map(causes.map((cause) => [`${cause.nodeCount} ${cause.cause}`, cause]));
  return [...byText.values()];
}

/** A fix closer to the cause is likelier to help. */
function innermostFirst(found: Recognition): readonly Recognition[] {
  return [...found.inner.flatMap(innermostFirst), found];
}

/** Controllers retry a request that the API server has refused; a user's request is over. */
function outlookOf({ pattern }: Recognition, leaves: readonly Recognition[]): Outlook {
  const isOver = pattern.component === "kube-apiserver" || pattern.outlook === "stuck";
  return isOver ? "stuck" : worstOutlook(leaves);
}

const outlooks: readonly Outlook[] = ["stuck", "retried", "waits", "done"];

function worstOutlook(leaves: readonly Recognition[]): Outlook {
  return outlooks.find((one) => leaves.some(({ pattern }) => pattern.outlook === one)) ?? "retried";
}

/** The verdict on an object if it is about the same trouble as the event; at most one. */
function sameTrouble(
  place: EventPlace | undefined,
  leaves: readonly Recognition[],
  prediction: Prediction | undefined,
): readonly Verdict[] {
  if (place === undefined || prediction === undefined) return [];
  const verdict = prediction.verdictOf.get(place.ref) ?? verdictOfAlike(place, prediction);
  if (verdict === undefined || verdict.kind === "healthy") return [];
  if (leaves.some(({ pattern }) => pattern.isOutline === true)) return [verdict];
  if (verdict.message === undefined) return [];
  const wanted = new Set(leaves.map(({ pattern }) => pattern.id));
  return isOneOf(wanted, recognize(verdict.message, verdict.reason)) ? [verdict] : [];
}

function rootsOf(
  troubles: readonly Verdict[],
  known: readonly EventPlace[],
  prediction: Prediction | undefined,
): readonly EventPlace[] {
  if (prediction === undefined) return [];
  const roots = new Map<Ref, EventPlace>();
  for (const { root } of troubles)
    if (root !== undefined && !known.some(({ ref }) => ref === root.ref))
      roots.set(root.ref, placeOfRef(root.ref, prediction, root.field));
  return [...roots.values()];
}

/** Moves the place to the field that is to blame, if that is within the place and thus more specific. */
function atFieldToBlame(
  place: EventPlace,
  troubles: readonly Verdict[],
  prediction: Prediction | undefined,
): EventPlace {
  const { source } = place;
  if (source === undefined || prediction === undefined) return place;
  const deeper = troubles
    .flatMap(({ root }) => sourceOf(prediction, root?.ref ?? "", root?.field) ?? [])
    .find(
      ({ entry, path }) =>
        entry === source.entry &&
        path.length > source.path.length &&
        startsWithPath(path, source.path),
    );
  return deeper === undefined ? place : { ...place, source: deeper };
}

/**
 * The verdict on a predicted sibling: in another cluster, the pods, ReplicaSets and Jobs of the same workload have other names.
 */
function verdictOfAlike({ ref, source }: EventPlace, prediction: Prediction): Verdict | undefined {
  const [kind = ""] = ref.split("/");
  if (!/^(?:Pod|ReplicaSet|Job)$/.test(kind) || source === undefined) return undefined;
  const { namespace, name } = source.entry.object;
  return prediction.verdicts.find(
    (verdict) =>
      verdict.ref.startsWith(`${kind}/${namespace}/${name}-`) &&
      sourceOf(prediction, verdict.ref)?.entry === source.entry,
  );
}

const alikeCountMax = 5;

/** For an event that names no known object: objects for which the prediction has the same message. */
function alikeIn(
  prediction: Prediction,
  leaves: readonly Recognition[],
  places: readonly EventPlace[],
): readonly EventPlace[] {
  if (places.some(({ source }) => source !== undefined)) return [];
  const wanted = new Set(leaves.map(({ pattern }) => pattern.id));
  const known = new Map<string, boolean>();
  const found = new Set<Ref>();
  for (const entry of prediction.trace.entries) {
    if (entry.type !== "event" || found.size >= alikeCountMax) continue;
    const { about, reason, message } = entry;
    const key = `${reason} ${message}`;
    const isAlike = known.get(key) ?? isOneOf(wanted, recognize(message, reason));
    known.set(key, isAlike);
    if (isAlike) found.add(about);
  }
  return [...found].map((ref) => placeOfRef(ref, prediction));
}

function isOneOf(wanted: ReadonlySet<string>, found: Recognition | undefined): boolean {
  return (
    found !== undefined &&
    flatten(found).some(({ pattern, inner }) => inner.length === 0 && wanted.has(pattern.id))
  );
}
