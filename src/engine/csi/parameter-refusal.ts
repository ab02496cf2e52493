/** What a driver refuses about mutable attributes of volumes and about parameters of snapshots. */
import { compareText } from "../api/go/text-order.ts";
import { type AttributeRefusal, firstRefusal } from "./creation-refusal.ts";
import type { DriverProfile } from "./driver-profile.ts";
import type { CsiRequest } from "./messages.ts";
import { type Refusal, refuse } from "./rpc.ts";

/** The refusal of a new volume's attributes; undefined if they are accepted. */
export function attributesError(profile: DriverProfile, request: CsiRequest): Refusal | undefined {
  const { modifyRefusal, modifyRefusalOfNew = modifyRefusal, attributeRefusals } = profile;
  return (
    unknownAttribute(profile, request.mutable_parameters, modifyRefusalOfNew) ??
    unfitAttribute(profile, attributeRefusals, request)
  );
}

/** The same for changing a volume that was created with these parameters. */
export function changedAttributesError(
  profile: DriverProfile,
  attributes: Readonly<Record<string, string>> = {},
  parameters: Readonly<Record<string, string>>,
): Refusal | undefined {
  const refusals = profile.attributeRefusals
    ?.filter(({ isOfNew = false }) => !isOfNew)
    .map((refusal) => ({ ...refusal, text: refusal.textOfChange ?? refusal.text }));
  const request = { parameters, mutable_parameters: attributes, volume_capabilities: [{}] };
  return (
    unknownAttribute(profile, attributes, profile.modifyRefusal) ??
    unfitAttribute(profile, refusals, request)
  );
}

function unknownAttribute(
  profile: DriverProfile,
  attributes: Readonly<Record<string, string>> = {},
  words: string | undefined,
): Refusal | undefined {
  const { name, modify, modifyParameters, modifyIgnored = [], modifyPrefixes = [] } = profile;
  const given = Object.keys(attributes).sort(compareText);
  if (given.length > 0 && !modify) {
    return refuse("InvalidArgument", `${name} has no mutable parameters`);
  }
  if (modifyParameters === "any") return undefined;
  const fold = (key: string): string =>
    profile.foldsAttributes === true ? key.toLowerCase() : key;
  const known = new Set([...modifyParameters, ...modifyIgnored].map(fold));
  const unknown = given.filter(
    (key) => !known.has(fold(key)) && !modifyPrefixes.some((start) => key.startsWith(start)),
  );
  const [first] = unknown;
  if (first === undefined) return undefined;
  const text = words?.replace("<KEY>", first);
  return refuse("InvalidArgument", text ?? `unknown mutable parameter ${unknown.join(", ")}`);
}

function unfitAttribute(
  profile: DriverProfile,
  refusals: readonly AttributeRefusal[] | undefined,
  request: CsiRequest,
): Refusal | undefined {
  const given = Object.keys(request.mutable_parameters ?? {}).map((key) => key.toLowerCase());
  if (given.length === 0) return undefined;
  const meant = refusals?.filter(
    ({ changes }) =>
      changes === undefined || changes.some((key) => given.includes(key.toLowerCase())),
  );
  return firstRefusal(meant, profile, request, { NAME: request.name ?? "" });
}

/**
 * The refusal of a snapshot class's parameters. Upstream: the beginning of each driver's CreateSnapshot; the catalogue says
 * where it was read.
 */
export function snapshotParameterError(
  profile: DriverProfile,
  { parameters = {} }: CsiRequest,
): Refusal | undefined {
  const request = { parameters, volume_capabilities: [{}] };
  return firstRefusal(profile.snapshotRefusals, profile, request, {});
}
