/** The named parts of an object: containers, volumes, claim templates, parameters, keys. */
import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  listAt,
  podSpecOf,
  podVolumesOf,
  textAt,
} from "../workspace/manifest-fields.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";

export type PartKind = "container" | "mount" | "pod-volume" | "template" | "key";

/** Paths start at the object's root. */
export interface Part {
  readonly name: string;
  readonly detail: string;
  readonly kind: PartKind;
  readonly path: Path;
  /** Where the name stands; if absent, at the part's key. */
  readonly namePath?: Path;
  readonly children: readonly Part[];
}

export function partsOf(object: ManifestObject): readonly Part[] {
  const { kind, value } = object;
  switch (kind) {
    case "StorageClass":
    case "VolumeAttributesClass":
    case "VolumeSnapshotClass":
      return keysAt(value, "parameters");
    case "ConfigMap":
      return [...keysAt(value, "data"), ...keysAt(value, "binaryData")].map(withoutDetail);
    case "Secret":
      return [...keysAt(value, "data"), ...keysAt(value, "stringData")].map(withoutDetail);
    case "CSINode":
      return itemsOf(fieldsAt(value, "spec")["drivers"], ["spec", "drivers"]).map((driver) =>
        part(driver, "key", ""),
      );
    default:
      return podSpecOf(object) === undefined ? [] : partsOfPods(object);
  }
}

/** In the order in which they explain each other: containers with their mounts, volumes, claim templates. */
function partsOfPods(object: ManifestObject): readonly Part[] {
  const containers = containersOf(object).map((container): Part => {
    const mounts = ["volumeMounts", "volumeDevices"].flatMap((field) =>
      itemsOf(container.fields[field], [...container.path, field]).map((mount) =>
        part(
          mount,
          "mount",
          textAt(mount.fields, "mountPath") ?? textAt(mount.fields, "devicePath") ?? "",
        ),
      ),
    );
    return {
      ...part(container, "container", textAt(container.fields, "image") ?? ""),
      children: mounts,
    };
  });
  const volumes = podVolumesOf(object).map((volume) =>
    part(volume, "pod-volume", sourceText(volume.fields)),
  );
  const path = ["spec", "volumeClaimTemplates"];
  const templates =
    object.kind === "StatefulSet"
      ? itemsOf(fieldsAt(object.value, "spec")["volumeClaimTemplates"], path).map(
          (template): Part => ({
            name: textAt(template.fields, "metadata", "name") ?? "(no name)",
            detail: claimText(fieldsAt(template.fields, "spec")),
            kind: "template",
            path: template.path,
            namePath: [...template.path, "metadata", "name"],
            children: [],
          }),
        )
      : [];
  return [...containers, ...volumes, ...templates];
}

function part({ fields, path }: Located, kind: PartKind, detail: string): Part {
  const name = textAt(fields, "name");
  return {
    name: name ?? "(no name)",
    detail,
    kind,
    path,
    ...(name !== undefined && { namePath: [...path, "name"] }),
    children: [],
  };
}

function keysAt(value: Fields, field: string): readonly Part[] {
  return Object.entries(fieldsAt(value, field)).map(
    ([name, text]): Part => ({
      name: name === "" ? '""' : name,
      detail: typeof text === "object" ? "" : String(text),
      kind: "key",
      path: [field, name],
      children: [],
    }),
  );
}

/** The values of ConfigMaps are long, those of Secrets private. */
function withoutDetail(key: Part): Part {
  return { ...key, detail: "" };
}

/** `claim data`, `emptyDir`, `configMap settings`. */
function sourceText(volume: Fields): string {
  const source = Object.keys(volume).find((key) => key !== "name");
  if (source === undefined) return "";
  const fields = fieldsAt(volume, source);
  const name = ["claimName", "name", "secretName", "driver", "path", "server"].flatMap(
    (field) => textAt(fields, field) ?? [],
  )[0];
  const what = source === "persistentVolumeClaim" ? "claim" : source;
  return name === undefined ? what : `${what} ${name}`;
}

/** The fields a reader wants to see before opening the object; "" for other kinds. */
export function summaryOf({ kind, value }: ManifestObject): string {
  const spec = fieldsAt(value, "spec");
  switch (kind) {
    case "PersistentVolumeClaim":
      return claimText(spec);
    case "PersistentVolume":
      return joined(
        textAt(spec, "capacity", "storage"),
        modesText(spec),
        textAt(spec, "storageClassName"),
      );
    case "StorageClass":
      return joined(textAt(value, "provisioner"), textAt(value, "volumeBindingMode"));
    case "StatefulSet":
    case "Deployment":
    case "ReplicaSet":
    case "ReplicationController":
      return typeof spec["replicas"] === "number" ? `${spec["replicas"]} replicas` : "";
    default:
      return "";
  }
}

function claimText(spec: Fields): string {
  return joined(
    textAt(spec, "resources", "requests", "storage"),
    modesText(spec),
    textAt(spec, "storageClassName"),
  );
}

function modesText(spec: Fields): string {
  return listAt(spec, "accessModes")
    .filter((mode) => typeof mode === "string")
    .join(" ");
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((text) => text !== undefined && text !== "").join(" ");
}
