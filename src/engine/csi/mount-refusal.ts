/**
 * What real drivers refuse to attach and to mount, as data: inline volumes and such as somebody has written by hand, whose
 * handle, attributes, secret or access mode will not do. Upstream: the beginning of each driver's ControllerPublishVolume,
 * NodeStageVolume and NodePublishVolume; the catalogue says where it was read.
 */

import { goPrint } from "../api/go/text.ts";
import { type CreationRefusal, firstRefusal } from "./creation-refusal.ts";
import type { CsiRequest } from "./messages.ts";
import type { Refusal } from "./rpc.ts";

/** Conditions on parameters are meant of the volume's attributes; it holds for a request for which all that are given hold. */
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
  /** Of inline volumes only, or of all others. */
  readonly of?: "inline" | "persistent";
  /**
   * The driver's words, with the placeholders of a creation's; besides, `<HANDLE>` stands for the volume's handle, `<FIELD>` for the
   * last of its parts between colons, `<ATTRIBUTES>` for all attributes, as Go prints a map of them.
   */
  readonly text: string;
  /** There is no attribute at all. */
  readonly isBare?: true;
  /** The pod may write to it. */
  readonly isWritable?: true;
  /** The handle does not match this regular expression. */
  readonly handleUnlike?: string;
  /** The volume has this mount option. */
  readonly mountOption?: string;
}

/** The first that holds. */
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

/** Inline volumes: their driver makes them at their publication. */
export function isInline({ volume_context: context, volume_id: id = "" }: CsiRequest): boolean {
  return context?.[ephemeralContext] === "true" || /^csi-[0-9a-f]{64}$/.test(id);
}
