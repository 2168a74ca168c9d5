// Sentences about conversations and messages: names, the last line of a chat, system lines.
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import type { Translate } from '../../core/i18n/i18n.ts'
import type { Outgoing } from '../state/outbox.ts'

/** The name of a conversation; of what is no longer there the documented text ([R297]). */
export function chatName(t: Translate, chat: Pick<TalkChat, 'push' | 'id' | 'name' | 'dissolved'>): string {
  if (chat.name !== '') return chat.name
  return chat.push === 'GROUP' ? t('im.groupRemoved') : t('im.friendRemoved', { id: chat.id })
}

/** A message in one line, without its sender. */
export function lineOf(t: Translate, message: Pick<TalkMessage, 'data' | 'value' | 'withheld'>): string {
  const { data, value } = message
  if (message.withheld) return t('im.withheld')
  if (data.records !== undefined) return t('im.type.records')
  if (data.type === 'img') return t('im.type.img')
  if (data.type === 'file') return t('im.type.file', { name: data.name ?? '' })
  if (data.type === 'link') return t('im.type.link', { name: data.name ?? data.url ?? '' })
  if (data.type === 'share') return t('im.type.share')
  return value.replace(/\s+/g, ' ')
}

/** The sentence of a system line. */
export function systemLine(t: Translate, message: TalkMessage, me: number): string {
  const { data, value } = message
  const by = message.from === me ? t('im.you') : message.fromName
  const people = (data.people ?? [])
    .map(({ userId, name }) => (userId === me ? t('im.youToo') : name))
    .join(t('im.and'))
  switch (data.what) {
    case 'role':
      return t(value === 'manager' ? 'im.line.role.manager' : 'im.line.role.member', { by, people })
    case 'renamed':
    case 'announced':
      return t(`im.line.${data.what}`, { by, value })
    case 'left':
      return t('im.line.left', { people })
    case 'muted':
    case 'unmuted':
    case 'dissolved':
      return t(`im.line.${data.what}`, { by })
    case 'joined':
      // Into the group of a library people come by themselves.
      return data.people?.length === 1 && data.people[0]?.userId === message.from
        ? t('im.line.came', { people })
        : t('im.line.joined', { by, people })
    case 'created':
    case 'removed':
    case 'owner':
      return t(`im.line.${data.what}`, { by, people })
    case undefined:
      return value
  }
}

/** Who recalled a message. */
export function recallLine(t: Translate, message: TalkMessage, me: number): string {
  return message.from === me ? t('im.recalledMine') : t('im.recalledBy', { name: message.fromName })
}

/** The last line of a chat in the list, with at most one prefix: failed, waiting, mentioned, draft. */
export function lastLine(
  t: Translate,
  chat: TalkChat,
  outgoing: readonly Outgoing[],
  me: number,
): { readonly prefix?: string; readonly tone?: 'danger' | 'warning'; readonly text: string } {
  const { last } = chat
  const said = ((): string => {
    if (last === null) return ''
    if (last.recall) return recallLine(t, last, me)
    if (last.data.type === 'notify') return systemLine(t, last, me)
    const line = lineOf(t, last)
    return chat.push === 'GROUP' && last.from !== me ? `${last.fromName}：${line}` : line
  })()
  if (outgoing.some(({ send }) => send === 'ERR')) return { prefix: t('im.sendFailed'), tone: 'danger', text: said }
  if (outgoing.length > 0) return { prefix: t('im.waitingN', { n: outgoing.length }), tone: 'warning', text: said }
  if (chat.mentioned && chat.unread > 0) return { prefix: t('im.mentionedMe'), tone: 'warning', text: said }
  if (chat.draft !== '') return { prefix: t('im.draft'), tone: 'danger', text: chat.draft.replace(/\s+/g, ' ') }
  return { text: said }
}
