/**
 * What real drivers refuse to attach or mount, as data: inline and hand-written volumes whose handle, attributes, secret or
 * access mode is not acceptable. Upstream: the beginning of each driver's ControllerPublishVolume, NodeStageVolume and
 * NodePublishVolume; the catalogue says where it was read.
 */

import { goPrint } from "../api/go/text.ts";
import { type CreationRefusal, firstRefusal } from "./creation-refusal.ts";
import type { CsiRequest } from "./messages.ts";
import type { Refusal } from "./rpc.ts";

/** Applies to a request that meets all conditions that are set; conditions on parameters are about the volume's attributes. */
export interface MountRefusal
  extends Pick<
    CreationRefusal,
    | "code"
    | "empty"
    | "fsTypes"
    | "gives"
    | "keyOtherThan"
    | "lacks"
    | "lacksSecrets"
    | "modes"
    | "secretNeed"
    | "unreadable"
    | "valueBelow"
    | "valueOtherThan"
    | "valueUnlike"
    | "volumeMode"
    | "where"
  > {
  /** Applies only to inline volumes, or only to all others. */
  readonly of?: "inline" | "persistent";
  /**
   * The driver's words, with the placeholders of `CreationRefusal`; also, `<HANDLE>` stands for the volume's handle, `<FIELD>`
   * for its last part after a colon, `<ATTRIBUTES>` for all attributes, printed like a Go map.
   */
  readonly text: string;
  /** The volume has no attributes. */
  readonly isBare?: true;
  /** The pod may write to it. */
  readonly isWritable?: true;
  /** The handle does not match this regular expression. */
  readonly handleUnlike?: string;
  /** The volume has this mount option. */
  readonly mountOption?: string;
}

/** Returns the first refusal that applies; undefined if none does. */
export function mountRefusal(
  refusals: readonly MountRefusal[] | undefined,
  driver: { readonly hasExactKeys?: boolean },
  request: CsiRequest,
): Refusal | undefined {
  if (refusals === undefined) return undefined;
  const {
    volume_context: parameters = {},
    volume_capability,
    secrets,
    volume_id: id = "",
  } = request;
  return firstRefusal(
    refusals.filter((refusal) => isMeant(refusal, request)),
    driver,
    {
      parameters,
      ...(volume_capability !== undefined && { volume_capabilities: [volume_capability] }),
      ...(secrets !== undefined && { secrets }),
    },
    { HANDLE: id, FIELD: id.slice(id.lastIndexOf(":") + 1), ATTRIBUTES: goPrint(parameters) },
  );
}

function isMeant(refusal: MountRefusal, request: CsiRequest): boolean {
  const { of, isBare, isWritable, handleUnlike, mountOption } = refusal;
  const { volume_context: attributes = {}, volume_capability: capability } = request;
  return (
    (of === undefined || (of === "inline") === isInline(request)) &&
    (isBare !== true || Object.keys(attributes).length === 0) &&
    (isWritable !== true || request.readonly !== true) &&
    (handleUnlike === undefined || !new RegExp(handleUnlike).test(request.volume_id ?? "")) &&
    (mountOption === undefined || capability?.mount?.mount_flags?.includes(mountOption) === true)
  );
}

const ephemeralContext = "csi.storage.k8s.io/ephemeral";

/** True for inline volumes, which their driver makes when it publishes them. */
export function isInline({ volume_context: context, volume_id: id = "" }: CsiRequest): boolean {
  return context?.[ephemeralContext] === "true" || /^csi-[0-9a-f]{64}$/.test(id);
}
