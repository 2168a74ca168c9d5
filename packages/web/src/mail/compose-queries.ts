// Opens the window in which mail is written: new, as an answer, as a forward, or with files of the drive.
import type { ItemRecord, MailDetail, MailPerson } from '@cloudoc/contract'
import { limits, minuteTime } from '@cloudoc/domain'
import { api, mainServer } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { answerTo } from './answer.ts'
import { boxesQuery, refetchMail, writingBox } from './mail-queries.ts'

/** The mailbox to write from; without one its settings open. */
async function boxToWrite(): Promise<number | undefined> {
  const { list } = await boxesQuery.queryFn()
  const box = writingBox(list)
  if (box === undefined) {
    await openWindow('email-boxes', {})
    return undefined
  }
  return box.boxId
}

/** Begins a new mail. */
export async function compose(to: readonly MailPerson[] = []): Promise<void> {
  const boxId = await boxToWrite()
  if (boxId === undefined) return
  const { outgoingId } = await api.createMailDraft({ boxId, to: [...to] })
  refetchMail()
  await openWindow('email-compose', { outgoingId })
}

/** Makes the draft of a mail with copies of files ([R159]); undefined without a mailbox, whose settings open. */
export async function draftWith(
  items: readonly ItemRecord[],
): Promise<Readonly<{ outgoingId: number; count: number }> | undefined> {
  const boxId = await boxToWrite()
  if (boxId === undefined) return undefined
  const { outgoingId } = await api.createMailDraft({
    boxId,
    subject: items
      .map(({ fName }) => fName)
      .join('、')
      .slice(0, 200),
  })
  try {
    await api.of(mainServer).attachFilesToMail({ outgoingId, fileIdArray: items.map(({ fId }) => fId) })
  } catch (error) {
    await api.discardMail({ outgoingId })
    throw error
  }
  refetchMail()
  return { outgoingId, count: items.length }
}

/** Begins a mail with copies of files. */
export async function composeWith(items: readonly ItemRecord[]): Promise<void> {
  const draft = await draftWith(items)
  if (draft !== undefined) await openWindow('cloudoc-file-sendEmail', draft)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** The mail that is answered, below the answer. Its text only: nothing of its markup is sent on. */
function quoted(mail: MailDetail): { html: string; text: string } {
  const line = t('email.quote', {
    time: minuteTime(mail.mailTime),
    name: mail.senderName || mail.senderAddress,
  })
  const text = mail.text.trim()
  return {
    html: `<p></p><p>${escaped(line)}</p><blockquote>${escaped(text)}</blockquote>`,
    text: `\n\n${line}\n${text.replaceAll(/^/gm, '> ')}`,
  }
}

const bare = (subject: string): string => subject.replace(/^\s*((re|fwd?|回复|转发|答复)\s*[:：]\s*)+/i, '')

/** Begins the answer to a mail. */
export async function answer(mail: MailDetail, isToAll: boolean): Promise<void> {
  const { list } = await boxesQuery.queryFn()
  const people = answerTo(mail, list, isToAll)
  if ([people.to, people.cc].some(({ length }) => length > limits.mailReceivers))
    return toast({ text: t('email.answer.tooMany', { most: limits.mailReceivers }), kind: 'warning' })
  const { outgoingId } = await api.createMailDraft({
    ...{ boxId: mail.boxId, ...people },
    subject: t('email.re', { subject: bare(mail.mailTitle) }).slice(0, 500),
    ...quoted(mail),
    replyOf: mail.mailId,
  })
  refetchMail()
  await openWindow('email-compose', { outgoingId })
}

/** Forwards a mail: its text, and the mail as an attachment where it has some. */
export async function forward(mail: MailDetail): Promise<void> {
  const { outgoingId } = await api.createMailDraft({
    boxId: mail.boxId,
    subject: t('email.fw', { subject: bare(mail.mailTitle) }).slice(0, 500),
    ...quoted(mail),
    ...{ replyOf: mail.mailId, isForward: true, withAttachments: true },
  })
  refetchMail()
  await openWindow('email-compose', { outgoingId })
}
