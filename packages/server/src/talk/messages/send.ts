// The calls that write messages: send, edit, recall, react, forward.
import type { features } from '@cloudoc/contract'
import { denial, fail, gates, isMessageLength, mayRecall } from '@cloudoc/domain'
import { sql } from 'kysely'
import { createTextCheck } from '../../approvals/sensitive/index.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { append, gramsOf, type MessageEvent, type NewMessage, readOwn } from './append.ts'
import { conversationObjects, nextPosition } from './conversations.ts'
import { forwardHandlers } from './forward.ts'
import { readerOf } from './reader.ts'
import { sealRecalled } from './recalled.ts'
import { messageOf, readMessages, visibleTo } from './records.ts'

type Calls = typeof features.talkMessages.calls
type Writing = Pick<Handlers<Calls>, 'imSend' | 'imEdit' | 'imRecall' | 'imReact' | 'imForward'>
type Mentioned = readonly { readonly userId: number; readonly name: string }[]

const emoji = /^(?:\p{RGI_Emoji}|[\p{L}\p{N}\p{P}\p{S}]{1,4})$/v

/** The mentioned people who are members, each once. Everybody is mentioned by whom the group lets do so. */
async function meant(
  context: WriteContext,
  conversationId: number,
  named: Mentioned,
  before: ReadonlySet<number> = new Set(),
): Promise<Mentioned> {
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
async function ownMessage(context: WriteContext, conversationId: number, number: number) {
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

function changed(context: WriteContext, change: Omit<MessageEvent, 'kind'>): void {
  const event: MessageEvent = { kind: 'talk.message', ...change }
  context.event(event)
}

/** Shows the readers of its merged forwards that a message no longer is as it was. */
async function refreshForwards(context: WriteContext, id: number): Promise<void> {
  const { rows } = await sql<{ conversationId: number; number: number }>`
    select conversation_id as "conversationId", number from talk_message
    where data ? 'records' and data -> 'records' @> ${JSON.stringify([{ source: id }])}::jsonb
    order by id desc limit ${mostRefreshed}`.execute(context.tx)
  for (const forward of rows) changed(context, { ...forward, position: 0 })
}

/** The handlers of the calls that write messages. */
export function writingHandlers(services: Pick<Services, 'meet' | 'invalidations' | 'secrets' | 'now'>): Writing {
  const { meet } = services
  const isSensitive = createTextCheck(services)
  /** Refuses a text in which the company's rules find something (-68). */
  const assertHarmless = async (context: WriteContext, text: string): Promise<void> => {
    if (await isSensitive(context.tx, text))
      fail('sensitiveFile', { zh: '消息含有公司不允许发送的内容', en: 'the message contains what must not be sent' })
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

    ...forwardHandlers(assertHarmless),
  }
}

/** Merged forwards of one message whose readers are told of a change; others see it when they read it again. */
const mostRefreshed = 1000
/** Kinds of reactions to one message. */
const mostReactions = 20
