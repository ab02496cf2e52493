/** Names, references and answers that every kind shares. */
import { type KindSchema, kindSchemas } from "./schema.ts";
import type { KindMap, ObjectMeta, OwnerReference } from "./types.ts";

export type Kind = keyof KindMap;
export type KubeObject<K extends Kind = Kind> = KindMap[K];

/** An object that is not in the store yet: name or generateName, no uid, no resourceVersion. */
export type Draft<K extends Kind = Kind> = K extends Kind
  ? Omit<KindMap[K], "metadata"> & { readonly metadata: ObjectMeta }
  : never;

/** `KIND/NAMESPACE/NAME`; the namespace is empty for cluster-scoped kinds. */
export type Ref = string;

/** `NAMESPACE/NAME`, or `NAME` for cluster-scoped kinds: what work queues and listers are keyed by. */
export type Key = string;

export interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** What the API server answers when it refuses: `metav1.Status` with code, reason, message and causes. */
export interface ApiError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly Cause[];
}

export type Result<T> =
  | { readonly ok: true; readonly object: T }
  | { readonly ok: false; readonly error: ApiError };

const byKind = new Map<string, KindSchema>(kindSchemas.map((k) => [k.kind, k]));

/** The schema of a kind; undefined if the engine does not serve it. */
export function kindSchema(kind: string): KindSchema | undefined {
  return byKind.get(kind);
}

/** True if the engine serves the kind, in any version. */
export function isKind(kind: string): kind is Kind {
  return byKind.has(kind);
}

const byResource = new Map(
  kindSchemas.flatMap(({ kind, plural }) => [
    [kind.toLowerCase(), kind] as const,
    [plural, kind] as const,
  ]),
);

/**
 * The kind by its plural (as in clients' errors) or by its name in lower case (as in informers' errors); undefined if the
 * engine does not serve it. Upstream: apimachinery meta.RESTMapper KindFor.
 */
export function kindFor(resource: string): Kind | undefined {
  return byResource.get(resource);
}

export function isServed(apiVersion: string, kind: string): kind is Kind {
  return byKind.get(kind)?.apiVersion === apiVersion;
}

export function isNamespaced(kind: Kind): boolean {
  return byKind.get(kind)?.namespaced === true;
}

/** How an object is named: the same strings for all its versions. */
export interface Names {
  readonly kind: Kind;
  readonly key: Key;
  readonly ref: Ref;
}

export function namesOf(object: KubeObject): Names {
  return { kind: object.kind, key: keyOf(object), ref: refOf(object) };
}

let namedObject: unknown;
let knownNames: Names | undefined;

/**
 * Makes `keyOf` and `refOf` return these names for the object until the next one is named: the ten handlers of one watch event
 * all ask for the same key, and each of their maps would have to hash a newly built string again.
 */
export function nameObject(object: KubeObject, names: Names): void {
  namedObject = object;
  knownNames = names;
}

export function keyOf(object: { readonly metadata: ObjectMeta }): Key {
  if (object === namedObject && knownNames !== undefined) return knownNames.key;
  const { namespace, name } = object.metadata;
  return namespace === undefined || namespace === "" ? (name ?? "") : `${namespace}/${name ?? ""}`;
}

export function makeKey(namespace: string | undefined, name: string): Key {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

/** Splits a key; the namespace of a cluster-scoped key is "". */
export function splitKey(key: Key): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0
    ? { namespace: "", name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

export function refOf(object: { readonly kind: string; readonly metadata: ObjectMeta }): Ref {
  if (object === namedObject && knownNames !== undefined) return knownNames.ref;
  return `${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
}

export function makeRef(kind: Kind, namespace: string | undefined, name: string): Ref {
  return `${kind}/${namespace ?? ""}/${name}`;
}

export function kindOfRef(ref: Ref): string {
  return ref.slice(0, ref.indexOf("/"));
}

/** Empty for cluster-scoped kinds. */
export function namespaceOfRef(ref: Ref): string {
  const start = ref.indexOf("/") + 1;
  return ref.slice(start, ref.indexOf("/", start));
}

export function nameOfRef(ref: Ref): string {
  return ref.slice(ref.indexOf("/", ref.indexOf("/") + 1) + 1);
}

/** The spec and status of an object of any kind, untyped; undefined if it has none. */
export function specAndStatus(object: KubeObject | Draft): {
  readonly spec?: unknown;
  readonly status?: unknown;
} {
  return object as object;
}

/** The way back from `untyped`: the same object, which the caller knows to be one of this kind. Nothing is checked. */
export function asKubeObject<K extends Kind = Kind>(fields: object): KubeObject<K> {
  return fields as KubeObject<K>;
}

/** The owner reference with `controller: true`, or undefined. Upstream: metav1.GetControllerOf. */
export function controllerOf(object: {
  readonly metadata: ObjectMeta;
}): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0));
}

/** A kind or resource with its group: `Pod`, `Deployment.apps`. */
export function qualified(name: string, apiVersion: string): string {
  const group = groupOf(apiVersion);
  return group === "" ? name : `${name}.${group}`;
}

/** The plural resource with its group, as in error messages: `persistentvolumeclaims`, `storageclasses.storage.k8s.io`. */
export function qualifiedResource(kind: Kind): string {
  const schema = byKind.get(kind);
  return schema === undefined ? kind : qualified(schema.plural, schema.apiVersion);
}

/** For a kind, version or subresource that the server does not have. */
export const notServed: ApiError = {
  code: 404,
  reason: "NotFound",
  message: "the server could not find the requested resource",
};

/** Upstream: apimachinery errors.NewNotFound. */
export function notFound(kind: Kind, name: string): ApiError {
  return {
    code: 404,
    reason: "NotFound",
    message: `${qualifiedResource(kind)} "${name}" not found`,
  };
}

/** Upstream: apimachinery errors.NewAlreadyExists. */
export function alreadyExists(kind: Kind, name: string): ApiError {
  return {
    code: 409,
    reason: "AlreadyExists",
    message: `${qualifiedResource(kind)} "${name}" already exists`,
  };
}

/** Upstream: apimachinery errors.NewConflict with registry's OptimisticLockErrorMsg. */
export function conflict(kind: Kind, name: string): ApiError {
  return {
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualifiedResource(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
  };
}
