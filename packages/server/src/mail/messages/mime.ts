/*
 * Reads mails ([R290]). Parsing starts from bytes: headers that carry raw GBK or Big5 and neighbouring encoded words
 * that cut a character in two are mended before the library reads them. Runs in a confined process only (mail-process.ts).
 */
import type { MailPerson, Meeting } from '@cloudoc/contract'
import { decodeText, type MailCharset } from '@cloudoc/domain'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { plainAddress } from './confusables.ts'
import { htmlText, safeHtml } from './html-text.ts'
import { readMeetings } from './meetings.ts'
import { readTnef, type Tnef } from './tnef.ts'

/** What lists and search need of a mail. */
export interface MailSummary {
  readonly subject: string
  readonly from: MailPerson
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly bcc: readonly MailPerson[]
  readonly replyTo: readonly MailPerson[]
  /** Milliseconds since 1970; 0 if the mail does not say. */
  readonly sentAt: number
  readonly messageId: string
  readonly references: readonly string[]
  /** The text without markup, shortened. */
  readonly text: string
  readonly attachments: readonly ReadAttachment[]
  /** Why it could not be read whole; empty if it was. */
  readonly problem: '' | 'unreadable' | 'tooManyParts' | 'encrypted' | 'htmlTooLong'
}

export interface ReadAttachment {
  readonly number: number
  readonly name: string
  readonly type: string
  readonly size: number
  readonly contentId: string
}

/** A mail as it is read on the screen. */
export interface MailContent {
  readonly summary: MailSummary
  readonly text: string
  readonly html: string
  /** The addresses to which it was delivered, where the server has noted them. */
  readonly deliveredTo: readonly string[]
  /** The appointments that it carries. */
  readonly meetings: readonly Meeting[]
}

export const mostParts = 1000
const mostNesting = 30
const longestHtml = 2 * 1024 * 1024
const longestText = 500_000
const summaryText = 20_000
const mostPeople = 5000
const mostReferences = 50

/**
 * Reads a mail, in another character set than it names or seems to have if one is given. Never throws: what cannot be read
 * is named in `problem`.
 */
export async function readMail(
  bytes: Uint8Array,
  charset?: MailCharset,
): Promise<{ content: MailContent; attachments: readonly Uint8Array[] }> {
  let email: Email
  try {
    email = await PostalMime.parse(mendHeaders(Buffer.from(bytes), charset), { maxNestingDepth: mostNesting })
  } catch {
    return { content: unreadable(), attachments: [] }
  }
  const { tnef, parts } = partsOf(email)
  const kept = parts.slice(0, mostParts)
  const html = email.html ?? tnef?.html ?? ''
  const text = (email.text || tnef?.text || htmlText(html.slice(0, longestHtml))).slice(0, longestText)
  // A whole mail inside a signature is not encrypted.
  const type = headerOf(email, 'content-type')
  const isEncrypted =
    /^(multipart\/encrypted|application\/(x-)?pkcs7-mime)/i.test(type) && !/smime-type="?signed-data/i.test(type)
  return {
    content: {
      summary: {
        subject: oneLine(email.subject ?? '').slice(0, 1000),
        from: people(email.from === undefined ? [] : [email.from])[0] ?? { name: '', address: '' },
        to: people(email.to),
        cc: people(email.cc),
        bcc: people(email.bcc),
        replyTo: people(email.replyTo),
        sentAt: Date.parse(email.date ?? '') || 0,
        messageId: ids(email.messageId ?? '')[0] ?? '',
        references: referencesOf(email),
        text: text.replaceAll(/\s+/g, ' ').trim().slice(0, summaryText),
        attachments: kept.flatMap(({ name, type, content, contentId, isPackage }, number) =>
          isPackage ? [] : [{ number, name, type, size: content.byteLength, contentId }],
        ),
        problem: isEncrypted
          ? 'encrypted'
          : parts.length > mostParts
            ? 'tooManyParts'
            : html.length > longestHtml
              ? 'htmlTooLong'
              : '',
      },
      text,
      html: html.slice(0, longestHtml),
      deliveredTo: deliveredTo(email),
      meetings: kept.filter(({ type, name }) => isCalendar(type, name)).flatMap(({ content }) => readMeetings(content)),
    },
    attachments: kept.map(({ content }) => content),
  }
}

interface Part {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
  readonly contentId: string
  /** A winmail.dat that could be read: what is in it is listed in its place. */
  readonly isPackage: boolean
}

const isCalendar = (type: string, name: string): boolean => type === 'text/calendar' || /\.ics$/i.test(name)

