/**
 * Finds what an object controls without looking at all objects, and what it is controlled by. Upstream: pkg/controller/
 * controller_utils.go AddPodControllerUIDIndexer, AddReplicaSetControllerIndexer and the controllers' resolveControllerRef v1.36.
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

/** The objects that the owner of that uid controls. */
export function controlledBy<K extends Kind>(
  informer: Informer<K>,
  uid: string,
): readonly KubeObject<K>[] {
  return informer.byIndex(name, uid);
}

/** What an owner may claim: its own objects and those of its namespace that nobody controls. */
export function claimable<K extends Kind>(
  informer: Informer<K>,
  owner: KubeObject<Kind>,
): readonly KubeObject<K>[] {
  return [
    ...controlledBy(informer, owner.metadata.uid),
    ...informer.byIndex(name, orphansOf(owner.metadata.namespace)),
  ];
}

/** The owner of that kind which controls the object; undefined where it is of another kind, or gone, or another of its name. */
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
