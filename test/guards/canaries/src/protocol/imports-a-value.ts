// refused by biome: plugin
import { name } from "../engine/other.ts";

export const value: string = name;
