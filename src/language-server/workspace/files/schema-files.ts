/** Which files the YAML language server checks against its schema of Kubernetes, from its setting `yaml.schemas`. */
import { globMatcher } from "./glob.ts";
import { pathOf } from "./uri.ts";

/** Globs by schema, as the setting holds them. */
export type SchemaAssociations = Readonly<Record<string, unknown>>;

export function kubernetesFiles(schemas: SchemaAssociations): (uri: string) => boolean {
  const globs = Object.entries(schemas)
    .filter(([schema]) => isOfKubernetes(schema))
    .flatMap(([, patterns]) => (Array.isArray(patterns) ? patterns : [patterns]))
    .filter((pattern): pattern is string => typeof pattern === "string" && pattern !== "");
  if (globs.length === 0) return () => false;
  // Patterns hold below any folder, as the YAML language server reads them.
  const matches = globMatcher(globs.map((glob) => `**/${glob.replace(/^\//, "")}`));
  return (uri) => matches(pathOf(uri).replace(/^\//, ""));
}

/** Its own name for the schema, or one of the collections that hold it. */
function isOfKubernetes(schema: string): boolean {
  return (
    schema === "kubernetes" ||
    /kubernetes-json-schema|\/kubernetes(?:-[\w.]+)?\/.*\.json$/.test(schema)
  );
}
