// refused by biome: lint/style/noRestrictedImports
import { folder } from "../../workspace/folder.ts";

export const chartFolder: string = folder;
