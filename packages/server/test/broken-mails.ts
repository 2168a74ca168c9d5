/*
 * A corpus of mails as they arrive: character sets, declared rightly, wrongly and not at all, broken MIME, mails in mails,
 * signed and encrypted ones. It is generated, so that each says what is wrong with it.
 */

/** A mail, and what reading it has to give. */
export interface BrokenMail {
  readonly what: string
  readonly mail: Buffer
  readonly subject?: string
  /** Parts of the text, in order of appearance. */
  readonly text?: readonly string[]
  /** What must not appear in the text or the HTML. */
  readonly never?: readonly string[]
  readonly problem?: string
  readonly attachments?: readonly string[]
}

/** Bytes of a text in a legacy character set, by the reverse of its decoder. */
function encoderOf(charset: string): (text: string) => Buffer {
  const decoder = new TextDecoder(charset)
  const known = new Map<string, Buffer>()
  for (let first = 0; first < 256; first += 1) {
    const one = Buffer.from([first])
    const text = decoder.decode(one)
    if ([...text].length === 1 && text !== '\ufffd' && !known.has(text)) known.set(text, one)
    if (first < 0x81) continue
    for (let second = 0x40; second < 255; second += 1) {
      const two = Buffer.from([first, second])
      const pair = decoder.decode(two)
      if ([...pair].length === 1 && pair !== '\ufffd' && !known.has(pair)) known.set(pair, two)
    }
  }
  return (text) =>
    Buffer.concat(
      [...text].map((character) => {
        const bytes = known.get(character)
        if (bytes === undefined) throw new Error(`${character} is not in ${charset}`)
        return bytes
      }),
    )
}

const join = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))

