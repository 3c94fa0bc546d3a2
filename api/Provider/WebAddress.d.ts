export declare const webAddress: (value: unknown) => URL | undefined;
