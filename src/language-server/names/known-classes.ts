/**
 * Orders classes by how likely they are meant: first those whose driver the cluster has, because a folder may contain classes
 * for several clouds; then by name.
 */
import { compareText } from "../../engine/api/go/text-order.ts";
import { type Kind, makeRef } from "../../engine/api/meta.ts";
import { migratedDriver, noProvisioner } from "../../engine/matching/csi-migration.ts";
import type { ClusterProfile } from "../../engine/scenario.ts";
import { own } from "../own.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import { type Environment, lastWritten } from "../workspace/environment.ts";
import { type Fields, textAt } from "../workspace/manifest-fields.ts";
import { assumedManifest } from "../workspace/objects/assumed-manifest.ts";
import { classDriverFields } from "../workspace/objects/class-driver.ts";
import { writableNames } from "./names-in-cluster.ts";

interface ClassContext {
  readonly environment: Environment;
  readonly names: ClusterNames;
  readonly cluster: ClusterProfile;
}

/** The names that a field may use for a class of the kind. */
export function knownClasses(context: ClassContext, kind: Kind): readonly string[] {
  const known = recent.get(context) ?? new Map<Kind, readonly string[]>();
  recent.set(context, known);
  const names = known.get(kind) ?? findClasses(context, kind);
  known.set(kind, names);
  return names;
}

// Cached because it is needed for each unknown class name.
const recent = new WeakMap<ClassContext, Map<Kind, readonly string[]>>();

function findClasses(context: ClassContext, kind: Kind): readonly string[] {
  const { environment, cluster } = context;
  const manifestOf = (name: string): Fields | undefined =>
    lastWritten(environment, kind, undefined, name)?.object.value ??
    assumedManifest(cluster, makeRef(kind, undefined, name));
  return inOrder(context, kind, writableNames(context, kind), (name) => [name, manifestOf(name)]);
}

/** Sorts manifests of classes of the kind. */
export function classesInOrder(
  context: ClassContext,
  kind: Kind,
  classes: readonly Fields[],
): readonly Fields[] {
  return inOrder(context, kind, classes, (value) => [
    textAt(value, "metadata", "name") ?? "",
    value,
  ]);
}

function inOrder<T>(
  { names }: ClassContext,
  kind: Kind,
  all: readonly T[],
  of: (one: T) => readonly [name: string, manifest: Fields | undefined],
): readonly T[] {
  const ranked = all.map((one) => {
    const [name, manifest = {}] = of(one);
    return {
      one,
      name,
      isForeign: isForeign(names, textAt(manifest, own(classDriverFields, kind) ?? "")),
    };
  });
  return ranked
    .sort((a, b) => Number(a.isForeign) - Number(b.isForeign) || compareText(a.name, b.name))
    .map(({ one }) => one);
}

/** True if nothing in the cluster makes volumes of its class. */
function isForeign(names: ClusterNames, provisioner: string = noProvisioner): boolean {
  const driver = migratedDriver(provisioner) ?? provisioner;
  return driver !== noProvisioner && !names.has("CSIDriver", "", driver);
}
