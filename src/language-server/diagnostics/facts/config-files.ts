/** Which files a pod's volume of ConfigMaps, Secrets and fields of the pod holds, as far as manifests tell. */
import {
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { EnvironmentContext } from "../rule.ts";

export interface ConfigFiles {
  /** Paths in the volume. */
  readonly paths: readonly string[];
  /** The objects whose keys they are. */
  readonly from: readonly WorkspaceObject[];
}

/** Undefined for other volumes, and where some of the keys are in no file or somebody else adds to them. */
export function configFilesOf(
  context: EnvironmentContext,
  namespace: string,
  { fields }: Located,
): ConfigFiles | undefined {
  if (fields["projected"] === undefined) return filesOfSource(context, namespace, fields);
  const paths: string[] = [];
  const from: WorkspaceObject[] = [];
  for (const source of itemsOf(fieldsAt(fields, "projected")["sources"], [])) {
    const files = filesOfSource(context, namespace, source.fields);
    if (files === undefined) return undefined;
    paths.push(...files.paths);
    from.push(...files.from);
  }
  return { paths, from };
}

function filesOfSource(
  { environment }: EnvironmentContext,
  namespace: string,
  source: Fields,
): ConfigFiles | undefined {
  if (source["downwardAPI"] !== undefined)
    return { paths: itemPaths(fieldsAt(source, "downwardAPI")) ?? [], from: [] };
  const tokenPath = textAt(source, "serviceAccountToken", "path");
  if (tokenPath !== undefined) return { paths: [tokenPath], from: [] };
  const field = ["configMap", "secret"].find((name) => source[name] !== undefined);
  if (field === undefined) return undefined;
  const named = fieldsAt(source, field);
  const paths = itemPaths(named);
  if (paths !== undefined) return { paths, from: [] };
  const kind = field === "secret" ? "Secret" : "ConfigMap";
  const name = textAt(named, "secretName") ?? textAt(named, "name");
  const entry = environment.byRef.get(`${kind}/${namespace}/${name}`)?.at(-1);
  const generated = environment.kustomized.generated.filter(
    (object) => object.kind === kind && object.namespace === namespace && object.name === name,
  );
  if (generated.some(({ keys }) => keys === undefined)) return undefined;
  const made = generated.flatMap(({ keys }) => keys ?? []);
  const keys = [...(entry === undefined ? [] : keysOf(entry)), ...made];
  if (keys.length === 0) return undefined;
  return { paths: keys, from: entry === undefined ? [] : [entry] };
}

/** Undefined where all keys are files by their own names. */
function itemPaths(source: Fields): readonly string[] | undefined {
  const items = itemsOf(source["items"], []);
  if (items.length === 0) return undefined;
  return items.flatMap(({ fields }) => textAt(fields, "path") ?? []);
}

/** None where a controller writes some: it is asked so by a label, an annotation or the type. */
function keysOf({ object: { value } }: WorkspaceObject): readonly string[] {
  const { labels, annotations } = fieldsAt(value, "metadata");
  const asked = Object.keys({
    ...fieldsAt({ labels }, "labels"),
    ...fieldsAt({ annotations }, "annotations"),
  });
  if (asked.some((key) => key.includes("inject"))) return [];
  if (value["type"] === "kubernetes.io/service-account-token") return [];
  return ["data", "binaryData", "stringData"].flatMap((place) =>
    Object.keys(fieldsAt(value, place)),
  );
}
