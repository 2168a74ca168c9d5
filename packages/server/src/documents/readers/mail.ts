// Reader of mails: headers, text without anything that would be fetched or run, and attachments.
import type { Mail } from '@cloudoc/contract'
import PostalMime, { type Address, decodeWords, type Email } from 'postal-mime'
import { Refused } from '../refusal.ts'
import { htmlBlocks } from './html.ts'
import type { Hidden, Reader } from './reader.ts'

/** Headers that servers and programs write: ids, times and keys, nothing that a person has written. */
const technical =
  /^(message-id|in-reply-to|references|received|return-path|date|mime-version|content-.*|dkim-.*|domainkey-.*|arc-.*|authentication-results|x-received|x-google-.*|x-gm-.*|x-ms-.*|x-mimeole|x-uidl|list-.*|thread-index|subject|from|to|cc)$/i

export const readMail: Reader = async ({ bytes, parts, hidden }): Promise<Mail> => {
  const mail = await PostalMime.parse(bytes)
  if (mail.headers.length === 0) throw new Refused('conversionFailed', 'no mail')
  if (hidden !== undefined) reportHidden(mail, hidden)
  const enclosed = new Map(
    mail.attachments.flatMap(({ contentId, content }) =>
      contentId === undefined || typeof content === 'string'
        ? []
        : [[`cid:${contentId.replace(/^<|>$/g, '')}`, Buffer.from(new Uint8Array(content))]],
    ),
  )
  const { blocks, blocked } =
    mail.html === undefined
      ? {
          blocks: (mail.text ?? '')
            .split(/\r?\n/)
            .map((text) => ({ is: 'text' as const, runs: text === '' ? [] : [{ text }] })),
          blocked: 0,
        }
      : await htmlBlocks(mail.html, parts, (address) => enclosed.get(address))
  return {
    kind: 'mail',
    subject: mail.subject ?? '',
    from: peopleOf(mail.from === undefined ? [] : [mail.from]),
    to: peopleOf(mail.to),
    cc: peopleOf(mail.cc),
    date: Date.parse(mail.date ?? '') || 0,
    blocked,
    blocks,
    attachments: mail.attachments
      .filter(({ related }) => related !== true)
      .map(({ filename, content }) => ({
        name: filename ?? '—',
        size: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      })),
  }
}

/** The headers that are not shown, and the plain text of a mail that is shown as HTML. */
function reportHidden({ headers, html, text }: Email, hidden: Hidden): void {
  const own = { kind: 'whole', name: '' } as const
  const lines = headers.flatMap(({ key, value }) => (technical.test(key) ? [] : [`${key}: ${decodeWords(value)}`]))
  if (lines.length > 0) hidden.add({ ...own, place: 'mailHeader', text: lines.join('\n') })
  if (html !== undefined && text !== undefined) hidden.add({ ...own, place: 'hidden', text })
}

function peopleOf(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((one) => ('group' in one && one.group !== undefined ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .join('、')
}
