/** Conditions that say which volumes a trait in a driver's profile applies to. */
import type { VolumeCapability } from "./messages.ts";
import { accessType } from "./volume-capability.ts";

/** Met by a volume that meets all parts that are set. */
export interface VolumeCondition {
  readonly volumeMode?: "Block" | "Filesystem";
  readonly fsTypes?: readonly string[];
  /** Each of these parameters of the class has one of its values, in any case. */
  readonly where?: readonly Omit<ParameterValues, "foldsCase">[];
}

export interface ParameterValues {
  readonly key: string;
  readonly values: readonly string[];
  /** True if the driver ignores the values' case. */
  readonly foldsCase?: boolean;
  /** True if the parameter may have several values, separated by commas. */
  readonly isList?: boolean;
}

/** Returns a parameter of a class as its driver reads it; "" if it is absent. */
export type ParameterOf = (key: string) => string;

export function parametersOf(
  { hasExactKeys = false }: { readonly hasExactKeys?: boolean },
  parameters: Readonly<Record<string, string>> = {},
): ParameterOf {
  const fold = (key: string): string => (hasExactKeys ? key : key.toLowerCase());
  const given = new Map(Object.entries(parameters).map(([key, value]) => [fold(key), value]));
  return (key) => given.get(fold(key)) ?? "";
}

export function meetsCondition(
  { volumeMode, fsTypes, where }: VolumeCondition,
  capability: VolumeCapability | undefined,
  parameterOf: ParameterOf,
): boolean {
  const mode = capability === undefined ? undefined : accessType(capability);
  const fsType = capability?.mount?.fs_type ?? "";
  return (
    (volumeMode === undefined || volumeMode === mode) &&
    (fsTypes === undefined || fsTypes.includes(fsType)) &&
    (where ?? []).every((values) => isOneOf({ ...values, foldsCase: true }, parameterOf))
  );
}

export function isOneOf(
  { key, values, foldsCase = false, isList = false }: ParameterValues,
  parameterOf: ParameterOf,
): boolean {
  const fold = (value: string): string => (foldsCase ? value.toLowerCase() : value);
  const taken = new Set(values.map(fold));
  const given = parameterOf(key);
  return (isList ? given.split(",") : [given]).every((value) => taken.has(fold(value)));
}
