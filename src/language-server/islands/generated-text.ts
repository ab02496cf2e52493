/** What kustomizations generate, as one text: it is in no file, and any object may use it. */
import type { Environment } from "../workspace/environment.ts";

type Generated = Environment["kustomized"]["generated"];

export function generatedText({ kustomized: { generated } }: Environment): string {
  const known = texts.get(generated);
  if (known !== undefined) return known;
  const text = JSON.stringify(generated);
  texts.set(generated, text);
  return text;
}

const texts = new WeakMap<Generated, string>();
