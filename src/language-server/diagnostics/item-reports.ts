/** Reports for each item of a long List, cached with the item even if an edit elsewhere moves it. */
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { ItemDocument, YamlDocument } from "../yaml/yaml-document.ts";
import type { DocumentContext, RuleReport } from "./rule.ts";

interface Known extends DocumentContext {
  readonly object: ManifestObject | undefined;
  readonly start: number;
  readonly reports: readonly RuleReport[];
}

const knownOfItems = new WeakMap<YamlDocument, Known>();

/** `ask` is called with a document that holds only one of the items. */
export function itemReports(
  document: FileDocument,
  items: readonly ItemDocument[],
  { version, drivers }: DocumentContext,
  ask: (item: FileDocument) => readonly RuleReport[],
): readonly RuleReport[] {
  const { yaml, missing = [] } = document;
  const objects = new Map(document.objects.map((object) => [object.path[1], object]));
  return items.flatMap(({ start, yaml: item }, index) => {
    const object = objects.get(index);
    const known = knownOfItems.get(item);
    const isSame =
      known?.version === version &&
      known.drivers === drivers &&
      known.object?.value === object?.value;
    if (isSame) return known.reports.map((report) => moved(report, start - known.start, index));
    const reports = ask({
      yaml,
      objects: object === undefined ? [] : [object],
      missing: missing.filter(({ path }) => path[1] === index),
    });
    knownOfItems.set(item, { version, drivers, object, start, reports });
    return reports;
  });
}

function moved(found: RuleReport, by: number, index: number): RuleReport {
  const { rule, report } = found;
  const { start, end, fix } = report;
  if (by === 0 && fix === undefined) return found;
  const [field = "items", , ...path] = fix?.path ?? [];
  const there = fix && { fix: { ...fix, path: [field, index, ...path] } };
  return { rule, report: { ...report, start: start + by, end: end + by, ...there } };
}
