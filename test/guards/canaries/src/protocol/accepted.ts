// accepted
import type { name } from "../engine/other.ts";

export const accepted: typeof name = "accepted";