/** Japanese text by escape sequences: the bytes of EUC-JP without their eighth bit. */
function iso2022jp(text: string): Buffer {
  const euc = encoderOf('euc-jp')(text)
  return join('\u001b$B', Buffer.from(euc.map((byte) => byte & 0x7f)), '\u001b(B')
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
const quotedPrintable = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
    .replaceAll(/(?:...){24}/g, '$&=\r\n')
const word = (charset: string, bytes: Buffer, how: 'B' | 'Q' = 'B'): string =>
  how === 'B'
    ? `=?${charset}?B?${bytes.toString('base64')}?=`
    : `=?${charset}?Q?${quotedPrintable(bytes).replaceAll('=\r\n', '')}?=`

const sets: readonly { readonly charset: string; readonly text: string; readonly encode: (text: string) => Buffer }[] =
  [
    { charset: 'GB18030', text: '关于租赁合同的说明', encode: encoderOf('gb18030') },
    { charset: 'GB2312', text: '财务报表与镕基', encode: encoderOf('gb18030') },
    { charset: 'GBK', text: '開會通知，請查收', encode: encoderOf('gb18030') },
    { charset: 'Big5', text: '關於租賃合約的說明', encode: encoderOf('big5') },
    { charset: 'ISO-2022-JP', text: '会議の件について', encode: iso2022jp },
    { charset: 'Shift_JIS', text: '見積書を送ります', encode: encoderOf('shift_jis') },
    { charset: 'EUC-JP', text: '契約書の確認', encode: encoderOf('euc-jp') },
    { charset: 'EUC-KR', text: '계약서 확인 부탁', encode: encoderOf('euc-kr') },
    { charset: 'windows-1251', text: 'Договор аренды', encode: encoderOf('windows-1251') },
    { charset: 'KOI8-R', text: 'Отчёт', encode: encoderOf('koi8-r') },
    { charset: 'ISO-8859-1', text: 'Größe für Señor', encode: encoderOf('iso-8859-1') },
    { charset: 'windows-1252', text: '“Offer” – 5 €', encode: encoderOf('windows-1252') },
    { charset: 'UTF-8', text: '𠮷野家 😀 合同', encode: (text) => Buffer.from(text) },
  ]

const head = (type: string, more = ''): string =>
  `From: q@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n${more}\r\n`

/** Each character set in a word of the subject, as base64, quoted-printable and plain body. */
const encodings: readonly BrokenMail[] = sets.flatMap(({ charset, text, encode }) => {
  const bytes = encode(text)
  const plain = `text/plain; charset=${charset}`
  return [
    {
      what: `${charset}: subject in B and a base64 body`,
      mail: join(
        `Subject: ${word(charset, bytes)}\r\nContent-Type: ${plain}\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
        base64(bytes),
      ),
      ...{ subject: text, text: [text] },
    },
    {
      what: `${charset}: subject in Q and a quoted-printable body`,
      mail: join(
        `Subject: ${word(charset, bytes, 'Q')}\r\nContent-Type: ${plain}\r\n`,
        `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(bytes)}`,
      ),
      ...{ subject: text, text: [text] },
    },
    {
      what: `${charset}: a body of raw bytes`,
      mail: join(head(plain, 'Content-Transfer-Encoding: 8bit\r\n'), bytes),
      text: [text],
    },
  ]
})

const gb = encoderOf('gb18030')
const part = (headers: string, body: string | Buffer): Buffer => join('--b\r\n', headers, '\r\n\r\n', body, '\r\n')
const mixed = (...parts: readonly Buffer[]): Buffer =>
  join(head('multipart/mixed; boundary="b"'), ...parts, '--b--\r\n')
const inner = (subject: string, body: string): string =>
  `From: z@example.com\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}`

const broken: readonly BrokenMail[] = [
  {
    what: 'UTF-7 is not decoded: markup hides in it',
    mail: join(head('text/plain; charset=UTF-7'), '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
    never: ['<script'],
  },
  {
    what: 'UTF-7 in HTML is not decoded',
    mail: join(head('text/html; charset=utf-7'), '+ADw-script+AD4-alert(1)+ADw-/script+AD4- ok'),
    never: ['<script'],
  },
  { what: 'UTF-7 in a subject', mail: join('Subject: =?utf-7?Q?+ADw-b+AD4-?=\r\n\r\n'), subject: '+ADw-b+AD4-' },
  {
    what: 'an unknown character set',
    mail: join(head('text/plain; charset=x-none'), 'plain words'),
    text: ['plain words'],
  },
  { what: 'an empty mail', mail: Buffer.alloc(0), text: [''] },
  { what: 'no header at all', mail: join('\r\nonly a body'), text: ['only a body'] },
  {
    what: 'lines that end in LF alone',
    mail: join('Subject: LF\nContent-Type: text/plain\n\nbody'),
    subject: 'LF',
    text: ['body'],
  },
  { what: 'a header without an end', mail: join('Subject: cut'), subject: 'cut' },
  { what: 'a subject of raw GBK', mail: join('Subject: ', gb('中文主题'), '\r\n\r\nx'), subject: '中文主题' },
  {
    what: 'one character cut in two encoded words',
    mail: (() => {
      const bytes = gb('合同')
      return join(`Subject: ${word('gbk', bytes.subarray(0, 3))} ${word('gbk', bytes.subarray(3))}\r\n\r\nx`)
    })(),
    subject: '合同',
  },
  {
    what: 'an encoded word that is broken off',
    mail: join('Subject: =?utf-8?B?5ZCI\r\n\r\nbody'),
    text: ['body'],
  },
  {
    what: 'base64 with rubbish in it',
    mail: join(head('text/plain', 'Content-Transfer-Encoding: base64\r\n'), 'aGVs!!bG8\r\n=='),
    text: ['hello'],
  },
  {
    what: 'quoted-printable with a lone equals sign',
    mail: join(head('text/plain', 'Content-Transfer-Encoding: quoted-printable\r\n'), 'a=b =ZZ c'),
    text: ['c'],
  },
  {
    what: 'a boundary that is never closed',
    mail: join(head('multipart/mixed; boundary="b"'), part('Content-Type: text/plain', 'first')),
    text: ['first'],
  },
  {
    what: 'a boundary that never comes',
    mail: join(head('multipart/mixed; boundary="nowhere"'), 'text before'),
    text: [''],
  },
  {
    what: 'two parts of one boundary inside each other',
    mail: mixed(part('Content-Type: multipart/mixed; boundary="b"', join(part('Content-Type: text/plain', 'deep')))),
    text: ['deep'],
  },
  {
    what: 'a name of an attachment in raw GBK',
    mail: mixed(
      part('Content-Type: text/plain', 'x'),
      join('--b\r\nContent-Disposition: attachment; filename="', gb('合同.pdf'), '"\r\n\r\ny\r\n'),
    ),
    attachments: ['合同.pdf'],
  },
  {
    what: 'a name in continued parts (RFC 2231)',
    mail: mixed(
      part(
        "Content-Disposition: attachment; filename*0*=UTF-8''%E5%90%88; filename*1*=%E5%90%8C; filename*2=.pdf",
        'y',
      ),
    ),
    attachments: ['合同.pdf'],
  },
  {
    what: 'a name that leads out of a folder',
    mail: mixed(part('Content-Disposition: attachment; filename="..\\..\\x.exe"', 'y')),
    attachments: ['....x.exe'],
  },
  {
    what: 'an attachment without a name',
    mail: mixed(part('Content-Type: application/pdf\r\nContent-Disposition: attachment', 'y')),
    attachments: ['attachment.pdf'],
  },
  {
    what: 'a mail in a mail, as an attachment',
    mail: mixed(
      part('Content-Type: text/plain', 'outer'),
      part(
        'Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="in.eml"',
        inner('inner', 'inner body'),
      ),
    ),
    ...{ text: ['outer'], attachments: ['in.eml'] },
  },
  {
    what: 'a bounce: report, status and the mail that came back',
    mail: join(
      head('multipart/report; report-type=delivery-status; boundary="b"'),
      part('Content-Type: text/plain', 'could not be delivered'),
      part('Content-Type: message/delivery-status', 'Status: 5.1.1'),
      '--b--\r\n',
    ),
    text: ['could not be delivered'],
  },
  {
    what: 'S/MIME, encrypted',
    mail: join(
      head(
        'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
        'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="smime.p7m"\r\n',
      ),
      'MIAGCSqGSIb3',
    ),
    ...{ problem: 'encrypted', attachments: ['smime.p7m'] },
  },
  {
    what: 'S/MIME, signed as a whole: not encrypted',
    mail: join(
      head(
        'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
        'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="smime.p7m"\r\n',
      ),
      'MIAGCSqGSIb3',
    ),
    ...{ problem: '', attachments: ['smime.p7m'] },
  },
  {
    what: 'S/MIME, signed beside the text',
    mail: join(
      head('multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="b"'),
      part('Content-Type: text/plain; charset=utf-8', '已签名的正文'),
      part(
        'Content-Type: application/pkcs7-signature; name="smime.p7s"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="smime.p7s"',
        'MIAGCSqG',
      ),
      '--b--\r\n',
    ),
    ...{ problem: '', text: ['已签名的正文'], attachments: ['smime.p7s'] },
  },
  {
    what: 'PGP, encrypted',
    mail: join(
      head('multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"'),
      part('Content-Type: application/pgp-encrypted', 'Version: 1'),
      part(
        'Content-Type: application/octet-stream; name="encrypted.asc"\r\nContent-Disposition: inline; filename="encrypted.asc"',
        '-----BEGIN PGP MESSAGE-----',
      ),
      '--b--\r\n',
    ),
    problem: 'encrypted',
  },
  {
    what: 'PGP, signed beside the text',
    mail: join(
      head('multipart/signed; protocol="application/pgp-signature"; boundary="b"'),
      part('Content-Type: text/plain', 'signed text'),
      part(
        'Content-Type: application/pgp-signature; name="signature.asc"\r\nContent-Disposition: attachment; filename="signature.asc"',
        '-----BEGIN PGP SIGNATURE-----',
      ),
      '--b--\r\n',
    ),
    ...{ problem: '', text: ['signed text'], attachments: ['signature.asc'] },
  },
  {
    what: 'PGP in the text is shown as it is',
    mail: join(head('text/plain'), '-----BEGIN PGP MESSAGE-----\r\nhQEMA\r\n-----END PGP MESSAGE-----'),
    text: ['BEGIN PGP MESSAGE', 'END PGP MESSAGE'],
  },
  {
    what: 'a thousand levels',
    mail: join('Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(1000)),
    problem: 'unreadable',
  },
  {
    what: 'more parts than are read',
    mail: mixed(
      ...Array.from({ length: 1100 }, (_, at) => part(`Content-Disposition: attachment; filename="${at}"`, '')),
    ),
    problem: 'tooManyParts',
  },
  {
    what: 'HTML that is too long',
    mail: join(head('text/html'), 'x'.repeat(2 * 1024 * 1024 + 1)),
    problem: 'htmlTooLong',
  },
  {
    what: 'a date of no calendar',
    mail: join('Date: Fri, 99 Foo 2026 99:99:99 +9999\r\nSubject: d\r\n\r\nx'),
    subject: 'd',
  },
  { what: 'zero bytes', mail: join('Subject: z\r\n\r\n', Buffer.from([0, 0, 0, 65])), subject: 'z', text: ['A'] },
  {
    what: 'half of a pair of surrogates',
    mail: join('Subject: ', Buffer.from([0xed, 0xa0, 0x80]), 's\r\n\r\nx'),
    text: ['x'],
  },
]

export const brokenMails: readonly BrokenMail[] = [...encodings, ...broken]
