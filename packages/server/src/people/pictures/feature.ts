// Feature: pictures.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import { feature } from '../../core/feature.ts'
import { pictureHandlers } from './index.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    picture: { id: string; type: string; bytes: Buffer }
  }
}

export const pictures = feature({
  wire: features.pictures,
  tables: { picture: { backup: 'kept' } } as const satisfies Tables,
  checks: [
    {
      says: 'the picture of a person is there',
      broken: sql`
        select 'account ' || a.id as what from account a
        where a.avatar <> '' and not exists (select 1 from picture p where p.id = a.avatar)`,
      mend: (tx) =>
        sql`update account set avatar = '' where avatar <> ''
          and not exists (select 1 from picture p where p.id = account.avatar)`.execute(tx),
    },
  ],
  open: () => ({ handlers: pictureHandlers }),
})
