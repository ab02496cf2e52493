/** Keys of a ResourceQuota that count the claims of one class: `fast.storageclass.storage.k8s.io/requests.storage`. */

const ofClass = ".storageclass.storage.k8s.io/";

export function quotaKey(className: string, resource: string): string {
  return `${className}${ofClass}${resource}`;
}

/** Undefined for keys that count all classes. */
export function classInQuotaKey(key: string): string | undefined {
  const at = key.indexOf(ofClass);
  return at <= 0 || at + ofClass.length === key.length ? undefined : key.slice(0, at);
}
