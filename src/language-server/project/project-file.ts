/** claimcheck.yaml: the cluster and drivers to assume, severities, and more; its schema is schemas/claimcheck.schema.json. */
import {
  catalogueAlone,
  type DriverKnowledge,
} from "../../engine/csi/catalogue/driver-knowledge.ts";
import {
  type KubernetesVersion,
  kubernetesVersionOf,
  kubernetesVersions,
} from "../../engine/scenario.ts";
import { nearestName } from "../nearest-name.ts";
import { isRecord, plainText } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { readDrivers } from "./described-drivers.ts";

export const projectFileName = "claimcheck.yaml";
export const projectIsFolder = "This is a folder; settings are read from a file of this name";

export type SeveritySetting = "error" | "warning" | "information" | "hint" | "off";
export const severitySettings: readonly SeveritySetting[] = [
  "error",
  "warning",
  "information",
  "hint",
  "off",
];

export interface ProjectProblem {
  readonly path: Path;
  readonly message: string;
  /** The problem is the key, not its value. */
  readonly atKey?: boolean;
  /** The known key that is nearest, if one is near. */
  readonly meant?: string | undefined;
}

/** Accepts findings of a rule in some files. */
export interface ProjectSuppression {
  readonly rule: string;
  /** Globs, relative to the project file's folder; empty for all files. */
  readonly files: readonly string[];
  /** The entry's path in the project file. */
  readonly path: Path;
}

/** A file with objects of a running cluster. */
export interface ClusterImport {
  /** Relative to the project file's folder, or absolute. */
  readonly file: string;
  /** The entry's path in the project file. */
  readonly path: Path;
}

/** A folder whose manifests are for the project file's cluster as well. */
export interface ProjectFolder {
  /** Relative to the project file's folder. */
  readonly folder: string;
  /** The entry's path in the project file. */
  readonly path: Path;
}

/** A chart that is installed into the project file's cluster. */
export interface ProjectRelease {
  /** Its folder, relative to the project file's folder. */
  readonly chart: string;
  /** Name of the release; "" for the chart's own name. */
  readonly name: string;
  readonly namespace: string;
  /** Files that override the chart's values, later ones override earlier ones; relative to the project file's folder. */
  readonly values: readonly string[];
  /** The Helm option of that name. */
  readonly skipSchemaValidation: boolean;
  /** The entry's path in the project file. */
  readonly path: Path;
}

export interface ProjectFile {
  readonly profile?: string;
  readonly imports: readonly ClusterImport[];
  readonly folders: readonly ProjectFolder[];
  /** Folder or file of the kustomization to judge if several build different objects; relative to the project file's folder. */
  readonly kustomization?: string;
  /** The charts to install, in order; if absent, every chart that is found, once. */
  readonly charts?: readonly ProjectRelease[];
  readonly kubernetesVersion?: KubernetesVersion;
  /** The catalogue, with the file's own descriptions of drivers. */
  readonly drivers: DriverKnowledge;
  readonly rules: ReadonlyMap<string, SeveritySetting>;
  readonly suppressions: readonly ProjectSuppression[];
  /** Problems of the values; names of profiles and rules are checked elsewhere, where they are known. */
  readonly problems: readonly ProjectProblem[];
}

/** Keeps what is correct in a partly wrong file; an empty or broken file gives no settings. */
export function readProjectFile(text: string): ProjectFile {
  const { value } = readYamlDocument(text);
  const problems: ProjectProblem[] = [];
  const nothing: ProjectFile = {
    drivers: catalogueAlone,
    imports: [],
    folders: [],
    rules: new Map(),
    suppressions: [],
    problems,
  };
  if (value === undefined || value === null) return nothing;
  if (!isRecord(value)) {
    return { ...nothing, problems: [{ path: [], message: "The project file must be a mapping" }] };
  }
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    const free = keys.filter((known) => !Object.hasOwn(value, known));
    const meant = nearestName(key, free);
    const choice = meant === undefined ? `; known are ${keys.join(", ")}` : "";
    problems.push({ path: [key], message: `Unknown key “${key}”${choice}`, atKey: true, meant });
  }
  const profile = value["profile"];
  if (profile !== undefined && typeof profile !== "string") {
    problems.push({ path: ["profile"], message: "The profile is a name" });
  }
  const kustomization = value["kustomization"];
  if (kustomization !== undefined && typeof kustomization !== "string") {
    problems.push({ path: ["kustomization"], message: "The kustomization is a folder or a file" });
  }
  const version = readVersion(value["kubernetesVersion"], problems);
  const { drivers, problems: ofDrivers } = readDrivers(value["drivers"]);
  for (const { isOfKey = false, ...problem } of ofDrivers)
    problems.push({ ...problem, atKey: isOfKey });
  return {
    ...(typeof profile === "string" && { profile }),
    ...(typeof kustomization === "string" && { kustomization }),
    ...(version !== undefined && { kubernetesVersion: version }),
    ...(value["charts"] !== undefined && { charts: readCharts(value["charts"], problems) }),
    drivers,
    imports: readImports(value["cluster"], problems),
    folders: readFolders(value["folders"], problems),
    rules: readRules(value["rules"], problems),
    suppressions: readSuppressions(value["suppressions"], problems),
    problems,
  };
}

