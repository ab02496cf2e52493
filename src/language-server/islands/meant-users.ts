/** Who means to use an object and names another, or the same in another namespace: that nobody uses it would tell the same a second time. */
import { kindOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import type { CodedReport } from "../diagnostics/object-reports.ts";
import { changedNames } from "../names/names-in-cluster.ts";
import type { Environment } from "../workspace/environment.ts";
import { podSpecOf } from "../workspace/manifest-fields.ts";
import type { Question } from "../workspace/unreadable-documents.ts";

export function* meantUsers(
  reports: Iterable<CodedReport>,
  environment: Environment,
): Iterable<Question> {
  for (const { report } of reports) {
    const { entry, misses, meant, elsewhere = [] } = report;
    if (misses === undefined) continue;
    const kind = kindOfRef(misses);
    // Volumes that are reserved for a claim do not use it.
    if (kind === "PersistentVolumeClaim" && podSpecOf(entry.object) === undefined) continue;
    for (const ref of elsewhere) yield `user of ${ref}`;
    if (meant === undefined) continue;
    const ref: Ref = `${kind}/${namespaceOfRef(misses)}/${meant}`;
    yield `user of ${changedNames(environment).get(ref)?.ref ?? ref}`;
  }
}
