/** Changes that the API server refuses where it has the object already: no class may get another provisioner or binding mode. */
import { created } from "../../engine/api/apply-patch.ts";
import type { KubeObject } from "../../engine/api/meta.ts";
import { answerCreate, answerUpdate } from "../../engine/api/requests.ts";
import type { Analysis } from "../analysis.ts";
import { contextFor } from "../diagnostics/api-answer.ts";
import type { FieldFix } from "../diagnostics/rule.ts";
import { asNamed } from "../diagnostics/rules/change-refused.ts";
import { fieldsAt, startsWithPath } from "../workspace/manifest-fields.ts";
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";

/** Whether the fix changes a class that the cluster may have, and that it would have to give up for it. */
export function mayBeRefusedLater(
  { environment: { imported }, version }: Analysis,
  { objects }: FileDocument,
  fix: FieldFix,
): boolean {
  const { path } = fix;
  const object = objects.find((one) => startsWithPath(path, one.path));
  if (object?.ref === undefined || !object.served || !object.kind.endsWith("Class")) return false;
  if (imported?.isPartial === false && !imported.byRef.has(object.ref)) return false;
  const context = contextFor(object, version);
  const answer = answerCreate(created(object.value), context);
  // What is refused as it stands is nowhere.
  if (!answer.ok) return false;
  const changed = withFix(object.value, path.slice(object.path.length), fix);
  const stored = asNamed(answer.object as unknown as KubeObject);
  const next = created(changed as ManifestObject["value"]);
  // Of custom resources the server wants the version that it has.
  const { resourceVersion } = stored.metadata;
  const metadata = { ...fieldsAt(next, "metadata"), resourceVersion };
  return !answerUpdate(stored, { ...next, metadata }, context, "").ok;
}

/** The value with what the fix changes. */
function withFix(value: unknown, [key, ...rest]: Path, fix: FieldFix): unknown {
  if (key === undefined) return "key" in fix ? value : fix.value;
  const isRemoval = rest.length === 0 && "value" in fix && fix.value === null;
  if (Array.isArray(value))
    return value.flatMap((item: unknown, i) => {
      if (i !== key) return [item];
      return isRemoval ? [] : [withFix(item, rest, fix)];
    });
  const fields = isRecord(value) ? value : {};
  const { [key]: before, ...others } = fields;
  if (isRemoval) return others;
  if (rest.length === 0 && "key" in fix) return { ...others, [fix.key]: before };
  return { ...fields, [key]: withFix(before, rest, fix) };
}
