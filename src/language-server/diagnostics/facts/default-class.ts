/** The class that a claim gets which names none. */
import { makeRef } from "../../../engine/api/meta.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { type Fields, textAt } from "../../workspace/manifest-fields.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import type { EnvironmentContext } from "../rule.ts";

/** Of the user's files before that of the cluster, which is older; of those that are made at once the first by name. */
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

/** The default classes of the cluster that the files say nothing of. */
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
