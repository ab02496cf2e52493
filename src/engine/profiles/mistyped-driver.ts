/**
 * Whether a driver's name is a slip of the pen, so that nobody will have installed a driver of that name. No upstream: Kubernetes
 * takes any name. Drivers of one vendor differ in the first part of their names, so that a slip there may as well be another driver.
 */
import { knownDrivers } from "../csi/catalogue/catalogue.ts";
import type { Manifest } from "../scenario.ts";
import { pathProvisionerTypes, text } from "./clues.ts";

/** The driver that is meant; undefined where the name may well be one that is only not described here. */
export function meantDriver(name: string): string | undefined {
  const names = [...knownDrivers.map((known) => known.name), ...Object.keys(pathProvisionerTypes)];
  return names.includes(name) ? undefined : names.find((known) => isSlip(name, known));
}

/** Does a pod of the workspace know the name, as a provisioner's does that is told its own? */
export function isRunByPods(name: string, objects: readonly Manifest[]): boolean {
  return objects.some(
    (object) =>
      podKinds.has(text(object["kind"])) && JSON.stringify(object["spec"] ?? {}).includes(name),
  );
}

const podKinds: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet", "Pod"]);

function isSlip(name: string, known: string): boolean {
  const plain = (given: string): string => given.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (plain(name) === plain(known)) return true;
  const [parts, others] = [name.split(/[./]/), known.split(/[./]/)];
  if (parts.length !== others.length || parts[0] !== others[0]) return false;
  const differing = parts.flatMap((part, i) => (part === others[i] ? [] : [i]));
  const [only = 0] = differing;
  return differing.length === 1 && isOneEdit(parts[only] ?? "", others[only] ?? "");
}

/** One letter more, less or another, or two neighbors in the wrong order. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  const endMax = Math.min(a.length, b.length) - start;
  while (end < endMax && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [mine, theirs] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (mine.length <= 1 && theirs.length <= 1) return true;
  return mine.length === 2 && theirs === `${mine[1]}${mine[0]}`;
}
