// refused by biome: lint/style/noRestrictedImports
import { name } from "../store/inner.ts";

export const told: string = name;
