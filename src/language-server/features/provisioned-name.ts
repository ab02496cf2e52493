/** The names that provisioners give volumes hold a uid, which is another one in each cluster. */

export function isProvisionedName(name: string): boolean {
  return /-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}
