/**
 * The controller's own view of one kind: fed by the informer and by each object it has saved itself, so that a stale watch
 * event cannot undo what it just did. Upstream: pv_controller_base.go storeObjectUpdate v1.36.
 */

/** Whether an object of version `offered` may replace one of version `known`: not where it is older. */
export function acceptsVersion(known: string | undefined, offered: string): boolean {
  if (known === undefined || known === offered) return true;
  return versionNumber(offered) >= versionNumber(known);
}

function versionNumber(text: string): number {
  const version = Number(text);
  if (!Number.isInteger(version)) throw new Error(`resourceVersion "${text}" is not a number`);
  return version;
}
