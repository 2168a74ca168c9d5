// A PostgreSQL beside the one of all tests, for one test.
import { onTestFinished } from 'vitest'
import { testFolder } from './restored.ts'
import { type OtherPostgres, openOtherPostgres } from './stock-postgres.ts'

/** Starts it empty in a test, and ends with it. Reached through a socket, like ours. */
export async function startOtherPostgres(): Promise<OtherPostgres['target']> {
  const postgres = await openOtherPostgres(await testFolder())
  onTestFinished(() => postgres.stop())
  return postgres.target
}
