/**
 * Changes that the API server would refuse to apply to the imported cluster. Without an import, the last committed version is
 * assumed to be applied, and its claims bound. The answers and messages are the API server's.
 */

import { untyped } from "../../../engine/api/json.ts";
import {
  asKubeObject,
  type Draft,
  type Kind,
  type KubeObject,
  makeRef,
} from "../../../engine/api/meta.ts";
import { applied, created } from "../../../engine/api/patch/apply-patch.ts";
import { compareQuantityTexts } from "../../../engine/api/quantity.ts";
import type { ClusterView } from "../../../engine/api/request-context.ts";
import { answerCreate, answerUpdate } from "../../../engine/api/requests.ts";
import { storedObject } from "../../../engine/api/stored-object.ts";
import { runStart } from "../../../engine/api/timestamp.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { lastWritten } from "../../workspace/environment.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { assumedManifest } from "../../workspace/objects/assumed-manifest.ts";
import { writtenClass } from "../../workspace/objects/written-class.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { manifestPath, parseFieldPath } from "../../yaml/field-path.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf } from "../api-answer.ts";
import { changedPath, takenBack, writtenChanges } from "../facts/changed-fields.ts";
import { claimIndex, driverBasis } from "../facts/claim-facts.ts";
import { defaultClassOf } from "../facts/default-class.ts";
import { growsVolumes } from "../facts/driver-facts.ts";
import { asNamed } from "../facts/stored-object.ts";
import type {
  EnvironmentContext,
  EnvironmentRule,
  ObjectReport,
  RelatedReport,
  Severity,
} from "../rule.ts";

interface Refusal {
  readonly path: Path;
  readonly message: string;
}

export const classRecreateNeeded: EnvironmentRule = changeRule(
  "class-recreate-needed",
  "warning",
  "StorageClass",
  // Before 1.36 the message ended with a full stop.
  ({ message }) =>
    `${message}${message.endsWith(".") ? " G" : ": g"}ive the class a new name, or delete and recreate it`,
);

export const stsTemplateChanged: EnvironmentRule = changeRule(
  "sts-template-changed",
  "error",
  "StatefulSet",
  ({ message, path }, { object }, _, before) =>
    `${message}. Run kubectl delete sts ${object.name} --cascade=orphan and apply again${ofClaims(path, before, object.value)}`,
);

/** What the change of a claim template means for existing claims. */
function ofClaims(path: Path, before: unknown, after: unknown): string {
  if (path[1] !== "volumeClaimTemplates") return "";
  if (!path.includes("resources")) return "; its claims stay as they are";
  const [old, wanted] = [before, after].map((object) => String(valueAt(object, path)));
  return compareQuantityTexts(old, wanted) > 0
    ? "; its claims keep their size, because claims cannot shrink"
    : "; its claims keep their size until you expand each claim";
}

const shrinkText = "field can not be less than";
const expansionText = "only dynamically provisioned pvc can be resized";

export const pvcShrink: EnvironmentRule = changeRule(
  "pvc-shrink",
  "error",
  "PersistentVolumeClaim",
  ({ message }) =>
    message.includes(shrinkText)
      ? `${message}\nTo change: ask for no less; volumes do not shrink: make a smaller claim and copy the data`
      : undefined,
);

export const expansionDisallowed: EnvironmentRule = changeRule(
  "expansion-disallowed",
  "error",
  "PersistentVolumeClaim",
  ({ message }, entry, context) =>
    message.includes(expansionText) && knowsClass(entry.object, context)
      ? `${message}\nTo change: ${wayToGrow(entry.object, context)}`
      : undefined,
  (entry, context) => ({
    related: classPlaces(entry, context),
    ...(classNameOf(entry.object.value, context) !== "" &&
      driverBasis(claimIndex(context).claims.find((c) => c.entry === entry))),
  }),
);

export const pvcImmutableChange: EnvironmentRule = changeRule(
  "pvc-immutable-change",
  "error",
  "PersistentVolumeClaim",
  ({ message }) =>
    message.includes(shrinkText) || message.includes(expansionText)
      ? undefined
      : `${message.trimEnd()}\nTo change: make a new claim and copy the data`,
);

export const pvCapacityEdit: EnvironmentRule = {
  id: "pv-capacity-edit",
  severity: "information",
  scope: "environment",
  *check({ environment }) {
    const path = ["spec", "capacity", "storage"];
    const { committed, imported, byRef } = environment;
    for (const entry of environment.objects) {
      const { kind, ref = "", value } = entry.object;
      if (kind !== "PersistentVolume" || byRef.get(ref)?.at(-1) !== entry) continue;
      const before = imported?.byRef.get(ref) ?? committed.get(ref)?.value;
      const [old, next] = [before ?? {}, value].map((one) => textAt(one, ...path));
      if (old === undefined || next === undefined || compareQuantityTexts(old, next) === 0)
        continue;
      const message = `Was ${old}. Changes bookkeeping only; the disk is not resized`;
      yield { entry, path, message };
    }
  },
};

