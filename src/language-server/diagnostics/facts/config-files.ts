/** The files in a pod's volume of ConfigMaps, Secrets and fields of the pod, as far as manifests tell. */
import { lastWritten } from "../../workspace/environment.ts";
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
  /** The modes of these files. */
  readonly modes: readonly number[];
  /** The objects whose keys the files are. */
  readonly from: readonly WorkspaceObject[];
}

const configSources: readonly string[] = ["configMap", "secret", "downwardAPI", "projected"];

/** True for a volume whose files the kubelet writes and keeps up to date, and that it mounts read-only. */
export function isConfigVolume({ fields }: Located): boolean {
  return configSources.some((source) => fields[source] !== undefined);
}

/** Upstream: core/v1 defaults.go, ConfigMapVolumeSourceDefaultMode. */
const usualMode = 0o644;

/** Undefined for other volumes, and if some keys are in no file or may be added by others. */
export function configFilesOf(
  context: EnvironmentContext,
  namespace: string,
  { fields }: Located,
): ConfigFiles | undefined {
  if (fields["projected"] === undefined) return filesOfSource(context, namespace, fields);
  const projected = fieldsAt(fields, "projected");
  const paths: string[] = [];
  const modes: number[] = [];
  const from: WorkspaceObject[] = [];
  for (const source of itemsOf(projected["sources"], [])) {
    const files = filesOfSource(context, namespace, source.fields, projected["defaultMode"]);
    if (files === undefined) return undefined;
    paths.push(...files.paths);
    modes.push(...files.modes);
    from.push(...files.from);
  }
  return { paths, modes, from };
}

function filesOfSource(
  context: EnvironmentContext,
  namespace: string,
  source: Fields,
  projectedMode?: unknown,
): ConfigFiles | undefined {
  const tokenPath = textAt(source, "serviceAccountToken", "path");
  if (tokenPath !== undefined) return { paths: [tokenPath], modes: [usualMode], from: [] };
  const field = ["downwardAPI", "configMap", "secret"].find((name) => source[name] !== undefined);
  if (field === undefined) return undefined;
  const named = fieldsAt(source, field);
  const mode = modeOr(usualMode, projectedMode ?? named["defaultMode"]);
  const items = itemsOf(named["items"], []);
  if (items.length > 0 || field === "downwardAPI")
    return {
      paths: items.map(({ fields }) => textAt(fields, "path") ?? ""),
      modes: items.map(({ fields }) => modeOr(mode, fields["mode"])),
      from: [],
    };
  const keys = allKeys(context, namespace, field === "secret" ? "Secret" : "ConfigMap", named);
  return keys && { ...keys, modes: keys.paths.map(() => mode) };
}

function modeOr(usual: number, written: unknown): number {
  return typeof written === "number" ? written : usual;
}

/** The files of a source that lists no items: all keys of its object, by their own names. */
function allKeys(
  { environment }: EnvironmentContext,
  namespace: string,
  kind: "ConfigMap" | "Secret",
  named: Fields,
): Omit<ConfigFiles, "modes"> | undefined {
  const name = textAt(named, "secretName") ?? textAt(named, "name");
  const entry = lastWritten(environment, kind, namespace, name);
  const generated = environment.kustomized.generated.filter(
    (object) => object.kind === kind && object.namespace === namespace && object.name === name,
  );
  if (generated.some(({ keys }) => keys === undefined)) return undefined;
  const made = generated.flatMap(({ keys }) => keys ?? []);
  const keys = [...(entry === undefined ? [] : keysOf(entry)), ...made];
  if (keys.length === 0) return undefined;
  return { paths: keys, from: entry === undefined ? [] : [entry] };
}

/** Empty if a controller writes some of the keys, as a label, an annotation or the type shows. */
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
