// The rows of copies between servers: what was asked for, what was found, and how far each item is.
import type { Data, features } from '@cloudoc/contract'
import { type CodeName, codeMessage, codes, formatBatchId, type Locale } from '@cloudoc/domain'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../core/db/database.ts'
import type { Schema } from '../../core/db/schema.ts'
import type { JobKind } from '../../core/queue/kind.ts'

export type Copy = Selectable<Schema['server_copy']>
export type CopyItem = Selectable<Schema['server_copy_item']>

/** Copies in a list, and refused items in the answer about one. */
const mostListed = 50
const mostRefused = 200
/** How long an ended copy is kept. */
const keptMs = 30 * 24 * 60 * 60_000
const removalBatch = 100

const Wanted = z.object({ copyId: z.int() })
export const copyKind: JobKind<z.output<typeof Wanted>, void> = {
  name: 'servers.copy',
  input: Wanted,
  key: ({ copyId }) => String(copyId),
}

const codeNumber = (code: CodeName | ''): number => (code === '' ? 0 : codes[code].code)

type CopyRecord = Data<(typeof features.serverCopies.calls)['getServerCopy']>['copy']
type Refused = Data<(typeof features.serverCopies.calls)['getServerCopy']>['refused']

interface Row extends Copy {
  readonly first_name: string
  readonly items: number
  readonly files: number
  readonly files_done: number
  readonly folders: number
  readonly folders_done: number
  readonly bytes: number
  readonly bytes_done: number
  readonly refused: number
  readonly unlisted: number
  readonly job_state: string | null
}

function recordOf(row: Row): CopyRecord {
  // The job was given up, or did not come back with a backup.
  const isLost = row.state === 'running' && (row.job_state === null || row.job_state === 'failed')
  return {
    ...{ copyId: row.id, sourceServerId: row.source_server, targetServerId: row.target_server },
    ...{ targetFolderId: row.target_folder, targetName: row.target_name, name: row.first_name, items: row.items },
    ...{ isMove: row.is_move, state: isLost ? 'failed' : row.state },
    code: isLost ? codes.serverException.code : codeNumber(row.code),
    waitingFor: row.waiting_for ?? -1,
    waitingCode: codeNumber(row.waiting_code),
    isListed: row.unlisted === 0,
    ...{ files: row.files, filesDone: row.files_done, folders: row.folders, foldersDone: row.folders_done },
    ...{ bytes: row.bytes, bytesDone: row.bytes_done, refused: row.refused },
    ...{ createdAt: row.created_at, endedAt: row.ended_at ?? 0 },
  }
}

/** The copies of an account, the newest first; with `copyId` only that one. */
export async function readCopies(db: Db, accountId: number, copyId?: number): Promise<CopyRecord[]> {
  const { rows } = await sql<Row>`
    select c.*, coalesce(f.name, '') as first_name, t.*, j.state as job_state
    from server_copy c
    left join job j on j.kind = ${copyKind.name} and j.key = c.id::text
    left join lateral (
      select name from server_copy_item where copy_id = c.id and parent_id is null order by id limit 1) f on true
    cross join lateral (
      select count(*) filter (where parent_id is null)::int as items,
        count(*) filter (where f_type = 1)::int as files,
        count(*) filter (where f_type = 1 and state = 'done')::int as files_done,
        count(*) filter (where f_type = 2)::int as folders,
        count(*) filter (where f_type = 2 and state = 'done')::int as folders_done,
        coalesce(sum(size) filter (where f_type = 1), 0)::bigint as bytes,
        coalesce(sum(case when state = 'done' then size else sent end) filter (where f_type = 1), 0)::bigint as bytes_done,
        count(*) filter (where code <> '')::int as refused,
        count(*) filter (where name = '' and state = 'waiting'
          or f_type = 2 and state in ('waiting', 'making', 'listing'))::int as unlisted
      from server_copy_item where copy_id = c.id) t
    where c.account_id = ${accountId} ${copyId === undefined ? sql`` : sql`and c.id = ${copyId}`}
    order by c.id desc limit ${mostListed}`.execute(db)
  return rows.map(recordOf)
}

/** The answer for each item that was asked for: that of the first one below it that was refused. */
export async function readAnswers(db: Db, copyId: number, locale: Locale) {
  const { rows } = await sql<{
    f_type: 1 | 2
    source_id: number
    name: string
    target_id: number | null
    state: string
    refusal: CodeName | null
  }>`
    with recursive below as (
      select id, id as top, code from server_copy_item where copy_id = ${copyId} and parent_id is null
      union all
      select i.id, b.top, i.code from server_copy_item i join below b on i.parent_id = b.id)
    select i.f_type, i.source_id, i.name, i.target_id, i.state, r.code as refusal
    from server_copy_item i
    left join lateral (select code from below where top = i.id and code <> '' order by id limit 1) r on true
    where i.copy_id = ${copyId} and i.parent_id is null order by i.id`.execute(db)
  return rows.map(({ f_type: fType, source_id: fId, name, target_id, state, refusal }) => {
    const isOpen = refusal === null && state !== 'done'
    const code = isOpen ? 'uploadNotFinished' : refusal
    return {
      ...{ id: formatBatchId({ fType, fId }), fType, name },
      result: code === null ? codes.success.code : codes[code].code,
      msg: code === null ? '' : codeMessage(code, locale),
      ...(target_id !== null && { fId: target_id }),
    }
  })
}

/** The refused items with their paths. */
export async function readRefused(db: Db, copyId: number, locale: Locale): Promise<Refused> {
  const { rows } = await sql<{ path: string; f_type: 1 | 2; code: CodeName }>`
    with recursive refused as (
      select id, f_type, code, parent_id, name as path from server_copy_item
      where copy_id = ${copyId} and code <> '' order by id limit ${mostRefused}),
    up as (
      select id, f_type, code, parent_id, path from refused
      union all
      select u.id, u.f_type, u.code, i.parent_id, i.name || '/' || u.path
      from up u join server_copy_item i on i.id = u.parent_id)
    select path, f_type, code from up where parent_id is null order by id`.execute(db)
  return rows.map(({ path, f_type: fType, code }) => ({
    ...{ path, fType, result: codes[code].code, msg: codeMessage(code, locale) },
  }))
}

/** Deletes copies that ended long ago. */
export async function removeOldCopies(db: Db, now: number): Promise<void> {
  await sql`
    delete from server_copy where id in (
      select id from server_copy where state <> 'running' and ended_at < ${now - keptMs} order by id limit ${removalBatch})`.execute(
    db,
  )
}
