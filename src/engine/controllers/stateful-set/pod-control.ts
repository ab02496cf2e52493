/**
 * Creates, corrects and deletes a StatefulSet's pods and their claims. Upstream: pkg/controller/statefulset/
 * stateful_pod_control.go v1.36.
 */
import { aggregated } from "../../api/go/text.ts";
import { type Draft, type KubeObject, makeKey, refOf } from "../../api/meta.ts";
import { parentAndOrdinal } from "../../matching/ordinals.ts";
import {
  create,
  event,
  isConflict,
  isNotFound,
  remove,
  type Task,
  update,
} from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { capitalizesStatefulSetEvents } from "../../version-differences.ts";
import {
  claimName,
  claimTemplates,
  identityMatches,
  newPod,
  type Pod,
  type StatefulSet,
  storageMatches,
  withIdentity,
} from "./identity.ts";
import {
  hasStalePod,
  hasUnexpectedController,
  isOwnerUpToDate,
  type Member,
  retainsScaled,
  withClaimOwner,
} from "./retention.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Verb = "Create" | "Update" | "Delete";

/** Why it failed; undefined if it did not. */
type Failure = string | undefined;

export class StatefulPodControl {
  readonly #claims: Informer<"PersistentVolumeClaim">;
  readonly #pods: Informer<"Pod">;
  readonly #version: KubernetesVersion;

  constructor(
    claims: Informer<"PersistentVolumeClaim">,
    pods: Informer<"Pod">,
    version: KubernetesVersion,
  ) {
    this.#claims = claims;
    this.#pods = pods;
    this.#version = version;
  }

  /** Creates the claims first, so that the pod never lacks them. */
  *createPod(
    set: StatefulSet,
    template: StatefulSet,
    ordinal: number,
    revision: string,
  ): Task<Failure> {
    const draft = newPod(template, ordinal, revision);
    const name = draft.metadata.name ?? "";
    const missing = yield* this.#createClaims(set, name);
    if (missing !== undefined) {
      yield* this.#podEvent("Create", set, name, missing);
      return missing;
    }
    const created = yield* create<"Pod">(draft);
    if (!created.ok && created.error.reason === "AlreadyExists") return created.error.message;
    const uid = created.ok ? created.object.metadata.uid : "";
    const unowned = yield* this.updateClaimOwners(set, { name, uid });
    if (unowned !== undefined) {
      yield* this.#podEvent("Update", set, name, unowned);
      return unowned;
    }
    const failure = created.ok ? undefined : created.error.message;
    yield* this.#podEvent("Create", set, name, failure);
    return failure;
  }

  /** Recreates the missing claims of a pending pod. */
  *createMissingClaims(set: StatefulSet, pod: Pod): Task<Failure> {
    const missing = yield* this.#createClaims(set, pod.metadata.name);
    if (missing !== undefined) return missing;
    const unowned = yield* this.updateClaimOwners(set, pod.metadata);
    if (unowned !== undefined) yield* this.#podEvent("Update", set, pod.metadata.name, unowned);
    return unowned;
  }

  /** Corrects a pod's labels, volumes and claim owners. Upstream: UpdateStatefulPod. */
  *updatePod(set: StatefulSet, pod: Pod): Task<Failure> {
    const { namespace, name } = pod.metadata;
    let current: Pod | undefined = pod;
    let failure: Failure;
    // The number of attempts of client-go's DefaultBackoff.
    for (let attempt = 0; attempt < 4 && current !== undefined; attempt++) {
      const wrong = yield* this.#correct(set, current);
      if (wrong === "nothing") return undefined;
      if (wrong !== "changed") return wrong.failure;
      const updated = yield* update<"Pod">(withIdentity(set, current));
      failure = updated.ok ? undefined : updated.error.message;
      if (updated.ok || !isConflict(updated.error)) break;
      current = this.#pods.get(makeKey(namespace, name));
    }
    yield* this.#podEvent("Update", set, name, failure);
    return failure;
  }

