/**
 * One life of a component, from its start to its stop or crash. Everything done on its behalf checks here whether it is still
 * allowed.
 */
export interface Life {
  hasEnded: boolean;
  /** What a frozen component will do once it resumes, in order; undefined unless frozen. */
  held: (() => void)[] | undefined;
}

export function newLife(): Life {
  return { hasEnded: false, held: undefined };
}
