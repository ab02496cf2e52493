/** Which claims are filled from a snapshot or another claim. No counterpart upstream. */
import { type KubeObject, kindOfRef, nameOfRef, namespaceOfRef, type Ref } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The claims with this data source. */
export function claimsMadeFrom(facts: RunFacts, source: Ref): readonly Claim[] {
  const [kind, namespace, name] = [kindOfRef(source), namespaceOfRef(source), nameOfRef(source)];
  return facts
    .list("PersistentVolumeClaim")
    .filter(
      ({ metadata, spec: { dataSource } }) =>
        dataSource?.kind === kind && dataSource.name === name && metadata.namespace === namespace,
    );
}

/** The claims with this data source that are not bound yet. */
export function claimsToMakeFrom(facts: RunFacts, source: Ref): readonly Claim[] {
  return claimsMadeFrom(facts, source).filter(({ status }) => status?.phase !== "Bound");
}
