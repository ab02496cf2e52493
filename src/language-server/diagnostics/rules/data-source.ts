/** What a claim's volume is filled from: sources that the server drops, and drivers that cannot copy. */
import { snapshotGroup } from "../../../engine/api/served-instead.ts";
import type { Environment } from "../../workspace/environment.ts";
import { claimSpecsOf, type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import {
  type ClaimFacts,
  type ClaimIndex,
  claimIndex,
  driverBasis,
  mayBindStatically,
} from "../facts/claim-facts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import { driverOfSnapshot } from "../facts/snapshot-facts.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const datasourceDropped: DocumentRule = objectRule(
  "datasource-dropped",
  "error",
  {},
  function* (object) {
    for (const { fields, path } of claimSpecsOf(object)) {
      const source = fieldsAt(fields, "dataSource");
      const { kind, apiGroup = "" } = source;
      if (kind === undefined || fields["dataSourceRef"] !== undefined) continue;
      const isClaim = kind === "PersistentVolumeClaim" && apiGroup === "";
      const isSnapshot =
        kind === "VolumeSnapshot" && (apiGroup === snapshotGroup || apiGroup === "");
      if (isClaim || isSnapshot) continue;
      yield {
        path: [...path, "dataSource", "kind"],
        message:
          "The server drops this source silently, and an empty volume is made; use dataSourceRef",
      };
    }
  },
);

export const datasourceNoGroup: DocumentRule = objectRule(
  "datasource-no-group",
  "error",
  {},
  function* (object) {
    for (const { fields, path } of claimSpecsOf(object)) {
      for (const field of ["dataSource", "dataSourceRef"]) {
        const { kind, apiGroup = "" } = fieldsAt(fields, field);
        if (kind !== "VolumeSnapshot" || apiGroup !== "") continue;
        yield {
          path: [...path, field, "kind"],
          message: `Without apiGroup: ${snapshotGroup} this is no snapshot, and an empty volume is made`,
          fix: {
            title: `Set apiGroup to ${snapshotGroup}`,
            path: [...path, field, "apiGroup"],
            value: snapshotGroup,
          },
        };
      }
    }
  },
);

export const datasourcerefNamespace: DocumentRule = objectRule(
  "datasourceref-namespace",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of claimSpecsOf(object)) {
      const namespace = textAt(fields, "dataSourceRef", "namespace") ?? "";
      if (namespace === "") continue;
      yield {
        path: [...path, "dataSourceRef", "namespace"],
        message: `CrossNamespaceVolumeDataSource is alpha: without it the whole reference is dropped, with it a ReferenceGrant in ${namespace} is needed`,
      };
    }
  },
);

export const datasourceDriver: EnvironmentRule = sourceRule(
  "datasource-driver",
  (source, context) => {
    const { claim, kind, name, index } = source;
    const { driver, namespace } = claim;
    const from =
      kind === "VolumeSnapshot"
        ? driverOfSnapshot(context, namespace, name)
        : index.find(namespace, name)?.driver;
    if (driver === undefined || from === undefined || driver === from) return undefined;
    return `A volume can only be cloned or restored by the same driver: the source is of “${from}”, the claim of “${driver}”`;
  },
);

export const driverNoClone: EnvironmentRule = sourceRule(
  "driver-no-clone",
  (source, { environment }) => {
    const { claim, kind } = source;
    if (kind !== "PersistentVolumeClaim" || !lacks(environment, claim, "clone")) return undefined;
    return `Driver “${claim.driver}” does not support cloning`;
  },
);

export const datasourceCycle: EnvironmentRule = sourceRule(
  "datasource-cycle",
  ({ claim, index }) => {
    const seen = new Set<ClaimFacts>();
    for (let at: ClaimFacts | undefined = claim; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      const next = sourceOf(at);
      at = next?.kind === "PersistentVolumeClaim" ? index.find(at.namespace, next.name) : undefined;
      if (at === claim)
        return "The claims are made from each other, so none can ever be provisioned";
    }
    return undefined;
  },
);

interface ClaimSource {
  readonly index: ClaimIndex;
  readonly claim: ClaimFacts;
  readonly kind: "PersistentVolumeClaim" | "VolumeSnapshot";
  readonly name: string;
  /** Of the name. */
  readonly path: Path;
}

/** At the source of each claim that is still to be provisioned; silent where `messageOf` says nothing. */
function sourceRule(
  id: string,
  messageOf: (source: ClaimSource, context: EnvironmentContext) => string | undefined,
): EnvironmentRule {
  return {
    id,
    severity: "error",
    scope: "environment",
    explainsOutcome: true,
    *check(context): Iterable<ObjectReport> {
      const index = claimIndex(context);
      for (const claim of index.claims) {
        const source = sourceOf(claim);
        if (source === undefined || mayBindStatically(index, claim)) continue;
        const message = messageOf({ index, claim, ...source }, context);
        if (message === undefined) continue;
        const from =
          source.kind === "VolumeSnapshot" ? undefined : index.find(claim.namespace, source.name);
        yield { entry: claim.entry, path: source.path, message, ...driverBasis(claim, from) };
      }
    },
  };
}

/** Undefined for sources of other kinds or namespaces, and for what the server drops. */
export function sourceOf({
  spec,
  path,
}: ClaimFacts): Pick<ClaimSource, "kind" | "name" | "path"> | undefined {
  const field = spec["dataSource"] === undefined ? "dataSourceRef" : "dataSource";
  const { kind, name, namespace, apiGroup = "" }: Fields = fieldsAt(spec, field);
  if (typeof name !== "string" || namespace !== undefined) return undefined;
  const isClaim = kind === "PersistentVolumeClaim" && apiGroup === "";
  if (!isClaim && (kind !== "VolumeSnapshot" || apiGroup !== snapshotGroup)) return undefined;
  return { kind, name, path: [...path, field, "name"] };
}

function lacks(environment: Environment, { driver }: ClaimFacts, trait: "clone"): boolean {
  return driver !== undefined && driverTrait(environment, driver, trait) === false;
}
