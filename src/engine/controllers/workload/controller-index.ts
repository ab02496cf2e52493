/**
 * Finds an owner's children by an index, and an object's controller. Upstream: pkg/controller/controller_utils.go
 * AddPodControllerUIDIndexer, AddReplicaSetControllerIndexer and the controllers' resolveControllerRef v1.36.
 */
import { controllerOf, type Kind, type KubeObject, makeKey } from "../../api/meta.ts";
import type { Informer } from "../../runtime/informer.ts";

const name = "controller";

function orphansOf(namespace: string | undefined): string {
  return `orphan ${namespace ?? ""}`;
}

export function indexByController<K extends Kind>(informer: Informer<K>): void {
  informer.index(name, (object) => [
    controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace),
  ]);
}

/** Returns the objects that the owner with this uid controls. */
export function controlledBy<K extends Kind>(
  informer: Informer<K>,
  uid: string,
): readonly KubeObject<K>[] {
  return informer.byIndex(name, uid);
}

/** Returns the objects that an owner may claim: its own, and orphans in its namespace. */
export function claimable<K extends Kind>(
  informer: Informer<K>,
  owner: KubeObject<Kind>,
): readonly KubeObject<K>[] {
  return [
    ...controlledBy(informer, owner.metadata.uid),
    ...informer.byIndex(name, orphansOf(owner.metadata.namespace)),
  ];
}

/**
 * Returns the object's controller if it is of this kind and exists; undefined if it is gone or another object has taken its
 * name.
 */
export function ownerOf<K extends Kind>(
  owners: Informer<K>,
  kind: K,
  object: KubeObject<Kind>,
): KubeObject<K> | undefined {
  const controller = controllerOf(object);
  if (controller?.kind !== kind) return undefined;
  const owner = owners.get(makeKey(object.metadata.namespace, controller.name));
  return owner?.metadata.uid === controller.uid ? owner : undefined;
}
