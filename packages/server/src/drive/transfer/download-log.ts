/*
 * Downloads are logged before the first byte is sent ([R190]). Concurrent downloads are written in one batch without
 * waiting for the disk: a crash of PostgreSQL loses at most the log of less than a second of downloads, and nothing
 * else.
 */
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { batched } from '../../core/batcher.ts'
import { authorOf, type Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'

/** Logs that these files and folders are being downloaded. */
export type LogDownloads = (
  context: Context,
  taken: readonly Access[],
  version?: number,
  /**
   * `edit`: the content goes into the caller's editor. The log of the file says that editing began, so it adds no
   * download. `encrypt`: the download that was logged leaves encrypted.
   */
  as?: 'download' | 'edit' | 'encrypt',
) => Promise<void>

const callOf = { download: 'downloadServlet', edit: 'editContent', encrypt: 'encryptedDownload' } as const

interface Taken {
  readonly at: number
  readonly account_id: number
  readonly outsider: object | null
  readonly call: (typeof callOf)[keyof typeof callOf]
  readonly address: string
  readonly items: readonly number[]
  readonly detail: Readonly<Record<string, number>>
}

export function createLogDownloads(db: Db): LogDownloads {
  const write = batched({ most: 200, atOnce: 2 }, async (taken: readonly Taken[]) => {
    await sql`
      with hurry as materialized (select set_config('synchronous_commit', 'off', true))
      insert into audit (at, account_id, outsider, call, address, items, detail)
      select a.at, a.account_id, a.outsider, a.call, a.address, a.items, a.detail
      from hurry, json_to_recordset(${JSON.stringify(taken)})
        as a (at bigint, account_id bigint, outsider jsonb, call text, address text, items bigint[], detail jsonb)`.execute(
      db,
    )
    return taken.map(() => ({ value: undefined }))
  })
  return async (context, taken, version, as = 'download') => {
    // If a file is downloaded in ranges, only the first range counts.
    const { method, headers } = context.request
    if (method === 'HEAD' || (headers.range !== undefined && !headers.range.startsWith('bytes=0-'))) return
    const { accountId, outsider } = authorOf(context)
    const [first] = taken
    const shown = version ?? (taken.length === 1 ? first?.row.version : undefined)
    await write({
      at: context.now,
      account_id: accountId,
      outsider,
      call: callOf[as],
      address: context.address,
      items: taken.map(({ row }) => row.id),
      detail: {
        ...(as !== 'edit' && { log: LogBit[as] }),
        ...(shown !== undefined && shown > 0 && { version: shown }),
      },
    })
  }
}
