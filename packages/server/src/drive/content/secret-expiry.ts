// The end of secret levels (decisions "Secret duration unit"). Readers count a level that has ended as 0 by themselves; this
// only writes it down: the row, a log entry, and a push to whoever shows the file.
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Services } from '../../core/services.ts'
import { commitEnded } from '../tree/index.ts'

const chunkSize = 500

/** Takes one chunk of ended levels off their files; answers how many. */
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
