// accepted
import { readFileSync } from "node:fs";
import { value } from "../language-server/features/accepted.ts";

export const text: string = `${readFileSync("x", "utf8")}${String(value)}`;
