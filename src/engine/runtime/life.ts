/** One life of a component, from its start to its stop or crash: whoever works for it looks here whether it still may. */
export interface Life {
  hasEnded: boolean;
  /** While the component is frozen: what it does once it goes on, in order. */
  held: (() => void)[] | undefined;
}

export function newLife(): Life {
  return { hasEnded: false, held: undefined };
}
