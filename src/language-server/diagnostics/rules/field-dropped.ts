/** Fields that servers of the chosen version know, but silently drop, because their feature gate is off. */
import { fieldKeptSince, fieldSince } from "../../../engine/api/decoding/later-fields.ts";
import { kindSchema } from "../../../engine/api/meta.ts";
import { modelSchemas } from "../../../engine/api/schema.ts";
import { atLeast, type KubernetesVersion, newestVersion } from "../../../engine/scenario.ts";
import { own } from "../../own.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { type FieldReport, objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const fieldDropped: DocumentRule = objectRule(
  "field-dropped",
  "warning",
  {},
  function* ({ kind, value }, { version }) {
    const model = kindSchema(kind)?.model;
    if (version !== newestVersion && model !== undefined)
      yield* droppedIn(value, model, [], version);
  },
);

function* droppedIn(
  value: unknown,
  type: string,
  path: Path,
  version: KubernetesVersion,
): Iterable<FieldReport> {
  if (Array.isArray(value) && type.startsWith("[]")) {
    for (const [index, item] of value.entries())
      yield* droppedIn(item, type.slice("[]".length), [...path, index], version);
  } else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const field = own(own(modelSchemas, type) ?? {}, name);
      if (field === undefined || inner === null || !isKnown(type, name, version)) continue;
      const at = [...path, name];
      const since = fieldKeptSince(type, name);
      if (since === undefined || atLeast(version, since))
        yield* droppedIn(inner, field[0], at, version);
      else yield { path: at, atKey: true, message: told(version, since) };
    }
  }
}

/** The server itself warns of fields that it does not know. */
function isKnown(model: string, field: string, version: KubernetesVersion): boolean {
  const since = fieldSince(model, field);
  return since === undefined || atLeast(version, since);
}

function told(version: KubernetesVersion, since: KubernetesVersion): string {
  return `Kubernetes ${version} silently drops this; ${since} and later keep it`;
}
