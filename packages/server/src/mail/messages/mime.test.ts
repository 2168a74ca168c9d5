// Reading mails: broken headers, character sets, attachment names, hostile HTML.
import { expect, test } from 'vitest'
import { brokenMails } from '../../../test/broken-mails.ts'
import { safeHtml } from './html-text.ts'
import { htmlPage, readMail } from './mime.ts'

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

test('a mail to 5,000 receivers is read with all of them', async () => {
  const people = Array.from({ length: 5000 }, (_, n) => `收件人 ${n} <p${n}@example.com>`)
  const { to } = await summary(bytes(`To: ${people.join(',\r\n ')}\r\nSubject: x\r\n\r\n`))
  expect(to).toHaveLength(5000)
  expect(to.at(-1)).toEqual({ name: '收件人 4999', address: 'p4999@example.com' })
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

test('a mail without a label, or with a wrong one, is read in the character set that its reader chooses', async () => {
  const big5 = gbk('a4a4a4e5') // 中文
  const read = async (charset: 'big5' | 'gb18030' | undefined, ...mail: readonly (string | Buffer)[]) => {
    const { content } = await readMail(bytes(...mail), charset)
    return [content.summary.subject, content.summary.from.name, content.text.trim()]
  }
  const unlabelled = ['From: ', big5, ' <q@example.com>\r\nSubject: ', big5, '\r\n\r\n', big5] as const
  expect(await read(undefined, ...unlabelled)).not.toContain('中文')
  expect(await read('big5', ...unlabelled)).toEqual(['中文', '中文', '中文'])
  const word = `=?gb2312?B?${big5.toString('base64')}?=`
  const parts = (type: string) => [
    ...[`From: q@example.com\r\nSubject: ${word}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`],
    ...[
      '--b\r\n',
      type,
      '\r\n\r\n',
      big5,
      '\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\nx\r\n--b--\r\n',
    ],
  ]
  for (const type of [
    'Content-Type: text/plain; charset="gb2312"; format=flowed',
    'Content-Type: text/plain',
    'X-A: b',
  ])
    expect(await read('big5', ...parts(type)), type).toEqual(['中文', '', '中文'])
  const { content } = await readMail(bytes(...parts('Content-Type: text/plain')), 'big5')
  expect(content.summary.attachments).toMatchObject([{ name: 'a.pdf', type: 'application/pdf' }])
})

test('a domain with letters that look alike is shown in punycode, one of another script as it is', async () => {
  const of = async (address: string) => (await summary(bytes(`From: X <${address}>\r\n\r\n`))).from.address
  expect(await of('a@аpple.com')).toBe('a@xn--pple-43d.com')
  expect(await of('a@例子.中国')).toBe('a@例子.中国')
  expect(await of('a@example.com')).toBe('a@example.com')
})

test('the first mail of a long thread stays the one that names it', async () => {
  const all = Array.from({ length: 80 }, (_, n) => `<${n}@p.example>`)
  const { references } = await summary(bytes(`References: ${all.join('\r\n ')}\r\nIn-Reply-To: <79@p.example>\r\n\r\n`))
  expect(references).toHaveLength(50)
  expect([references[0], references.at(-1)]).toEqual(['0@p.example', '79@p.example'])
})

test('the addresses to which a mail was delivered are those that the server has noted', async () => {
  const { content } = await readMail(
    bytes('Delivered-To: Sales@Example.com\r\nX-Original-To: <anna@example.com>\r\nTo: list@example.org\r\n\r\n'),
  )
  expect(content.deliveredTo).toEqual(['sales@example.com', 'anna@example.com'])
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

test.each([
  ['a variable', '<p style="--u:url(https://e.example/v);background:var(--u)">x</p>'],
  ['escapes in a style', '<p style="background:\\75 rl(https://e.example/e)">x</p>'],
  ['image-set', '<p style="background:-webkit-image-set(\'https://e.example/i\' 1x)">x</p>'],
  ['a font', '<style>@font-face{font-family:f;src:url(//e.example/f)}p{font-family:f}</style><p>x</p>'],
  ['an import', '<style>@import url(https://e.example/i);@import "https://e.example/j";</style><p>x</p>'],
  ['a function that is never closed', '<p>x</p><style>p{background:url(https://e.example/a</style>'],
  ['a bracket in an address', '<style>p{background:url("https://e.example/a)b")}</style><p>x</p>'],
  ['a function that is not known', '<p style="background:cross-fade(\'https://e.example/i\',red)">x</p>'],
  ['use of an SVG as data', '<svg><use href="data:image/svg+xml,%3Csvg onload=fetch(1)%3E#e.example"/></svg><p>x</p>'],
  ['an animation', '<svg><image><animate attributeName="href" to="https://e.example/a"/></image></svg><p>x</p>'],
  ['a mapped address', '<img src="http://[::ffff:7f00:1]/e.example"><p>x</p>'],
  ['a host with a dot at its end', '<img src="https://e.example./t.gif"><p>x</p>'],
  ['entities and line ends in an address', '<img src="ht&#10;tps://e.example/n"><p>x</p>'],
  ['a body and a table', '<body background=https://e.example/b><table background="https://e.example/t"><tr><td>x'],
  [
    'a picture with sources',
    '<picture><source srcset="https://e.example/s"><img srcset="https://e.example/t 2x"></picture>x',
  ],
])('HTML names nothing that is loaded from elsewhere: %s', (_, html) => {
  const shown = safeHtml(html, false)
  expect(shown).not.toContain('e.example')
  expect(shown).toContain('x')
})

test('pictures inside the mail are shown, also with addresses that are not quoted', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
  const mail = bytes(
    'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n',
    `<img src=cid:one@x><img src="data:image/png;base64,${png}"><p style="color:#000">黑字</p>\r\n`,
    '--b\r\nContent-Type: image/png\r\nContent-ID: <one@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    `${png}\r\n--b--\r\n`,
  )
  const { content, attachments } = await readMail(mail)
  const page = htmlPage(content, attachments, false)
  expect(page.match(/src="data:image\/png;base64,/g)).toHaveLength(2)
  // Black words stand on a white page in every skin.
  expect(page).toContain('background:#fff')
  expect(page).toContain('color-scheme:light')
})

/** Writes a winmail.dat: attributes with their checksums, as Outlook does. */
function winmail(...attributes: readonly (readonly [number, number, Buffer])[]): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32LE(0x223e9f78)
  const written = attributes.map(([level, id, data]) => {
    const before = Buffer.alloc(9)
    before.writeUInt8(level)
    before.writeUInt32LE(id, 1)
    before.writeUInt32LE(data.length, 5)
    return Buffer.concat([before, data, Buffer.alloc(2)])
  })
  return Buffer.concat([head, ...written])
}
/** A block of properties: number, type, and the value as it is written. */
function block(...properties: readonly (readonly [number, number, Buffer])[]): Buffer {
  const word = (value: number): Buffer => {
    const written = Buffer.alloc(4)
    written.writeUInt32LE(value)
    return written
  }
  const padded = (value: Buffer): Buffer => Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)])
  return Buffer.concat([
    word(properties.length),
    ...properties.flatMap(([id, kind, value]) => [
      word(id * 65536 + kind),
      ...(kind === 0x1e || kind === 0x1f || kind === 0x102 ? [word(1), word(value.length)] : []),
      padded(value),
    ]),
  ])
}
const base64Part = (headers: string, content: Buffer): string =>
  `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`

test('what Outlook packs into a winmail.dat is listed in its place, with names in GBK, Big5 and UTF-16', async () => {
  const codePage = (page: number): Buffer => {
    const data = Buffer.alloc(8)
    data.writeUInt32LE(page)
    return data
  }
  const packed = winmail(
    [1, 0x00069007, codePage(936)],
    [1, 0x00069003, block([0x0003, 3, Buffer.alloc(4)], [0x1013, 0x102, Buffer.from('<p>正文</p>')])],
    [2, 0x00069002, Buffer.alloc(14)],
    [2, 0x00018010, Buffer.concat([gbk('d6d0cec42e747874'), Buffer.alloc(1)])],
    [2, 0x0006800f, Buffer.from('one')],
    [2, 0x00069002, Buffer.alloc(14)],
    [2, 0x00018010, Buffer.from('BAOGAO~1.DOC\0')],
    [2, 0x0006800f, Buffer.from('two')],
    [2, 0x00069005, block([0x3707, 0x1f, Buffer.from('年度报告.docx\0', 'utf16le')])],
  )
  const mail = bytes(
    'Content-Type: multipart/mixed; boundary="b"\r\n\r\n',
    base64Part('Content-Type: application/ms-tnef; name="winmail.dat"', packed),
    '--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\nx\r\n--b--\r\n',
  )
  const { content, attachments } = await readMail(mail)
  expect(content.summary.attachments.map(({ number, name, size }) => [number, name, size])).toEqual([
    [1, 'a.csv', 2],
    [2, '中文.txt', 3],
    [3, '年度报告.docx', 3],
  ])
  expect(Buffer.from(attachments[3] ?? []).toString()).toBe('two')
  expect(content.text).toContain('正文')
  const big5 = winmail(
    [1, 0x00069007, codePage(950)],
    [2, 0x00069002, Buffer.alloc(14)],
    [2, 0x00018010, Buffer.concat([gbk('a4a4a4e52e747874'), Buffer.alloc(1)])],
    [2, 0x0006800f, Buffer.from('three')],
  )
  // One that is cut short gives what stands before the cut; what is none stays an attachment.
  for (const [inner, names] of [
    [big5, ['中文.txt']],
    [packed.subarray(0, packed.length - 30), ['中文.txt', 'BAOGAO~1.DOC']],
    [Buffer.from('no package'), ['winmail.dat']],
  ] as const) {
    const one = bytes(
      'Content-Type: multipart/mixed; boundary="b"\r\n\r\n',
      base64Part('Content-Disposition: attachment; filename="winmail.dat"', inner),
      '--b--\r\n',
    )
    expect((await summary(one)).attachments.map(({ name }) => name)).toEqual(names)
  }
})

test('an appointment in a mail is read with its time, whatever its zone', async () => {
  const zone = `BEGIN:VTIMEZONE
TZID:China Standard Time
BEGIN:STANDARD
DTSTART:16010101T000000
TZOFFSETFROM:+0800
TZOFFSETTO:+0800
END:STANDARD
END:VTIMEZONE
`
  const event = (times: string, more = ''): string =>
    `BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\n${zone}BEGIN:VEVENT\nUID:1\n${times}\nSUMMARY:预算会\nLOCATION:三号会议室\nORGANIZER;CN=林夏:mailto:lin@example.com\nATTENDEE;CN=周宁:mailto:zhou@example.com\n${more}END:VEVENT\nEND:VCALENDAR\n`
  const meetings = async (calendar: string) => {
    const mail = `Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\n${calendar.replaceAll('\n', '\r\n')}\r\n--b--\r\n`
    return (await readMail(bytes(mail))).content.meetings
  }
  const zoned = await meetings(
    event('DTSTART;TZID=China Standard Time:20261130T090000\nDTEND;TZID=China Standard Time:20261130T103000'),
  )
  expect(zoned).toEqual([
    {
      ...{ title: '预算会', place: '三号会议室', organizer: 'lin@example.com', people: ['周宁'] },
      ...{ startsAt: Date.UTC(2026, 10, 30, 1), endsAt: Date.UTC(2026, 10, 30, 2, 30) },
      ...{ isAllDay: false, isLocal: false, isRepeated: false, kind: 'invitation' },
    },
  ])
  const day = await meetings(event('DTSTART;VALUE=DATE:20261130', 'RRULE:FREQ=WEEKLY\nSTATUS:CANCELLED\n'))
  expect(day).toMatchObject([{ startsAt: Date.UTC(2026, 10, 30), isAllDay: true, isRepeated: true, kind: 'cancelled' }])
  expect(await meetings(event('DTSTART:20261130T090000'))).toMatchObject([
    { startsAt: Date.UTC(2026, 10, 30, 9), isLocal: true },
  ])
  expect(await meetings('BEGIN:VCALENDAR\nno calendar')).toEqual([])
})

test.each(brokenMails.map((one) => [one.what, one] as const))('%s', async (_what, one) => {
  const { content } = await readMail(one.mail)
  const { summary, text, html } = content
  if (one.subject !== undefined) expect(summary.subject).toBe(one.subject)
  if (one.problem !== undefined) expect(summary.problem).toBe(one.problem)
  for (const part of one.text ?? []) expect(text).toContain(part)
  for (const part of one.never ?? []) expect(text + html).not.toContain(part)
  if (one.attachments !== undefined) expect(summary.attachments.map(({ name }) => name)).toEqual(one.attachments)
})
