// Reader of mails: headers, text without anything that would be fetched or run, and attachments.
import type { Mail } from '@cloudoc/contract'
import PostalMime, { type Address } from 'postal-mime'
import { Refused } from '../refusal.ts'
import { htmlBlocks } from './html.ts'
import type { Reader } from './reader.ts'

export const readMail: Reader = async ({ bytes, parts }): Promise<Mail> => {
  const mail = await PostalMime.parse(bytes)
  if (mail.headers.length === 0) throw new Refused('conversionFailed', 'no mail')
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

function peopleOf(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((one) => ('group' in one && one.group !== undefined ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .join('、')
}
