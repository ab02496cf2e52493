/**
 * Names that Kubernetes derives from other names, and what they become when one of those is renamed: a StatefulSet's pods and
 * claims, and the claims of a pod's ephemeral volumes.
 */
import { literal } from "../../engine/explain/messages/literal.ts";
import { fieldsAt, itemsOf, podVolumesOf, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { type Named, podScope } from "./object-names.ts";

/** The name after the renaming; undefined if it is not affected. */
export type Rewrite = (named: Named) => string | undefined;

/** How renaming the subject affects all names. `entries` are the objects that may be the subject or contain it. */
export function rewriteFor(
  subject: Named,
  newName: string,
  entries: readonly WorkspaceObject[],
): Rewrite {
  const derived: Derivation[] = [];
  for (const entry of entries) derived.push(...derivations(subject, entry));
  return (named) => {
    if (isSame(named, subject)) return newName;
    for (const { kind, namespace, pattern, make } of derived) {
      if (named.kind !== kind || named.namespace !== namespace) continue;
      const match = pattern.exec(named.name);
      if (match !== null) return make(newName, match[1] ?? "");
    }
    return undefined;
  };
}

export function isSame(a: Named, b: Named): boolean {
  return a.kind === b.kind && a.name === b.name && a.namespace === b.namespace;
}

interface Derivation {
  readonly kind: "Pod" | "PersistentVolumeClaim";
  readonly namespace: string;
  /** Its first group is the ordinal, if the name has one. */
  readonly pattern: RegExp;
  readonly make: (newName: string, ordinal: string) => string;
}

function derivations(subject: Named, entry: WorkspaceObject): readonly Derivation[] {
  const { object } = entry;
  if (subject.kind === "PodVolume") {
    // The scope begins with the file's URI, and most entries are in other files.
    const isHere =
      subject.namespace.startsWith(entry.file.uri) && subject.namespace === podScope(entry);
    return isHere ? ofPodVolume(subject.name, entry) : nothing;
  }
  const isSubject =
    object.kind === subject.kind &&
    object.name === subject.name &&
    object.namespace === subject.namespace;
  return isSubject ? ofOwner(entry) : nothing;
}

const nothing: readonly Derivation[] = [];

/** The claims named after a claim template or an ephemeral volume. */
function ofPodVolume(volume: string, entry: WorkspaceObject): readonly Derivation[] {
  const { kind, name, namespace } = entry.object;
  const claim = { kind: "PersistentVolumeClaim", namespace } as const;
  if (templateNames(entry).includes(volume)) {
    const pattern = new RegExp(`^${literal(`${volume}-${name}`)}-(\\d+)$`);
    return [{ ...claim, pattern, make: (now, ordinal) => `${now}-${name}-${ordinal}` }];
  }
  if (!ephemeralNames(entry).includes(volume)) return [];
  if (kind === "Pod") {
    const pattern = new RegExp(`^${literal(`${name}-${volume}`)}$`);
    return [{ ...claim, pattern, make: (now) => `${name}-${now}` }];
  }
  if (kind !== "StatefulSet") return [];
  const pattern = new RegExp(`^${literal(name)}-(\\d+)-${literal(volume)}$`);
  return [{ ...claim, pattern, make: (now, ordinal) => `${name}-${ordinal}-${now}` }];
}

/** The pods of a StatefulSet, and the claims of its templates and of its own or its pods' ephemeral volumes. */
function ofOwner(entry: WorkspaceObject): readonly Derivation[] {
  const { kind, name, namespace } = entry.object;
  const claim = { kind: "PersistentVolumeClaim", namespace } as const;
  if (kind === "Pod") {
    return ephemeralNames(entry).map((volume) => ({
      ...claim,
      pattern: new RegExp(`^${literal(`${name}-${volume}`)}$`),
      make: (now) => `${now}-${volume}`,
    }));
  }
  if (kind !== "StatefulSet") return [];
  return [
    {
      kind: "Pod",
      namespace,
      pattern: new RegExp(`^${literal(name)}-(\\d+)$`),
      make: (now, ordinal) => `${now}-${ordinal}`,
    },
    ...templateNames(entry).map((template) => ({
      ...claim,
      pattern: new RegExp(`^${literal(`${template}-${name}`)}-(\\d+)$`),
      make: (now: string, ordinal: string) => `${template}-${now}-${ordinal}`,
    })),
    ...ephemeralNames(entry).map((volume) => ({
      ...claim,
      pattern: new RegExp(`^${literal(name)}-(\\d+)-${literal(volume)}$`),
      make: (now: string, ordinal: string) => `${now}-${ordinal}-${volume}`,
    })),
  ];
}

/**
 * True for the name of a volume that admission adds to every pod. Upstream: plugin/pkg/admission/serviceaccount/admission.go,
 * v1.36; before 1.22 a Secret's.
 */
export function isTokenVolume(name: string): boolean {
  return /^(?:kube-api-access-|default-token-)/.test(name);
}

/** What a derived name comes from. */
export interface Maker {
  readonly entry: WorkspaceObject;
  /** The template or ephemeral volume; absent for a StatefulSet's pod. */
  readonly volume?: string;
  /** The ordinal between the two names or after them; "" if there is none. */
  readonly ordinal: string;
}

/** The object that makes one of this name; undefined if the name is not derived. */
export function makerOf(
  { kind, namespace, name }: Named,
  entries: readonly WorkspaceObject[],
): Maker | undefined {
  if (kind !== "Pod" && kind !== "PersistentVolumeClaim") return undefined;
  for (const entry of entries) {
    const { object } = entry;
    if (object.namespace !== namespace || !object.served) continue;
    if (object.kind !== "StatefulSet" && object.kind !== "Pod") continue;
    // A cheap test that rules out most objects.
    if (object.name === "" || !name.includes(object.name)) continue;
    const found = makerIn(entry, kind, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function makerIn(
  entry: WorkspaceObject,
  kind: "Pod" | "PersistentVolumeClaim",
  name: string,
): Maker | undefined {
  const { object } = entry;
  const isSet = object.kind === "StatefulSet";
  if (kind === "Pod") {
    const ordinal = isSet ? ordinalBetween(name, `${object.name}-`, "") : undefined;
    return ordinal === undefined ? undefined : { entry, ordinal };
  }
  for (const volume of ephemeralNames(entry)) {
    if (!isSet && name === `${object.name}-${volume}`) return { entry, volume, ordinal: "" };
    const ordinal = isSet ? ordinalBetween(name, `${object.name}-`, `-${volume}`) : undefined;
    if (ordinal !== undefined) return { entry, volume, ordinal };
  }
  for (const volume of templateNames(entry)) {
    const ordinal = ordinalBetween(name, `${volume}-${object.name}-`, "");
    if (ordinal !== undefined) return { entry, volume, ordinal };
  }
  return undefined;
}

function ordinalBetween(name: string, start: string, end: string): string | undefined {
  if (!name.startsWith(start) || !name.endsWith(end)) return undefined;
  const middle = name.slice(start.length, name.length - end.length);
  return /^\d+$/.test(middle) ? middle : undefined;
}

export function templateNames({ object }: WorkspaceObject): readonly string[] {
  if (object.kind !== "StatefulSet") return [];
  const templates = fieldsAt(object.value, "spec")["volumeClaimTemplates"];
  return itemsOf(templates, []).flatMap(({ fields }) => textAt(fields, "metadata", "name") ?? []);
}

function ephemeralNames({ object }: WorkspaceObject): readonly string[] {
  return podVolumesOf(object).flatMap(({ fields }) =>
    fields["ephemeral"] === undefined ? [] : (textAt(fields, "name") ?? []),
  );
}
