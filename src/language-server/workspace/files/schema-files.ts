/** Which files the YAML language server checks against a Kubernetes schema, according to its setting `yaml.schemas`. */
import { globMatcher } from "./glob.ts";
import { pathOf } from "./uri.ts";

/** By schema its globs, as in the setting. */
export type SchemaAssociations = Readonly<Record<string, unknown>>;

export function kubernetesFiles(schemas: SchemaAssociations): (uri: string) => boolean {
  const globs = Object.entries(schemas)
    .filter(([schema]) => isOfKubernetes(schema))
    .flatMap(([, patterns]) => (Array.isArray(patterns) ? patterns : [patterns]))
    .filter((pattern): pattern is string => typeof pattern === "string" && pattern !== "");
  if (globs.length === 0) return () => false;
  // The YAML language server matches patterns below any folder.
  const matches = globMatcher(globs.map((glob) => `**/${glob.replace(/^\//, "")}`));
  return (uri) => matches(pathOf(uri).replace(/^\//, ""));
}

/** True for its own name of the schema, and for the usual collections of Kubernetes schemas. */
function isOfKubernetes(schema: string): boolean {
  return (
    schema === "kubernetes" ||
    /kubernetes-json-schema|\/kubernetes(?:-[\w.]+)?\/.*\.json$/.test(schema)
  );
}
