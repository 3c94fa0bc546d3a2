/** As much of the package `pg` as the tests use. */
declare module "pg" {
  interface Result {
    readonly rows: Array<Record<string, unknown>>
    readonly rowCount: number | null
  }
  export class Pool {
    constructor(options: { readonly connectionString: string; readonly max?: number })
    query(statement: string, values?: ReadonlyArray<unknown>): Promise<Result>
    end(): Promise<void>
  }
  export class Client {
    constructor(options: { readonly connectionString: string })
    connect(): Promise<void>
    query(statement: string, values?: ReadonlyArray<unknown>): Promise<Result>
    end(): Promise<void>
  }
  const pg: { readonly Pool: typeof Pool; readonly Client: typeof Client }
  export default pg
}
