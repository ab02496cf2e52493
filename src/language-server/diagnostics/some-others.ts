/** Of places that stand in each other's way, those that are told beside one of them. */
const countMax = 20;

/** The first of the others; none where there are none. A large group costs each of its members no more than a small one. */
export function someOthers<T>(group: readonly T[], isOther: (member: T) => boolean): readonly T[] {
  const others: T[] = [];
  for (const member of group) {
    if (others.length === countMax) break;
    if (isOther(member)) others.push(member);
  }
  return others;
}
