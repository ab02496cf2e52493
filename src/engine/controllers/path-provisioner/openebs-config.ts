/**
 * Settings in the annotation cas.openebs.io/config of a class, or of the claim for what the class does not set.
 * Upstream: openebs/dynamic-localpv-provisioner cmd/provisioner-localpv/app/config.go GetVolumeConfig, GetStorageType, GetPath.
 * Reads the form that its documentation shows, with an entry's name, value and list on separate lines, and no other YAML.
 */
import type { KubeObject } from "../../api/meta.ts";

export interface OpenEbsConfig {
  /** Only `hostpath` is still provisioned. */
  readonly storageType: string;
  readonly basePath: string;
  /** Keys of the node labels that go into the volumes' nodeAffinity. */
  readonly nodeAffinityLabels: readonly string[];
}

const configAnnotation = "cas.openebs.io/config";

export function openEbsConfig(
  storageClass: KubeObject<"StorageClass">,
  claim: KubeObject<"PersistentVolumeClaim">,
): OpenEbsConfig {
  const entries = [claim, storageClass].flatMap(({ metadata }) =>
    entriesOf(metadata.annotations?.[configAnnotation] ?? ""),
  );
  const last = (name: string): Entry | undefined =>
    entries.findLast((entry) => entry.name === name);
  const value = (name: string): string | undefined => last(name)?.value?.trim() || undefined;
  return {
    storageType: value("StorageType") ?? "hostpath",
    basePath: value("BasePath") ?? "/var/openebs/local",
    nodeAffinityLabels: last("NodeAffinityLabels")?.list ?? ["kubernetes.io/hostname"],
  };
}

interface Entry {
  readonly name: string;
  readonly value?: string;
  readonly list?: readonly string[];
}

function entriesOf(config: string): readonly Entry[] {
  return config.split(/^-\s*(?=name:)/m).flatMap((text) => {
    const name = scalar(/^name:(.*)$/m.exec(text)?.[1]);
    if (name === undefined) return [];
    const value = scalar(/^[ \t]+value:(.*)$/m.exec(text)?.[1]);
    const items = /^[ \t]+list:[ \t\r]*\n((?:[ \t]+-.*\n?)+)/m.exec(text)?.[1];
    const list = items?.split("\n").flatMap((line) => scalar(/^\s*-(.*)$/.exec(line)?.[1]) ?? []);
    return [{ name, ...(value !== undefined && { value }), ...(list !== undefined && { list }) }];
  });
}

/** Removes quotes and a comment. */
function scalar(text: string | undefined): string | undefined {
  return text
    ?.replace(/\s#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}
