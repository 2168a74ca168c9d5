// Reading mails in confined processes: summaries of many, the content of one, an attachment.
import { Readable } from 'node:stream'
import type { MailCharset } from '@cloudoc/domain'
import { ConfinedFailure, type Limits, runConfined, siblingProgram } from '../../core/confined/confined.ts'
import { type MailContent, type MailSummary, unreadable } from './mime.ts'

const program = siblingProgram(import.meta.url, 'mail-process')
const mb = 1024 * 1024

/** How long somebody waits for a mail, and how long the store of new ones does: a busy machine reads late. */
const awaitedMs = 60_000
const storedMs = 10 * 60_000

/**
 * The limits of mails that are read: a mail that exceeds them is shown by its headers and can be downloaded. What a mail
 * costs is bounded by processor time, which other work on the machine does not use up.
 */
const limitsFor = (bytes: number, seconds: number, wallMs = awaitedMs): Limits => ({
  wallMs,
  cpuSeconds: seconds,
  heapMb: 512,
  otherMb: 256 + Math.ceil((8 * bytes) / mb),
  outputBytes: 64 * mb + bytes,
})

async function* framed(mails: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const mail of mails) {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(mail.byteLength)
    yield length
    yield mail
  }
}

/**
 * Summaries of mails, in their order. A mail that breaks its reader has the problem `unreadable`. Fails where there was no
 * time to read them: they are fetched again.
 */
export async function summariesOf(
  mails: readonly Uint8Array[],
  signal: AbortSignal,
  wallMs = storedMs,
): Promise<MailSummary[]> {
  if (mails.length === 0) return []
  const bytes = mails.reduce((sum, { byteLength }) => sum + byteLength, 0)
  try {
    const answer = await runConfined({
      program,
      args: ['summaries'],
      input: Readable.from(framed(mails), { objectMode: false }),
      limits: limitsFor(bytes, 5 + mails.length, wallMs),
      signal,
    })
    const read = JSON.parse(answer.toString()) as MailSummary[]
    if (read.length === mails.length) return read
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConfinedFailure ? error.code === 'time' : !(error instanceof SyntaxError)) throw error
  }
  if (mails.length === 1) return [unreadable().summary]
  const each: MailSummary[] = []
  for (const mail of mails) each.push(...(await summariesOf([mail], signal, wallMs)))
  return each
}

/** The text, HTML and attachment list of a mail. */
export async function contentOf(
  mail: Readable,
  size: number,
  signal: AbortSignal,
  charset?: MailCharset,
): Promise<MailContent> {
  try {
    const answer = await runConfined({
      program,
      args: ['content', '0', ...(charset === undefined ? [] : [charset])],
      input: mail,
      limits: limitsFor(size, 10),
      signal,
      isAwaited: true,
    })
    return JSON.parse(answer.toString()) as MailContent
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConfinedFailure) return unreadable()
    throw error
  }
}

/** The HTML of a mail as a page, with the pictures inside the mail as data. Empty if it cannot be read. */
export async function pageOf(
  mail: Readable,
  size: number,
  { withRemote, charset }: { readonly withRemote: boolean; readonly charset: MailCharset | undefined },
  signal: AbortSignal,
): Promise<string> {
  try {
    const limits = limitsFor(size, 10)
    return (
      await runConfined({
        program,
        args: ['page', withRemote ? '1' : '0', ...(charset === undefined ? [] : [charset])],
        input: mail,
        limits,
        signal,
        isAwaited: true,
      })
    ).toString()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConfinedFailure) return ''
    throw error
  }
}

/** The bytes of an attachment; undefined if the mail has none of that number. */
export async function attachmentOf(
  mail: Readable,
  size: number,
  number: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const answer = await runConfined({
    program,
    args: ['part', String(number)],
    input: mail,
    limits: limitsFor(size, 30),
    signal,
    isAwaited: true,
  })
  return answer[0] === 1 ? answer.subarray(1) : undefined
}
