/** Text that kubectl reads as JSON. Upstream: apimachinery util/yaml, GuessJSONStream, YAMLOrJSONDecoder.Decode. */
export function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
