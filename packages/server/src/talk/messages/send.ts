// The calls that write messages: send, edit, recall, react, forward.
import type { features, TalkMessage } from '@cloudoc/contract'
import { denial, fail, gates, isMessageLength, limits, mayRecall } from '@cloudoc/domain'
import { sql } from 'kysely'
import { createTextCheck } from '../../approvals/sensitive/index.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { append, gramsOf, type MessageEvent, type NewMessage, readOwn } from './append.ts'
import { type ConversationAccess, conversationObjects, nextPosition } from './conversations.ts'
import { sealRecalled } from './recalled.ts'
import { type MessageRow, messageOf, type Reader, readMessages, type StoredEntry, visibleTo } from './records.ts'

type Calls = typeof features.talkMessages.calls
type Writing = Pick<Handlers<Calls>, 'imSend' | 'imEdit' | 'imRecall' | 'imReact' | 'imForward'>
type Mentioned = readonly { readonly userId: number; readonly name: string }[]

/** What the caller may see of a conversation. */
export function readerOf(
  context: Pick<WriteContext, 'object' | 'actor'>,
  conversationId: number,
): Reader & ConversationAccess {
  const access = context.object(conversationObjects, conversationId)
  return { ...access, accountId: actorOf(context as WriteContext).accountId }
}

/** A new uuid from the one of a request and a counter, so that repeated forwards make the same messages. */
function numbered(uuid: string, n: number): string {
  if (n === 0) return uuid
  const tail = (Number.parseInt(uuid.slice(-6), 16) + n) % 0x1000000
  return `${uuid.slice(0, -6)}${tail.toString(16).padStart(6, '0')}`
}

const emoji = /^(?:\p{RGI_Emoji}|[\p{L}\p{N}\p{P}\p{S}]{1,4})$/v

