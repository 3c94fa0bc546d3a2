export type EmailStatement<P> = "claim" | "unstated" | "no-address" | "user-name" | ((profile: P) => boolean | null | undefined);
export type Vouching = boolean | "stated";
