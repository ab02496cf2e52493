/** The class that a claim gets which names none. */
import { isMarkedDefault } from "../../workspace/default-class.ts";
import { type Fields, textAt } from "../../workspace/manifest-fields.ts";
import type { EnvironmentContext } from "../rule.ts";

/** Of the user's files before that of the assumed cluster, which is older; of those that are made at once the first by name. */
export function defaultClassOf({
  environment,
  cluster,
}: Pick<EnvironmentContext, "environment" | "cluster">): string | undefined {
  const own = environment.objects.filter(({ object }) => object.served);
  return firstDefault(own.map(({ object }) => object.value)) ?? firstDefault(cluster.manifests);
}

function firstDefault(objects: readonly Fields[]): string | undefined {
  const [name] = objects
    .filter(isMarkedDefault)
    .flatMap((value) => textAt(value, "metadata", "name") ?? [])
    .sort();
  return name;
}
