// refused by biome: lint/style/noRestrictedImports
import { name } from "../engine/other.ts";

export const value: string = name;