/** The parts of a mail, with those inside a winmail.dat behind all others, so that the numbers of the others stay. */
function partsOf({ attachments }: Email): { readonly tnef: Tnef | undefined; readonly parts: readonly Part[] } {
  let tnef: Tnef | undefined
  const parts = attachments.map(({ filename, mimeType, contentId, disposition, content: of }): Part => {
    const content = typeof of === 'string' ? Buffer.from(of) : new Uint8Array(of)
    const name = nameOf(filename, mimeType)
    const found = /\bms-tnef$/i.test(mimeType) || /^winmail\.dat$/i.test(name) ? readTnef(content) : undefined
    tnef ??= found
    return {
      ...{ name, type: mimeType || 'application/octet-stream', content, isPackage: found !== undefined },
      contentId: disposition === 'attachment' ? '' : (contentId ?? '').replace(/^<|>$/g, ''),
    }
  })
  const inside = (tnef?.attachments ?? []).map(
    ({ name, type, content }): Part => ({
      ...{
        name: nameOf(name, type),
        type: type || 'application/octet-stream',
        content,
        contentId: '',
        isPackage: false,
      },
    }),
  )
  return { tnef, parts: [...parts, ...inside] }
}

const look = `html{background:#fff;color:#1d2129;color-scheme:light}
body{margin:0;font:14px/1.6 -apple-system,"Segoe UI","PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
img{max-width:100%;height:auto}blockquote{margin:8px 0;padding-left:12px;border-left:3px solid #e5e6eb;color:#4e5969}
pre{white-space:pre-wrap}table{max-width:100%}`
const largestInline = 10 * 1024 * 1024

/**
 * The HTML of a mail as a page for a frame without scripts, with the pictures inside the mail as data. The policy that
 * it is sent with holds even where this lets something through.
 */
export function htmlPage({ html, summary }: MailContent, contents: readonly Uint8Array[], withRemote: boolean): string {
  let body = safeHtml(html, withRemote)
  let left = largestInline
  for (const { number, contentId, type } of summary.attachments) {
    const bytes = contents[number]
    if (contentId === '' || bytes === undefined || !/^image\/(png|jpeg|gif|webp|bmp)$/.test(type)) continue
    if (bytes.byteLength > left || !body.includes(`cid:${contentId}`)) continue
    left -= bytes.byteLength
    body = body.replaceAll(`cid:${contentId}`, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
  }
  return `<!doctype html><meta charset="utf-8"><base target="_blank"><style>${look}</style>${body}`
}

/** A mail of which only the bytes are there. */
export function unreadable(): MailContent {
  const nobody = { name: '', address: '' }
  return {
    summary: {
      ...{ subject: '', from: nobody, to: [], cc: [], bcc: [], replyTo: [], sentAt: 0, messageId: '', references: [] },
      ...{ text: '', attachments: [], problem: 'unreadable' },
    },
    text: '',
    html: '',
    deliveredTo: [],
    meetings: [],
  }
}

function headerOf({ headers }: Email, key: string): string {
  return headers.find((header) => header.key === key)?.value ?? ''
}

/** The mails that it answers, from the first of the thread on. Of many the first stays: it names the thread. */
function referencesOf({ references = '', inReplyTo = '' }: Email): string[] {
  const all = ids(`${references} ${inReplyTo}`)
  return all.length <= mostReferences ? all : [...all.slice(0, 1), ...all.slice(1 - mostReferences)]
}

const deliveryHeaders = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-delivered-to'])

/** The addresses in the headers that the delivering server has added. */
function deliveredTo({ headers }: Email): string[] {
  const found = headers
    .filter(({ key }) => deliveryHeaders.has(key))
    .flatMap(({ value }) => value.match(/[^\s<>,;:"]+@[^\s<>,;:"]+/g) ?? [])
  return [...new Set(found.map((address) => address.toLowerCase()))].slice(0, 20)
}

const ids = (value: string): string[] => [...value.matchAll(/<([^<>\s]{1,500})>/g)].map(([, id = '']) => id)

/** Control characters and marks that change the direction of writing are removed: they disguise names. */
const oneLine = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

function people(addresses: readonly Address[] = []): MailPerson[] {
  return addresses
    .flatMap((one) => ('group' in one && one.group !== undefined ? one.group : [one]))
    .slice(0, mostPeople)
    .map(({ name, address }) => ({
      name: oneLine(name ?? '').slice(0, 200),
      address: plainAddress(oneLine(address ?? '')).slice(0, 320),
    }))
}

const extensions: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
}

