/** Keys of a strategic merge patch that are not fields. Upstream: apimachinery v0.36 strategicpatch/patch.go. */
export const directive = {
  /** What happens to the map that it is in: `delete` or `replace`. */
  patch: "$patch",
  /** The only fields that the map keeps. */
  retainKeys: "$retainKeys",
  /** Followed by a list's name: its elements in their order. */
  order: "$setElementOrder/",
  /** Followed by the name of a list of texts: the elements to delete. */
  deletion: "$deleteFromPrimitiveList/",
} as const;
