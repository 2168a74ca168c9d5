/*
 * The network drive of Windows does not open a file above a limit in its registry (FileSizeLimitInBytes) and shows a
 * number alone. The owner of the token is told once what to do, when such a file is listed for the first time.
 */
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { personal, writeEvents } from '../../core/events.ts'

/** The limit of Windows as it is installed. */
export const windowsLimit = 50_000_000

/** Whether a client is the network drive of Windows, by its user agent. */
export const isWindowsDrive = (agent: string | undefined): boolean =>
  agent?.startsWith('Microsoft-WebDAV-MiniRedir/') === true

/** Tells the owner of a token of the limit, once for each token. */
export async function notifyOfLimit(db: Db, { accountId, program }: AccountActor, now: number): Promise<void> {
  if (program === undefined) return
  const { programId, name: programName } = program
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      insert into drive_limit_notice (program_id, notified_at)
      select id, ${now} from program where id = ${programId}
      on conflict do nothing returning 1`.execute(tx)
    if (rows.length > 0)
      await writeEvents(tx, [personal('driveLimit', [accountId], { serverId: 0, programId, programName })], now)
  })
}
