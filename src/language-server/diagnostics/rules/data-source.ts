/** Data sources of claims: sources that the server drops, and drivers that cannot copy. */
import { snapshotGroup } from "../../../engine/api/served-instead.ts";
import { dataSourceGroup } from "../../../engine/api/strategy/data-sources.ts";
import { pathProvisionerType } from "../../../engine/csi/catalogue/path-provisioners.ts";
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
import type {
  DocumentRule,
  EnvironmentContext,
  EnvironmentRule,
  FieldFix,
  ObjectReport,
} from "../rule.ts";

export const datasourceDropped: DocumentRule = objectRule(
  "datasource-dropped",
  "error",
  {},
  function* (object) {
    for (const { fields, path } of claimSpecsOf(object)) {
      const source = fieldsAt(fields, "dataSource");
      const { kind, apiGroup = "" } = source;
      if (kind === undefined || fields["dataSourceRef"] !== undefined) continue;
      // datasource-no-group reports these.
      if (kind === "VolumeSnapshot" && apiGroup === "") continue;
      const group = typeof kind === "string" ? dataSourceGroup(kind) : undefined;
      if (group === apiGroup) continue;
      const dropped = "The server drops this source silently, and an empty volume is made";
      if (group === undefined)
        yield {
          path: [...path, "dataSource", "kind"],
          message: `${dropped}; use dataSourceRef`,
          // dataSourceRef accepts other kinds, but only with an API group; without one it must be a claim.
          ...(apiGroup !== "" && {
            fix: {
              title: "Rename it to dataSourceRef",
              path: [...path, "dataSource"],
              key: "dataSourceRef",
            },
          }),
        };
      else
        yield {
          path: [...path, "dataSource", "apiGroup"],
          message: `${dropped}: ${kind} is of ${group === "" ? "no group" : `the group ${group}, without a version`}`,
          fix: groupFix([...path, "dataSource", "apiGroup"], group),
        };
    }
  },
);

function groupFix(path: Path, group: string): FieldFix {
  return group === ""
    ? { title: "Remove apiGroup", path, value: null }
    : { title: `Set apiGroup to ${group}`, path, value: group };
}

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
          message: `Without apiGroup: ${snapshotGroup} this does not refer to a snapshot, and an empty volume is provisioned`,
          fix: groupFix([...path, field, "apiGroup"], snapshotGroup),
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
  ({ kind, claim: { driver } }, { environment }) => {
    if (kind !== "PersistentVolumeClaim" || driver === undefined) return undefined;
    if (driverTrait(environment, driver, "clone") !== false) return undefined;
    return `Driver “${driver}” does not support cloning`;
  },
);

const ignoresSources: ReadonlySet<string> = new Set([
  "local-path",
  "microk8s-hostpath",
  "minikube-hostpath",
  "nfs-subdir",
]);

/**
 * Upstream: sig-storage-lib-external-provisioner controller.go canProvision, local-path-provisioner provisioner.go,
 * nfs-subdir-external-provisioner provisioner.go, minikube storage_provisioner.go, canonical/hostpath-provisioner
 * hostpath-provisioner.go: none of these reads the source. That of OpenEBS does; that of Docker Desktop is not public.
 */
export const datasourceIgnored: EnvironmentRule = sourceRule("datasource-ignored", ({ claim }) => {
  const type = pathProvisionerType(claim.driver ?? "");
  if (type === undefined || !ignoresSources.has(type)) return undefined;
  return `“${claim.driver}” ignores the source: the claim is bound to an empty volume`;
});

export const datasourceCycle: EnvironmentRule = sourceRule(
  "datasource-cycle",
  ({ claim, index }) => {
    if (!claimsInCycles(index).has(claim)) return undefined;
    return clonedFrom(index, claim) === claim
      ? "The claim is made from itself, so it can never be provisioned"
      : "The claims are made from each other, so none can ever be provisioned";
  },
);

function claimsInCycles(index: ClaimIndex): ReadonlySet<ClaimFacts> {
  const known = cycles.get(index);
  if (known !== undefined) return known;
  const found = new Set<ClaimFacts>();
  const seen = new Set<ClaimFacts>();
  for (const claim of index.claims) {
    const way: ClaimFacts[] = [];
    let at: ClaimFacts | undefined = claim;
    for (; at !== undefined && !seen.has(at); at = clonedFrom(index, at)) {
      seen.add(at);
      way.push(at);
    }
    const start = at === undefined ? -1 : way.indexOf(at);
    if (start >= 0) for (const one of way.slice(start)) found.add(one);
  }
  cycles.set(index, found);
  return found;
}

// Needed for each claim that is made from another one.
const cycles = new WeakMap<ClaimIndex, ReadonlySet<ClaimFacts>>();

/** A claim that may be bound to an existing volume does not depend on a source. */
function clonedFrom(index: ClaimIndex, claim: ClaimFacts): ClaimFacts | undefined {
  const source = sourceOf(claim);
  if (source?.kind !== "PersistentVolumeClaim") return undefined;
  const from = index.find(claim.namespace, source.name);
  return from === undefined || mayBindStatically(index, from) ? undefined : from;
}

interface ClaimSource {
  readonly index: ClaimIndex;
  readonly claim: ClaimFacts;
  readonly kind: "PersistentVolumeClaim" | "VolumeSnapshot";
  readonly name: string;
  /** Path of the name. */
  readonly path: Path;
}

/** A rule on the source of each claim that is yet to be provisioned, if `messageOf` has a message. */
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

/** Undefined for sources of other kinds or namespaces, and for those that the server drops. */
export function sourceOf({
  spec,
  path,
}: ClaimFacts): Pick<ClaimSource, "kind" | "name" | "path"> | undefined {
  const field = spec["dataSource"] === undefined ? "dataSourceRef" : "dataSource";
  const { kind, name, namespace, apiGroup = "" }: Fields = fieldsAt(spec, field);
  if (typeof name !== "string" || namespace !== undefined) return undefined;
  if (kind !== "PersistentVolumeClaim" && kind !== "VolumeSnapshot") return undefined;
  if (dataSourceGroup(kind) !== apiGroup) return undefined;
  return { kind, name, path: [...path, field, "name"] };
}