export const pvRetainReuse: EnvironmentRule = {
  id: "pv-retain-reuse",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check({ environment }) {
    const gone = [...environment.committed.values()].filter(
      ({ kind, ref }) =>
        kind === "PersistentVolumeClaim" && ref !== undefined && !environment.byRef.has(ref),
    );
    if (gone.length === 0) return;
    for (const entry of environment.objects) {
      const { kind, name, value } = entry.object;
      const policy = textAt(value, "spec", "persistentVolumeReclaimPolicy") ?? "Retain";
      if (kind !== "PersistentVolume" || policy !== "Retain") continue;
      const owner = fieldsAt(value, "spec", "claimRef");
      const claim = gone.find(
        (object) =>
          textAt(object.value, "spec", "volumeName") === name ||
          (owner["name"] === object.name && owner["namespace"] === object.namespace),
      );
      if (claim === undefined) continue;
      const message = `Its claim ${claim.namespace}/${claim.name} is removed by this change: the volume becomes Released and will not bind a new claim until claimRef is cleared`;
      yield { entry, path: ["metadata", "name"], message };
    }
  },
};

/** A rule on the refused changes of a kind for which `messageOf` has a message. */
function changeRule(
  id: string,
  severity: Severity,
  kind: Kind,
  messageOf: (
    refusal: Refusal,
    entry: WorkspaceObject,
    context: EnvironmentContext,
    before: KubeObject,
  ) => string | undefined,
  basisOf: (
    entry: WorkspaceObject,
    context: EnvironmentContext,
  ) => Partial<ObjectReport> = () => ({}),
): EnvironmentRule {
  return {
    id,
    severity,
    scope: "environment",
    *check(context): Iterable<ObjectReport> {
      for (const { entry, stored } of changesOf(context, kind)) {
        for (const refusal of refusalsOf(stored, entry.object, context)) {
          const message = messageOf(refusal, entry, context, stored.object);
          if (message === undefined) continue;
          const { path } = refusal;
          yield {
            entry,
            path,
            message,
            ...(stored.isImported && { severity: "error" }),
            ...takenBack(stored.object, entry.object, path),
            ...basisOf(entry, context),
          };
        }
      }
    },
  };
}

/** True if these rules report why the API server refuses to update an imported object. */
export function isToldOfImport(kind: string, message: string): boolean {
  const kinds = ["PersistentVolumeClaim", "StatefulSet", "StorageClass"];
  return (
    kinds.includes(kind) && (message.includes("is invalid") || message.includes(expansionText))
  );
}

interface Change {
  readonly entry: WorkspaceObject;
  /** The object in the cluster. */
  readonly stored: Stored;
}

interface Stored {
  readonly object: KubeObject;
  readonly isImported: boolean;
}

function* changesOf(context: EnvironmentContext, kind: Kind): Iterable<Change> {
  const { committed, imported, byRef } = context.environment;
  for (const [ref, manifest] of imported?.byRef ?? []) {
    const entry = manifest["kind"] === kind ? byRef.get(ref)?.at(-1) : undefined;
    const stored = entry === undefined ? undefined : storedObject(manifest);
    if (entry !== undefined && stored?.ok === true)
      yield { entry, stored: { object: asNamed(stored.object), isImported: true } };
  }
  for (const [ref, before] of committed) {
    const entry = imported?.byRef.has(ref) === true ? undefined : byRef.get(ref)?.at(-1);
    if (entry === undefined || entry.object.kind !== kind || entry.object === before) continue;
    const requests = { version: context.version, cluster: classesOf(context), now: runStart };
    const answer = answerCreate(withDefaultClass(created(before.value), context), requests);
    if (!answer.ok) continue;
    const object = asStored(answer.object);
    yield { entry, stored: { object, isImported: false } };
  }
}

