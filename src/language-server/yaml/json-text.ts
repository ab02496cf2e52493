/** True for text that kubectl reads as JSON. Upstream: apimachinery util/yaml, GuessJSONStream, YAMLOrJSONDecoder.Decode. */
import { parsedJson } from "../../engine/api/json.ts";

export function isJsonObject(text: string): boolean {
  return /^\s*\{/.test(text) && parsedJson(text) !== undefined;
}
