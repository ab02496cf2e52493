/**
 * One life of a component, from its start to its stop or crash. All that is done on its behalf checks here whether it still
 * may be.
 */
export interface Life {
  hasEnded: boolean;
  /** While the component is frozen: what it will do once it goes on, in order. */
  held: (() => void)[] | undefined;
}

export function newLife(): Life {
  return { hasEnded: false, held: undefined };
}
