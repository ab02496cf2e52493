/**
 * Keys and values of a kustomization, for completion and hover; kustomization-check.ts reports what is wrong in one. Upstream:
 * kustomize v5 api/types/kustomization.go and the types of its fields.
 */
import {
  anything,
  boolean,
  type Field,
  field,
  listOf,
  type MappingShape,
  mapping,
  oneOf,
  outdated,
  type Shape,
  text,
  wholeNumber,
} from "../shapes/shape.ts";

const texts = listOf(text);
const entriesOf = (fields: Readonly<Record<string, Field>>): Shape => listOf(mapping(fields));

const objectFields: Readonly<Record<string, Field>> = {
  group: field(text, "The API group of the objects; the core group has none."),
  version: field(text, "The API version without its group, such as `v1`."),
  kind: field(text, "The kind of the objects."),
  name: field(text, "Their name, as their files have it."),
  namespace: field(text, "Their namespace."),
};

const selector: MappingShape = mapping({
  ...objectFields,
  name: field(text, "Their name, as their files have it; a regular expression for the whole name."),
  labelSelector: field(text, "Their labels, as `kubectl get -l` takes them."),
  annotationSelector: field(text, "Their annotations, as `kubectl get -l` takes labels."),
});

const delimited: MappingShape = mapping({
  delimiter: field(text, "The delimiter that splits the text; one part is taken or replaced."),
  index: field(wholeNumber, "Which part, from 0."),
  create: field(boolean, "Creates the field if it is missing."),
});

const patchFields: Readonly<Record<string, Field>> = {
  path: field(text, "A file with the patch."),
  patch: field(text, "The patch itself: a strategic merge patch, or a JSON patch (RFC 6902)."),
  target: field(selector, "Which objects it is for; a merge patch may say that by kind and name."),
};

const generatorOptions: MappingShape = mapping({
  labels: field(anything, "Labels of what is generated."),
  annotations: field(anything, "Annotations of what is generated."),
  disableNameSuffixHash: field(boolean, "Leaves the hash of the content off the name."),
  immutable: field(boolean, "Makes what is generated immutable."),
});

const generatorFields: Readonly<Record<string, Field>> = {
  name: field(text, "The name; a hash of the content is added to it."),
  namespace: field(text, "The namespace."),
  behavior: field(
    oneOf("create", "replace", "merge"),
    "What to do if one of that name already exists; `create` if absent.",
  ),
  literals: field(texts, "Entries as `key=value`."),
  files: field(texts, "Files, each an entry by its name, or by another as `key=file`."),
  envs: field(texts, "Files of lines `key=value`, each an entry."),
  env: outdated(text, "Outdated: use `envs`."),
  options: field(generatorOptions, "As `generatorOptions`, for this one."),
};

const fieldSpecs: Shape = entriesOf({
  path: field(text, "The field, with slashes."),
  group: objectFields["group"] as Field,
  version: objectFields["version"] as Field,
  kind: objectFields["kind"] as Field,
  create: field(boolean, "Creates the field if it is missing."),
});

