// refused by tsc: TS2591
export const home: unknown = process.env["HOME"];