/** A name under which the attachment can be stored. */
function nameOf(name: string | null | undefined, type: string): string {
  const plain = oneLine(name ?? '').replaceAll(/[\\/:*?"<>|]/g, '_')
  return plain.slice(0, 200) || `attachment.${extensions[type] ?? 'bin'}`
}

const encodedWord = /=\?([\w-]+)(?:\*[\w-]+)?\?([BbQq])\?([^?\s]*)\?=/y

/**
 * Rewrites the headers of a mail and of its parts as UTF-8: raw 8-bit bytes are decoded as UTF-8, GB18030 or Big5, and
 * neighbouring encoded words of one charset are joined, because characters may be cut between them. With a charset, raw
 * bytes, encoded words and the texts of parts are read in it.
 */
export function mendHeaders(mail: Buffer, charset?: MailCharset): Buffer {
  const out: Buffer[] = []
  const boundaries = new Set<string>()
  let isHeader = true
  let header: Buffer[] = []
  const flush = (): void => {
    if (header.length === 0) return
    const mended = mendHeader(Buffer.concat(header), charset)
    for (const [, quoted, plain] of mended.toString().matchAll(/boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/gi))
      boundaries.add(`--${quoted ?? plain ?? ''}`)
    out.push(mended)
    header = []
  }
  for (let at = 0; at < mail.length; ) {
    const end = mail.indexOf(10, at)
    const next = end < 0 ? mail.length : end + 1
    const line = mail.subarray(at, next)
    if (isHeader) {
      if (line.length <= 2 && line.toString('latin1').trim() === '') {
        flush()
        isHeader = false
        out.push(line)
      } else header.push(line)
    } else {
      out.push(line)
      if (line[0] === 45 && line[1] === 45 && boundaries.has(line.toString('utf8').trimEnd())) isHeader = true
    }
    at = next
  }
  flush()
  return Buffer.concat(out)
}

function mendHeader(bytes: Buffer, charset: MailCharset | undefined): Buffer {
  const isAscii = bytes.every((byte) => byte < 128)
  const text = isAscii
    ? bytes.toString('latin1')
    : charset === undefined
      ? decodeUnlabelled(bytes)
      : new TextDecoder(charset).decode(bytes)
  if (isAscii && charset === undefined && !text.includes('=?')) return bytes
  const labelled = charset === undefined ? text : withCharset(text, charset)
  return Buffer.from(joinWords(labelled, charset))
}

/** The header with another character set for its text. A part of text without a type has one then. */
function withCharset(header: string, charset: MailCharset): string {
  const type = /^content-type:[ \t]*text\/[^;\r\n]*(?:;(?:\r?\n[ \t]|[^\r\n])*)?/im
  if (!/^content-type:/im.test(header)) return `Content-Type: text/plain; charset=${charset}\r\n${header}`
  return header.replace(type, (line) =>
    /charset\s*=/i.test(line)
      ? line.replace(/charset\s*=\s*("[^"]*"|[^\s;]+)/i, `charset=${charset}`)
      : `${line.replace(/;?[ \t]*$/, '')}; charset=${charset}`,
  )
}

/** Text without a charset: UTF-8 if it is valid, otherwise the encoding that it looks like. */
function decodeUnlabelled(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    try {
      return new TextDecoder('gb18030', { fatal: true }).decode(bytes)
    } catch {
      return decodeText(bytes, false).text
    }
  }
}

interface Word {
  readonly charset: string
  readonly bytes: Buffer
}

function joinWords(text: string, instead: MailCharset | undefined): string {
  let out = ''
  let open: Word | undefined
  const close = (): void => {
    if (open === undefined) return
    out += wordText(open)
    open = undefined
  }
  for (let at = 0; at < text.length; ) {
    encodedWord.lastIndex = at
    const match = encodedWord.exec(text)
    if (match !== null) {
      const [whole, named = '', how = '', body = ''] = match
      const charset = instead ?? named
      const bytes = how.toUpperCase() === 'B' ? Buffer.from(body, 'base64') : quoted(body)
      if (open !== undefined && open.charset === charset.toLowerCase())
        open = { charset: open.charset, bytes: Buffer.concat([open.bytes, bytes]) }
      else {
        close()
        open = { charset: charset.toLowerCase(), bytes }
      }
      at += whole.length
      continue
    }
    // Space between two encoded words is not part of the text (RFC 2047, 6.2).
    const space = open === undefined ? null : /^\s+(?==\?[\w-]+(?:\*[\w-]+)?\?[BbQq]\?)/.exec(text.slice(at, at + 200))
    if (space !== null) {
      at += space[0].length
      continue
    }
    close()
    out += text[at]
    at += 1
  }
  close()
  return out
}

function quoted(body: string): Buffer {
  return Buffer.from(
    body
      .replaceAll('_', ' ')
      .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** The decoded text as one encoded word in UTF-8, so that special characters in it are no syntax. */
function wordText({ charset, bytes }: Word): string {
  let text: string
  try {
    text = new TextDecoder(charset === 'utf-7' ? 'utf-8' : charset).decode(bytes)
  } catch {
    text = decodeUnlabelled(bytes)
  }
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}
