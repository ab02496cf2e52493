/** What is not in the simulated cluster, because kubectl cannot read it or the API server refuses it. */
import { documentAt } from "../language-server/yaml/manifest-file.ts";
import type { ClusterResult } from "./cluster-result.ts";
import { printPlace } from "./place.ts";

/** Of the objects that are meant; empty where all of them have been accepted. */
export function refusedText(
  { environment, prediction, service }: ClusterResult,
  cwd: string,
  isMeant: (ref: string) => boolean = () => true,
): string {
  const lines = service.keptOut(prediction).flatMap(({ uri, start, message }) => {
    const file = service.file(uri);
    if (file === undefined) return [];
    const index = documentAt(file.manifest, start)?.index;
    const objects = environment.objects.filter(({ file: own, documentIndex, patched }) =>
      own.uri === uri ? documentIndex === index : patched?.uris.includes(uri),
    );
    // What cannot be read is nobody's.
    const isOther =
      objects.length > 0 && !objects.some(({ object: { ref } }) => isMeant(ref ?? ""));
    return isOther ? [] : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  return lines.length === 0
    ? ""
    : `${["Not in the cluster, because refused:", ...lines].join("\n")}\n`;
}
