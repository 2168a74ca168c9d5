// Writing into conversations: every message and system line goes through here, under the lock of the conversation.
import type { TalkMessage } from '@cloudoc/contract'
import { fail, type TalkDataType } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import type { FeatureEvent, NewEvent } from '../../core/events.ts'
import { foldQuery, shortWords } from '../../core/text-keys.ts'
import { nextNumber } from './conversations.ts'
import { messageOf, type Reader, readMessages, type StoredTalkData } from './records.ts'

/** A message was written, or one was changed. */
export interface MessageEvent extends FeatureEvent {
  readonly kind: 'talk.message'
  readonly conversationId: number
  readonly number: number
  /** The position of the change; the number for a new message; 0 if only what it shows of other messages changed. */
  readonly position: number
  /** Who an edit has newly mentioned; 0 is everybody. */
  readonly mentions?: readonly number[]
}

/** The words by which a message is found. */
export const gramsOf = (text: string): string[] => [...shortWords(foldQuery(text))]

/** A message before it has its place. */
export interface NewMessage {
  readonly uuid: string
  readonly senderId: number
  readonly type: TalkDataType
  readonly value: string
  readonly data: StoredTalkData
  readonly quote?: number
  readonly fileId?: number
  /** The name of its file, by which it is found. */
  readonly fileName?: string
}

/**
 * Appends a message. The caller holds the lock of the conversation. A uuid that the sender has used before answers that
 * message, and writes nothing.
 */
export async function append(
  tx: Tx,
  conversationId: number,
  message: NewMessage,
  now: number,
): Promise<{ readonly number: number; readonly events: readonly NewEvent[] }> {
  const { uuid, senderId } = message
  const { rows: before } = await sql<{ number: number; conversation_id: number }>`
    select number, conversation_id from talk_message where sender_id = ${senderId} and uuid = ${uuid}`.execute(tx)
  const known = before[0]
  if (known !== undefined)
    return known.conversation_id === conversationId
      ? { number: known.number, events: [] }
      : fail('alreadyExists', 'uuid')
  const number = await nextNumber(tx, conversationId, now)
  const mentions = (message.data.mentioned ?? []).map(({ userId }) => userId)
  await tx
    .insertInto('talk_message')
    .values({
      conversation_id: conversationId,
      number,
      changed: number,
      uuid,
      sender_id: senderId,
      type: message.type,
      value: message.value,
      data: JSON.stringify(message.data),
      quote: message.quote ?? null,
      mentions: [...new Set(mentions)],
      file_id: message.fileId ?? null,
      grams: gramsOf(`${message.value} ${message.fileName ?? message.data.name ?? ''}`),
      created_at: now,
    })
    .execute()
  const event: MessageEvent = { kind: 'talk.message', conversationId, number, position: number }
  return { number, events: [event] }
}

/** Reads one message for the person who has just written or changed it. */
export async function readOwn(tx: Tx, conversationId: number, number: number, reader: Reader): Promise<TalkMessage> {
  const [row] = await readMessages(tx, conversationId, [number])
  // What the person has just done is after every stay of theirs began.
  return row === undefined ? fail('notFound') : messageOf(row, reader)
}
