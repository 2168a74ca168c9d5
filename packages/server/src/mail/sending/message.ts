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
  const composer = new MailComposer({
    messageId: `<${messageId}>`,
    date: new Date(sentAt),
    from,
    to: [...people.to],
    cc: [...people.cc],
    ...(isOwnCopy && people.bcc.length > 0 ? { bcc: [...people.bcc] } : {}),
    subject,
    text,
    ...(html === '' ? {} : { html }),
    ...(inReplyTo === '' ? {} : { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length === 0 ? {} : { references: references.map((id) => `<${id}>`) }),
    attachments: attachments.map((one) => ({
      filename: one.name,
      contentType: one.type,
      content: Readable.from(readContent(contents, one), { objectMode: false }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const compiled = composer.compile()
  // The library removes hidden receivers by default, so that they are in no byte on the wire.
  compiled.keepBcc = isOwnCopy
  return compiled.build()
}

/** Opens a content when it is read, not before. */
async function* readContent(contents: Contents, { blobId, key, size, sha256 }: Attached): AsyncGenerator<Uint8Array> {
  await using object = await contents.open({ blobId, key, size, sha256 })
  yield* object
}
