/** Rules that look at one object of a known kind. They report nothing on fields that the API server refuses. */
import type { Kind } from "../../engine/api/meta.ts";
import { startsWithPath } from "../workspace/manifest-fields.ts";
import { underline, underlineKey } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { answerOf } from "./api-answer.ts";
import type { Question } from "./question.ts";
import {
  type DocumentContext,
  type DocumentReport,
  type DocumentRule,
  documentPath,
  type FieldFix,
  type Severity,
} from "./rule.ts";
import { refusedFields } from "./rules/api-refused.ts";

/** Paths start at the object's root. */
export interface FieldReport {
  readonly path: Path;
  readonly message: string;
  readonly meant?: string | undefined;
  readonly severity?: Severity;
  /** Underlines the key, for remarks about the field and not its value. */
  readonly atKey?: boolean;
  readonly fix?: FieldFix;
  readonly unless?: readonly Question[];
}

export interface ObjectRuleOptions {
  /** All served kinds if absent. */
  readonly kinds?: readonly Kind[];
  /** Reports even if the API server refuses the field. */
  readonly besidesRefusal?: boolean;
  readonly explainsOutcome?: true | "of-field";
  readonly yieldsTo?: readonly string[];
  readonly yieldsAtPlace?: true;
  readonly isOfKubectl?: true;
}

export function objectRule(
  id: string,
  severity: Severity,
  options: ObjectRuleOptions,
  check: (object: ManifestObject, context: DocumentContext) => Iterable<FieldReport>,
): DocumentRule {
  const { kinds, besidesRefusal = false, ...meaning } = options;
  return {
    id,
    severity,
    scope: "document",
    kinds,
    ...meaning,
    // An array and not a generator, which would cost more than the check: there is almost never anything to report.
    check({ yaml, objects }, context) {
      const found: DocumentReport[] = [];
      for (const object of objects) {
        if (!object.served || kinds?.some((kind) => kind === object.kind) === false) continue;
        for (const { path, message, atKey = false, fix, ...rest } of check(object, context)) {
          if (!besidesRefusal && isRefused(object, path, context)) continue;
          if (fix !== undefined && !besidesRefusal && isRefused(object, fix.path, context))
            continue;
          const inDocument = documentPath(object, path);
          found.push({
            ...(atKey ? underlineKey(yaml, inDocument) : underline(yaml, inDocument)),
            message,
            ...rest,
            ...(fix !== undefined && { fix: { ...fix, path: documentPath(object, fix.path) } }),
          });
        }
      }
      return found;
    },
  };
}

/** True if the API server refuses the field, or the mapping around it, or does not know a field within it. */
export function isRefused(
  object: ManifestObject,
  path: Path,
  { version }: Pick<DocumentContext, "version">,
): boolean {
  const answer = answerOf(object, version);
  if (answer === undefined || answer.ok) return false;
  return refusedFields(object, version).some(
    ({ path: refused, isUnread }) =>
      startsWithPath(path, refused) ||
      (isUnread && path.length > 0 && startsWithPath(refused, path)),
  );
}
