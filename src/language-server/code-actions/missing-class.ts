/** A class that is nowhere, written: as the distribution has it that ships one of the name, or like those that the cluster has. */
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

/** More are no help to choose from. */
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
  // In a quota it is a part of a key.
  if (target === undefined || valueAt(target.built.object.value, target.path) !== name) return [];
  const { entry, built } = target;
  // kustomize may rename what is written here.
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
    return [{ title: `Write StorageClass “${name}” as ${distribution} has it`, like: manifest }];
  }
  const byDriver = new Map<string, Fields>();
  for (const value of classesOfKind(context, "StorageClass")) {
    const driver = driverOfProvisioner(textAt(value, "provisioner") ?? "");
    if (driver !== noProvisioner && !byDriver.has(driver)) byDriver.set(driver, value);
  }
  return [...byDriver.values()].slice(0, countMax).map((like) => {
    const title = `Write StorageClass “${name}” like “${textAt(like, "metadata", "name")}”`;
    return { title, like };
  });
}

/**
 * Without what makes the model a default, and what a cluster has written on it. One of a driver that was in-tree is written for the
 * CSI driver in its place, which does not know all of the parameters.
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
