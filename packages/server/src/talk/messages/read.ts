// The calls that read messages: history in both directions, shares, days, search, cards.
import type { features } from '@cloudoc/contract'
import { type RawBuilder, sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { foldQuery, likeAnywhere, writtenWords } from '../../core/text-keys.ts'
import { cardHandlers } from './cards.ts'
import { conversationObjects } from './conversations.ts'
import {
  type MessageRow,
  messageColumns,
  messageJoins,
  messageOf,
  type Reader,
  readMessages,
  visibleTo,
} from './records.ts'

type Calls = typeof features.talkMessages.calls
type Reading = Pick<
  Handlers<Calls>,
  'imHistory' | 'imMessages' | 'imShares' | 'imDays' | 'imSearch' | 'imCards' | 'imCardReaders'
>

const readerIn = (context: Context, conversationId: number): Reader => ({
  ...context.object(conversationObjects, conversationId),
  accountId: actorOf(context).accountId,
})

/**
 * The numbers of messages next to a place that a person may read. Each stay of the person is read by the index of
 * numbers, at most one page of each.
 */
async function numbersNextTo(
  context: Context,
  conversationId: number,
  {
    place,
    direction,
    most,
    also,
  }: { place: number; direction: 'before' | 'after'; most: number; also: RawBuilder<unknown> },
): Promise<number[]> {
  const { accountId } = actorOf(context)
  const [than, order] = direction === 'before' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const { rows } = await sql<{ number: number }>`
    select distinct p.number from talk_stay s cross join lateral (
      select m.number from talk_message m
      where m.conversation_id = s.conversation_id and m.number > s.after_position
        and m.number <= coalesce(s.until_position, ${Number.MAX_SAFE_INTEGER}::bigint)
        and m.number ${than} ${place}::bigint and ${also}
      order by m.number ${order} limit ${most}) p
    where s.conversation_id = ${conversationId} and s.account_id = ${accountId}
    order by p.number ${order} limit ${most}`.execute(context.db)
  return rows.map(({ number }) => number)
}

/** Hits that are looked at one by one. What has more is common, and found soon among the newest messages. */
const mostExamined = 500
/** Who is in more conversations than this sees so much that they are not looked up by conversation. */
const mostOwn = 300
/** Places of 4,096 messages that are searched together at most (`talk_message_marks` in the database). */
const mostPlaces = 512
const placeBits = 12

interface Hits {
  /** Two letters of each word, by which the index finds them; empty without words. */
  readonly grams: readonly string[]
  readonly matches: RawBuilder<unknown>
  readonly most: number
  readonly before: number | undefined
  readonly conversationId: number | undefined
}

const marked = (kind: 'c' | 'p', n: number): string => `\u0001${kind}${n}`

/** Values that are kept from the planner: it would take a frequent one for a reason to read the whole table. */
const some = (values: readonly string[]): RawBuilder<unknown> => sql`(select ${values}::text[])`

/**
 * The ids of the newest messages that match and that a person may read: what was edited after the person had left is not
 * theirs to search. The index knows words, conversations and places of messages, so what others write is not read. Hits
 * too many to look at are looked for place by place, the newest first, until there are enough.
 */
async function newestHits(db: Db, accountId: number, hits: Hits): Promise<number[]> {
  const { grams, matches, most, before, conversationId } = hits
  const { rows: own } = await sql<{ id: number }>`
    select distinct conversation_id as id from talk_stay where account_id = ${accountId} limit ${mostOwn + 1}`.execute(
    db,
  )
  const ids = own.map(({ id }) => id).filter((id) => conversationId === undefined || id === conversationId)
  if (ids.length === 0 && own.length <= mostOwn) return []
  const base = [
    sql`recalled_at is null`,
    ...(grams.length === 0 ? [] : [sql`grams @> ${some(grams)}`]),
    ...(conversationId !== undefined
      ? [sql`grams @> ${some([marked('c', conversationId)])}`]
      : own.length > mostOwn
        ? []
        : [sql`grams && ${some(ids.map((id) => marked('c', id)))}`]),
  ]
  const find = async (more: readonly RawBuilder<unknown>[], examined: number | null, count: number) => {
    const { rows } = await sql<{ examined: number; ids: string[] }>`
      with own as materialized (
        select conversation_id, after_position, coalesce(until_position, ${Number.MAX_SAFE_INTEGER}::bigint) as until_position
        from talk_stay where account_id = ${accountId}
      ), m as materialized (
        select * from talk_message where ${sql.join([...base, ...more], sql` and `)} limit ${examined}
      )
      select (select count(*)::int from m) as examined, array(
        select m.id from m where ${matches} and exists (
          select 1 from own s where s.conversation_id = m.conversation_id and m.number > s.after_position
            and m.number <= s.until_position)
          and (m.edited_position is null or exists (
            select 1 from own e where e.conversation_id = m.conversation_id and m.edited_position > e.after_position
              and m.edited_position <= e.until_position))
        order by m.id desc limit ${count}) as ids`.execute(db)
    const [row] = rows
    return { examined: row?.examined ?? 0, ids: (row?.ids ?? []).map(Number) }
  }
  const below = before === undefined ? [] : [sql`id < ${before}`]
  if (base.length > 1) {
    const all = await find(below, mostExamined + 1, most)
    if (all.examined <= mostExamined) return all.ids
  }
  const { rows: ends } = await sql<{ newest: number }>`
    select coalesce(max(id), 0) as newest from talk_message where ${sql.join([sql`true`, ...below], sql` and `)}`.execute(
    db,
  )
  const found: number[] = []
  let high = Math.floor((ends[0]?.newest ?? 0) / 2 ** placeBits)
  for (let size = 1; high >= 0 && found.length < most; size = Math.min(2 * size, mostPlaces)) {
    const places = Array.from({ length: Math.min(size, high + 1) }, (_, n) => marked('p', high - n))
    found.push(...(await find([...below, sql`grams && ${some(places)}`], null, most - found.length)).ids)
    high -= places.length
  }
  return found
}

/** The handlers of the calls that read messages. */
export function readingHandlers({ meet, settings }: Pick<Services, 'meet' | 'settings'>): Reading {
  return {
    async imHistory(context, { conversationId, before, after, around, date, userId, rows: most }) {
      const { db } = context
      const reader = readerIn(context, conversationId)
      const also = userId === undefined ? sql`true` : sql`m.sender_id = ${userId}`
      const next = (place: number, direction: 'before' | 'after', count: number) =>
        numbersNextTo(context, conversationId, { place, direction, most: count, also })
      let place = around
      if (date !== undefined) {
        // Times follow the numbers, except that clocks may be set back; then the first at or after it counts.
        const { rows } = await sql<{ number: number }>`
          select m.number from talk_message m where m.conversation_id = ${conversationId} and m.created_at >= ${date}
            and ${visibleTo(reader.accountId)} and ${also} order by m.created_at, m.number limit 1`.execute(db)
        place = rows[0]?.number ?? Number.MAX_SAFE_INTEGER
      }
      let numbers: number[]
      let [older, newer] = [false, false]
      if (place !== undefined) {
        const half = Math.ceil(most / 2)
        const [back, on] = await Promise.all([next(place, 'before', half + 1), next(place - 1, 'after', half + 1)])
        ;[older, newer] = [back.length > half, on.length > half]
        numbers = [...back.slice(0, half), ...on.slice(0, half)]
      } else if (after !== undefined) {
        const on = await next(after, 'after', most + 1)
        newer = on.length > most
        numbers = on.slice(0, most)
        older = (await next(after + 1, 'before', 1)).length > 0
      } else {
        const back = await next(before ?? Number.MAX_SAFE_INTEGER, 'before', most + 1)
        older = back.length > most
        numbers = back.slice(0, most)
        newer = before !== undefined
      }
      const list = await readMessages(db, conversationId, numbers)
      return { list: list.map((row) => messageOf(row, reader)), older, newer }
    },

    async imMessages(context, { conversationId, numbers }) {
      const reader = readerIn(context, conversationId)
      const { rows } = await sql<{ number: number }>`
        select m.number from talk_message m where m.conversation_id = ${conversationId}
          and m.number = any(${numbers.split(',').map(Number)}) and ${visibleTo(reader.accountId)}`.execute(context.db)
      const found = await readMessages(
        context.db,
        conversationId,
        rows.map(({ number }) => number),
      )
      return { list: found.map((row) => messageOf(row, reader)) }
    },

    async imShares(context, { conversationId, kind, before, rows: most }) {
      const reader = readerIn(context, conversationId)
      const numbers = await numbersNextTo(context, conversationId, {
        place: before ?? Number.MAX_SAFE_INTEGER,
        direction: 'before',
        most: most + 1,
        also: sql`m.type = ${kind} and m.type <> 'text' and m.recalled_at is null`,
      })
      const found = await readMessages(context.db, conversationId, numbers.slice(0, most))
      return { list: found.reverse().map((row) => messageOf(row, reader)), more: numbers.length > most }
    },

    async imDays(context, { conversationId, days }) {
      const { accountId } = actorOf(context)
      const starts = days.split(',').map(Number)
      const { rows } = await sql<{ day: number }>`
        select q.day from unnest(${starts.slice(0, -1)}::bigint[], ${starts.slice(1)}::bigint[]) as q (day, next)
        cross join lateral (select 1 from talk_message m where m.conversation_id = ${conversationId}
          and m.created_at >= q.day and m.created_at < q.next and ${visibleTo(accountId)}
          order by m.created_at limit 1) f
        order by q.day`.execute(context.db)
      return { list: rows.map(({ day }) => day) }
    },

    async imSearch(context, input) {
      const { db } = context
      const { accountId } = actorOf(context)
      const conditions: RawBuilder<unknown>[] = [sql`m.recalled_at is null`, sql`m.type <> 'notify'`]
      const allGrams: string[] = []
      for (const word of writtenWords(input.keyword)) {
        const letters = [...word]
        // Every two letters of the word, by the index; then the word itself.
        const grams = letters.length <= 2 ? [word] : letters.slice(1).map((letter, i) => `${letters[i] ?? ''}${letter}`)
        conditions.push(sql`m.grams @> ${grams}::text[]`)
        allGrams.push(...grams)
        if (letters.length > 2)
          conditions.push(
            sql`lower(normalize(m.value || ' ' || coalesce(m.data->>'name', (select f.name from talk_file f where f.id = m.file_id), ''), NFKC)) like ${likeAnywhere(word)}`,
          )
      }
      if (foldQuery(input.keyword) === '' && input.kind === undefined && input.userId === undefined)
        return { list: [], more: false }
      if (input.conversationId !== undefined) conditions.push(sql`m.conversation_id = ${input.conversationId}`)
      if (input.userId !== undefined) conditions.push(sql`m.sender_id = ${input.userId}`)
      if (input.kind !== undefined) conditions.push(sql`m.type = ${input.kind}`)
      if (input.from !== undefined) conditions.push(sql`m.created_at >= ${input.from}`)
      if (input.to !== undefined) conditions.push(sql`m.created_at < ${input.to}`)
      const matches = sql.join(conditions, sql` and `)
      const ids = await newestHits(db, accountId, {
        grams: allGrams,
        matches,
        most: input.rows + 1,
        before: input.before,
        conversationId: input.conversationId,
      })
      const { rows } = await sql<MessageRow & { chat: string }>`
        select ${messageColumns}, coalesce(nullif(c.name, ''), o.name, '') as chat
        from unnest(${ids}::bigint[]) as q (id) join talk_message m on m.id = q.id ${messageJoins}
        left join account o on o.id = case when c.low_id = ${accountId} then c.high_id else c.low_id end
        order by m.id desc`.execute(db)
      const reader = { accountId, stays: [{ after: 0, until: null }], readNumber: Number.MAX_SAFE_INTEGER }
      return {
        list: rows.slice(0, input.rows).map((row) => ({ message: messageOf(row, reader), chat: row.chat })),
        more: rows.length > input.rows,
      }
    },

    ...cardHandlers({ meet, settings }),
  }
}
