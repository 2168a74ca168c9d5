// Notes on files as a feature.
import { features } from '@cloudoc/contract'
import { OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Met } from '../../core/access.ts'
import { feature } from '../../core/feature.ts'
import type { Objects } from '../../core/loading.ts'
import { stickerHandlers } from './index.ts'
import * as migration from './migration.ts'
import { stamp } from './stamp.ts'
import { stickersTables } from './tables.ts'

const dayMs = 24 * 60 * 60_000

const stickerObjects: Objects<Met<{ readonly isFresh: boolean }>> = {
  kind: features.stickers.objects.sticker,
  async load(db, actor, ids) {
    if (actor.kind !== 'account') return new Map()
    const rows = await db
      .selectFrom('sticker')
      .select(['item_id', 'stuck_at'])
      .where('account_id', '=', actor.accountId)
      .where('item_id', 'in', ids.map(Number))
      .execute()
    return new Map(rows.map((row) => [row.item_id, { facts: { isFresh: row.stuck_at > 0 } }]))
  },
  async lock(tx, id) {
    await sql`select 1 from sticker where item_id = ${Number(id)} for update`.execute(tx)
  },
}

export const stickers = feature({
  wire: features.stickers,
  tables: stickersTables,
  migrations: { '9001-stickers': migration },
  checks: [
    {
      says: 'every sticker was stuck at some time',
      broken: sql`select 'item ' || item_id as what from sticker where stuck_at < 0`,
    },
  ],
  open: ({ db, now, settings }) => ({
    handlers: stickerHandlers(),
    objects: [stickerObjects],
    jobs: [stamp],
    counters: {
      stickers: async (reader, { accountId }) => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from sticker where account_id = ${accountId}`.execute(reader)
        return rows[0]?.n ?? 0
      },
    },
    gauges: [
      {
        name: 'cloudoc_stickers',
        help: 'Stickers.',
        read: async () => (await db.selectFrom('sticker').select('item_id').execute()).length,
      },
    ],
    chores: [
      {
        name: 'old stickers',
        everyMs: 10,
        async run() {
          const { sticker_days: days } = (await settings.current()).setting
          await db
            .deleteFrom('sticker')
            .where('stuck_at', '<', now() - days * dayMs)
            .execute()
        },
      },
    ],
    reactions: [
      {
        to: 'item',
        async react(tx, heard) {
          const gone = heard.flatMap(({ change }) => (change.operateType === OperateType.delete ? [change.itemId] : []))
          if (gone.length > 0) await tx.deleteFrom('sticker').where('item_id', 'in', gone).execute()
        },
      },
    ],
  }),
})
