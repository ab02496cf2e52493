/** What the service is created with, and the settings that may change later. */
import type { Pause } from "./background.ts";
import type { ValuesSource } from "./helm/chart/given-values.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import type { Exclusions } from "./workspace/files/excluded-files.ts";
import type { FileSystem } from "./workspace/files/file-system.ts";
import type { SchemaAssociations } from "./workspace/files/schema-files.ts";

export interface ServiceOptions {
  readonly fileSystem: FileSystem;
  /** Resolves in the next turn of the event loop. */
  readonly pause: Pause;
  /** Up to this many objects are judged together (infinite: always all); islands/parting/parting.ts has the default. */
  readonly smallEnvironment?: number;
  /** Runs that need more memory than this are aborted; unlimited if absent. */
  readonly traceBytesMax?: number;
}

export interface ServiceSettings extends PredictionSettings {
  /** The setting `yaml.schemas` of the YAML language server, if that runs beside us and reports structural errors. */
  readonly yamlSchemas?: SchemaAssociations;
  /** The editor's setting `files.exclude`. */
  readonly exclude?: Exclusions;
  /** By environment: the overlay that is judged instead of the first one or the one that the project file chooses. */
  readonly overlays?: ReadonlyMap<string, string>;
  /** Values for all charts; they override those of the charts and of project files. */
  readonly chartValues?: readonly ValuesSource[];
  /** Files with the objects of a running cluster, instead of those that project files name. */
  readonly imports?: readonly string[];
}
