// Whom an answer goes to, and from which address it leaves.
import type { Mailbox, MailDetail, MailPerson } from '@cloudoc/contract'

type Answered = Pick<MailDetail, 'boxId' | 'senderName' | 'senderAddress' | 'to' | 'cc' | 'replyTo' | 'deliveredTo'>
type OwnBox = Pick<Mailbox, 'boxId' | 'account' | 'aliases'>

export interface Answering {
  readonly to: MailPerson[]
  readonly cc: MailPerson[]
  /** An alias of the mailbox; empty: its own address. */
  readonly fromAddress: string
}

const keyOf = (address: string): string => address.toLowerCase()

/**
 * The receivers of an answer. It goes to where the sender wants answers, leaves from the own address that was written to,
 * and never goes to oneself: own are the mailboxes, their aliases, and the address to which the server has delivered it.
 * An answer to a mail of one's own goes to its receivers.
 */
export function answerTo(mail: Answered, boxes: readonly OwnBox[], isToAll: boolean): Answering {
  const mine = boxes.flatMap(({ account, aliases }) => [account, ...aliases]).map(keyOf)
  const own = new Set([...mine, ...mail.deliveredTo.map(keyOf)])
  const isOwn = mine.includes(keyOf(mail.senderAddress))
  const sender = { name: mail.senderName, address: mail.senderAddress }
  const main = mail.replyTo.length > 0 ? mail.replyTo : [sender]
  const wanted = isOwn ? mail.to : isToAll ? [...main, ...mail.to] : main
  const to = distinct(wanted, isOwn ? new Set() : own)
  // Who writes to themselves answers to themselves.
  const receivers = to.length > 0 ? to : distinct(main, new Set())
  const taken = new Set([...own, ...receivers.map(({ address }) => keyOf(address))])
  return { to: receivers, cc: isToAll ? distinct(mail.cc, taken) : [], fromAddress: aliasOf(mail, boxes, isOwn) }
}

/** The people whose addresses are not among those, each once. */
function distinct(people: readonly MailPerson[], not: ReadonlySet<string>): MailPerson[] {
  const seen = new Set(not)
  return people.filter(({ address }) => {
    const key = keyOf(address)
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The alias of the mailbox that the mail was written to, or written from; empty for its own address. */
function aliasOf(mail: Answered, boxes: readonly OwnBox[], isOwn: boolean): string {
  const box = boxes.find(({ boxId }) => boxId === mail.boxId)
  if (box === undefined) return ''
  const written = isOwn ? [mail.senderAddress] : [...mail.to, ...mail.cc].map(({ address }) => address)
  const named = [...written, ...mail.deliveredTo].map(keyOf)
  const found = named.find((address) => [box.account, ...box.aliases].map(keyOf).includes(address))
  return box.aliases.find((alias) => keyOf(alias) === found) ?? ''
}
