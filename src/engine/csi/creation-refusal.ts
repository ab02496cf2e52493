/**
 * What real drivers refuse to make, as data: parameters of the class, and access modes that depend on them or on a source.
 * Upstream: the beginning of each driver's CreateVolume; the catalogue says where it was read.
 */
import { quantityBytes } from "../api/quantity.ts";
import type { CsiRequest, VolumeCapability } from "./messages.ts";
import { type Refusal, refuse } from "./rpc.ts";
import { gibibyte, roundUpTo } from "./size.ts";
import { accessType, modeName } from "./volume-capability.ts";

/** It holds for a request for which all conditions that are given hold. */
export interface CreationRefusal {
  /** The driver's words. `<NAME>` stands for the volume's name, `<MODE>` for the CSI mode, `<KEY>` and `<VALUE>` for the parameter, `<GIB>` for the size. */
  readonly text: string;
  /** `InvalidArgument` where absent. */
  readonly code?: string;
  /** One of these CSI modes is asked for. */
  readonly modes?: readonly string[];
  readonly volumeMode?: "Block" | "Filesystem";
  /** The volume would be empty. */
  readonly isWithoutSource?: boolean;
  /** A parameter is none of these, whatever its case; what is meant for the sidecars is never meant. */
  readonly keyOtherThan?: readonly string[];
  /** With `keyOtherThan`: what other keys may begin with. */
  readonly keyPrefixes?: readonly string[];
  /** The parameter is absent or empty. */
  readonly lacks?: string;
  /** The parameter is none of these, "" where absent. */
  readonly valueOtherThan?: ParameterValues;
  /** Less than this quantity is asked for, in full gibibytes. */
  readonly sizeBelow?: string;
  /** The parameter is one of these, whatever its case. */
  readonly where?: ParameterValues;
  /** The parameter is a smaller number, or absent. */
  readonly valueBelow?: { readonly key: string; readonly least: number };
}

interface ParameterValues {
  readonly key: string;
  readonly values: readonly string[];
  /** Whether the driver takes them in any case. */
  readonly foldsCase?: boolean;
}

const sidecarPrefix = "csi.storage.k8s.io/";

/** The first that holds. */
export function creationRefusal(
  refusals: readonly CreationRefusal[],
  request: CsiRequest,
): Refusal | undefined {
  for (const refusal of refusals) {
    const capability = (request.volume_capabilities ?? []).find((c) => isMeant(refusal, c));
    if (capability === undefined) continue;
    const parameter = offendingParameter(refusal, request);
    if (parameter === undefined) continue;
    const text = refusal.text
      .replaceAll("<NAME>", request.name ?? "")
      .replaceAll("<MODE>", modeName(capability))
      .replaceAll("<KEY>", parameter.key)
      .replaceAll("<VALUE>", parameter.value)
      .replaceAll("<GIB>", String(gibibytesOf(request)));
    return refuse(refusal.code ?? "InvalidArgument", text);
  }
  return undefined;
}

function isMeant({ modes, volumeMode }: CreationRefusal, capability: VolumeCapability): boolean {
  return (
    (modes === undefined || modes.includes(modeName(capability))) &&
    (volumeMode === undefined || volumeMode === accessType(capability))
  );
}

interface Parameter {
  readonly key: string;
  readonly value: string;
}

const none: Parameter = { key: "", value: "" };

/** What is wrong with the request's source and parameters; undefined where nothing is. */
function offendingParameter(refusal: CreationRefusal, request: CsiRequest): Parameter | undefined {
  const { keyOtherThan, keyPrefixes = [], lacks, valueOtherThan, valueBelow } = refusal;
  const { volume_content_source: source, parameters = {} } = request;
  if (refusal.isWithoutSource === true && source !== undefined) return undefined;
  const { sizeBelow } = refusal;
  if (sizeBelow !== undefined && gibibytesOf(request) * gibibyte >= quantityBytes(sizeBelow)) {
    return undefined;
  }
  if (refusal.where !== undefined && !isOneOf(parameters, { ...refusal.where, foldsCase: true })) {
    return undefined;
  }
  let offending = none;
  if (keyOtherThan !== undefined) {
    const known = new Set(keyOtherThan.map((key) => key.toLowerCase()));
    const key = Object.keys(parameters).find(
      (k) =>
        !k.startsWith(sidecarPrefix) &&
        !known.has(k.toLowerCase()) &&
        !keyPrefixes.some((prefix) => k.startsWith(prefix)),
    );
    if (key === undefined) return undefined;
    offending = { key, value: parameters[key] ?? "" };
  }
  if (lacks !== undefined && parameterOf(parameters, lacks) !== "") return undefined;
  if (valueOtherThan !== undefined) {
    if (isOneOf(parameters, valueOtherThan)) return undefined;
    const { key } = valueOtherThan;
    offending = { key, value: parameterOf(parameters, key) };
  }
  if (valueBelow !== undefined) {
    const value = parameterOf(parameters, valueBelow.key);
    if (Number(value) >= valueBelow.least) return undefined;
    offending = { key: valueBelow.key, value };
  }
  return offending;
}

function gibibytesOf({ capacity_range: range }: CsiRequest): bigint {
  return roundUpTo(BigInt(range?.required_bytes ?? 0), gibibyte) / gibibyte;
}

function isOneOf(
  parameters: Readonly<Record<string, string>>,
  { key, values, foldsCase = false }: ParameterValues,
): boolean {
  const value = parameterOf(parameters, key);
  if (!foldsCase) return values.includes(value);
  return values.some((allowed) => allowed.toLowerCase() === value.toLowerCase());
}

/** Drivers read their keys without regard to case. */
function parameterOf(parameters: Readonly<Record<string, string>>, name: string): string {
  const key = Object.keys(parameters).find((k) => k.toLowerCase() === name.toLowerCase());
  return key === undefined ? "" : (parameters[key] ?? "");
}
