/** What a schema says about values; they are judged as a subchart's. */
import type { Json } from "../../../../src/engine/api/json.ts";
import { goMapOf } from "../../../../src/language-server/helm/chart/go-value-of.ts";
import { shownError } from "../../../../src/language-server/helm/schema/schema-error.ts";
import { SchemaFailure } from "../../../../src/language-server/helm/schema/schema-root.ts";
import { valuesErrors } from "../../../../src/language-server/helm/schema/values-schema.ts";

/** A failure whose cause is not a refusal is printed with the cause. */
export function judged(schema: string, values: { readonly [key: string]: Json }): string {
  const given = goMapOf({ ...values, global: {} });
  const found = valuesErrors({ uri: "file:///web/values.schema.json", text: schema }, given);
  if (!(found instanceof SchemaFailure)) return found.map((error) => shownError(error)).join("\n");
  return found.cause === "refused" ? found.message : `${found.cause}: ${found.message}`;
}
