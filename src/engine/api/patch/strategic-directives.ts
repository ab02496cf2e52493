/** Keys of a strategic merge patch that are no fields. Upstream: apimachinery v0.36 strategicpatch/patch.go. */
export const directive = {
  /** What becomes of the map that it stands in: `delete` or `replace`. */
  patch: "$patch",
  /** The fields of which the map is left with no others. */
  retainKeys: "$retainKeys",
  /** Before a list's name: its elements in their order. */
  order: "$setElementOrder/",
  /** Before the name of a list of texts: those that go. */
  deletion: "$deleteFromPrimitiveList/",
} as const;
