export declare const parseUrl: (value: string) => URL | undefined;
export declare const webAddress: (value: unknown) => URL | undefined;
export declare const isPlainAddress: (value: unknown) => boolean;
