/**
 * The directory that a class's pathPattern gives a claim.
 * Upstream: rancher/local-path-provisioner provisioner.go pathFromPattern, provisionFor; Go 1.26 text/template for fields and
 * `index`. A template that does more is not evaluated: such a volume has the usual directory.
 */
import { isLocalFilePath, joinFilePath } from "../../api/go/file-path.ts";
import { parseBool } from "../../api/go/parse-bool.ts";
import type { KubeObject } from "../../api/meta.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** Returns the directory, or the provisioner's error. */
export function patternedFolder(
  { parameters = {}, metadata }: KubeObject<"StorageClass">,
  claim: Claim,
  volumeName: string,
): { readonly folder: string } | string {
  const { namespace = "default", name } = claim.metadata;
  const usual = { folder: [volumeName, namespace, name].join("_") };
  const pattern = parameters["pathPattern"];
  if (pattern === undefined) return usual;
  const folder = fill(pattern, claim, volumeName);
  if (folder === undefined) return usual;
  const unsafe =
    parameters["allowUnsafePathPattern"] ?? metadata.annotations?.["allowUnsafePathPattern"];
  if (parseBool(unsafe ?? "") === true) return { folder };
  if (!folder.startsWith(`${joinFilePath(namespace, name)}/`))
    return `failed to create path from pattern ${pattern}: pathPattern must start with {{ .PVC.Namespace }}/{{ .PVC.Name }}/: ${folder}`;
  return isLocalFilePath(folder)
    ? { folder }
    : `folder path contains invalid references: ${folder}`;
}

/** Returns undefined if the template does more than is evaluated. A dash inside the braces trims the space outside. */
function fill(pattern: string, claim: Claim, volumeName: string): string | undefined {
  const [first = "", ...rest] = pattern.split("{{");
  let filled = first;
  for (const piece of rest) {
    const end = piece.indexOf("}}");
    if (end < 0) return undefined;
    const action = piece.slice(0, end);
    const text = piece.slice(end + 2);
    const [before, after] = [/^-\s/.test(action), /\s-$/.test(action)];
    const value = evaluate(
      action.slice(before ? 1 : 0, after ? -1 : undefined).trim(),
      claim,
      volumeName,
    );
    if (value === undefined) return undefined;
    filled = `${before ? filled.trimEnd() : filled}${value}${after ? text.trimStart() : text}`;
  }
  return filled;
}

function evaluate(text: string, { metadata }: Claim, volumeName: string): string | undefined {
  if (text === ".PVName") return volumeName;
  const [, map, key] =
    /^\.PVC\.(Labels|Annotations)\.(\w+)$/.exec(text) ??
    /^index \.PVC\.(Labels|Annotations) "([^"\\]*)"$/.exec(text) ??
    [];
  if (map === undefined || key === undefined) return fields(metadata).get(text);
  const value = (map === "Labels" ? metadata.labels : metadata.annotations)?.[key];
  return value ?? (text.startsWith("index") ? "" : "<no value>");
}

function fields(metadata: Claim["metadata"]): ReadonlyMap<string, string> {
  return new Map([
    [".PVC.Name", metadata.name],
    [".PVC.Namespace", metadata.namespace ?? "default"],
    [".PVC.GenerateName", metadata.generateName ?? ""],
    [".PVC.UID", metadata.uid],
  ]);
}
