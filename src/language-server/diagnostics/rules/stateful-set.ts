/** Claim templates and names of StatefulSets. */
import { nameOfRef, namespaceOfRef } from "../../../engine/api/meta.ts";
import { compareQuantities, parseQuantity } from "../../../engine/api/quantity.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { fieldsAt, itemsOf, listAt, podSpecOf, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { type ClaimFacts, claimIndex } from "../facts/claim-facts.ts";
import { unknownMounts } from "../facts/meant-value.ts";
import { mountedVolumes } from "../facts/mounted-volumes.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

const kinds = ["StatefulSet"] as const;

export const stsTemplateHidesVolume: DocumentRule = objectRule(
  "sts-template-hides-volume",
  "warning",
  { kinds },
  function* (object) {
    const pod = podSpecOf(object);
    const volumes = itemsOf(pod?.fields["volumes"], [...(pod?.path ?? []), "volumes"]);
    for (const { name, path } of templatesOf(object)) {
      const replaced = volumes.find(({ fields }) => fields["name"] === name);
      if (replaced === undefined) continue;
      const title = `Remove the Pod volume “${name}”`;
      yield {
        path,
        message: `The Pod volume “${name}” is replaced by this claim`,
        fix: { title, path: replaced.path, value: null },
      };
    }
  },
);

export const stsTemplateSameName: DocumentRule = objectRule(
  "sts-template-same-name",
  "warning",
  { kinds },
  function* (object) {
    const templates = templatesOf(object);
    for (const [index, { name, path }] of templates.entries()) {
      if (!templates.slice(index + 1).some((later) => later.name === name)) continue;
      const title = `Remove this claim template “${name}”`;
      yield {
        path,
        message: `A later claim template “${name}” replaces this one`,
        fix: { title, path: path.slice(0, -2), value: null },
      };
    }
  },
);

export const stsTemplateUnmounted: DocumentRule = objectRule(
  "sts-template-unmounted",
  "warning",
  { kinds, yieldsTo: ["api-refused"] },
  function* (object) {
    if (unknownMounts(object).length > 0) return;
    const mounted = mountedVolumes(object);
    for (const { name, path } of templatesOf(object)) {
      if (mounted.has(name)) continue;
      yield { path, message: "The volume is provisioned but unused: no container mounts it" };
    }
  },
);

const events = { whenDeleted: "the StatefulSet is deleted", whenScaled: "it is scaled down" };

export const stsRetentionDelete: DocumentRule = objectRule(
  "sts-retention-delete",
  "warning",
  { kinds },
  function* ({ value }) {
    const policy = fieldsAt(value, "spec", "persistentVolumeClaimRetentionPolicy");
    for (const [field, event] of Object.entries(events)) {
      if (policy[field] !== "Delete") continue;
      yield {
        path: ["spec", "persistentVolumeClaimRetentionPolicy", field],
        message: `The claims, and with the reclaim policy Delete their data, are deleted when ${event}`,
      };
    }
  },
);

/** The value of the label controller-revision-hash: the name, a dash and a hash, which is shorter for some revisions. */
const labelLengthMax = 63;
const hashLengthMax = 10;

export const stsNameTooLong: DocumentRule = objectRule(
  "sts-name-too-long",
  "warning",
  { kinds, explainsOutcome: true },
  function* (object) {
    const { name } = object;
    const room = labelLengthMax - 1 - name.length;
    if (room >= hashLengthMax) return;
    const revisions = room > 0 ? ` for revisions whose hash has more than ${room} characters` : "";
    const message = `Pods cannot be created${revisions}: the label controller-revision-hash (${name}-…) exceeds 63 characters`;
    yield { path: ["metadata", "name"], message };
  },
);

