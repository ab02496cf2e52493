// refused by tsc: TS6307
import { plain } from "../webview/plain.ts";

export const value: unknown = plain;
