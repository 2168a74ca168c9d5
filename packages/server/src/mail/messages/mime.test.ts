// Reading mails: broken headers, character sets, attachment names, hostile HTML.
import { expect, test } from 'vitest'
import { safeHtml } from './html-text.ts'
import { readMail } from './mime.ts'

const bytes = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))
const gbk = (hex: string): Buffer => Buffer.from(hex, 'hex')
const summary = async (mail: Buffer) => (await readMail(mail)).content.summary

test('headers in raw GBK, Big5 and UTF-8, and words cut between two encodings are read', async () => {
  expect((await summary(bytes('Subject: ', gbk('d6d0cec4d6f7cce2'), '\r\n\r\n'))).subject).toBe('中文主题')
  expect((await summary(bytes('Subject: 中文主题\r\n\r\n'))).subject).toBe('中文主题')
  const cut = Buffer.from('中文主题')
  const words = [cut.subarray(0, 5), cut.subarray(5)].map((part) => `=?utf-8?B?${part.toString('base64')}?=`)
  expect((await summary(bytes(`Subject: ${words.join('\r\n ')}\r\n\r\n`))).subject).toBe('中文主题')
  // GB2312 is really GB18030.
  const rare = `=?gb2312?B?${gbk('e946').toString('base64')}?=`
  expect((await summary(bytes(`Subject: ${rare}\r\n\r\n`))).subject).toBe('镕')
  const named = await summary(bytes('From: ', gbk('c7aec0da'), ' <q@example.com>\r\nSubject: x\r\n\r\n'))
  expect(named.from).toEqual({ name: '钱磊', address: 'q@example.com' })
})

test('names of attachments are read in both forms and made safe', async () => {
  const part = (headers: string): string => `--b\r\n${headers}\r\n\r\nx\r\n`
  const mail = bytes(
    'Content-Type: multipart/mixed; boundary="b"\r\n\r\n',
    part('Content-Type: application/pdf; name="=?GBK?B?1tDOxC5wZGY=?="\r\nContent-Disposition: attachment'),
    part("Content-Disposition: attachment; filename*=UTF-8''%E4%B8%AD%20a.txt"),
    part('Content-Disposition: attachment; filename="../../etc/pass:wd"'),
    part('Content-Disposition: attachment'),
    '--b--\r\n',
  )
  const { attachments } = await summary(mail)
  expect(attachments.map(({ name }) => name)).toEqual(['中文.pdf', '中 a.txt', '.._.._etc_pass_wd', 'attachment.txt'])
})

test('marks that turn the direction of writing do not disguise names', async () => {
  const { from } = await summary(bytes('From: "\u202egro.elpmaxe" <q@example.com>\r\n\r\n'))
  expect(from.name).toBe('gro.elpmaxe')
})

test('a mail that is none is named, not thrown', async () => {
  const nested = 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(200)
  expect((await summary(bytes(nested))).problem).toBe('unreadable')
  const encrypted = await summary(bytes('Content-Type: multipart/encrypted; boundary=a\r\n\r\n--a--'))
  expect(encrypted.problem).toBe('encrypted')
})

test('hostile HTML runs nothing and, until pictures are asked for, names nothing to load', () => {
  const hostile = `<html><head><meta http-equiv="refresh" content="0;url=https://e.example/m"><base href="https://e.example/">
    <link rel="stylesheet" href="https://e.example/l.css"><style>@import "https://e.example/i.css"; p{background:url(https://e.example/s.png)} b{background:u\\72l(https://e.example/esc)}</style></head>
    <body background="https://e.example/bg" onload="x()"><script src="https://e.example/x.js"></script>
    <img src="https://e.example/a.gif" srcset="https://e.example/b.gif 2x" onerror="x()"><img src="//e.example/c.gif"><img src="cid:one"><image src="https://e.example/d"/>
    <svg><use href="https://e.example/u"/></svg><form action="https://e.example/f"><input name="p"></form><iframe src="https://e.example/f"></iframe>
    <video poster="https://e.example/v"></video><p style="background:url('https://e.example/p')">正文</p><a href="javascript:x()">j</a><a href="https://ok.example/">ok</a></body></html>`
  const shown = safeHtml(hostile, false)
  expect(shown).not.toContain('e.example')
  expect(shown).not.toMatch(/script|onload|onerror|<form|<iframe|<meta|<base|<svg|javascript:/i)
  expect(shown).toContain('正文')
  expect(shown).toContain('cid:one')
  expect(shown).toContain('https://ok.example/')
  const withPictures = safeHtml(hostile, true)
  expect(withPictures).toContain('https://e.example/a.gif')
  expect(withPictures).not.toMatch(/script|onload|onerror|<form|<iframe|<meta|javascript:/i)
})
