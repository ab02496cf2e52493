/** Which objects the outcome table lists: only of these a moment tells the state. */
import type { Ref } from "../../engine/api/meta.ts";
import { matchesFilter } from "./name-filter.ts";
import type { OutcomeObject } from "./outcome-objects.ts";

/** More rows than anybody reads would only slow the slider down; the filter finds the others. */
const rowCountMax = 400;

export interface Listing {
  /** What a name must hold. */
  readonly filter: string;
  /** Whether objects of an imported cluster are listed that the run leaves as they were. */
  readonly showsUntouched: boolean;
  readonly selected: Ref | undefined;
}

export interface ListedObjects {
  /** Places in `Summary.objects`. */
  readonly rows: readonly number[];
  /** How many more match the filter. */
  readonly leftOutCount: number;
  /** What the imported cluster had and the run has not touched, where there is anything else. */
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
