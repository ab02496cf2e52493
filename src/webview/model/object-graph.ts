/** The objects related to a selected one, with their state at the chosen moment. */
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";
import { type Relation, surroundingsOf } from "../../engine/explain/relations.ts";
import type { RunFacts } from "../../engine/explain/run-facts.ts";
import type { RowState } from "./row-state.ts";

export interface GraphObject extends RowState {
  readonly ref: Ref;
  readonly kind: string;
  /** For an attachment, the name of its volume. */
  readonly name: string;
  /** False if other objects only refer to it at this moment. */
  readonly exists: boolean;
}

export interface ObjectGraph {
  readonly objects: readonly GraphObject[];
  readonly relations: readonly Relation[];
  /** True if there are more related objects than listed. */
  readonly isCut: boolean;
}

/** A picture of more objects would be unreadable. */
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

/** Returns the object's name; for an attachment, whose name is a hash, its volume's name. */
function labelOf(facts: RunFacts, ref: Ref): string {
  const object = facts.objects.get(ref);
  const attached = object?.kind === "VolumeAttachment" ? object.spec.source : undefined;
  return attached?.persistentVolumeName ?? nameOfRef(ref);
}
