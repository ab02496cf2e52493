// accepted
export const text: string = "";
