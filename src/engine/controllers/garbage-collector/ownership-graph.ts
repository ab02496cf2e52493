/**
 * Owners and dependents of all kinds. Upstream: pkg/controller/garbagecollector/graph_builder.go v1.36, whose graph is here an
 * index by owner uid in each kind's cache.
 */
import { isNamespaced, isServed, type Kind, type KubeObject, makeKey } from "../../api/meta.ts";
import { kindSchemas } from "../../api/schema.ts";
import type { OwnerReference } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Handlers, Informer } from "../../runtime/informer.ts";

const ownerIndex = "owner";
const none: readonly string[] = [];

export class OwnershipGraph {
  readonly #informers: readonly Informer<Kind>[];
  readonly #byKind: ReadonlyMap<string, Informer<Kind>>;

  constructor(ctx: ComponentContext) {
    const entries = kindSchemas.map(({ kind }): [string, Informer<Kind>] => [
      kind,
      ctx.informer(kind),
    ]);
    this.#byKind = new Map(entries);
    this.#informers = entries.map(([, informer]) => informer);
    for (const informer of this.#informers) {
      informer.index(
        ownerIndex,
        ({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? none,
      );
    }
  }

  on(handlers: Handlers<Kind>): void {
    for (const informer of this.#informers) informer.on(handlers);
  }

  dependentsOf(uid: string): readonly KubeObject[] {
    return this.#informers.flatMap((informer) => informer.byIndex(ownerIndex, uid));
  }

  /** The owner in the caches; undefined if it is not there, yet or any more. */
  ownerOf(dependent: KubeObject, owner: OwnerReference): KubeObject | undefined {
    const place = placeOf(dependent, owner);
    if (place === undefined) return undefined;
    const object = this.#byKind.get(place.kind)?.get(makeKey(place.namespace, place.name));
    return object?.metadata.uid === owner.uid ? object : undefined;
  }

  /** True if the owner is cached in another namespace than its dependent's. Upstream: addDependentToOwners. */
  isElsewhere(dependent: KubeObject, owner: OwnerReference): boolean {
    return (
      this.#byKind
        .get(owner.kind)
        ?.list()
        .some(
          ({ metadata }) =>
            metadata.uid === owner.uid &&
            metadata.namespace !== undefined &&
            metadata.namespace !== dependent.metadata.namespace,
        ) === true
    );
  }
}

export interface Place {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** Where an owner has to be; undefined if its kind is not served, or namespaced while its dependent is not. */
export function placeOf(dependent: KubeObject, owner: OwnerReference): Place | undefined {
  // "/v1" is the same as "v1". Upstream: schema.ParseGroupVersion.
  if (!isServed(owner.apiVersion.replace(/^\//, ""), owner.kind)) return undefined;
  const { kind, name } = owner;
  if (!isNamespaced(kind)) return { kind, namespace: "", name };
  const { namespace } = dependent.metadata;
  return namespace === undefined ? undefined : { kind, namespace, name };
}
