// Forwarding messages, one by one or merged into one.
import type { features, TalkMessage } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { append, type NewMessage } from './append.ts'
import { readerOf } from './reader.ts'
import { type MessageRow, messageOf, readMessages, type StoredEntry, visibleTo } from './records.ts'

type AssertHarmless = (context: WriteContext, text: string) => Promise<void>

/** A new uuid from the one of a request and a counter, so that repeated forwards make the same messages. */
function numbered(uuid: string, n: number): string {
  if (n === 0) return uuid
  const tail = (Number.parseInt(uuid.slice(-6), 16) + n) % 0x1000000
  return `${uuid.slice(0, -6)}${tail.toString(16).padStart(6, '0')}`
}

/** The handler that forwards messages. */
export function forwardHandlers(
  assertHarmless: AssertHarmless,
): Pick<Handlers<typeof features.talkMessages.calls>, 'imForward'> {
  /** A message as it is forwarded: what cannot be forwarded is left out. */
  const forwarded = (
    { data: { records } }: MessageRow,
    message: TalkMessage,
  ): Pick<NewMessage, 'type' | 'value' | 'data'> | undefined => {
    const { type, records: _, ...data } = message.data
    if (message.recall || message.withheld || type === 'notify') return undefined
    return { type, value: message.value, data: { ...data, ...(records !== undefined && { records }) } }
  }

  return {
    async imForward(context, { conversationId, from, numbers, merged, uuid }) {
      const reader = readerOf(context, conversationId)
      const source = readerOf(context, from)
      const { tx, now } = context
      const { rows: seen } = await sql<{ number: number }>`
        select m.number from talk_message m where m.conversation_id = ${from} and m.number = any(${numbers})
          and ${visibleTo(reader.accountId)}`.execute(tx)
      const rows = await readMessages(
        tx,
        from,
        seen.map(({ number }) => number),
      )
      const messages = rows.map((row) => ({ row, message: messageOf(row, source) }))
      const able = messages.flatMap(({ row, message }) => {
        const content = forwarded(row, message)
        return content === undefined ? [] : [{ row, message, content }]
      })
      if (able.length === 0) return fail('notFound')
      // Rules may have come since it was written.
      const texts = able.map(({ message: { value, data } }) =>
        [value, data.name ?? '', ...(data.records ?? []).map((entry) => entry.value)].join('\n'),
      )
      await assertHarmless(context, texts.join('\n').slice(0, mostForwardedText))
      const made: number[] = []
      const write = async (n: number, content: Omit<NewMessage, 'uuid' | 'senderId'>): Promise<void> => {
        const message = { ...content, uuid: numbered(uuid, n), senderId: reader.accountId }
        const sent = await append(tx, conversationId, message, now)
        for (const event of sent.events) context.event(event)
        made.push(sent.number)
      }
      if (merged) {
        const records = able.map(
          ({ row, message }): StoredEntry => ({
            name: message.fromName,
            timestamp: message.timestamp,
            type: message.data.type,
            value: '',
            source: row.id,
            edited: row.edited_position ?? 0,
            ...(message.data.fType && message.data.fId && { fType: message.data.fType, fId: message.data.fId }),
          }),
        )
        await write(0, {
          type: 'text',
          value: source.facts.isGroup ? source.name : (able[0]?.message.fromName ?? ''),
          data: { records },
        })
      } else
        for (const [n, { row, content }] of able.entries()) {
          const fileId = row.file_id === null ? undefined : await copyFile(context, row.file_id, conversationId)
          if (row.file_id !== null && fileId === undefined) continue
          const fileName = row.file_name ?? undefined
          await write(n, {
            ...content,
            ...(fileId !== undefined && { fileId }),
            ...(fileName !== undefined && { fileName }),
          })
        }
      const own = await readMessages(tx, conversationId, made)
      return { list: own.map((row) => messageOf(row, reader)) }
    },
  }
}

const dayMs = 24 * 60 * 60_000
/** Units of text that are matched when messages are forwarded: as many as the messages of one call can have. */
const mostForwardedText = limits.talkForwardMost * (limits.longestMessage + 256)

/** A forwarded file is a file of its own, with the same content and a new end. */
async function copyFile(context: WriteContext, fileId: number, conversationId: number): Promise<number | undefined> {
  const { accountId, settings } = actorOf(context)
  const { rows } = await sql<{ id: number }>`
    insert into talk_file (account_id, conversation_id, name, size, blob_id, width, height, is_picture, uninspected_by,
      created_at, expires_at)
    select ${accountId}, ${conversationId}, name, size, blob_id, width, height, is_picture, uninspected_by,
      ${context.now}, ${context.now + settings.setting.im_file_days * dayMs}
    from talk_file where id = ${fileId} and blob_id is not null returning id`.execute(context.tx)
  return rows[0]?.id
}
