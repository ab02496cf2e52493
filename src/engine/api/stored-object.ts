/**
 * An object as another API server has stored it: decoded and defaulted again, but not admitted or validated, since that server
 * did so. Upstream: what a server reads from etcd, where fields that it does not know are lost.
 */
import { newestVersion } from "../scenario.ts";
import { customKinds, decodeCustom } from "./decoding/custom-resource.ts";
import { decodeModel, tieLooseEnds } from "./decoding/decode.ts";
import { setDefaults } from "./defaults/defaults.ts";
import { type KubeObject, kindSchema, specAndStatus } from "./meta.ts";
import type { MutableObject } from "./mutable.ts";
import { normalizeDataSources } from "./strategy/data-sources.ts";
import { completeStoredAddresses } from "./strategy/service.ts";

export type StoredObject =
  | { readonly ok: true; readonly object: KubeObject }
  | { readonly ok: false; readonly error: string };

/** The object, or why the input is not one: its kind is not served, it has no name, or parts are missing. */
export function storedObject(input: Readonly<Record<string, unknown>>): StoredObject {
  const kind = String(input["kind"]);
  const schema = kindSchema(kind);
  if (schema === undefined || schema.apiVersion !== input["apiVersion"])
    return { ok: false, error: `${String(input["apiVersion"])} ${kind} is not served` };
  const decoded = customKinds.has(schema.kind)
    ? decodeCustom(schema.kind, input)
    : decodeModel(schema.model, input);
  if (!decoded.ok) return { ok: false, error: decoded.cause };
  const object = decoded.value as unknown as MutableObject;
  object.kind = schema.kind;
  const { metadata } = object;
  if ((metadata.name ?? "") === "") return { ok: false, error: "it has no name" };
  if (schema.namespaced) metadata.namespace ??= "default";
  delete metadata.managedFields;
  if (!hasParts(object))
    return { ok: false, error: "parts are missing that the API server always stores" };
  setDefaults(object, newestVersion);
  if (object.kind === "PersistentVolumeClaim") normalizeDataSources(object.spec);
  if (object.kind === "Service" && object.spec !== undefined) completeStoredAddresses(object.spec);
  tieLooseEnds(decoded.loose);
  return { ok: true, object };
}

/** True if the object has the parts that components take for granted, since validation requires them. */
function hasParts(object: KubeObject): boolean {
  const spec = specAndStatus(object).spec as Record<string, unknown> | undefined;
  switch (object.kind) {
    case "Pod":
      return Array.isArray(spec?.["containers"]) && spec["containers"].length > 0;
    case "VolumeAttachment":
      return object.spec.nodeName !== "" && object.spec.attacher !== "";
    case "VolumeSnapshot":
    case "VolumeSnapshotContent":
      return typeof spec?.["source"] === "object";
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
    case "DaemonSet":
    case "Job":
      return typeof spec?.["template"] === "object";
    default:
      return true;
  }
}
