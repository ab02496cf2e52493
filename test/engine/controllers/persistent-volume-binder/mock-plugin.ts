/** A volume plugin whose answers a test sets. Upstream: framework_test.go mockVolumePlugin. */
import type {
  Attempt,
  VolumePlugin,
} from "../../../../src/engine/controllers/persistent-volume-binder/volume-plugins.ts";
import { sleep, type Task } from "../../../../src/engine/runtime/effects.ts";

/** `""` is success, any other text an error; without a list the plugin refuses. */
export interface MockAnswers {
  readonly provision?: readonly string[];
  readonly remove?: readonly string[];
  readonly recycle?: readonly string[];
  /** Repeats the last answer, for runs in which calls are repeated. */
  readonly endless?: boolean;
}

export function mockPlugin(answers: MockAnswers): VolumePlugin {
  const { provision, remove, recycle, endless = false } = answers;
  const next = (list: readonly string[], verb: string): (() => Task<Attempt>) => {
    let count = 0;
    return function* () {
      yield* sleep(1);
      const answer = list[endless ? Math.min(count, list.length - 1) : count];
      if (answer === undefined) {
        return { ok: false, error: `Mock plugin error: unexpected ${verb} call ${count}` };
      }
      count++;
      return answer === "" ? { ok: true } : { ok: false, error: answer };
    };
  };
  const refuse = (verb: string): { readonly ok: false; readonly error: string } => ({
    ok: false,
    error: `Mock plugin error: no ${verb}Calls configured`,
  });
  const nextProvision = next(provision ?? [], "provisioner");
  const nextRemove = next(remove ?? [], "deleter");
  const nextRecycle = next(recycle ?? [], "recycler");
  return {
    name: "kubernetes.io/mock-volume",
    supports: () => true,
    supportsMountOptions: false,
    newProvisioner: ({ volumeName, claim }) => {
      if (provision === undefined) return refuse("provision");
      return {
        ok: true,
        provision: function* () {
          const made = yield* nextProvision();
          if (!made.ok) return made;
          const { accessModes = [], resources, volumeMode = "Filesystem" } = claim.spec;
          const capacity = { storage: resources?.requests?.["storage"] ?? "" };
          const gcePersistentDisk = { pdName: volumeName };
          return {
            ok: true,
            volume: {
              name: volumeName,
              spec: { capacity, accessModes, volumeMode, gcePersistentDisk },
            },
          };
        },
      };
    },
    newDeleter: () => (remove === undefined ? refuse("delete") : { ok: true, remove: nextRemove }),
    recycle: function* () {
      return recycle === undefined ? refuse("recycle") : yield* nextRecycle();
    },
  };
}
