/**
 * Fixes that the API server would refuse for an existing object: the provisioner or binding mode of a class cannot be changed.
 */
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

/** True if the fix changes a class that may exist in the cluster already, where the change would be refused. */
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
  // A class that is refused as it stands does not exist in the cluster.
  if (!answer.ok) return false;
  const changed = afterFix(document, object.path, fix);
  const stored = asNamed(answer.object);
  const next = created(changed as ManifestObject["value"]);
  // For custom resources the server requires the present resourceVersion.
  const { resourceVersion } = stored.metadata;
  const metadata = { ...fieldsAt(next, "metadata"), resourceVersion };
  return !answerUpdate(stored, { ...next, metadata }, context, "").ok;
}

/** The object at `path` after the fix. */
function afterFix({ yaml }: FileDocument, path: Path, fix: FieldFix): unknown {
  const edit = fixEdit(yaml, fix);
  if (edit === undefined) return valueAt(yaml.value, path);
  const text = yaml.text.slice(0, edit.start) + edit.text + yaml.text.slice(edit.end);
  return valueAt(readYamlDocument(text).value, path);
}
