/** Writes a StorageClass that does not exist: as a known distribution ships it, or modeled on a class of the cluster. */
import { kindOfRef, nameOfRef } from "../../engine/api/meta.ts";
import { noProvisioner } from "../../engine/matching/csi-migration.ts";
import { shippedClass } from "../../engine/profiles/assume-cluster.ts";
import type { Manifest } from "../../engine/scenario.ts";
import { driverOfProvisioner } from "../diagnostics/facts/driver-facts.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { type Fields, textAt } from "../workspace/manifest-fields.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, classesOfKind, offer } from "./code-action.ts";
import { canFollow, documentsAfter } from "./written-manifest.ts";

/** A longer menu would be no help. */
const countMax = 3;

interface Model {
  readonly title: string;
  readonly like: Fields;
}

export function missingClass(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { misses, meant, start } = diagnostic;
  if (misses === undefined || kindOfRef(misses) !== "StorageClass" || meant !== undefined)
    return [];
  const target = targetAt(context.analysis.environment, context.file, start);
  const name = nameOfRef(misses);
  // In a quota, the class's name is part of a key.
  if (target === undefined || valueAt(target.built.object.value, target.path) !== name) return [];
  const { entry, built } = target;
  // kustomize may rename the new class.
  if (entry.object.name !== built.object.name || !canFollow(built)) return [];
  return modelsFor(context, name)
    .flatMap(({ title, like }) =>
      offer(title, [documentsAfter(built, [classLike(like, name)])], diagnostic),
    )
    .map((action) => ({ ...action, isChoice: true }));
}

function modelsFor(context: ActionContext, name: string): readonly Model[] {
  const shipped = shippedClass(name);
  if (shipped !== undefined) {
    const { distribution, manifest } = shipped;
    return [{ title: `Create StorageClass “${name}” as in ${distribution}`, like: manifest }];
  }
  const byDriver = new Map<string, Fields>();
  for (const value of classesOfKind(context, "StorageClass")) {
    const driver = driverOfProvisioner(textAt(value, "provisioner") ?? "");
    if (driver !== noProvisioner && !byDriver.has(driver)) byDriver.set(driver, value);
  }
  return [...byDriver.values()].slice(0, countMax).map((like) => {
    const title = `Create StorageClass “${name}” like “${textAt(like, "metadata", "name")}”`;
    return { title, like };
  });
}

/**
 * The model without the annotations and other metadata that the cluster or its default mark put there. An in-tree provisioner
 * becomes its CSI driver, without parameters, because the driver does not know all of them.
 */
function classLike(model: Manifest, name: string): Fields {
  const { apiVersion, kind, metadata: _, provisioner, parameters, ...rest } = model;
  const driver = driverOfProvisioner(String(provisioner));
  const isSame = driver === provisioner && parameters !== undefined;
  return {
    apiVersion,
    kind,
    metadata: { name },
    provisioner: driver,
    ...(isSame && { parameters }),
    ...rest,
  };
}
