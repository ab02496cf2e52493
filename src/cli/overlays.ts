/**
 * Kustomizations that make different objects of the same files: an editor judges one of them at a time, a command each as a cluster
 * of its own, unless claimcheck.yaml chooses one.
 */
import type { LanguageService } from "../language-server/service.ts";
import type { Environment } from "../language-server/workspace/environment.ts";

export interface ToldEnvironment {
  readonly service: LanguageService;
  readonly environment: Environment;
  /** Which overlays are judged in it, where others are in others. */
  readonly overlay?: string;
}

/** Each takes a run of everything, and what it keeps. */
const overlayCountMax = 20;

/** How many overlays of an environment nobody tells of. */
export function untoldCount({ project, kustomized }: Environment): number {
  if (project.kustomization !== undefined) return 0;
  return Math.max(0, kustomized.overlays.length - overlayCountMax);
}

/** `loadWith` reads all files once more, for a service that judges the given overlay of an environment. */
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
