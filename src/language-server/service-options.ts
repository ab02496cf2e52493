/** What the service is made with, and what may be set later. */
import type { Pause } from "./background.ts";
import type { ValuesSource } from "./helm/chart/given-values.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import type { Exclusions } from "./workspace/files/excluded-files.ts";
import type { FileSystem } from "./workspace/files/file-system.ts";
import type { SchemaAssociations } from "./workspace/files/schema-files.ts";

export interface ServiceOptions {
  readonly fileSystem: FileSystem;
  /** The next turn of the event loop. */
  readonly pause: Pause;
  /** Up to so many objects are judged together, and always all where it is infinite; see islands/parting/parting.ts for the default. */
  readonly smallEnvironment?: number;
  /** A run that keeps more is ended, before there is no memory left; without end where absent. */
  readonly traceBytesMax?: number;
}

export interface ServiceSettings extends PredictionSettings {
  /** The YAML language server's setting `yaml.schemas`, where it runs beside us and tells structural errors. */
  readonly yamlSchemas?: SchemaAssociations;
  /** The editor's setting `files.exclude`. */
  readonly exclude?: Exclusions;
  /** By environment, the overlay that is judged in place of the first, or of the one that the project file chooses. */
  readonly overlays?: ReadonlyMap<string, string>;
  /** Values for all charts, over those of the charts and of project files. */
  readonly chartValues?: readonly ValuesSource[];
  /** Files with the objects of a cluster that runs, in place of those that project files name. */
  readonly imports?: readonly string[];
}
