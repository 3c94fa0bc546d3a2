/** Starts the PostgreSQL server that all test files of a run share. */
import { isPostgresHere, sharedPostgres, startOwnPostgres } from "./PostgresServer.ts"

export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (!isPostgresHere || process.env[sharedPostgres] !== undefined) return undefined
  const { stop, url } = await startOwnPostgres()
  process.env[sharedPostgres] = url
  return stop
}