  *#correct(
    set: StatefulSet,
    pod: Pod,
  ): Task<"nothing" | "changed" | { readonly failure: Failure }> {
    const { name } = pod.metadata;
    let changed = !identityMatches(set, pod);
    if (!storageMatches(set, pod)) {
      changed = true;
      const missing = yield* this.#createClaims(set, name);
      if (missing !== undefined) {
        yield* this.#podEvent("Update", set, name, missing);
        return { failure: missing };
      }
    }
    if (!this.claimsMatchPolicy(set, pod.metadata)) {
      changed = true;
      const unowned = yield* this.updateClaimOwners(set, pod.metadata);
      if (unowned !== undefined) {
        yield* this.#podEvent("Update", set, name, unowned);
        return { failure: unowned };
      }
    }
    return changed ? "changed" : "nothing";
  }

  *deletePod(set: StatefulSet, pod: Pod): Task<Failure> {
    const { namespace, name } = pod.metadata;
    const removed = yield* remove("Pod", namespace, name);
    const failure = removed.ok ? undefined : removed.error.message;
    yield* this.#podEvent("Delete", set, name, failure);
    return !removed.ok && isNotFound(removed.error) ? undefined : failure;
  }

  /** Returns the pod of that name, whatever owns it. */
  podNamed(namespace: string | undefined, name: string): Pod | undefined {
    return this.#pods.get(makeKey(namespace, name));
  }

  /** True if a claim still belongs to an earlier pod of this name and will be deleted. Upstream: PodClaimIsStale. */
  hasStaleClaim(set: StatefulSet, name: string): boolean {
    return (
      !retainsScaled(set) &&
      this.#existing(set, name).some((claim) => hasStalePod(claim, set, { name, uid: "" }))
    );
  }

  claimsMatchPolicy(set: StatefulSet, pod: Member): boolean {
    return this.#existing(set, pod.name).every((claim) => isOwnerUpToDate(claim, set, pod));
  }

  /** Upstream: UpdatePodClaimForRetentionPolicy. */
  *updateClaimOwners(set: StatefulSet, pod: Member): Task<Failure> {
    for (const claim of this.#existing(set, pod.name)) {
      const { name } = claim.metadata;
      if (hasUnexpectedController(claim, set, pod)) {
        const text = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        yield* event(refOf(set), "Warning", "ConflictingController", text);
      }
      if (isOwnerUpToDate(claim, set, pod)) continue;
      const updated = yield* update<"PersistentVolumeClaim">(withClaimOwner(claim, set, pod));
      if (!updated.ok)
        return `could not update claim ${name} for delete policy ownerRefs: ${updated.error.message}`;
    }
    return undefined;
  }

  #existing(set: StatefulSet, podName: string): readonly Claim[] {
    const { ordinal } = parentAndOrdinal(podName);
    return claimTemplates(set).flatMap((template) => {
      const claim = this.#claims.get(
        makeKey(set.metadata.namespace, claimName(set, template.metadata.name, ordinal)),
      );
      return claim === undefined ? [] : [claim];
    });
  }

  /** Existing claims are used as they are. Upstream: createPersistentVolumeClaims. */
  *#createClaims(set: StatefulSet, podName: string): Task<Failure> {
    const failures: string[] = [];
    for (const draft of claimDrafts(set, parentAndOrdinal(podName).ordinal)) {
      const name = draft.metadata.name ?? "";
      const existing = this.#claims.get(makeKey(set.metadata.namespace, name));
      if (existing !== undefined) {
        if (existing.metadata.deletionTimestamp !== undefined)
          failures.push(`pvc ${name} is being deleted`);
        continue;
      }
      const created = yield* create<"PersistentVolumeClaim">(draft);
      if (!created.ok) failures.push(`failed to create PVC ${name}: ${created.error.message}`);
      if (created.ok) yield* this.#claimEvent(set, podName, name, undefined);
      else if (created.error.reason !== "AlreadyExists")
        yield* this.#claimEvent(set, podName, name, created.error.message);
    }
    return failures.length === 0 ? undefined : aggregated(failures);
  }

  *#podEvent(verb: Verb, set: StatefulSet, pod: string, failure: Failure): Task {
    const text = `${this.#word(verb)} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    if (failure === undefined)
      yield* event(refOf(set), "Normal", `Successful${verb}`, `${text} successful`);
    else yield* event(refOf(set), "Warning", `Failed${verb}`, `${text} failed error: ${failure}`);
  }

  *#claimEvent(set: StatefulSet, pod: string, claim: string, failure: Failure): Task {
    const verb = this.#word("Create");
    const text = `Pod ${pod} in StatefulSet ${set.metadata.name}`;
    if (failure === undefined) {
      yield* event(
        refOf(set),
        "Normal",
        "SuccessfulCreate",
        `${verb} Claim ${claim} ${text} success`,
      );
    } else {
      yield* event(
        refOf(set),
        "Warning",
        "FailedCreate",
        `${verb} Claim ${claim} for ${text} failed error: ${failure}`,
      );
    }
  }

  #word(verb: Verb): string {
    return capitalizesStatefulSetEvents(this.#version) ? verb : verb.toLowerCase();
  }
}

/** Upstream: getPersistentVolumeClaims. */
function claimDrafts(set: StatefulSet, ordinal: number): readonly Draft<"PersistentVolumeClaim">[] {
  return claimTemplates(set).map((template) => {
    const { name, labels, annotations, finalizers, ownerReferences } = template.metadata;
    const allLabels = { ...labels, ...set.spec?.selector.matchLabels };
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name: claimName(set, name, ordinal),
        ...(set.metadata.namespace !== undefined && { namespace: set.metadata.namespace }),
        ...(Object.keys(allLabels).length > 0 && { labels: allLabels }),
        ...(annotations !== undefined && { annotations }),
        ...(finalizers !== undefined && { finalizers }),
        ...(ownerReferences !== undefined && { ownerReferences }),
      },
      spec: template.spec,
    };
  });
}
