/** The class that a claim gets which names none. */
import { isMarkedDefault } from "../../workspace/default-class.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { EnvironmentContext } from "../rule.ts";

/** Of the user's files before that of the assumed cluster. */
export function defaultClassOf({
  environment,
  cluster,
}: Pick<EnvironmentContext, "environment" | "cluster">): string | undefined {
  const values: readonly Readonly<Record<string, unknown>>[] = [
    ...environment.objects.filter(({ object }) => object.served).map(({ object }) => object.value),
    ...cluster.manifests,
  ];
  const found = values.find(isMarkedDefault);
  const name = fieldsAt(found ?? {}, "metadata")["name"];
  return typeof name === "string" ? name : undefined;
}
