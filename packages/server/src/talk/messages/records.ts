// Messages as their readers get them.
import type { TalkData, TalkEntry, TalkMessage } from '@cloudoc/contract'
import { isWithin, type Stay, type TalkDataType } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/**
 * A message of a merged forward. Its words are in the message alone, so that nothing of them remains here when it is
 * recalled, edited or deleted (0358). What was forwarded before has no `source` and is a copy.
 */
export interface StoredEntry extends TalkEntry {
  /** The id of the message. */
  readonly source?: number
  /** The position of its last edit when it was forwarded; 0 for none. */
  readonly edited?: number
}

/** What is stored of a message's data; a file's own data is in the row of the file. */
export type StoredTalkData = Omit<
  TalkData,
  'type' | 'size' | 'width' | 'height' | 'expiresAt' | 'expired' | 'records'
> & {
  readonly records?: readonly StoredEntry[]
  readonly mentioned?: readonly { readonly userId: number; readonly name: string }[]
}

/** A message with its sender and file, as `messageColumns` selects it. */
export interface MessageRow {
  readonly id: number
  readonly conversation_id: number
  readonly number: number
  readonly changed: number
  readonly uuid: string
  readonly sender_id: number
  readonly sender_name: string
  readonly type: TalkDataType
  readonly value: string
  readonly data: StoredTalkData
  readonly quote: number | null
  readonly created_at: number
  readonly edited_at: number | null
  readonly edited_position: number | null
  readonly recalled_at: number | null
  readonly kind: 'user' | 'group'
  readonly peer_id: number | null
  readonly file_id: number | null
  readonly file_name: string | null
  readonly file_size: number | null
  readonly file_width: number | null
  readonly file_height: number | null
  readonly file_expires: number | null
  readonly file_there: boolean | null
  readonly reactions: readonly { readonly emoji: string; readonly userId: number; readonly position: number }[]
  /** What the messages of a merged forward say now. */
  readonly entries: readonly (Pick<TalkEntry, 'value'> & { readonly state: TalkEntry['state'] | null })[] | null
}

/** The columns of a message `m`, for `from talk_message m`. */
export const messageColumns: RawBuilder<unknown> = sql`
  m.id, m.conversation_id, m.number, m.changed, m.uuid, m.sender_id, a.name as sender_name, m.type, m.value, m.data,
  m.quote, m.created_at, m.edited_at, m.edited_position, m.recalled_at, c.kind,
  case when c.low_id = m.sender_id then c.high_id else c.low_id end as peer_id,
  f.id as file_id, f.name as file_name, f.size as file_size, f.width as file_width, f.height as file_height,
  f.expires_at as file_expires, f.blob_id is not null as file_there,
  (select coalesce(json_agg(json_build_object('emoji', r.emoji, 'userId', r.account_id, 'position', r.position)
      order by r.position), '[]')
    from talk_reaction r where r.conversation_id = m.conversation_id and r.number = m.number) as reactions,
  case when m.data ? 'records' then talk_entries(m.data -> 'records') end as entries`

/** The tables that `messageColumns` needs beside the message. */
export const messageJoins: RawBuilder<unknown> = sql`
  join talk_conversation c on c.id = m.conversation_id
  join account a on a.id = m.sender_id
  left join talk_file f on f.id = m.file_id`

/** Who reads: what they may see of changes, and how far they have read. */
export interface Reader {
  readonly accountId: number
  readonly stays: readonly Stay[]
  readonly readNumber: number
}

const mostNamed = 100

function dataOf(row: MessageRow): TalkData {
  const { mentioned: _, records, ...data } = row.data
  if (row.recalled_at !== null) return { type: row.type }
  return {
    type: row.type,
    ...data,
    ...(records !== undefined && { records: records.map((entry, n) => entryOf(entry, row.entries?.[n])) }),
    ...(row.file_id !== null && {
      name: row.file_name ?? '',
      size: row.file_size ?? 0,
      ...(row.file_width !== null && row.file_height !== null && { width: row.file_width, height: row.file_height }),
      expiresAt: row.file_expires ?? 0,
      ...(row.file_there === false && { expired: true as const }),
    }),
  }
}

