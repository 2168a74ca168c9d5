// Builds the message of an outgoing mail. Attachments are streamed from the content store.
import { Readable } from 'node:stream'
import type { MailPerson } from '@cloudoc/contract'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Receivers } from './tables.ts'

export interface Attached {
  readonly name: string
  readonly type: string
  readonly blobId: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

export interface WrittenMail {
  readonly messageId: string
  readonly from: MailPerson
  readonly people: Receivers
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly sentAt: number
  readonly inReplyTo: string
  readonly references: readonly string[]
  readonly attachments: readonly Attached[]
}

/**
 * The message as bytes. Hidden receivers are only in the sender's own copy (`isOwnCopy`). Attachments are at most
 * {@link maxMailBytes}, so it fits into memory.
 */
export async function buildMessage(mail: WrittenMail, contents: Contents, isOwnCopy: boolean): Promise<Buffer> {
  const { messageId, from, people, subject, html, text, sentAt, inReplyTo, references, attachments } = mail
  const { shown, pictures } = withInlineParts(html, messageId)
  const composer = new MailComposer({
    messageId: `<${messageId}>`,
    date: new Date(sentAt),
    from,
    to: [...people.to],
    cc: [...people.cc],
    ...(isOwnCopy && people.bcc.length > 0 ? { bcc: [...people.bcc] } : {}),
    subject,
    text,
    ...(html === '' ? {} : { html: shown }),
    ...(inReplyTo === '' ? {} : { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length === 0 ? {} : { references: references.map((id) => `<${id}>`) }),
    attachments: [
      ...attachments.map((one) => ({
        filename: one.name,
        contentType: one.type,
        content: Readable.from(readContent(contents, one), { objectMode: false }),
      })),
      ...pictures,
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const compiled = composer.compile()
  // The library removes hidden receivers by default, so that they are in no byte on the wire.
  compiled.keepBcc = isOwnCopy
  return compiled.build()
}

interface InlinePart {
  readonly cid: string
  readonly filename: string
  readonly contentType: string
  readonly contentDisposition: 'inline'
  readonly content: Buffer
}

/** Pictures that are in the text as data become parts of the mail: many programs show no others. */
function withInlineParts(html: string, messageId: string): { shown: string; pictures: readonly InlinePart[] } {
  const pictures: InlinePart[] = []
  const shown = html.replaceAll(
    /src="data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+=*)"/g,
    (_, type: string, data: string) => {
      const n = pictures.length + 1
      const cid = `picture-${n}.${messageId}`
      const content = Buffer.from(data, 'base64')
      const filename = `picture-${n}.${type === 'jpeg' ? 'jpg' : type}`
      pictures.push({ cid, filename, contentType: `image/${type}`, contentDisposition: 'inline', content })
      return `src="cid:${cid}"`
    },
  )
  return { shown, pictures }
}

/** Opens a content when it is read, not before. */
async function* readContent(contents: Contents, { blobId, key, size, sha256 }: Attached): AsyncGenerator<Uint8Array> {
  await using object = await contents.open({ blobId, key, size, sha256 })
  yield* object
}
