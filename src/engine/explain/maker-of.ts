/** Which workload an object belongs to, as whoever wrote it sees it. */
import { controllerOf, type KubeObject } from "../api/meta.ts";
import type { OwnerReference } from "../api/types.ts";
import type { RunFacts } from "./run-facts.ts";

/** What makes the object: of what a ReplicaSet makes the Deployment, where it has one. Undefined where somebody has written it. */
export function makerOf(facts: RunFacts, object: KubeObject): OwnerReference | undefined {
  const owner = controllerOf(object);
  if (owner?.kind !== "ReplicaSet") return owner;
  const set = facts.get("ReplicaSet", object.metadata.namespace, owner.name);
  return (set && controllerOf(set)) ?? owner;
}

/** Pods that somebody has written have no maker in common. */
export function haveSameMaker(facts: RunFacts, pod: KubeObject, other: KubeObject): boolean {
  const maker = makerOf(facts, pod);
  return maker !== undefined && maker.uid === makerOf(facts, other)?.uid;
}
