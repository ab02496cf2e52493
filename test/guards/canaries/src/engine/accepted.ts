// accepted
import { name } from "./other.ts";

export const size: number = [name.length, 2].sort((a, b) => a - b).length;
