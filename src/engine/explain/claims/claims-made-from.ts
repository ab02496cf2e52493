/** Which claims are still to be filled from a snapshot or another claim, with no counterpart upstream. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The claims with this data source that are not bound yet. */
export function claimsMadeFrom(
  facts: RunFacts,
  { kind, metadata }: KubeObject<"VolumeSnapshot"> | Claim,
): readonly Claim[] {
  return facts.list("PersistentVolumeClaim").filter(({ metadata: own, spec, status }) => {
    const source = spec.dataSource;
    return (
      own.namespace === metadata.namespace &&
      status?.phase !== "Bound" &&
      source?.kind === kind &&
      source.name === metadata.name
    );
  });
}
