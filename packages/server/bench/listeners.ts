// Three features that subscribe to every change of items, each of which writes a row for it. Preloaded before a server
// that is measured with them.
import { sql } from 'kysely'
import { type Feature, feature } from '../src/core/feature.ts'
import { allFeatures } from '../src/installation.ts'

const listener = (name: string): Feature =>
  feature({
    open: ({ db }) => {
      const made = sql`create table if not exists ${sql.table(name)} (item_id bigint primary key, times int)`.execute(
        db,
      )
      return {
        reactions: [
          {
            to: 'item',
            async react(tx, heard) {
              await made
              await sql`
                insert into ${sql.table(name)} select distinct id, 1
                from unnest(${heard.map(({ change }) => change.itemId)}::bigint[]) as h (id)
                on conflict (item_id) do update set times = ${sql.table(name)}.times + 1`.execute(tx)
            },
          },
        ],
      }
    },
  })

const features = allFeatures as Feature[]
features.push(...['first_listener', 'second_listener', 'third_listener'].map(listener))
