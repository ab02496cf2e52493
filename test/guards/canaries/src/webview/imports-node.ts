// refused by biome: lint/style/noRestrictedImports
import { join } from "node:path";

export const path: string = join("a", "b");
