/** Mounts of claims in which a program keeps an SQLite database. */
import type { Fields } from "../../workspace/manifest-fields.ts";
import type { EnvironmentContext } from "../rule.ts";
import { type ClaimMount, claimMounts, containerOf } from "./claim-mounts.ts";
import { mountedPath } from "./container-commands.ts";
import { sqliteDirectoryOf } from "./known-images.ts";

export interface SqliteMount extends ClaimMount {
  readonly container: Fields;
  /** Where the database is. */
  readonly directory: string;
}

export function* sqliteMounts(context: EnvironmentContext): Iterable<SqliteMount> {
  for (const mount of claimMounts(context, "volumeMounts")) {
    const { object } = mount.use.workload;
    const container = containerOf(mount);
    const directory = sqliteDirectoryOf(context.environment, object, container);
    if (directory === undefined) continue;
    const located = { fields: container, path: mount.path.slice(0, -2) };
    const mounted = mountedPath(object, located, directory);
    if (mounted?.mount.fields === mount.fields) yield { ...mount, container, directory };
  }
}
