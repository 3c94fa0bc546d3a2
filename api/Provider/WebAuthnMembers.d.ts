export declare const isRelyingPartyId: (id: string) => boolean;
export declare const isOrigin: (origin: string) => boolean;
