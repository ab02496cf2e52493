/** Changes that would give a claim a volume, from the near misses that the matcher recorded and from the existing classes. */
import { fullAccessMode } from "../../api/access-modes.ts";
import { type KubeObject, makeRef, nameOfRef, refOf } from "../../api/meta.ts";
import {
  claimHasClass,
  classNameField,
  defaultStorageClass,
  effectiveClassName,
} from "../../api/storage-class-name.ts";
import { makesVolumes } from "../../matching/csi-migration.ts";
import type { Candidate, Decision, FailedRule } from "../../trace/decision.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";
import { volumeOf } from "../volumes/bound-pair.ts";
import { chooseClass, mayMake } from "./class-fixes.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

const fixCountMax = 6;

/** Fixes for a claim that no volume fits: near misses corrected, a class that provisions, a default class. */
export function claimFixes(
  facts: RunFacts,
  claim: Claim,
  decision: Decision | undefined,
): readonly Fix[] {
  const near = nearMissFixes(claim, decision?.candidates ?? []);
  return [...near, ...classFixes(facts, claim)].slice(0, fixCountMax);
}

/** The fix for a claim that does not get the volume it names: `other`, or to name none if it could get another one. */
export function otherVolumeFix(facts: RunFacts, claim: Claim, other: string): Fix {
  const at = { ref: refOf(claim), field: "spec.volumeName" };
  if (!mayGetAnother(facts, claim)) return { text: other, at };
  const doing = "remove spec.volumeName";
  return { text: `${other}, or ${doing}`, doing, at, value: null };
}

/** True if the claim's class makes volumes, as far as is known, or a volume of the class is free. */
function mayGetAnother(facts: RunFacts, claim: Claim): boolean {
  const name = effectiveClassName(claim);
  const provisioner = facts.get("StorageClass", undefined, name)?.provisioner;
  if (name !== "" && (provisioner === undefined || makesVolumes(provisioner))) return true;
  return facts
    .list("PersistentVolume")
    .some((volume) => volume.spec.claimRef === undefined && effectiveClassName(volume) === name);
}

/** The only rule that the nearest volume fails; undefined if every volume fails several. */
export function onlyFailure(candidates: readonly Candidate[]): FailedRule | undefined {
  return candidates.find(({ failed }) => failed.length === 1)?.failed[0];
}

/** Fixes that give the claim one of the volumes that fail a single rule. */
export function nearMissFixes(claim: Claim, candidates: readonly Candidate[]): readonly Fix[] {
  return candidates.flatMap((candidate) => nearMissFix(claim, candidate)).slice(0, fixCountMax);
}

/** The fields to change, in the claim, the volume or either, if the volume fails a single rule; empty for other volumes. */
function nearMissFix(claim: Claim, { ref, failed }: Candidate): readonly Fix[] {
  const [rule, ...others] = failed;
  if (rule === undefined || others.length > 0) return [];
  const volume = nameOfRef(ref);
  const claimRef = refOf(claim);
  switch (rule.rule) {
    case "capacity":
      return [
        {
          text: `raise spec.capacity.storage of volume "${volume}" to ${rule.wanted}`,
          at: { ref, field: "spec.capacity.storage" },
          value: rule.wanted,
        },
        ask(claimRef, rule, `for volume "${volume}"`),
      ];
    case "storage-class":
    case "volume-mode":
      return [ask(claimRef, rule, `for volume "${volume}"`)];
    case "access-modes":
      return [
        {
          text: `add ${rule.wanted} to spec.accessModes of volume "${volume}", if its storage allows it`,
          at: { ref, field: "spec.accessModes" },
        },
        ...askForMode(claim, rule.found, volume),
      ];
    case "selector":
      return [
        {
          text: `give volume "${volume}" the labels ${rule.wanted}`,
          at: { ref, field: "metadata.labels" },
        },
      ];
    default:
      return [];
  }
}

