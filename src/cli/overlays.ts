/**
 * Kustomizations that make different objects from the same files: an editor judges one of them at a time, the command line
 * each as a cluster of its own, unless claimcheck.yaml chooses one.
 */
import type { LanguageService } from "../language-server/service.ts";
import type { Environment } from "../language-server/workspace/environment.ts";

export interface ToldEnvironment {
  readonly service: LanguageService;
  readonly environment: Environment;
  /** The overlays judged in this environment; absent if it is the only one. */
  readonly overlay?: string;
}

/** Every overlay takes a whole run, and the memory for its results. */
const overlayCountMax = 20;

/** How many overlays of an environment are left out because of the limit. */
export function untoldCount({ project, kustomized }: Environment): number {
  if (project.kustomization !== undefined) return 0;
  return Math.max(0, kustomized.overlays.length - overlayCountMax);
}

/** Yields the environment once for each overlay. `loadWith` reads all files again, into a service that judges that overlay. */
export async function* ofEachOverlay(
  service: LanguageService,
  environment: Environment,
  loadWith: (overlays: ReadonlyMap<string, string>) => Promise<LanguageService>,
): AsyncGenerator<ToldEnvironment> {
  const { id, project, kustomized } = environment;
  const others = kustomized.overlays.filter(({ isJudged }) => !isJudged);
  if (project.kustomization !== undefined || others.length === 0) {
    yield { service, environment };
    return;
  }
  yield { service, environment, overlay: judgedIn(environment) };
  for (const { folder } of others.slice(0, overlayCountMax - 1)) {
    const other = await loadWith(new Map([[id, folder]]));
    const present = other.environment(id);
    if (present !== undefined)
      yield { service: other, environment: present, overlay: judgedIn(present) };
  }
}

function judgedIn({ kustomized }: Environment): string {
  const judged = kustomized.overlays.filter(({ isJudged }) => isJudged);
  return judged.map(({ folder }) => folder).join(", ");
}
