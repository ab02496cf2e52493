/**
 * Which questions an object that is kept out of the cluster answers: what it would be there, and what it would use. Its fields
 * may be misspelled or on another level: where a name is not in its place, every text in the object may be that name.
 */
import { isKind, isServed } from "../../engine/api/meta.ts";
import { unknownMounts } from "../diagnostics/facts/meant-value.ts";
import type { Question } from "../diagnostics/question.ts";
import {
  type Fields,
  type Located,
  podSpecOf,
  podVolumesOf,
  textAt,
} from "../workspace/manifest-fields.ts";
import { kindNear } from "../workspace/objects/meant-kind.ts";
import { calledOf, isRecord, objectsOf } from "../yaml/manifest.ts";

/** At most this many texts are looked at, and none that is longer than a name can be. */
const textCountMax = 2000;
const nameLengthMax = 253;

/** Stands for any name or kind. */
const any = "*";

export function questionsAnsweredBy(value: Fields): readonly Question[] {
  const texts = [...new Set(textsIn(value))];
  const answered: Question[] = texts.flatMap((text): readonly Question[] => [
    `user of claim ${text}`,
    `user of PersistentVolume//${text}`,
  ]);
  if (lacksVolumes(value)) answered.push(`user of claim ${any}`);
  for (const object of objectsOf(value).objects)
    if (object.served) answered.push(`kept out ${calledOf(object)}`);
  for (const kind of kindsOf(value, texts)) {
    for (const name of namesOf(value, texts)) answered.push(`object ${kind} ${name}`);
    answered.push(`some ${kind}`);
    const classes = classesOf(value, texts);
    if (kind === "PersistentVolume")
      for (const one of classes) answered.push(`volume of class ${one}`);
    if (kind === "PersistentVolumeClaim")
      for (const one of classes) answered.push(`claim of class ${one}`);
  }
  return answered;
}

/** True if the question may be about one of the objects that gave the answers. */
export function isAnsweredBy(answered: ReadonlySet<Question>, question: Question): boolean {
  if (answered.has(question)) return true;
  const start = startsOfAny.find((one) => question.startsWith(one));
  if (start !== undefined) return answered.has(`${start}${any}`);
  const [, kind, name] = /^object (\S*) (\S*)$/.exec(question) ?? [];
  if (kind === undefined || name === undefined) return false;
  return answered.has(`object ${kind} ${any}`) || answered.has(`object ${any} ${name}`);
}

const startsOfAny = ["user of claim ", "volume of class ", "claim of class ", "some "] as const;

function classesOf(value: Fields, texts: readonly string[]): readonly string[] {
  const name = textAt(value, "spec", "storageClassName");
  if (name !== undefined) return [name];
  return isRecord(value["spec"]) ? ["", ...texts] : ["", ...texts, any];
}

/** The kind that is probably meant. */
function kindsOf(value: Fields, texts: readonly string[]): readonly string[] {
  const [apiVersion = "", kind = ""] = ["apiVersion", "kind"].map((field) => textAt(value, field));
  if (kind !== "")
    return [(isServed(apiVersion, kind) ? undefined : kindNear(apiVersion, kind)) ?? kind];
  const named = texts.filter(isKind);
  return named.length > 0 ? named : [any];
}

/** An invalid name, and also what it is likely to be corrected to. */
function namesOf(value: Fields, texts: readonly string[]): readonly string[] {
  const name = textAt(value, "metadata", "name") ?? "";
  if (name !== "") return [name, name.toLowerCase().replaceAll("_", "-")];
  return textAt(value, "metadata", "generateName") === undefined ? [...texts, any] : texts;
}

/** True if its pods may use claims that cannot be read, because volumes or claim names are not in their place. */
function lacksVolumes(value: Fields): boolean {
  return objectsOf(value).objects.some((object) => {
    const pod = podSpecOf(object);
    if (pod === undefined) return false;
    const isNameless = ({ fields }: Located): boolean =>
      isRecord(fields["persistentVolumeClaim"]) &&
      (textAt(fields, "persistentVolumeClaim", "claimName") ?? "") === "";
    return (
      Object.keys(pod.fields).length === 0 ||
      unknownMounts(object).length > 0 ||
      podVolumesOf(object).some(isNameless)
    );
  });
}

function* textsIn(value: unknown): Iterable<string> {
  const left: unknown[] = [value];
  for (let count = 0; left.length > 0 && count < textCountMax; count++) {
    const one = left.pop();
    if (typeof one === "string" && one.length <= nameLengthMax) yield one;
    else if (typeof one === "object" && one !== null)
      for (const part of Object.values(one)) left.push(part);
  }
}
