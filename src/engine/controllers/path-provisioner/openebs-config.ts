/**
 * What the annotation cas.openebs.io/config of a class says of its volumes, and of what it leaves open that of the claim.
 * Upstream: openebs/dynamic-localpv-provisioner cmd/provisioner-localpv/app/config.go GetVolumeConfig, GetStorageType, GetPath.
 * Read is what its documentation shows, an entry's name, value and list on lines of their own; not other ways to write YAML.
 */
import type { KubeObject } from "../../api/meta.ts";

export interface OpenEbsConfig {
  /** `hostpath` is the one that is still made. */
  readonly storageType: string;
  readonly basePath: string;
  /** Labels of the node that its volumes ask for. */
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

/** Without quotes and a comment. */
function scalar(text: string | undefined): string | undefined {
  return text
    ?.replace(/\s#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}
