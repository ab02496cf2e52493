// refused by biome: lint/suspicious/noImportCycles
import type { one } from "./cycle-one.ts";

export const two = (given: typeof one): unknown => given;
