// Rules of instant messaging that the server and the page share: what counts as unread, the length of a message, who may
// change one, and addresses in texts.
import { limits } from './limits.ts'

/** The kinds of data of a message ([R294], X73). */
export const talkDataTypes = ['text', 'img', 'file', 'link', 'share', 'notify'] as const
export type TalkDataType = (typeof talkDataTypes)[number]

/** The kinds of contacts ([R294], X40). */
export const ContactKind = { group: 1, female: 2, male: 3 } as const

/** The roles of members of a group (X82). */
export type TalkRole = 'owner' | 'manager' | 'member'

/** Whether a message has one to 2,048 UTF-16 units ([R298]). The page and the server count alike. */
export function isMessageLength(text: string): boolean {
  return text.length <= limits.longestMessage && text.trim() !== ''
}

/** What unread counting needs to know of a message. */
export interface CountedMessage {
  readonly number: number
  readonly from: number
  readonly recall: boolean
  readonly type: TalkDataType
}

/** How far a person has read a conversation. */
export interface ReadMark {
  readonly readNumber: number
  /** The person has marked it as unread. Holds until the conversation is opened anew. */
  readonly isMarkedUnread: boolean
}

/** Whether a message is unread for a person: written by somebody else, after the mark, not recalled, not of the system. */
export function isUnread(message: CountedMessage, me: number, { readNumber }: ReadMark): boolean {
  return message.number > readNumber && message.from !== me && !message.recall && message.type !== 'notify'
}

/**
 * The number of unread messages ([R100]): a pure function of the read mark and the visible messages. A conversation that
 * was marked as unread counts one where nothing else does.
 */
export function unreadCount(messages: readonly CountedMessage[], me: number, mark: ReadMark): number {
  const count = messages.filter((message) => isUnread(message, me, mark)).length
  return count === 0 && mark.isMarkedUnread ? 1 : count
}

/** The read mark after somebody has seen messages up to a number: it only moves forward. */
export function advanced(mark: ReadMark, seen: number): ReadMark {
  return { readNumber: Math.max(mark.readNumber, seen), isMarkedUnread: false }
}

/** A part of a conversation that a person may read: messages after one number and up to another; null: still a member. */
export interface Stay {
  readonly after: number
  readonly until: number | null
}

/** Whether a position of a conversation lies within one of the stays of a person. */
export function isWithin(stays: readonly Stay[], position: number): boolean {
  return stays.some(({ after, until }) => position > after && (until === null || position <= until))
}

/** What the sender of a message may still do with it. */
export interface OwnMessage {
  readonly from: number
  readonly timestamp: number
  readonly recall: boolean
  readonly type: TalkDataType
}

/** Whether a person may take a message back now: their own, within the window of the company. */
export function mayRecall(message: OwnMessage, me: number, now: number, windowMs: number): boolean {
  return message.from === me && !message.recall && message.type !== 'notify' && now - message.timestamp <= windowMs
}

/** A part of a text: plain, or a web address. */
export interface TextPart {
  readonly text: string
  readonly href?: string
}

// A web address ends before the first full-width mark.
const address = /(?:https?:\/\/|www\.)[^\s<>"'`\u3000-\u303f\uff00-\uffef\u2018-\u201d\u2026]+/giu
/** Up to the first Han character: sentences in Chinese have no spaces, so it may be a word of the sentence. */
const beforeHan = /^\P{Script=Han}*/u
/** Up to the first Han character that does not begin a part of the address, as those in 中文.中国/首页?q=合同 do. */
const beforeHanWords = /^\P{Script=Han}*(?:(?<=[/=#?&+_-]|^(?:https?:\/\/)?[^/?#]*\.)\p{Script=Han}+\P{Script=Han}*)*/iu
const trailing = /[.,;:!?…]+$/
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Splits a text into plain parts and web addresses. The page, notices and mails use it alike. */
export function splitAddresses(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    const before = text[match.index - 1]
    if (before !== undefined && /[\w@]/.test(before)) continue
    const after = text[match.index + match[0].length]
    const isAlone = [before, after].every((next) => next === undefined || /\s/.test(next))
    const [whole = ''] = (isAlone ? beforeHanWords : beforeHan).exec(match[0]) ?? []
    const found = withoutClosing(whole)
    if (!/^(https?:\/\/|www\.)[^/?#]*[\p{L}\p{N}]/iu.test(found)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: found, href: /^https?:/i.test(found) ? found : `https://${found}` })
    from = match.index + found.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** Cuts marks of the sentence and unbalanced closing brackets off the end of an address. */
function withoutClosing(found: string): string {
  for (let url = found; ; ) {
    const cut = url.replace(trailing, '')
    const last = cut.at(-1) ?? ''
    const open = pairs[last]
    const isUnbalanced = open !== undefined && cut.split(last).length > cut.split(open).length
    const next = isUnbalanced ? cut.slice(0, -1) : cut
    if (next === url) return url
    url = next
  }
}
