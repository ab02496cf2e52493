/** Findings that say of something that it is nowhere, as long as a document that cannot be read may hold it. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Question } from "../workspace/unreadable-documents.ts";
import type { Diagnostic } from "./rule.ts";
import { pvcUnused } from "./rules/bound-volumes.ts";
import { classWffcNoConsumer } from "./rules/class-wffc-no-consumer.ts";
import { podConfigMissing } from "./rules/pod-config-missing.ts";
import { rules } from "./rules.ts";

/** `underlined` is the text at the finding. */
export function isOpen(
  { code, message }: Diagnostic,
  underlined: string,
  answers: (question: Question) => boolean,
): boolean {
  if (ofUnusedClaims.has(code))
    return answers(`user of claim ${underlined.replaceAll(/["']/g, "")}`);
  const kinds = missedBy.get(code);
  if (kinds === undefined) return false;
  const [headline = ""] = message.split("\n");
  const names = [...headline.matchAll(quoted)].map(([, name = ""]) => name);
  // A class that volumes carry needs no object.
  if (kinds.includes("StorageClass") && names.some((name) => answers(`volume of class ${name}`)))
    return true;
  return kinds.some((kind) => names.some((name) => answers(`${kind} ${name}`)));
}

const quoted = /[“"]([^“”"]+)[”"]/g;

const ofUnusedClaims: ReadonlySet<string> = new Set([classWffcNoConsumer.id, pvcUnused.id]);

const missedBy: ReadonlyMap<string, readonly Kind[]> = kindsMissed();

function kindsMissed(): ReadonlyMap<string, readonly Kind[]> {
  const missed = new Map<string, readonly Kind[]>([[podConfigMissing.id, ["ConfigMap", "Secret"]]]);
  for (const rule of rules) {
    if (!("misses" in rule) || rule.misses === undefined) continue;
    missed.set(rule.id, [...(missed.get(rule.id) ?? []), rule.misses]);
  }
  return missed;
}
