/** The objects that islands read: many look at them and none changes them. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef, type Ref } from "../../../engine/api/meta.ts";
import type { Environment } from "../../workspace/environment.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import { secretsMadeBy } from "../../workspace/objects/made-secrets.ts";
import { isProvisionerConfig } from "../../workspace/objects/provisioner-config.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { plainGroup, readOnlyKinds } from "./couplings.ts";

export function defaultClassNames(objects: readonly WorkspaceObject[]): readonly string[] {
  return objects
    .filter(({ object }) => isMarkedDefault(object.value))
    .map(({ object }) => object.name);
}

export class Shelf {
  /** Read by every island, including what these objects read themselves, such as the Secrets of a default class. */
  readonly #common: ReadonlySet<WorkspaceObject>;
  readonly #byRef = new Map<Ref, WorkspaceObject[]>();
  /** Read by everything in the namespace. */
  readonly #byNamespace = new Map<string, WorkspaceObject[]>();
  readonly #order = new Map<WorkspaceObject, number>();

  constructor({ objects }: Environment, defaultClasses: readonly string[]) {
    const common = new Set<WorkspaceObject>();
    for (const [index, entry] of objects.entries()) {
      const { object } = entry;
      for (const secret of secretsMadeBy(object)) {
        this.#order.set(entry, index);
        push(this.#byRef, makeRef("Secret", object.namespace, secret), entry);
      }
      if (!readOnlyKinds.has(object.kind) || object.ref === undefined) continue;
      this.#order.set(entry, index);
      if (isCommon(object) || defaultClasses.includes(object.name)) common.add(entry);
      else if (ofNamespace.has(object.kind)) push(this.#byNamespace, object.namespace, entry);
      else push(this.#byRef, object.ref, entry);
    }
    for (const { object } of [...common]) this.#addRead(object, common);
    this.#common = common;
  }

  contextOf(members: readonly WorkspaceObject[]): readonly WorkspaceObject[] {
    const found = new Set<WorkspaceObject>();
    // If nothing happens to any member, only their namespaces are needed.
    if (members.every(({ object }) => plainGroup(object) !== undefined)) {
      for (const { object } of members) this.#addNamespace(object, found);
    } else {
      for (const entry of this.#common) found.add(entry);
      for (const { object } of members) this.#addRead(object, found);
    }
    for (const entry of members) found.delete(entry);
    return [...found].sort((a, b) => (this.#order.get(a) ?? 0) - (this.#order.get(b) ?? 0));
  }

  #addNamespace({ namespace }: ManifestObject, found: Set<WorkspaceObject>): void {
    for (const entry of this.#byRef.get(makeRef("Namespace", "", namespace)) ?? [])
      found.add(entry);
  }

  #addRead(object: ManifestObject, found: Set<WorkspaceObject>): void {
    this.#addNamespace(object, found);
    for (const entry of this.#byNamespace.get(object.namespace) ?? []) found.add(entry);
    for (const { kind, namespace, name } of referencesOf(object)) {
      for (const entry of this.#byRef.get(makeRef(kind, namespace, name)) ?? []) {
        if (found.has(entry)) continue;
        found.add(entry);
        this.#addRead(entry.object, found);
      }
    }
  }
}

function isCommon(object: ManifestObject): boolean {
  return commonKinds.has(object.kind) || isProvisionerConfig(object);
}

const commonKinds: ReadonlySet<string> = new Set([
  "CSINode",
  "CSIStorageCapacity",
  "Node",
  "ReferenceGrant",
  "VolumeSnapshotClass",
]);
const ofNamespace: ReadonlySet<string> = new Set(["LimitRange", "ServiceAccount"]);
