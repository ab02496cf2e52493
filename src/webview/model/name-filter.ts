/** True if the name contains the filter, in any case, like the editor's own lists. */
export function matchesFilter(name: string, filter: string): boolean {
  return name.toLowerCase().includes(filter.trim().toLowerCase());
}
