/**
 * Completes saved objects with those that must have existed because others run on them, such as namespaces, Secrets and
 * revisions. Components would otherwise tear down what is running. Upstream: nothing; an API server has everything.
 */
import { push } from "../api/go/multi-map.ts";
import {
  asKubeObject,
  isKind,
  isNamespaced,
  type Kind,
  type KubeObject,
  kindSchema,
  makeRef,
  type Ref,
} from "../api/meta.ts";
import type { ObjectMeta, Pod } from "../api/types.ts";
import { newRevision } from "../controllers/workload/controller-revision.ts";
import { keysForDrivers } from "../csi/catalogue/secret-needs.ts";
import { withAttachments } from "./attachments.ts";
import { type LeftOut, withCompanions } from "./companions.ts";
import { type ConfigRead, readsOf } from "./config-reads.ts";

export interface CompleteState {
  readonly objects: readonly KubeObject[];
  readonly leftOut: readonly LeftOut[];
}

export function completeState(given: readonly KubeObject[], isPartial: boolean): CompleteState {
  const { objects, leftOut } = withCompanions(given, isPartial);
  const known = new Set(objects.map(refOfStored));
  const owned = objects.map((object) => withKnownOwners(object, known));
  const revised = withPresentRevisions(owned);
  const added = new Map<Ref, KubeObject>();
  const assume = (kind: Kind, namespace: string, name: string, rest: object = {}): void => {
    const ref = makeRef(kind, namespace, name);
    if (name === "" || known.has(ref) || added.has(ref)) return;
    added.set(ref, assumed(kind, namespace, name, rest));
  };
  for (const { kind, metadata } of revised)
    if (isNamespaced(kind))
      assume("Namespace", "", metadata.namespace ?? "default", activeNamespace);
  for (const object of revised) if (object.kind === "Pod") assumeReads(object, assume);
  // A pull secret can be missing in the cluster itself, because nodes may already have the image: it is assumed only if no
  // Secrets were saved at all.
  if (!revised.some(({ kind }) => kind === "Secret"))
    for (const object of revised)
      for (const { name = "" } of pullSecretsOf(object))
        assume("Secret", object.metadata.namespace ?? "", name, { data: {} });
  const attached = withAttachments(revised, (name, rest) =>
    assume("VolumeAttachment", "", name, rest),
  );
  return { objects: [...added.values(), ...attached], leftOut };
}

const activeNamespace = { spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };

function refOfStored({ kind, metadata }: KubeObject): Ref {
  return makeRef(kind, isNamespaced(kind) ? metadata.namespace : undefined, metadata.name);
}

/** `rest` may contain further metadata. */
function assumed(kind: Kind, namespace: string, name: string, rest: object): KubeObject {
  const apiVersion = kindSchema(kind)?.apiVersion ?? "v1";
  const metadata = {
    name,
    ...(namespace !== "" && { namespace }),
    uid: "",
    resourceVersion: "",
    creationTimestamp: "2025-01-01T00:00:00Z",
    generation: 1,
    ...(rest as { readonly metadata?: Partial<ObjectMeta> }).metadata,
  };
  return asKubeObject({ apiVersion, kind, ...rest, metadata });
}

/** Drops references to owners that were not saved: the garbage collector would take these owners for deleted. */
function withKnownOwners(object: KubeObject, known: ReadonlySet<Ref>): KubeObject {
  const { ownerReferences = [], namespace } = object.metadata;
  const kept = ownerReferences.filter(({ kind, name }) => {
    if (!isKind(kind)) return true;
    return known.has(makeRef(kind, isNamespaced(kind) ? namespace : undefined, name));
  });
  if (kept.length === ownerReferences.length) return object;
  const { ownerReferences: _, ...rest } = object.metadata;
  const metadata = { ...rest, ...(kept.length > 0 && { ownerReferences: kept }) };
  return { ...object, metadata };
}

/**
 * Gives each StatefulSet and DaemonSet that has observed its present template a revision of it, serialized as this engine does;
 * saved bytes may differ between versions. Without an equal revision the pods would be replaced.
 */