function refusalsOf(
  stored: Stored,
  after: ManifestObject,
  context: EnvironmentContext,
): readonly Refusal[] {
  const { version } = context;
  // api-refused reports what is wrong by itself.
  if (answerOf(after, version)?.ok !== true) return [];
  const requests = { version, cluster: classesOf(context), now: runStart };
  // A stale resourceVersion is not part of the change.
  const said = created(after.value);
  const patched = stored.isImported ? applied(stored.object, said) : undefined;
  if (patched?.ok === false) return [{ path: [], message: patched.error.message }];
  const next = patched?.fields ?? withDefaultClass(said, context);
  const answer = answerUpdate(stored.object, next, requests, "");
  if (answer.ok) return [];
  const { causes = [], message } = answer.error;
  const placeOf = (field: string): Path => manifestPath(parseFieldPath(field), after.value);
  if (causes.length === 0) return [{ path: placeOf("spec.resources[storage]"), message }];
  const isRefused = (trial: KubeObject): boolean =>
    !answerUpdate(stored.object, trial, requests, "").ok;
  return causes.map((cause) => ({
    path: pathToBlame(stored.object, after, placeOf(cause.field), isRefused),
    message: cause.message,
  }));
}

/** If a refusal names only the whole spec, the first changed field that is also refused when changed alone. */
function pathToBlame(
  stored: KubeObject,
  after: ManifestObject,
  path: Path,
  isRefused: (trial: KubeObject) => boolean,
): Path {
  const [top, ...below] = path;
  if (top !== "spec" || below.length > 0)
    return [...path, ...changedPath(valueAt(stored, path), valueAt(after.value, path))];
  const before = fieldsAt(untyped(stored), "spec");
  const written = fieldsAt(after.value, "spec");
  const blamed = writtenChanges(before, written).find((key) => {
    const spec = { ...before, [key]: written[key] };
    return isRefused(asKubeObject({ ...stored, spec }));
  });
  if (blamed === undefined) return path;
  return [...path, blamed, ...changedPath(before[blamed], written[blamed])];
}

/** The object as the cluster would store it; a claim is bound. */
function asStored(object: Draft): KubeObject {
  const named = asNamed(object);
  if (named.kind !== "PersistentVolumeClaim") return named;
  const capacity = named.spec.resources?.requests ?? {};
  return { ...named, status: { phase: "Bound", capacity } };
}

/** A claim without a class got the default class when it was created. */
function withDefaultClass(value: Manifest, context: EnvironmentContext): Manifest {
  const name = defaultClassOf(context);
  const spec = fieldsAt(value, "spec");
  if (value["kind"] !== "PersistentVolumeClaim" || name === undefined) return value;
  return "storageClassName" in spec
    ? value
    : { ...value, spec: { ...spec, storageClassName: name } };
}

/** True if the claim's class is known, or no StorageClass is needed: the claim asks for none, or volumes carry the name. */
function knowsClass({ value }: ManifestObject, context: EnvironmentContext): boolean {
  const name = classNameOf(value, context);
  if (name === "" || context.names.isCarriedClass(name)) return true;
  return classesOf(context).get("StorageClass", undefined, name) !== undefined;
}

function classNameOf(value: Manifest, context: EnvironmentContext): string {
  return writtenClass(withDefaultClass(value, context)) ?? "";
}

/** How to let the claim grow: allowVolumeExpansion can be changed in an existing class. */
function wayToGrow({ value }: ManifestObject, context: EnvironmentContext): string {
  const name = classNameOf(value, context);
  const storageClass = classesOf(context).get("StorageClass", undefined, name);
  const { drivers } = context.environment.project;
  if (storageClass === undefined || !growsVolumes(untyped(storageClass), drivers))
    return "make a larger claim and copy the data";
  return `set allowVolumeExpansion: true in class "${name}"`;
}

/** Where files define the claim's class. */
function classPlaces(
  { object }: WorkspaceObject,
  context: EnvironmentContext,
): readonly RelatedReport[] {
  const name = classNameOf(object.value, context);
  const entry = lastWritten(context.environment, "StorageClass", undefined, name);
  const message = "Its class, whose claims grow only with allowVolumeExpansion: true";
  return entry === undefined ? [] : [{ entry, path: [], message }];
}

/** A cluster with any namespace, and the classes of files and of the existing cluster. */
function classesOf({ environment, cluster }: EnvironmentContext): ClusterView {
  return {
    get<K extends Kind>(kind: K, _namespace: string | undefined, name: string) {
      if (kind === "Namespace") return asKubeObject(namespaceOf(name));
      if (kind !== "StorageClass") return undefined;
      const own = lastWritten(environment, "StorageClass", undefined, name)?.object.value;
      const value = own ?? assumedManifest(cluster, makeRef("StorageClass", undefined, name));
      return value && asKubeObject<K>(value);
    },
    list: () => [],
  };
}

function namespaceOf(name: string): Manifest {
  const metadata = { name, uid: name, resourceVersion: "1", creationTimestamp: runStart };
  const status = { phase: "Active" };
  return { apiVersion: "v1", kind: "Namespace", metadata, spec: {}, status };
}