function entryOf(entry: StoredEntry, now: NonNullable<MessageRow['entries']>[number] | undefined): TalkEntry {
  const { source, edited: _, fType, fId, ...rest } = entry
  const state = source === undefined ? undefined : now === undefined ? 'gone' : (now.state ?? undefined)
  return {
    ...rest,
    ...(source !== undefined && { value: state === undefined ? (now?.value ?? '') : '' }),
    ...(state !== undefined ? { state } : { ...(fType && { fType }), ...(fId && { fId }) }),
  }
}

function reactionsOf(row: MessageRow, reader: Reader | undefined): TalkMessage['reactions'] {
  const known = row.reactions.filter(({ position }) => reader === undefined || isWithin(reader.stays, position))
  return [...Map.groupBy(known, ({ emoji }) => emoji)].map(([emoji, all]) => ({
    emoji,
    count: all.length,
    userIds: all.slice(0, mostNamed).map(({ userId }) => userId),
  }))
}

/**
 * A message for a reader. Without one: for members who may see its newest state, as the receivers of a push are; then
 * `isSender` says for which side.
 */
export function messageOf(row: MessageRow, by: Reader | { readonly isSender: boolean }): TalkMessage {
  const reader = 'stays' in by ? by : undefined
  const isSender = 'stays' in by ? by.accountId === row.sender_id : by.isSender
  const recall = row.recalled_at !== null
  const withheld = reader !== undefined && row.edited_position !== null && !isWithin(reader.stays, row.edited_position)
  const isBlank = recall || withheld
  return {
    id: row.id,
    conversationId: row.conversation_id,
    number: row.number,
    changed: row.changed,
    push: row.kind === 'group' ? 'GROUP' : 'USER',
    from: row.sender_id,
    fromName: row.sender_name,
    to: row.kind === 'group' ? row.conversation_id : (row.peer_id ?? 0),
    type: isSender ? 'SEND' : 'GET',
    send: 'DONE',
    read: isSender || (reader !== undefined && row.number <= reader.readNumber),
    timestamp: row.created_at,
    recall,
    source: 'WS',
    uuid: row.uuid,
    fileId: recall ? 0 : (row.file_id ?? 0),
    value: isBlank ? '' : row.value,
    data: withheld ? { type: row.type } : dataOf(row),
    editedAt: recall ? null : row.edited_at,
    withheld,
    quote: recall ? 0 : (row.quote ?? 0),
    mentions: isBlank ? [] : [...(row.data.mentioned ?? [])],
    reactions: recall ? [] : reactionsOf(row, reader),
  }
}

/** Reads messages of one conversation by their numbers, whoever may see them. */
export async function readMessages(db: Db, conversationId: number, numbers: readonly number[]): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from talk_message m ${messageJoins}
    where m.conversation_id = ${conversationId} and m.number = any(${[...numbers]}) order by m.number`.execute(db)
  return rows
}

/** The condition that a message `m` is within a stay of a person. */
export const visibleTo = (accountId: number): RawBuilder<unknown> => sql`exists (
  select 1 from talk_stay s where s.conversation_id = m.conversation_id and s.account_id = ${accountId}
    and m.number > s.after_position and (s.until_position is null or m.number <= s.until_position))`

/** Reads one message of each of several conversations, by conversation, whoever may see them. */
export async function readMessagesOf(
  db: Db,
  asked: readonly { readonly conversationId: number; readonly number: number }[],
): Promise<ReadonlyMap<number, MessageRow>> {
  if (asked.length === 0) return new Map()
  const { rows } = await sql<MessageRow>`
    select ${messageColumns}
    from unnest(${asked.map(({ conversationId }) => conversationId)}::bigint[],
      ${asked.map(({ number }) => number)}::bigint[]) as q (conversation_id, number)
    join talk_message m on m.conversation_id = q.conversation_id and m.number = q.number ${messageJoins}`.execute(db)
  return new Map(rows.map((row) => [row.conversation_id, row]))
}