function withPresentRevisions(objects: readonly KubeObject[]): readonly KubeObject[] {
  const result = [...objects];
  const places = new Map(objects.map((object, index) => [refOfStored(object), index]));
  const children = new Map<string, KubeObject[]>();
  for (const object of objects)
    for (const { uid } of object.metadata.ownerReferences ?? []) push(children, uid, object);
  for (const owner of objects) {
    if (owner.kind !== "StatefulSet" && owner.kind !== "DaemonSet") continue;
    if (owner.status?.observedGeneration !== owner.metadata.generation) continue;
    const name = revisionNameOf(owner, children.get(owner.metadata.uid) ?? []);
    if (name === undefined) continue;
    const draft = newRevision(owner, 1, 0);
    const index = places.get(makeRef("ControllerRevision", owner.metadata.namespace, name));
    const present = index === undefined ? undefined : result[index];
    if (index !== undefined && present?.kind === "ControllerRevision")
      result[index] = { ...present, data: draft.data };
    else result.push(revisionCalled(name, owner, draft));
  }
  return result;
}

/** Returns the revision under this name, labeled with the hash at the end of the name. */
function revisionCalled(name: string, owner: KubeObject, draft: RevisionDraft): KubeObject {
  const { namespace = "" } = owner.metadata;
  const hash = name.slice(owner.metadata.name.length + 1);
  const { ownerReferences = [], labels = {} } = draft.metadata;
  const hashed = Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [key, value === ownHash(draft) ? hash : value]),
  );
  const made = assumed("ControllerRevision", namespace, name, { data: draft.data, revision: 1 });
  const metadata: ObjectMeta = { ...made.metadata, labels: hashed, ownerReferences };
  return { ...made, metadata } as KubeObject;
}

type RevisionDraft = ReturnType<typeof newRevision>;

function ownHash({ metadata }: { readonly metadata: ObjectMeta }): string {
  return (metadata.name ?? "").split("-").at(-1) ?? "";
}

/** Returns the name of the revision of the present template; undefined if nothing tells it. */
function revisionNameOf(
  owner: KubeObject<"StatefulSet"> | KubeObject<"DaemonSet">,
  own: readonly KubeObject[],
): string | undefined {
  if (owner.kind === "StatefulSet") return owner.status?.updateRevision;
  const { name } = owner.metadata;
  const revisions = own.filter((o) => o.kind === "ControllerRevision");
  revisions.sort((a, b) => b.revision - a.revision);
  const [newest] = revisions;
  if (newest !== undefined) return newest.metadata.name;
  const hash = own
    .map((o) => o.metadata.labels?.["controller-revision-hash"])
    .find((h) => h !== undefined);
  return hash === undefined ? undefined : `${name}-${hash}`;
}

function pullSecretsOf(object: KubeObject): readonly { readonly name?: string }[] {
  if (object.kind === "ServiceAccount") return object.imagePullSecrets ?? [];
  return object.kind === "Pod" ? (object.spec.imagePullSecrets ?? []) : [];
}

type Assume = (kind: Kind, namespace: string, name: string, rest?: object) => void;

/** A running pod has found the ConfigMaps and Secrets that it reads. Their keys matter, their values do not. */
function assumeReads(pod: Pod, assume: Assume): void {
  if (pod.status?.phase !== "Running") return;
  const { namespace = "" } = pod.metadata;
  const all = new Map<
    string,
    { readonly read: ConfigRead; readonly data: Record<string, string> }
  >();
  for (const read of readsOf(pod)) {
    const id = `${read.kind}/${read.name}`;
    const known = all.get(id) ?? { read, data: {} };
    all.set(id, known);
    const ofDrivers = read.kind === "Secret" ? keysForDrivers : [];
    for (const key of [...read.keys, ...ofDrivers]) known.data[key] = "";
  }
  for (const { read, data } of all.values()) assume(read.kind, namespace, read.name, { data });
  assume("ServiceAccount", namespace, pod.spec.serviceAccountName ?? "default");
}
