// The expiry of secret levels (decisions "Secret duration unit"). Readers already count an expired level as 0. This job
// only records it: it updates the row, adds a log entry and pushes the change to everybody who displays the file.
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Services } from '../../core/services.ts'
import { commitEnded } from '../tree/index.ts'

const chunkSize = 500

/** Clears one batch of expired secret levels. Returns their number. */
export async function endSecrets({ db, commit }: Pick<Services, 'db' | 'commit'>, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      select * from item where secret_until <= ${now} order by secret_until limit ${chunkSize}
      for no key update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    await sql`
      update item set secret_level = 0, secret_until = null where id = any(${rows.map((row) => row.id)})`.execute(tx)
    const detailOf = (row: ItemRow) => ({ log: LogBit.secretChange, from: row.secret_level, to: 0 })
    await commitEnded(commit, tx, rows, { call: 'secretEnds', now, detailOf })
    return rows.length
  })
}
