// refused by biome: lint/style/noRestrictedImports
import { name } from "../../engine/store/inner.ts";

export const value: string = name;
