// Puts notes on files and removes them.
import { features, pushes } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { personalOf } from '../../core/events.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { stamp } from './stamp.ts'

const personal = personalOf(pushes)

/** The handlers of stickers. */
export function stickerHandlers() {
  return implement(features.stickers.calls, {
    async stickOn(context, { fileId }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      await tx
        .insertInto('sticker')
        .values({ item_id: fileId, account_id: accountId, stuck_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await enqueue(context, stamp, { fileId })
      context.event(personal('stuck', [row.created_by], { serverId: 0, fileId }))
      return {}
    },

    async takeOff(context, { fileId }) {
      await sql`delete from sticker where item_id = ${fileId} and account_id = ${actorOf(context).accountId}`.execute(
        context.tx,
      )
      return {}
    },
  })
}
