/** Limits the number of conflicting places that are shown beside one of them. */
const countMax = 20;

/** The first of the others, or nothing. The limit keeps large groups from costing each of their members a full pass. */
export function someOthers<T>(group: readonly T[], isOther: (member: T) => boolean): readonly T[] {
  const others: T[] = [];
  for (const member of group) {
    if (others.length === countMax) break;
    if (isOther(member)) others.push(member);
  }
  return others;
}
