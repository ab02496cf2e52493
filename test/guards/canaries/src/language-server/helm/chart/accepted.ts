// accepted
import { text } from "../../yaml/text.ts";

export const manifest: string = text;
