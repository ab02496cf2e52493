/** Which workload made an object, seen by the person who wrote the workload. */
import { controllerOf, type KubeObject } from "../api/meta.ts";
import type { OwnerReference } from "../api/types.ts";
import type { RunFacts } from "./run-facts.ts";

/** The object's controller, or the Deployment above it if that is a ReplicaSet. Undefined if a person wrote the object. */
export function makerOf(facts: RunFacts, object: KubeObject): OwnerReference | undefined {
  const owner = controllerOf(object);
  if (owner?.kind !== "ReplicaSet") return owner;
  const set = facts.get("ReplicaSet", object.metadata.namespace, owner.name);
  return (set && controllerOf(set)) ?? owner;
}

/** False for pods without a maker. */
export function haveSameMaker(facts: RunFacts, pod: KubeObject, other: KubeObject): boolean {
  const maker = makerOf(facts, pod);
  return maker !== undefined && maker.uid === makerOf(facts, other)?.uid;
}
