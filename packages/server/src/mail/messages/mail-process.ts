/*
 * Reads mails in a process of its own (core/confined/confined.ts). `summaries`: the input is mails with their lengths,
 * the answer is JSON. `content`: one mail, its text and HTML. `page`: its HTML as a page. Both are read in the character
 * set that follows, if one does. `part`: one attachment, behind a byte that tells whether it exists.
 */
import { buffer } from 'node:stream/consumers'
import type { MailCharset } from '@cloudoc/domain'
import { htmlPage, readMail } from './mime.ts'

const [task = '', number = '0', charset] = process.argv.slice(2)
const input = await buffer(process.stdin)

async function answer(): Promise<Buffer> {
  if (task === 'summaries') {
    const all: unknown[] = []
    for (let at = 0; at + 4 <= input.length; ) {
      const size = input.readUInt32LE(at)
      all.push((await readMail(input.subarray(at + 4, at + 4 + size))).content.summary)
      at += 4 + size
    }
    return Buffer.from(JSON.stringify(all))
  }
  const { content, attachments } = await readMail(input, charset as MailCharset | undefined)
  if (task === 'page') return Buffer.from(htmlPage(content, attachments, number === '1'))
  if (task === 'content') return Buffer.from(JSON.stringify(content))
  const part = attachments[Number(number)]
  return part === undefined ? Buffer.from([0]) : Buffer.concat([Buffer.from([1]), part])
}

process.stdout.end(await answer())