export const kustomizationShape: MappingShape = mapping({
  apiVersion: field(
    oneOf("kustomize.config.k8s.io/v1beta1", "kustomize.config.k8s.io/v1alpha1"),
    "`kustomize.config.k8s.io/v1beta1`; of a Component `v1alpha1`.",
  ),
  kind: field(
    oneOf("Kustomization", "Component"),
    "`Kustomization`, which is built by itself, or `Component`, which changes those that name it.",
  ),
  resources: field(texts, "Files with objects, and folders with kustomizations."),
  components: field(texts, "Folders with components, which are applied after the resources."),
  namespace: field(text, "The namespace of all objects that have one."),
  namePrefix: field(text, "A prefix for the names of all objects, and for references to them."),
  nameSuffix: field(text, "A suffix for the names of all objects, and for references to them."),
  labels: field(
    entriesOf({
      pairs: field(anything, "The labels."),
      includeSelectors: field(boolean, "Adds them to selectors and pod templates as well."),
      includeTemplates: field(boolean, "Adds them to pod templates as well."),
      fields: field(fieldSpecs, "Further fields that they are added to."),
    }),
    "Labels for all objects.",
  ),
  commonLabels: outdated(
    anything,
    "Labels for all objects, their selectors and pod templates. Outdated: use `labels`.",
  ),
  commonAnnotations: field(anything, "Annotations for all objects."),
  patches: field(
    entriesOf({
      ...patchFields,
      options: field(
        mapping({
          allowNameChange: field(boolean, "The patch may change the object's name."),
          allowKindChange: field(boolean, "The patch may change the object's kind."),
        }),
        "What the patch may change.",
      ),
    }),
    "Changes of some objects, in order.",
  ),
  patchesStrategicMerge: outdated(
    texts,
    "Strategic merge patches, or files with them. Outdated: use `patches`.",
  ),
  patchesJson6902: outdated(entriesOf(patchFields), "JSON patches. Outdated: use `patches`."),
  replacements: field(
    entriesOf({
      path: field(text, "A file with replacements."),
      source: field(
        mapping({
          ...objectFields,
          fieldPath: field(text, "The field, with dots; `metadata.name` if absent."),
          options: field(delimited, "Takes a part of the text."),
        }),
        "Where the value comes from.",
      ),
      targets: field(
        entriesOf({
          select: field(selector, "The objects that get it."),
          reject: field(listOf(selector), "Objects that don't."),
          fieldPaths: field(texts, "The fields that get it, with dots."),
          options: field(delimited, "Replaces a part of the text."),
        }),
        "Where the value goes to.",
      ),
    }),
    "Copies values of fields into fields of other objects.",
  ),
  replicas: field(
    entriesOf({
      name: field(text, "The workload's name, as its file has it."),
      count: field(wholeNumber, "How many replicas it gets."),
    }),
    "Numbers of replicas of Deployments, ReplicaSets, ReplicationControllers and StatefulSets.",
  ),
  images: field(
    entriesOf({
      name: field(text, "The image's name, without tag and digest, as containers have it."),
      newName: field(text, "The name to use instead."),
      newTag: field(text, "The tag to use instead."),
      tagSuffix: field(text, "A suffix for the tag."),
      digest: field(text, "The digest to use in place of a tag."),
    }),
    "Other names, tags and digests for images.",
  ),
  configMapGenerator: field(
    entriesOf(generatorFields),
    "ConfigMaps built from files and literals.",
  ),
  secretGenerator: field(
    entriesOf({
      ...generatorFields,
      type: field(text, "The Secret's type; `Opaque` if absent."),
    }),
    "Secrets built from files and literals.",
  ),
  generatorOptions: field(generatorOptions, "For all generated ConfigMaps and Secrets."),
  helmGlobals: field(
    mapping({
      chartHome: field(text, "The folder with the charts; `charts` if absent."),
      configHome: field(text, "The folder that Helm keeps its configuration in."),
    }),
    "For all of `helmCharts`.",
  ),
  helmCharts: field(
    entriesOf({
      name: field(text, "The chart's name."),
      repo: field(text, "The address of its repository."),
      version: field(text, "Its version."),
      releaseName: field(text, "The release's name."),
      namespace: field(text, "The release's namespace."),
      valuesFile: field(text, "A file with values, in place of the chart's own."),
      additionalValuesFiles: field(texts, "Files with further values."),
      valuesInline: field(anything, "Values given here."),
      valuesMerge: field(
        oneOf("override", "replace", "merge"),
        "How `valuesInline` is merged with the file's values; `override` if absent.",
      ),
      includeCRDs: field(boolean, "Includes the chart's CustomResourceDefinitions."),
      skipHooks: field(boolean, "Leaves out the chart's hooks."),
      skipTests: field(boolean, "Leaves out the chart's tests."),
      nameTemplate: field(text, "A template of the release's name, in place of a name."),
      kubeVersion: field(text, "The Kubernetes version that templates see."),
      apiVersions: field(texts, "APIs that templates see besides Kubernetes' own."),
    }),
    "Charts that `kustomize build --enable-helm` renders.",
  ),
  generators: field(texts, "Files with generators, or generators given here."),
  transformers: field(texts, "Files with transformers, or transformers given here."),
  validators: field(texts, "Files with validators, or validators given here."),
  configurations: field(
    texts,
    "Files that say which further fields hold names, labels, namespaces and so on.",
  ),
  crds: field(texts, "Files with the OpenAPI definitions of custom resources."),
  openapi: field(
    mapping({ path: field(text, "The file.") }),
    "An OpenAPI schema to merge patches by, in place of Kubernetes' own.",
  ),
  buildMetadata: field(
    listOf(oneOf("managedByLabel", "originAnnotations", "transformerAnnotations")),
    "Labels and annotations that record how each object was built.",
  ),
  sortOptions: field(
    mapping({
      order: field(oneOf("legacy", "fifo"), "By kind, or in the order of the resources."),
    }),
    "The order of the objects.",
  ),
  bases: outdated(texts, "Folders with kustomizations. Outdated: use `resources`."),
  vars: outdated(
    entriesOf({
      name: field(text, "The variable's name; texts refer to it as `$(NAME)`."),
      objref: field(
        mapping({
          apiVersion: field(text, "The object's API version."),
          ...objectFields,
        }),
        "The object that it is taken from.",
      ),
      fieldref: field(
        mapping({ fieldpath: field(text, "The field, with dots; `metadata.name` if absent.") }),
        "The field that it is taken from.",
      ),
    }),
    "Values of fields by names. Outdated: use `replacements`.",
  ),
});
