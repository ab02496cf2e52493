// refused by tsc: TS2584
export const page: unknown = document;
