// accepted
export const name: string = "other";
