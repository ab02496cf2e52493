/** ConfigMaps and Secrets made by kustomizations and operators: with their keys as far as these are known, but no values. */
import { keysForDrivers } from "../../engine/csi/catalogue/secret-needs.ts";
import type { Manifest } from "../../engine/scenario.ts";
import type { GeneratedObject } from "../workspace/kustomize/generators.ts";
import { itemsOf, textAt } from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";

/** If keys cannot be known, an object gets those that pods refer to and those that drivers look for. */
export function generatedObjects(
  generated: readonly Pick<GeneratedObject, "kind" | "namespace" | "name" | "keys">[],
  applied: readonly WorkspaceObject[],
): readonly Manifest[] {
  const keysByRef = new Map<string, Set<string>>();
  for (const { kind, namespace, name, keys } of generated) {
    const ref = `${kind}/${namespace}/${name}`;
    const known = keysByRef.get(ref) ?? new Set();
    keysByRef.set(ref, known);
    for (const key of keys ?? askedFor(ref, applied)) known.add(key);
  }
  return [...keysByRef].map(([ref, keys]) => {
    const [kind = "", namespace, name] = ref.split("/");
    const data = Object.fromEntries([...keys].map((key) => [key, ""]));
    return { apiVersion: "v1", kind, metadata: { name, namespace }, data };
  });
}

function askedFor(ref: string, applied: readonly WorkspaceObject[]): readonly string[] {
  const byDrivers = ref.startsWith("Secret/") ? keysForDrivers : [];
  const byPods = applied.flatMap(({ object }) =>
    referencesOf(object)
      .filter(({ kind, namespace, name }) => `${kind}/${namespace}/${name}` === ref)
      .flatMap(({ path }) => keysIn(valueAt(object.value, path.slice(0, -1)))),
  );
  return [...byPods, ...byDrivers];
}

/** The key that a variable's source names, or those of a volume's items. */
function keysIn(source: unknown): readonly string[] {
  const fields = isRecord(source) ? source : {};
  const items = itemsOf(fields["items"], []).map((item) => item.fields);
  return [fields, ...items].flatMap((one) => textAt(one, "key") ?? []);
}
