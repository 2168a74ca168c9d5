// The message of an outgoing mail: names of attachments, pictures in its text, hidden receivers.
import { Readable } from 'node:stream'
import { ImapFlow } from 'imapflow'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { startDovecot } from '../../../test/mails.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import { buildMessage, type WrittenMail } from './message.ts'

const content = Buffer.from('附件内容')
const contents = { open: async () => Readable.from([content]) } as unknown as Contents
const attached = (name: string) => ({
  ...{ name, type: 'application/pdf', blobId: 1, key: 'k', size: content.length, sha256: Buffer.alloc(32) },
})
const written = (more: Partial<WrittenMail>): WrittenMail => ({
  ...{ messageId: '1@example.com', from: { name: '费伊', address: 'fay@example.com' }, subject: '合同', html: '' },
  ...{ people: { to: [{ name: '钱磊', address: 'qianlei@partner.example' }], cc: [], bcc: [] }, text: '你好' },
  ...{ sentAt: 0, inReplyTo: '', references: [], attachments: [], ...more },
})

const names = [
  '合.pdf',
  `${'合'.repeat(40)}.pdf`,
  `${'同'.repeat(120)}.pdf`,
  '😀 家庭 👨‍👩‍👧‍👦.pdf',
  'a "quoted" name.pdf',
  'a;b=c.pdf',
  '100%25 与 %E4.pdf',
  "l'été (2).pdf",
]

test('[R290] names of attachments are written in both forms, and read back by independent readers', async () => {
  const message = await buildMessage(written({ attachments: names.map(attached) }), contents, false)
  const source = message.toString('latin1').replaceAll(/\r\n[ \t]/g, ' ')
  // The old form is an encoded word, the new one has a charset (RFC 2231).
  expect(source.match(/name="?=\?UTF-8\?[BQ]\?/gi)?.length).toBeGreaterThanOrEqual(4)
  expect(source.match(/filename\*(0\*)?=utf-8''/gi)?.length).toBeGreaterThanOrEqual(4)
  for (const line of message.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  const read = await PostalMime.parse(message)
  expect(read.attachments.map(({ filename }) => filename)).toEqual(names)
  expect(Buffer.from(read.attachments[0]?.content as ArrayBuffer)).toEqual(content)
  // A real mail server, and the reader of its structure.
  const dovecot = await startDovecot(['fay'])
  await dovecot.deliver('fay', message)
  const client = new ImapFlow({
    ...{ host: '127.0.0.1', port: dovecot.imapPort, secure: false, logger: false, doSTARTTLS: false },
    auth: { user: 'fay', pass: 'secret' },
  })
  await client.connect()
  try {
    await client.mailboxOpen('INBOX', { readOnly: true })
    const found = await client.fetchOne('1', { bodyStructure: true })
    const parts = found === false ? [] : (found.bodyStructure?.childNodes ?? [])
    expect(parts.map(({ dispositionParameters }) => dispositionParameters?.['filename']).filter(Boolean)).toEqual(names)
  } finally {
    await client.logout()
  }
})

test('[R290] pictures in the text go along as parts of the mail, not as data in it', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
  const html = `<p>见图 <img src="data:image/png;base64,${png}" alt="截图.png"></p>`
  const read = await PostalMime.parse(await buildMessage(written({ html }), contents, false))
  expect(read.html).not.toContain('data:image')
  const [picture] = read.attachments
  expect(picture).toMatchObject({ mimeType: 'image/png', disposition: 'inline', filename: 'picture-1.png' })
  expect(Buffer.from(picture?.content as ArrayBuffer).toString('base64')).toBe(png)
  expect(read.html).toContain(`src="cid:${picture?.contentId?.replace(/^<|>$/g, '')}"`)
})

test('[R290] hidden receivers are in the own copy and in no byte on the wire', async () => {
  const people = {
    to: [{ name: '', address: 'a@example.com' }],
    cc: [],
    bcc: [{ name: '密', address: 'hidden@example.com' }],
  }
  const [sent, own] = await Promise.all(
    [false, true].map((isOwn) => buildMessage(written({ people }), contents, isOwn)),
  )
  expect(sent?.toString('latin1')).not.toMatch(/hidden|bcc/i)
  expect((await PostalMime.parse(own ?? Buffer.alloc(0))).bcc).toMatchObject([{ address: 'hidden@example.com' }])
})
