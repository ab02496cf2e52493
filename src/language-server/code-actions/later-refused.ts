/** Changes that the API server refuses where it has the object already: no class may get another provisioner or binding mode. */
import { created } from "../../engine/api/patch/apply-patch.ts";
import { answerCreate, answerUpdate } from "../../engine/api/requests.ts";
import type { Analysis } from "../analysis.ts";
import { contextFor } from "../diagnostics/api-answer.ts";
import { asNamed } from "../diagnostics/facts/stored-object.ts";
import type { FieldFix } from "../diagnostics/rule.ts";
import { fieldsAt, startsWithPath } from "../workspace/manifest-fields.ts";
import { type ManifestObject, valueAt } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { fixEdit } from "./field-edit.ts";

/** Whether the fix changes a class that the cluster may have, and that it would have to give up for it. */
export function mayBeRefusedLater(
  { environment: { imported }, version }: Analysis,
  document: FileDocument,
  fix: FieldFix,
): boolean {
  const object = document.objects.find((one) => startsWithPath(fix.path, one.path));
  if (object?.ref === undefined || !object.served || !object.kind.endsWith("Class")) return false;
  if (imported?.isPartial === false && !imported.byRef.has(object.ref)) return false;
  const context = contextFor(object, version);
  const answer = answerCreate(created(object.value), context);
  // What is refused as it stands is nowhere.
  if (!answer.ok) return false;
  const changed = afterFix(document, object.path, fix);
  const stored = asNamed(answer.object);
  const next = created(changed as ManifestObject["value"]);
  // Of custom resources the server wants the version that it has.
  const { resourceVersion } = stored.metadata;
  const metadata = { ...fieldsAt(next, "metadata"), resourceVersion };
  return !answerUpdate(stored, { ...next, metadata }, context, "").ok;
}

/** The object as the document has it after the fix. */
function afterFix({ yaml }: FileDocument, path: Path, fix: FieldFix): unknown {
  const edit = fixEdit(yaml, fix);
  if (edit === undefined) return valueAt(yaml.value, path);
  const text = yaml.text.slice(0, edit.start) + edit.text + yaml.text.slice(edit.end);
  return valueAt(readYamlDocument(text).value, path);
}
