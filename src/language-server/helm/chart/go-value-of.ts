/** Converts JSON to template values: objects become maps, and all numbers are float64, as in sigs.k8s.io/yaml. */
import type { Json } from "../../../engine/api/json.ts";
import type { GoMap, GoValue } from "../go-template/values.ts";

export function goValueOf(json: Json): GoValue {
  if (typeof json !== "object" || json === null) return json;
  return Array.isArray(json)
    ? json.map(goValueOf)
    : goMapOf(json as { readonly [key: string]: Json });
}

export function goMapOf(record: { readonly [key: string]: Json }): GoMap {
  return new Map(Object.entries(record).map(([key, value]) => [key, goValueOf(value)]));
}
