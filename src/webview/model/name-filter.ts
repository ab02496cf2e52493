/** Which names a filter leaves; capitals make no difference, as in the editor's own lists. */
export function matchesFilter(name: string, filter: string): boolean {
  return name.toLowerCase().includes(filter.trim().toLowerCase());
}
