// Notices to system administrators before a licence ends, and when it has ended.
import { mainServerId } from '@cloudoc/domain'
import { sql } from 'kysely'
import { personal, writeEvents } from '../../core/events.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'

const dayMs = 24 * 60 * 60_000
/** Days before the end at which a notice is sent; the nearest one that is reached counts. */
const stages = [0, 1, 7, 30] as const
/** How long it is known that a notice was sent. */
const rememberedMs = 400 * dayMs

const told = oneTimeToken<Record<string, never>>('licenceEnding')

/** Sends the notices that are due; each once, on whichever process comes first. */
export async function notifyOfEndingLicences({
  db,
  now,
  settings,
}: Pick<Services, 'db' | 'now' | 'settings'>): Promise<void> {
  const at = now()
  const { licences } = (await settings.current()).inner
  for (const { licenceId, until } of licences) {
    if (until === 0) continue
    const days = Math.max(0, Math.ceil((until - at) / dayMs))
    const stage = stages.find((one) => days <= one)
    if (stage === undefined) continue
    await db.transaction().execute(async (tx) => {
      const key = `${licenceId} ${until} ${stage}`
      if (!(await told.issueAs(tx, key, { value: {}, expiresAt: at + rememberedMs }))) return
      const { rows } = await sql<{ id: number }>`
        select id from account where is_admin union select account_id from administrator where power = 'system'`.execute(
        tx,
      )
      const people = rows.map(({ id }) => id)
      await writeEvents(tx, [personal('licenceEnding', people, { serverId: mainServerId, licenceId, days })], at)
    })
  }
}
