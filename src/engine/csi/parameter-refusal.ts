/** What a driver has against parameters that are not a volume's: attributes that may be changed, and those of snapshots. */
import { compareText } from "../api/go/text-order.ts";
import { sidecarPrefix } from "./catalogue/sidecar-parameters.ts";
import type { DriverProfile } from "./driver-profile.ts";
import { type Refusal, refuse } from "./rpc.ts";

/** Of a VolumeAttributesClass. */
export function mutableParameterError(
  profile: DriverProfile,
  parameters: Readonly<Record<string, string>> | undefined,
): Refusal | undefined {
  const { name, modify, modifyParameters, modifyPrefixes = [], modifyRefusal } = profile;
  const given = Object.keys(parameters ?? {}).sort(compareText);
  if (given.length > 0 && !modify) {
    return refuse("InvalidArgument", `${name} has no mutable parameters`);
  }
  if (modifyParameters === "any") return undefined;
  const unknown = given.filter(
    (key) =>
      !modifyParameters.includes(key) && !modifyPrefixes.some((start) => key.startsWith(start)),
  );
  const [first] = unknown;
  if (first === undefined) return undefined;
  const text = modifyRefusal?.replace("<KEY>", first);
  return refuse("InvalidArgument", text ?? `unknown mutable parameter ${unknown.join(", ")}`);
}

/** Of a snapshot's class. */
export function snapshotParameterError(
  profile: DriverProfile,
  parameters: Readonly<Record<string, string>> | undefined,
): Refusal | undefined {
  const { snapshotRefusal } = profile;
  if (snapshotRefusal === undefined) return undefined;
  const { keyOtherThan, keyPrefixes = [], text, code = "InvalidArgument" } = snapshotRefusal;
  const taken = new Set(keyOtherThan.map((key) => key.toLowerCase()));
  const isTaken = (key: string): boolean =>
    taken.has(key.toLowerCase()) ||
    [sidecarPrefix, ...keyPrefixes].some((start) => key.startsWith(start));
  const other = Object.keys(parameters ?? {})
    .sort(compareText)
    .find((key) => !isTaken(key));
  return other === undefined ? undefined : refuse(code, text.replace("<KEY>", other));
}
