// refused by biome: lint/suspicious/noImportCycles
import { one } from "./cycle-one.ts";

export const two: () => unknown = () => one;
