/** Inlay hints: what the cluster fills in. The class of a claim that names none, and the volume that a claim gets. */
import type { Prediction } from "../prediction/predictor.ts";
import { documentStart, type WorkspaceFile } from "../workspace/workspace.ts";
import { locate, type Path } from "../yaml/locate.ts";

export interface InlayHint {
  /** Offset in the file. */
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

export function inlayHints(prediction: Prediction, file: WorkspaceFile): readonly InlayHint[] {
  return prediction.environment.objects
    .filter((entry) => entry.file.uri === file.uri && entry.object.kind === "PersistentVolumeClaim")
    .flatMap((entry): InlayHint[] => {
      const { object, document } = entry;
      const claim = object.ref === undefined ? undefined : prediction.facts.objects.get(object.ref);
      if (claim?.kind !== "PersistentVolumeClaim") return [];
      const hints: InlayHint[] = [];
      const hintAt = (path: Path, label: string, tooltip: string): void => {
        const place = locate(document.yaml, [...object.path, ...path]);
        if (place.depth < object.path.length + path.length) return;
        hints.push({
          offset: documentStart(entry) + (place.key ?? place.value).end,
          label,
          tooltip,
        });
      };
      const { volumeName, storageClassName } = claim.spec;
      const wrote = (object.value["spec"] ?? {}) as {
        readonly volumeName?: unknown;
        readonly storageClassName?: unknown;
      };
      if (
        claim.status?.phase === "Bound" &&
        volumeName !== undefined &&
        wrote.volumeName !== volumeName
      ) {
        const nameEnd = locate(document.yaml, [...object.path, "metadata", "name"]).value.end;
        const tooltip = `The volume that the claim gets with cluster profile “${prediction.assumed.cluster.name}”`;
        hints.push({
          offset: documentStart(entry) + nameEnd,
          label: `→ ${shortName(volumeName)}`,
          tooltip,
        });
      }
      if (
        storageClassName !== undefined &&
        storageClassName !== "" &&
        wrote.storageClassName === undefined
      ) {
        hintAt(["spec"], `class ${storageClassName}`, "The default class, filled in at creation");
      }
      return hints;
    });
}

/** The names that provisioners give are long and tell nothing. */
function shortName(volume: string): string {
  return /^pvc-[0-9a-f]{8}-[0-9a-f-]+$/.test(volume) ? "a new volume" : volume;
}