/** The handlers of the calls that write messages. */
export function writingHandlers(services: Pick<Services, 'meet' | 'invalidations' | 'secrets' | 'now'>): Writing {
  const { meet } = services
  const isSensitive = createTextCheck(services)
  /** Refuses a text in which the company's rules find something (-68). */
  const assertHarmless = async (context: WriteContext, text: string): Promise<void> => {
    if (await isSensitive(context.tx, text))
      fail('sensitiveFile', { zh: '消息含有公司不允许发送的内容', en: 'the message contains what must not be sent' })
  }
  /** The mentioned people who are members, each once. Everybody is mentioned by whom the group lets do so. */
  const meant = async (
    context: WriteContext,
    conversationId: number,
    named: Mentioned,
    before: ReadonlySet<number> = new Set(),
  ): Promise<Mentioned> => {
    if (named.length === 0) return []
    const { facts } = context.object(conversationObjects, conversationId)
    const isNew = named.some(({ userId }) => userId === 0) && !before.has(0)
    if (isNew && facts.leadersMentionAll && facts.role === 'member')
      return fail('noPermission', {
        zh: '只有群主和管理员可以提及所有人',
        en: 'only the owner and managers can mention everyone',
      })
    const { rows } = await sql<{ id: number }>`
      select account_id as id from talk_member
      where conversation_id = ${conversationId} and is_member
        and account_id = any(${named.map(({ userId }) => userId)})`.execute(context.tx)
    const members = new Set(rows.map(({ id }) => id))
    return [...new Map(named.map((one) => [one.userId, one])).values()].filter(
      ({ userId }) => userId === 0 || members.has(userId),
    )
  }

  /** The caller's own message in a state in which it may still be changed. */
  const ownMessage = async (context: WriteContext, conversationId: number, number: number) => {
    const reader = readerOf(context, conversationId)
    const [row] = await readMessages(context.tx, conversationId, [number])
    if (row === undefined) return fail('notFound')
    const message = messageOf(row, reader)
    const { settings } = actorOf(context)
    const visible = reader.stays.some(({ after, until }) => number > after && (until === null || number <= until))
    if (!visible) return fail('notFound')
    if (message.recall) return fail('alreadyHandled', { zh: '消息已被撤回', en: 'the message was taken back' })
    if (
      !mayRecall(
        { ...message, type: row.type },
        reader.accountId,
        context.now,
        settings.setting.im_recall_minutes * 60_000,
      )
    )
      return fail('noPermission', {
        zh: '只能在时限内修改自己的消息',
        en: 'only your own messages, within the time set',
      })
    return { row, reader }
  }

  const changed = (context: WriteContext, change: Omit<MessageEvent, 'kind'>): void => {
    const event: MessageEvent = { kind: 'talk.message', ...change }
    context.event(event)
  }

  /** Shows the readers of its merged forwards that a message no longer is as it was. */
  const refreshForwards = async (context: WriteContext, id: number): Promise<void> => {
    const { rows } = await sql<{ conversationId: number; number: number }>`
      select conversation_id as "conversationId", number from talk_message
      where data ? 'records' and data -> 'records' @> ${JSON.stringify([{ source: id }])}::jsonb
      order by id desc limit ${mostRefreshed}`.execute(context.tx)
    for (const forward of rows) changed(context, { ...forward, position: 0 })
  }

  const contentOf = async (
    context: WriteContext,
    input: Parameters<Writing['imSend']>[1],
  ): Promise<Pick<NewMessage, 'value' | 'data' | 'fileId' | 'fileName'>> => {
    const { type, value, conversationId, fileId, fType, fId, url, name } = input
    const actor = actorOf(context)
    if (type === 'text') {
      if (!isMessageLength(value)) return fail('badRequest', 'value')
      await assertHarmless(context, value)
      const mentioned = await meant(context, conversationId, input.mentions)
      return { value, data: mentioned.length === 0 ? {} : { mentioned } }
    }
    if (type === 'link') {
      if (url === undefined || !/^https?:\/\/[^\s]+$/i.test(url)) return fail('badRequest', 'url')
      await assertHarmless(context, `${value}\n${name ?? ''}`)
      return { value, data: { url, name: name ?? url } }
    }
    if (type === 'share') {
      if (fType === undefined || fId === undefined) return fail('badRequest', 'fId')
      const [access] = await meet(context.tx, [{ actor, item: { fType, fId } }])
      if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('notFound')
      // The card gives no rights, so of the gate only the check of contents applies.
      if (denial(gates.sendOut, access.facts) === 'sensitiveFile') return fail('sensitiveFile')
      return { value, data: { fType, fId } }
    }
    await assertHarmless(context, value)
    const { rows } = await sql<{ id: number; name: string }>`
      select f.id, f.name from talk_file f where f.id = ${fileId ?? 0} and f.account_id = ${actor.accountId}
        and f.conversation_id = ${conversationId} and f.blob_id is not null and not f.is_checking
        and (f.is_picture or ${type !== 'img'})
        and not exists (select 1 from talk_message m where m.file_id = f.id and m.uuid <> ${input.uuid})`.execute(
      context.tx,
    )
    const [file] = rows
    return file === undefined ? fail('notFound') : { value, data: {}, fileId: file.id, fileName: file.name }
  }

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
    async imSend(context, input) {
      const { conversationId, uuid, type, quote } = input
      const reader = readerOf(context, conversationId)
      const { accountId } = actorOf(context)
      if (quote !== 0) {
        const { rows } = await sql`
          select 1 from talk_message m where m.conversation_id = ${conversationId} and m.number = ${quote}
            and ${visibleTo(accountId)}`.execute(context.tx)
        if (rows.length === 0) return fail('notFound', 'quote')
      }
      const content = await contentOf(context, input)
      const sent = await append(
        context.tx,
        conversationId,
        { uuid, senderId: accountId, type, ...content, ...(quote !== 0 && { quote }) },
        context.now,
      )
      for (const event of sent.events) context.event(event)
      return readOwn(context.tx, conversationId, sent.number, reader)
    },

    async imEdit(context, { conversationId, number, value, mentions }) {
      const { row, reader } = await ownMessage(context, conversationId, number)
      if (row.type !== 'text' || row.data.records !== undefined || !isMessageLength(value))
        return fail('badRequest', 'value')
      await assertHarmless(context, value)
      const before = new Set((row.data.mentioned ?? []).map(({ userId }) => userId))
      const mentioned = await meant(context, conversationId, mentions, before)
      const ids = mentioned.map(({ userId }) => userId)
      const position = await nextPosition(context.tx, conversationId)
      await context.tx
        .updateTable('talk_message')
        .set({
          value,
          data: JSON.stringify({ ...row.data, mentioned }),
          mentions: ids,
          grams: gramsOf(value),
          changed: position,
          edited_at: context.now,
          edited_position: position,
        })
        .where('conversation_id', '=', conversationId)
        .where('number', '=', number)
        .execute()
      const fresh = ids.filter((id) => !before.has(id))
      changed(context, { conversationId, number, position, ...(fresh.length > 0 && { mentions: fresh }) })
      await refreshForwards(context, row.id)
      return readOwn(context.tx, conversationId, number, reader)
    },

    async imRecall(context, { conversationId, number }) {
      const { row, reader } = await ownMessage(context, conversationId, number)
      const position = await nextPosition(context.tx, conversationId)
      const { value, data, file_id: fileId } = row
      const sealed = sealRecalled(services.secrets, { value, data, fileId })
      await sql`
        update talk_message set value = '', data = '{}', mentions = '{}', grams = '{}', file_id = null,
          changed = ${position}, recalled_at = ${context.now}, sealed = ${JSON.stringify(sealed)}
        where conversation_id = ${conversationId} and number = ${number}`.execute(context.tx)
      await sql`
        delete from talk_reaction where conversation_id = ${conversationId} and number = ${number}`.execute(context.tx)
      changed(context, { conversationId, number, position })
      await refreshForwards(context, row.id)
      context.audit({ conversationId, messageNumber: number })
      return readOwn(context.tx, conversationId, number, reader)
    },

    async imReact(context, { conversationId, number, emoji: sign, on }) {
      const reader = readerOf(context, conversationId)
      const { accountId } = reader
      if (!emoji.test(sign)) return fail('badRequest', 'emoji')
      const { rows } = await sql`
        select 1 from talk_message m where m.conversation_id = ${conversationId} and m.number = ${number}
          and m.recalled_at is null and m.type <> 'notify' and ${visibleTo(accountId)}`.execute(context.tx)
      if (rows.length === 0) return fail('notFound')
      const position = await nextPosition(context.tx, conversationId)
      const { rows: kinds } = await sql<{ emoji: string }>`
        select distinct emoji from talk_reaction
        where conversation_id = ${conversationId} and number = ${number}`.execute(context.tx)
      if (on && kinds.length >= mostReactions && !kinds.some((kind) => kind.emoji === sign))
        return fail('badRequest', 'emoji')
      if (on)
        await sql`
          insert into talk_reaction (conversation_id, number, account_id, emoji, position)
          values (${conversationId}, ${number}, ${accountId}, ${sign}, ${position}) on conflict do nothing`.execute(
          context.tx,
        )
      else
        await sql`
          delete from talk_reaction where conversation_id = ${conversationId} and number = ${number}
            and account_id = ${accountId} and emoji = ${sign}`.execute(context.tx)
      await sql`
        update talk_message set changed = ${position}
        where conversation_id = ${conversationId} and number = ${number}`.execute(context.tx)
      changed(context, { conversationId, number, position })
      return readOwn(context.tx, conversationId, number, reader)
    },

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
/** Merged forwards of one message whose readers are told of a change; others see it when they read it again. */
const mostRefreshed = 1000
/** Kinds of reactions to one message. */
const mostReactions = 20

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
