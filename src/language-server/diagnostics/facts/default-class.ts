/** The class that a claim without a class gets. */
import { makeRef } from "../../../engine/api/meta.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { type Fields, textAt } from "../../workspace/manifest-fields.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import type { EnvironmentContext } from "../rule.ts";

/** One in files before one of the cluster, which is older. If several are created at the same time, the first by name. */
export function defaultClassOf({
  environment,
  cluster,
}: Pick<EnvironmentContext, "environment" | "cluster">): string | undefined {
  const own = environment.objects.filter(({ object }) => object.served);
  return (
    firstDefault(own.map(({ object }) => object.value)) ??
    firstDefault(defaultsBefore({ environment, cluster }))
  );
}

/** The cluster's default classes that no file redefines. */
export function defaultsBefore({
  environment,
  cluster,
}: Pick<EnvironmentContext, "environment" | "cluster">): readonly Manifest[] {
  const { manifests, state = [] } = cluster;
  return [...manifests, ...state].filter(
    (value) =>
      isMarkedDefault(value) &&
      !environment.byRef.has(makeRef("StorageClass", undefined, classNameOf(value))),
  );
}

function firstDefault(objects: readonly Fields[]): string | undefined {
  const [name] = objects.filter(isMarkedDefault).map(classNameOf).sort();
  return name;
}

export function classNameOf(storageClass: Fields): string {
  return textAt(storageClass, "metadata", "name") ?? "";
}
