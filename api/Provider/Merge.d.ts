export declare const isPlainObject: (value: unknown) => value is Members;
export declare const isMembers: (value: unknown) => value is Members;
export declare const merge: (base: Members, over: Members) => Members;
