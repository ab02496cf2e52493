/**
 * Changes names, tags and digests of images: in all containers wherever they are, and in the listed fields. Upstream: kustomize
 * v5.8 api/filters/imagetag legacy.go LegacyFilter and updater.go SetImageValue, api/internal/image IsImageMatched and Split.
 */
import { isRecord } from "../../yaml/manifest.ts";
import type { FieldSpec } from "./field-specs.ts";
import type { ImageEntry } from "./kustomization-file.ts";
import { changeFields } from "./set-fields.ts";
import { fieldsOf, itemsOf, partOf, type Written, withFields, withItems } from "./written.ts";

export function setImages(
  object: Written,
  specs: readonly FieldSpec[],
  entry: ImageEntry,
  given: Written,
): Written {
  const by = blamedFields.map((field) => partOf(given, field)).find((part) => part !== undefined);
  const change = (old: Written): Written => {
    const image = typeof old.value === "string" ? imageBy(entry, old.value) : old.value;
    return image === old.value ? old : { text: given.text, path: (by ?? given).path, value: image };
  };
  const isDefinition = isRecord(object.value) && object.value["kind"] === definitionKind;
  return changeFields(isDefinition ? object : inContainers(object, change), specs, given, change);
}

const definitionKind = "CustomResourceDefinition";

/** The field of the entry that a changed image is attributed to. */
const blamedFields = ["newTag", "digest", "newName", "tagSuffix"] as const;

/** Unchanged if the entry does not match the image. */
function imageBy(
  { matches, newName, newTag, digest, tagSuffix }: ImageEntry,
  image: string,
): string {
  if (!matches(image)) return image;
  const [, name = image, tag, sum] =
    /^([^/]*\/.*?|[^/]*?)(?::([^@]*))?(?:@(.*))?$/s.exec(image) ?? [];
  const isNew = newTag !== undefined || digest !== undefined;
  const tagNow = isNew ? newTag : tagSuffix === undefined ? tag : `${tag ?? ""}${tagSuffix}`;
  const sumNow = isNew ? digest : tagSuffix === undefined ? sum : undefined;
  const withTag = tagNow ? `:${tagNow}` : "";
  return `${newName ?? name}${withTag}${sumNow ? `@${sumNow}` : ""}`;
}

const containerLists: ReadonlySet<unknown> = new Set(["containers", "initContainers"]);

/** Returns the same part if nothing changes. */
function inContainers(at: Written, change: (old: Written) => Written): Written {
  if (typeof at.value !== "object" || at.value === null) return at;
  if (Array.isArray(at.value)) return eachItem(at, (item) => inContainers(item, change));
  const before = fieldsOf(at);
  const now = new Map(
    [...before].map(([name, field]) => {
      const inside = inContainers(field, change);
      return [
        name,
        containerLists.has(name) ? eachItem(inside, (one) => ofContainer(one, change)) : inside,
      ];
    }),
  );
  return [...before].every(([name, field]) => now.get(name) === field) ? at : withFields(at, now);
}

function eachItem(list: Written, change: (item: Written) => Written): Written {
  if (!Array.isArray(list.value)) return list;
  const items = itemsOf(list);
  const now = items.map(change);
  return now.every((item, index) => item === items[index]) ? list : withItems(list, now);
}

function ofContainer(container: Written, change: (old: Written) => Written): Written {
  const image = isRecord(container.value) ? partOf(container, "image") : undefined;
  const now = image === undefined ? undefined : change(image);
  if (now === undefined || now === image) return container;
  return withFields(container, new Map(fieldsOf(container)).set("image", now));
}
