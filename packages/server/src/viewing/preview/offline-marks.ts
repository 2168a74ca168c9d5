/*
 * The files that a device keeps for reading offline, as its person has asked for them. The browser of the device has the
 * contents, and may remove them when space is low: by this list it knows what is missing, and offers it again.
 */
import type { features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { accessToMany } from '../../drive/tree/index.ts'

type Names = 'setOfflineMark' | 'getOfflineMarks'

/** As many files as a browser can ask about in one call. */
const mostMarks = 200

export const offlineMarkHandlers: Pick<Handlers<typeof features.preview.calls>, Names> = {
  async setOfflineMark(context, { fileId, marked }) {
    const { tx, now } = context
    const { device } = actorOf(context)
    // A program without a device keeps its own list.
    if (device === undefined) return {}
    const { deviceId } = device
    if (!marked) {
      await tx
        .deleteFrom('offline_mark')
        .where((at) => at.and({ device_id: deviceId, item_id: fileId }))
        .execute()
      return {}
    }
    await tx
      .insertInto('offline_mark')
      .values({ device_id: deviceId, item_id: fileId, marked_at: now })
      .onConflict((at) => at.columns(['device_id', 'item_id']).doUpdateSet({ marked_at: now }))
      .execute()
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from offline_mark where device_id = ${deviceId}`.execute(tx)
    return (rows[0]?.count ?? 0) > mostMarks ? fail('tooMany') : {}
  },

  async getOfflineMarks(context) {
    const { db, now } = context
    const actor = actorOf(context)
    const { rows } = await sql<{ item_id: number }>`
      select item_id from offline_mark where device_id = ${actor.device?.deviceId ?? 0} order by marked_at desc`.execute(
      db,
    )
    const ids = rows.map(({ item_id: id }) => id)
    const found = await accessToMany(db, actor, ids, now)
    const list = ids.flatMap((fileId) => {
      const access = found.get(fileId)
      if (access === undefined || denial(gates.preview, access.facts) !== undefined) return []
      return [{ fileId, name: access.row.name, fileSize: access.row.size }]
    })
    return { list }
  },
}
