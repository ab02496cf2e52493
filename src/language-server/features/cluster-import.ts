/** Imports what kubectl printed of a cluster: returns the file to keep it in and the project file that names it. */
import { parseDocument, stringify } from "yaml";
import type { ImportClusterReply } from "../../protocol/messages.ts";
import { projectFileName, readProjectFile } from "../project/project-file.ts";
import { nothingSimulated, readImportedText } from "../workspace/imports/imported-text.ts";

export interface ProjectFolder {
  /** URI. */
  readonly folder: string;
  /** Text of its claimcheck.yaml; undefined if it has none. */
  readonly project: string | undefined;
}

/** `file` is a file name in the folder. If the text holds no object that the engine simulates, no files are returned. */
export function clusterImport(
  text: string,
  file: string,
  { folder, project }: ProjectFolder,
): ImportClusterReply {
  const { objects, problems } = readImportedText(text);
  const lines = problems.map(({ line, message }) =>
    line === undefined ? message : `Line ${line}: ${message}`,
  );
  if (objects.length === 0 && lines.length === 0) lines.push(nothingSimulated);
  const isImportAlready = readProjectFile(project ?? "").imports.some((one) => one.file === file);
  if (objects.length === 0)
    return { objectCount: 0, nodeCount: 0, problems: lines, isImportAlready, files: [] };
  const list = { apiVersion: "v1", kind: "List", items: objects };
  // Kubernetes reads YAML 1.1, where an unquoted `yes` is a boolean.
  const options = { aliasDuplicateObjects: false, lineWidth: 0, compat: "yaml-1.1" } as const;
  return {
    objectCount: objects.length,
    nodeCount: objects.filter(({ kind }) => kind === "Node").length,
    problems: lines,
    isImportAlready,
    files: [
      { uri: `${folder}/${encodeURIComponent(file)}`, text: stringify(list, options) },
      ...(isImportAlready
        ? []
        : [{ uri: `${folder}/${projectFileName}`, text: naming(project ?? "", file) }]),
    ],
  };
}

/** The project file with the import added; everything but its cluster settings is kept. */
function naming(project: string, file: string): string {
  if (!/^cluster\s*:/m.test(project)) {
    const end = project === "" || project.endsWith("\n") ? "" : "\n";
    return `${project}${end}cluster:\n  import: ${stringify(file)}`;
  }
  const document = parseDocument(project);
  document.set("cluster", { import: file });
  return String(document);
}
