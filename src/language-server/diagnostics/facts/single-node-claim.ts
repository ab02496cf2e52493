/** Which claims only one node, or only one pod, can use at a time. */
import { listAt } from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { EnvironmentContext, ObjectReport, RelatedReport } from "../rule.ts";
import { type ClaimFacts, type ClaimUse, modesOf } from "./claim-facts.ts";
import { driverTrait } from "./driver-facts.ts";
import { isPinnedToNode } from "./workload-facts.ts";

const ofOnePod = "ReadWriteOncePod";

/** True for ReadWriteOncePod alone. */
export function isForOnePod({ modes }: ClaimFacts): boolean {
  return modes.length > 0 && modes.every((mode) => mode === ofOnePod);
}

/** True if only one node at a time can write: ReadWriteOnce without shared modes. */
export function isForOneNode(claim: ClaimFacts): boolean {
  const modes = modesOfVolume(claim);
  return (
    modes.includes("ReadWriteOnce") && modes.every((m) => m === "ReadWriteOnce" || m === ofOnePod)
  );
}

/** The modes of the volume decide about its attachment, not those that the claim asks for. */
function modesOfVolume({ volume, modes }: ClaimFacts): readonly unknown[] {
  return volume === undefined ? modes : listAt(volume.object.value, "spec", "accessModes");
}

/**
 * Like `isForOneNode`, but only for a disk that is attached to one node and can move to another. A disk that is part of a node
 * makes its pods run there, and a network share can be mounted everywhere, whatever its claim says.
 */
export function isMovingDisk(context: EnvironmentContext, claim: ClaimFacts): boolean {
  const { driver } = claim;
  const { environment } = context;
  if (driver === undefined || !isForOneNode(claim) || hasOneNode(context)) return false;
  const key = driverTrait(environment, driver, "topologyKey");
  const isPartOfNode = key !== "" && driverTrait(environment, driver, "topologyFrom") === "node";
  return driverTrait(environment, driver, "attachRequired") === true && !isPartOfNode;
}

/** True if all pods run on the same node, because there is no other. */
export function hasOneNode({ cluster }: EnvironmentContext): boolean {
  return cluster.nodes.length === 1;
}

/** True for more than one pod at a time that may run on different nodes. */
export function spreadsPods({ workload }: ClaimUse): boolean {
  return podCountOf(workload.object).count > 1 && !isPinnedToNode(workload.object);
}

/** A report at the claim's name in the workload, with the contradicting fields. */
export function useReport(
  { workload, path, claim }: ClaimUse,
  message: string,
  related: readonly RelatedReport[] = [],
): ObjectReport {
  return {
    entry: workload,
    path,
    message,
    related: [modesOf(claim), ...countOf(workload), ...related],
  };
}

function countOf(workload: ClaimUse["workload"]): readonly RelatedReport[] {
  const { count, path } = podCountOf(workload.object);
  const message = count === 1 ? "One pod at a time" : `${count} pods at a time`;
  return path === undefined ? [] : [{ entry: workload, path, message }];
}
