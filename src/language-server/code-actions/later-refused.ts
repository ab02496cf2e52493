/** Changes that the API server refuses where it has the object already: no class may get another provisioner or binding mode. */
import { created } from "../../engine/api/apply-patch.ts";
import type { KubeObject } from "../../engine/api/meta.ts";
import { answerCreate, answerUpdate } from "../../engine/api/requests.ts";
import type { Analysis } from "../analysis.ts";
import { contextFor } from "../diagnostics/api-answer.ts";
import type { FieldFix } from "../diagnostics/rule.ts";
import { asNamed } from "../diagnostics/rules/change-refused.ts";
import { startsWithPath } from "../workspace/manifest-fields.ts";
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";

/** Whether the fix changes a class that the cluster may have, and that it would have to give up for it. */
export function mayBeRefusedLater(
  { environment: { imported }, version }: Analysis,
  { objects }: FileDocument,
  { path, value }: FieldFix,
): boolean {
  const object = objects.find((one) => startsWithPath(path, one.path));
  if (object?.ref === undefined || !object.served || !object.kind.endsWith("Class")) return false;
  if (imported?.isPartial === false && !imported.byRef.has(object.ref)) return false;
  const context = contextFor(object, version);
  const answer = answerCreate(created(object.value), context);
  // What is refused as it stands is nowhere.
  if (!answer.ok) return false;
  const changed = withField(object.value, path.slice(object.path.length), value);
  const stored = asNamed(answer.object as unknown as KubeObject);
  return !answerUpdate(stored, created(changed as ManifestObject["value"]), context, "").ok;
}

/** The value with a field set; without it for null. */
function withField(value: unknown, [key, ...rest]: Path, to: FieldFix["value"]): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, i) => (i === key ? withField(item, rest, to) : item));
  const fields = isRecord(value) ? value : {};
  const { [key]: before, ...others } = fields;
  if (rest.length === 0 && to === null) return others;
  return { ...fields, [key]: withField(before, rest, to) };
}
