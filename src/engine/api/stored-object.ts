/**
 * An object as another API server has stored it: decoded and completed with defaults, without admission and validation, for
 * those it has gone through. Upstream: what a server reads from etcd, where fields that it does not know are lost.
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

/** Of a served kind, with a name, or why it is none. */
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

/** What components take for granted of an object that was validated when it was stored. */
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