/** Empty unless the claim requests one access mode, and the volume has one. */
function askForMode(claim: Claim, found: string, volume: string): readonly Fix[] {
  const value = fullAccessMode(found);
  if (value === undefined || claim.spec.accessModes?.length !== 1) return [];
  const at = { ref: refOf(claim), field: "spec.accessModes[0]" };
  return [{ text: `ask for ${value}, which volume "${volume}" has`, at, value }];
}

function ask(ref: string, rule: FailedRule, what: string): Fix {
  const field = rule.wantedField ?? "spec";
  return {
    text: `set ${field} to ${rule.found === "" ? '""' : rule.found} ${what}`,
    at: { ref, field },
    value: rule.found,
  };
}

function classFixes(facts: RunFacts, claim: Claim): readonly Fix[] {
  const at = { ref: refOf(claim), field: classNameField(claim) };
  const classes = facts.list("StorageClass").filter((c) => makesVolumes(c.provisioner));
  const choose = chooseClass(facts, claim, classes);
  if (choose.length === 0)
    return [
      {
        text: "create a StorageClass and name it in spec.storageClassName, or create a volume that fits",
      },
    ];
  // Whatever the class, the selector has to go too: `chooseClass` says so.
  if (claim.spec.selector !== undefined) return choose;
  const standard = defaultStorageClass(classes);
  if (!claimHasClass(claim))
    return standard === undefined ? [...choose, markDefault(choose)] : choose;
  if (standard === undefined || claim.spec.storageClassName !== "") return choose;
  if (!mayMake(facts, claim, standard)) return choose;
  const text = `remove ${at.field}, so that the default class "${standard.metadata.name}" is filled in`;
  return [{ text, at, value: null }, ...choose];
}

/**
 * Claims without a class get the default class, even if it is marked later.
 * Upstream: pv_controller.go assignDefaultStorageClass, v1.36.
 */
function markDefault([first]: readonly Fix[]): Fix {
  return {
    text: "mark a class as the default one",
    at: {
      ref: makeRef("StorageClass", undefined, String(first?.value ?? "")),
      field: "metadata.annotations[storageclass.kubernetes.io/is-default-class]",
    },
    value: "true",
  };
}

/** Fixes for a rule that the claim's named volume fails. */
export function mismatchFix(facts: RunFacts, claim: Claim, rule: string): readonly Fix[] {
  const volume = volumeOf(facts, claim);
  if (volume === undefined) return [];
  const at = (field: string): Place => ({ ref: refOf(claim), field });
  switch (rule) {
    case "capacity": {
      const size = volume.spec.capacity?.["storage"] ?? "";
      const text = `ask for ${size}, which the volume has`;
      return [{ text, at: at("spec.resources.requests.storage"), value: size }];
    }
    case "storage-class": {
      const name = volume.spec.storageClassName ?? "";
      const field = classNameField(claim);
      return [
        { text: `set ${field} to "${name}", the volume's class`, at: at(field), value: name },
      ];
    }
    case "volume-mode": {
      const mode = volume.spec.volumeMode ?? "Filesystem";
      return [{ text: `set spec.volumeMode to ${mode}`, at: at("spec.volumeMode"), value: mode }];
    }
    case "access-modes": {
      const modes = volume.spec.accessModes ?? [];
      const [value] = modes;
      const text = `ask only for ${modes.join(", ")}`;
      const isOneForOne = modes.length === 1 && claim.spec.accessModes?.length === 1;
      return isOneForOne && value !== undefined
        ? [{ text, at: at("spec.accessModes[0]"), value }]
        : [{ text, at: at("spec.accessModes") }];
    }
    default:
      return [];
  }
}

/** Candidates that do not fail by their class; a claim whose class name has no StorageClass is meant for these. */
export function ofSameClass(decision: Decision | undefined): readonly Candidate[] {
  return (decision?.candidates ?? []).filter(
    ({ failed }) => !failed.some(({ rule }) => rule === "storage-class"),
  );
}

/** Candidates that fail because they have another class, or none. */
export function ofAnotherClass(decision: Decision | undefined): readonly Candidate[] {
  return (decision?.candidates ?? []).filter(({ failed }) =>
    failed.some(({ rule }) => rule === "storage-class"),
  );
}
