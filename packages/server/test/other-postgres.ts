// A second PostgreSQL for one test.
import { onTestFinished } from 'vitest'
import { testFolder } from './restored.ts'
import { type OtherPostgres, openOtherPostgres } from './stock-postgres.ts'

/** Starts an empty one, which stops when the test ends. Connects over a socket, like ours. */
export async function startOtherPostgres(): Promise<OtherPostgres['target']> {
  const postgres = await openOtherPostgres(await testFolder())
  onTestFinished(() => postgres.stop())
  return postgres.target
}
