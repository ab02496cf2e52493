/** Which objects the outcome table lists; a moment includes the state of only these. */
import type { Ref } from "../../engine/api/meta.ts";
import { matchesFilter } from "./name-filter.ts";
import type { OutcomeObject } from "./outcome-objects.ts";

/** More rows would slow the slider down, and nobody reads them; the filter finds the others. */
const rowCountMax = 400;

export interface Listing {
  /** Text that a name must contain. */
  readonly filter: string;
  /** Whether to list objects of an imported cluster that the run does not touch. */
  readonly showsUntouched: boolean;
  readonly selected: Ref | undefined;
}

export interface ListedObjects {
  /** The objects to list, as indexes in `Summary.objects`. */
  readonly rows: readonly number[];
  /** How many more match the filter. */
  readonly leftOutCount: number;
  /** How many objects of the imported cluster the run has not touched; 0 if it has touched none at all. */
  readonly untouchedCount: number;
}

export function listedObjects(
  objects: readonly OutcomeObject[],
  { filter, showsUntouched, selected }: Listing,
): ListedObjects {
  const isUntouched = ({ isImported, isTouched }: OutcomeObject): boolean =>
    isImported && !isTouched;
  const untouchedCount = objects.filter(isUntouched).length;
  const showsAll = showsUntouched || untouchedCount === objects.length;
  const matching = objects.flatMap((object, place) =>
    matchesFilter(object.name, filter) &&
    (showsAll || !isUntouched(object) || object.ref === selected)
      ? [place]
      : [],
  );
  const rows = matching.slice(0, rowCountMax);
  return {
    rows,
    leftOutCount: matching.length - rows.length,
    untouchedCount: untouchedCount === objects.length ? 0 : untouchedCount,
  };
}
