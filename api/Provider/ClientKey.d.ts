type Fetch = typeof globalThis.fetch;
export declare const withClientKey: (clientKey: string) => (inner: Fetch) => Fetch;
export {};
