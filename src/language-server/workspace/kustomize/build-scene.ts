/** Where a build step happens, and the objects that it works on. */
import type { WorkspaceFile } from "../workspace-object.ts";
import type { BuildLog } from "./build-log.ts";
import type { EntryPlace } from "./entry-place.ts";
import type { FieldLists } from "./field-specs.ts";
import type { Resource } from "./resource.ts";

export interface BuildScene {
  readonly place: EntryPlace;
  readonly resources: readonly Resource[];
  readonly fields: FieldLists;
  readonly log: BuildLog;
  findFile(uri: string): WorkspaceFile | undefined;
}
