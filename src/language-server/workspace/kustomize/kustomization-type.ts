/**
 * The Go types that kustomize decodes a kustomization into; unknown fields are refused. Upstream: kustomize v5.8 api/types
 * kustomization.go and the types of its fields.
 */

export type GoType =
  | "string"
  | "int"
  | "int64"
  | "bool"
  /** Anything at all. */
  | "any"
  | { readonly list: GoType }
  | { readonly map: GoType }
  | GoStruct;

export interface GoStruct {
  readonly name: string;
  readonly fields: Readonly<Record<string, GoType>>;
}

const strings: GoType = { list: "string" };
const stringMap: GoType = { map: "string" };

function struct(name: string, fields: Readonly<Record<string, GoType>>): GoStruct {
  return { name, fields };
}

function texts<T extends string>(...names: readonly T[]): Readonly<Record<T, GoType>> {
  return Object.fromEntries(names.map((name) => [name, "string"])) as Record<T, GoType>;
}

const kinds = texts("group", "version", "kind");
const id = { ...kinds, ...texts("name", "namespace") };

const selector = struct("Selector", { ...id, ...texts("labelSelector", "annotationSelector") });

const fieldSpecs: GoType = {
  list: struct("FieldSpec", { ...kinds, path: "string", create: "bool" }),
};

const patches: GoType = {
  list: struct("Patch", { ...texts("path", "patch"), target: selector, options: { map: "bool" } }),
};

const fieldOptions = struct("FieldOptions", {
  ...texts("delimiter", "encoding"),
  index: "int",
  create: "bool",
});

export const replacementsType: { readonly list: GoType } = {
  list: struct("ReplacementField", {
    ...texts("path", "sourceValue"),
    source: struct("SourceSelector", { ...id, fieldPath: "string", options: fieldOptions }),
    targets: {
      list: struct("TargetSelector", {
        select: selector,
        reject: { list: selector },
        fieldPaths: strings,
        options: fieldOptions,
      }),
    },
  }),
};

const generatorOptions = struct("GeneratorOptions", {
  labels: stringMap,
  annotations: stringMap,
  disableNameSuffixHash: "bool",
  immutable: "bool",
});

const generated: Readonly<Record<string, GoType>> = {
  ...texts("name", "namespace", "behavior", "env"),
  literals: strings,
  files: strings,
  envs: strings,
  options: generatorOptions,
};

const images: GoType = {
  list: struct("Image", texts("name", "newName", "tagSuffix", "newTag", "digest")),
};

const vars: GoType = {
  list: struct("Var", {
    name: "string",
    objref: struct("Target", { ...id, ...texts("apiVersion", "fieldPath") }),
    fieldref: struct("FieldSelector", texts("fieldPath")),
  }),
};

const sortOptions = struct("SortOptions", {
  order: "string",
  legacySortOptions: struct("LegacySortOptions", { orderFirst: strings, orderLast: strings }),
});

export const chartType: GoStruct = struct("HelmChart", {
  ...texts("name", "version", "digest", "repo", "releaseName", "namespace", "nameTemplate"),
  ...texts("valuesFile", "valuesMerge", "kubeVersion"),
  additionalValuesFiles: strings,
  apiVersions: strings,
  valuesInline: { map: "any" },
  ...{ includeCRDs: "bool", skipHooks: "bool", skipTests: "bool", debug: "bool", devel: "bool" },
});

export const chartGlobalsType: GoStruct = struct("HelmGlobals", texts("chartHome", "configHome"));

/** Deprecated, so their contents are not checked. */
const oldCharts: GoType = { list: "any" };

/** The type of a file of `configurations`. Upstream: api/internal/plugins/builtinconfig. */
export const configurationType: GoType = struct("TransformerConfig", {
  namePrefix: fieldSpecs,
  nameSuffix: fieldSpecs,
  namespace: fieldSpecs,
  commonLabels: fieldSpecs,
  labels: fieldSpecs,
  templateLabels: fieldSpecs,
  commonAnnotations: fieldSpecs,
  nameReference: { list: struct("NameBackReferences", { ...kinds, fieldSpecs }) },
  varReference: fieldSpecs,
  images: fieldSpecs,
  replicas: fieldSpecs,
});

export const kustomizationType: GoType = struct("Kustomization", {
  ...texts("apiVersion", "kind", "namePrefix", "nameSuffix", "namespace"),
  metadata: struct("ObjectMeta", {
    ...texts("name", "namespace"),
    labels: stringMap,
    annotations: stringMap,
  }),
  openapi: stringMap,
  commonLabels: stringMap,
  labels: {
    list: struct("Label", {
      pairs: stringMap,
      includeSelectors: "bool",
      includeTemplates: "bool",
      fields: fieldSpecs,
    }),
  },
  commonAnnotations: stringMap,
  patchesStrategicMerge: strings,
  patchesJson6902: patches,
  patches,
  images,
  imageTags: images,
  replacements: replacementsType,
  replicas: { list: struct("Replica", { name: "string", count: "int64" }) },
  vars,
  sortOptions,
  resources: strings,
  components: strings,
  crds: strings,
  bases: strings,
  configMapGenerator: { list: struct("ConfigMapArgs", generated) },
  secretGenerator: { list: struct("SecretArgs", { ...generated, type: "string" }) },
  helmGlobals: chartGlobalsType,
  helmCharts: { list: chartType },
  helmChartInflationGenerator: oldCharts,
  generatorOptions,
  configurations: strings,
  generators: strings,
  transformers: strings,
  validators: strings,
  buildMetadata: strings,
});