export const stsAdoptsClaim: EnvironmentRule = {
  id: "sts-adopts-claim",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const { claims, find } = claimIndex(context);
    for (const claim of claims) {
      const { entry, namespace, name } = claim;
      if (name === "") continue;
      const template = context.names.templateOf(namespace, name);
      const made = template === undefined ? undefined : templateFacts(claims, template, name);
      if (made === undefined || find(namespace, name) !== claim) continue;
      const difference = differenceOf(made, claim);
      if (difference === undefined) continue;
      yield {
        entry,
        path: [...claim.path, ...difference.path],
        message: `StatefulSet ${template?.object.name} adopts this claim unchanged; its template, with another ${difference.what}, is not applied`,
        related: [{ entry: made.entry, path: made.path, message: "The template" }],
      };
    }
    yield* adoptedFromCluster(context);
  },
};

/**
 * Claims in the imported cluster from an earlier StatefulSet of that name. Not if the imported cluster has the set: then they
 * are its own.
 */
function* adoptedFromCluster(context: EnvironmentContext): Iterable<ObjectReport> {
  const { imported, byRef } = context.environment;
  const { claims } = claimIndex(context);
  const told = new Set<ClaimFacts>();
  for (const [ref, claim] of imported?.byRef ?? []) {
    if (claim["kind"] !== "PersistentVolumeClaim" || byRef.has(ref)) continue;
    const [namespace, name] = [namespaceOfRef(ref), nameOfRef(ref)];
    const set = context.names.templateOf(namespace, name);
    if (set === undefined || imported?.byRef.has(set.object.ref ?? "") === true) continue;
    const made = templateFacts(claims, set, name);
    const difference = made && differenceOf(made, wishesOf(claim));
    if (made === undefined || difference === undefined || told.has(made)) continue;
    told.add(made);
    yield {
      entry: set,
      path: [...made.path, ...difference.path],
      message: `Claim “${name}” is in the cluster and has another ${difference.what}: it is adopted unchanged, with its data, and the template is not applied`,
    };
  }
}

type Wishes = Pick<ClaimFacts, "className" | "modes" | "volumeMode" | "spec">;

function wishesOf(claim: Manifest): Wishes {
  const spec = fieldsAt(claim, "spec");
  return {
    className: textAt(spec, "storageClassName"),
    modes: listAt(spec, "accessModes").map(String),
    volumeMode: textAt(spec, "volumeMode") ?? "Filesystem",
    spec,
  };
}

function templateFacts(
  claims: readonly ClaimFacts[],
  statefulSet: WorkspaceObject,
  claimName: string,
): ClaimFacts | undefined {
  return claims.find(({ entry, path }) => {
    if (entry !== statefulSet) return false;
    const owner = fieldsAt(entry.object.value, "spec")["volumeClaimTemplates"];
    const template = itemsOf(owner, ["spec", "volumeClaimTemplates"]).find(
      (item) => item.path[2] === path[2],
    );
    const name = textAt(template?.fields ?? {}, "metadata", "name");
    return claimName.startsWith(`${name}-${entry.object.name}-`);
  });
}

interface Difference {
  readonly what: string;
  readonly path: Path;
}

function differenceOf(template: Wishes, claim: Wishes): Difference | undefined {
  if (template.className !== claim.className) return { what: "class", path: ["storageClassName"] };
  const same = [...template.modes].sort().join() === [...claim.modes].sort().join();
  if (!same) return { what: "list of access modes", path: ["accessModes"] };
  if (template.volumeMode !== claim.volumeMode) return { what: "volumeMode", path: ["volumeMode"] };
  const [a, b] = [template, claim].map(({ spec }) =>
    parseQuantity(textAt(spec, "resources", "requests", "storage") ?? ""),
  );
  if (a === undefined || b === undefined || compareQuantities(a, b) === 0) return undefined;
  return { what: "size", path: ["resources", "requests", "storage"] };
}

interface Template {
  readonly name: string;
  /** Path of the name. */
  readonly path: Path;
}

function templatesOf({ value }: ManifestObject): readonly Template[] {
  const place = ["spec", "volumeClaimTemplates"];
  const templates = itemsOf(fieldsAt(value, "spec")["volumeClaimTemplates"], place);
  return templates.flatMap(({ fields, path }): Template[] => {
    const name = textAt(fields, "metadata", "name");
    return name === undefined ? [] : [{ name, path: [...path, "metadata", "name"] }];
  });
}
