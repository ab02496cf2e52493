// refused by biome: lint/suspicious/noImportCycles
import { two } from "./cycle-two.ts";

export const one: () => unknown = () => two;