const keys: readonly string[] = [
  "profile",
  "cluster",
  "folders",
  "kustomization",
  "charts",
  "kubernetesVersion",
  "drivers",
  "rules",
  "suppressions",
];

function readImports(value: unknown, problems: ProjectProblem[]): readonly ClusterImport[] {
  if (value === undefined || value === null) return [];
  const message =
    "A cluster must be a mapping with `import`: one or more files from `kubectl get … -o yaml`; nodes alone are written as manifests of kind Node";
  const given = isRecord(value) ? (value["import"] ?? []) : undefined;
  const isRead = isRecord(value) && Object.keys(value).every((key) => key === "import");
  const files: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!isRead || !files.every((file) => typeof file === "string" && file !== "")) {
    problems.push({ path: ["cluster"], message });
    return [];
  }
  const isList = Array.isArray(given);
  return files.map((file, index) => ({
    file: String(file),
    path: isList ? ["cluster", "import", index] : ["cluster", "import"],
  }));
}

function readFolders(value: unknown, problems: ProjectProblem[]): readonly ProjectFolder[] {
  if (value === undefined || value === null) return [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!given.every((folder) => typeof folder === "string" && folder !== "")) {
    problems.push({ path: ["folders"], message: "Folders are a folder or a list of folders" });
    return [];
  }
  return given.map((folder, index) => ({
    folder: String(folder),
    path: Array.isArray(value) ? ["folders", index] : ["folders"],
  }));
}

function readCharts(value: unknown, problems: ProjectProblem[]): readonly ProjectRelease[] {
  if (value === null) return [];
  const message =
    "Charts are a list of mappings with `chart`, a folder, and with `name`, `namespace`, `values` (a file or several) and `skipSchemaValidation` at will";
  if (!Array.isArray(value)) {
    problems.push({ path: ["charts"], message });
    return [];
  }
  return value.flatMap((entry: unknown, index): ProjectRelease[] => {
    const path = ["charts", index];
    const given = isRecord(entry) ? entry : {};
    const { chart, name = "", namespace = "default", values = [], ...more } = given;
    const { skipSchemaValidation = false, ...others } = more;
    const files: readonly unknown[] = Array.isArray(values) ? values : [values];
    const [folder, release, into, ...named] = [chart, name, namespace, ...files].map((text) =>
      typeof text === "string" ? text : undefined,
    );
    const isRead = named.every((file) => file !== undefined) && Object.keys(others).length === 0;
    if (
      isRead &&
      folder !== undefined &&
      folder !== "" &&
      release !== undefined &&
      into !== undefined &&
      typeof skipSchemaValidation === "boolean"
    )
      return [
        {
          chart: folder,
          name: release,
          namespace: into,
          values: named,
          skipSchemaValidation,
          path,
        },
      ];
    problems.push({ path, message });
    return [];
  });
}

function readVersion(value: unknown, problems: ProjectProblem[]): KubernetesVersion | undefined {
  if (value === undefined) return undefined;
  // Unquoted 1.34 is a number.
  const text = plainText(value);
  const known = kubernetesVersionOf(text);
  if (known === undefined) {
    problems.push({
      path: ["kubernetesVersion"],
      message: `The Kubernetes version must be one of ${kubernetesVersions.join(", ")}${value === null ? "" : `, not ${text}`}`,
    });
  }
  return known;
}

function readRules(
  value: unknown,
  problems: ProjectProblem[],
): ReadonlyMap<string, SeveritySetting> {
  const rules = new Map<string, SeveritySetting>();
  if (value === undefined || value === null) return rules;
  if (!isRecord(value)) {
    problems.push({
      path: ["rules"],
      message: "Rules must be a mapping from a rule's id to a severity",
    });
    return rules;
  }
  for (const [id, given] of Object.entries(value)) {
    // YAML 1.1 reads an unquoted `off` as a boolean.
    const severity = given === false ? "off" : severitySettings.find((known) => known === given);
    if (severity === undefined) {
      problems.push({
        path: ["rules", id],
        message: `A severity must be one of ${severitySettings.join(", ")}`,
      });
    } else {
      rules.set(id, severity);
    }
  }
  return rules;
}

const suppressionKeys: readonly string[] = ["rule", "files", "reason"];

function readSuppressions(
  value: unknown,
  problems: ProjectProblem[],
): readonly ProjectSuppression[] {
  if (value === undefined || value === null) return [];
  const message = "Suppressions are a list of mappings with a rule, and files and a reason at will";
  if (!Array.isArray(value)) {
    problems.push({ path: ["suppressions"], message });
    return [];
  }
  return value.flatMap((entry: unknown, index): ProjectSuppression[] => {
    const path = ["suppressions", index];
    const { rule, files = [] } = isRecord(entry) ? entry : {};
    const globs: readonly unknown[] = Array.isArray(files) ? files : [files];
    const isRead =
      isRecord(entry) &&
      typeof rule === "string" &&
      globs.every((glob): glob is string => typeof glob === "string") &&
      Object.keys(entry).every((key) => suppressionKeys.includes(key));
    if (!isRead) {
      problems.push({ path, message });
      return [];
    }
    return [{ rule, files: globs.map(String), path }];
  });
}
