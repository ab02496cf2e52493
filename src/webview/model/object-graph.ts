/** The objects around a selected one, with their state at the chosen moment. */
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";
import { type Relation, surroundingsOf } from "../../engine/explain/relations.ts";
import type { RunFacts } from "../../engine/explain/run-facts.ts";
import type { RowState } from "./row-state.ts";

export interface GraphObject extends RowState {
  readonly ref: Ref;
  readonly kind: string;
  /** For an attachment its volume's. */
  readonly name: string;
  /** Whether it exists at the moment; else others only speak of it. */
  readonly exists: boolean;
}

export interface ObjectGraph {
  readonly objects: readonly GraphObject[];
  readonly relations: readonly Relation[];
  /** Whether there are more objects around than are told. */
  readonly isCut: boolean;
}

/** A picture of more is none. */
const objectCountMax = 60;

export function objectGraph(
  facts: RunFacts,
  start: Ref,
  stateOf: (ref: Ref) => RowState,
): ObjectGraph {
  const { objects, relations, isCut } = surroundingsOf(facts, start, objectCountMax);
  return {
    objects: objects.map((ref) => ({
      ref,
      kind: kindOfRef(ref),
      name: labelOf(facts, ref),
      exists: facts.objects.has(ref),
      ...stateOf(ref),
    })),
    relations,
    isCut,
  };
}

/** An attachment's own name is a hash. */
function labelOf(facts: RunFacts, ref: Ref): string {
  const object = facts.objects.get(ref);
  const attached = object?.kind === "VolumeAttachment" ? object.spec.source : undefined;
  return attached?.persistentVolumeName ?? nameOfRef(ref);
}
