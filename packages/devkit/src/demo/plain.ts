import { strToU8, zipSync } from 'fflate'
import { escapeXml, zipDate } from './office.ts'
import { random } from './random.ts'
import { lines, type Writing } from './writing.ts'

export function txt(writing: Writing): Uint8Array {
  return strToU8(`${lines(writing).join('\r\n')}\r\n`)
}

/** Encodes the text in GBK, as older Chinese systems export it. */
export function gbk(writing: Writing): Uint8Array {
  return encodeGbk(`${lines(writing).join('\r\n')}\r\n`)
}

export function markdown({ title, author, date, sections, table }: Writing): Uint8Array {
  const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return strToU8(
    [
      `# ${title}`,
      `> ${author} · ${date}`,
      ...sections.flatMap(({ heading, paragraphs }) => [
        `## ${heading}`,
        paragraphs.map((text) => `- ${text}`).join('\n'),
      ]),
      [row(table.columns), row(table.columns.map(() => '---')), ...table.rows.map(row)].join('\n'),
      '',
    ].join('\n\n'),
  )
}

/** With a byte order mark; without it Excel reads UTF-8 in the system's encoding. */
export function csv({ table }: Writing): Uint8Array {
  const cell = (value: string | number) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value
  return strToU8(`\uFEFF${[table.columns, ...table.rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`)
}

export function html({ title, author, date, sections, table }: Writing): Uint8Array {
  const cells = (tag: string, row: (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join('')}</tr>`
  return strToU8(`<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><title>${escapeXml(title)}</title></head>
<body>
<h1>${escapeXml(title)}</h1>
<p>${escapeXml(author)} ${date}</p>
${sections.map(({ heading, paragraphs }) => `<h2>${escapeXml(heading)}</h2>\n${paragraphs.map((text) => `<p>${escapeXml(text)}</p>`).join('\n')}`).join('\n')}
<table border="1">
${[cells('th', table.columns), ...table.rows.map((row) => cells('td', row))].join('\n')}
</table>
</body>
</html>
`)
}

export function json({ title, author, date, sections, table }: Writing): Uint8Array {
  const rows = table.rows.map((row) => Object.fromEntries(table.columns.map((column, index) => [column, row[index]])))
  const notes = sections.flatMap(({ paragraphs }) => paragraphs)
  return strToU8(`${JSON.stringify({ 标题: title, 负责人: author, 日期: date, 说明: notes, 明细: rows }, null, 2)}\n`)
}

export function xml({ title, author, date, sections, table }: Writing): Uint8Array {
  const rows = table.rows.map(
    (row) =>
      `    <行>${table.columns.map((column, index) => `<值 列="${escapeXml(column)}">${escapeXml(row[index] ?? '')}</值>`).join('')}</行>`,
  )
  const notes = sections.flatMap(({ paragraphs }) => paragraphs.map((text) => `    <段>${escapeXml(text)}</段>`))
  return strToU8(`<?xml version="1.0" encoding="UTF-8"?>
<文档 标题="${escapeXml(title)}" 负责人="${escapeXml(author)}" 日期="${date}">
  <正文>
${notes.join('\n')}
  </正文>
  <明细>
${rows.join('\n')}
  </明细>
</文档>
`)
}

/** A mail with the document as text and the table as attachment. */
export function eml(writing: Writing): Uint8Array {
  const { title, author, date, sections } = writing
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const word = (text: string) => `=?UTF-8?B?${base64(strToU8(text))}?=`
  // An encoded header word is limited to 75 characters; 15 Chinese characters stay below.
  const words = (text: string) => (text.match(/.{1,15}/gu) ?? []).map(word).join('\r\n ')
  const folded = (bytes: Uint8Array) => base64(bytes).replace(/.{76}/g, '$&\r\n')
  const body = [`各位同事：`, ...sections.flatMap(({ paragraphs }) => paragraphs), author].join('\r\n\r\n')
  const boundary = '=_cloudoc_demo'
  return strToU8(
    [
      `From: ${word(author)} <demo@huaxin.example>`,
      `To: ${word('项目组')} <team@huaxin.example>`,
      `Subject: ${words(title)}`,
      `Date: ${new Date(`${date}T09:30:00+08:00`).toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${random(title).whole(1, 2 ** 30)}@huaxin.example>`,
      'MIME-Version: 1.0',
      `Content-Type: multipart/mixed; boundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      folded(strToU8(body)),
      `--${boundary}`,
      'Content-Type: text/csv; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${word('明细.csv')}"`,
      '',
      folded(csv(writing)),
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  )
}

export function zip(writing: Writing): Uint8Array {
  return zipSync(
    { '说明.txt': txt(writing), 明细: { '明细.csv': csv(writing), '明细.json': json(writing) } },
    { mtime: zipDate },
  )
}

/** A few seconds of a simple melody, mono, 16 bit. */
export function wav(seed: string): Uint8Array {
  const r = random(seed)
  const rate = 11025
  const scale = [261.63, 293.66, 329.63, 392, 440, 523.25]
  const notes = Array.from({ length: 12 }, () => r.pick(scale))
  const perNote = Math.round(rate * 0.3)
  const bytes = new Uint8Array(44 + notes.length * perNote * 2)
  const view = new DataView(bytes.buffer)
  bytes.set(strToU8('RIFF'))
  view.setUint32(4, bytes.length - 8, true)
  bytes.set(strToU8('WAVEfmt '), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  bytes.set(strToU8('data'), 36)
  view.setUint32(40, bytes.length - 44, true)
  notes.forEach((frequency, note) => {
    for (let i = 0; i < perNote; i++) {
      const fade = Math.min(1, i / 200) * (1 - i / perNote)
      const value = Math.sin((2 * Math.PI * frequency * i) / rate) * fade
      view.setInt16(44 + (note * perNote + i) * 2, Math.round(value * 12000), true)
    }
  })
  return bytes
}

/** The platform only decodes GBK, so the decoding table is inverted once. */
function encodeGbk(text: string): Uint8Array {
  if (gbkBytes.size === 0) {
    const decoder = new TextDecoder('gbk')
    for (let high = 0x81; high <= 0xfe; high++) {
      for (let low = 0x40; low <= 0xfe; low++) {
        const char = decoder.decode(Uint8Array.of(high, low))
        if (char.length === 1 && char !== '\uFFFD') gbkBytes.set(char, [high, low])
      }
    }
  }
  return Uint8Array.from(
    [...text].flatMap((char) => {
      if (char < '\x80') return [char.charCodeAt(0)]
      const pair = gbkBytes.get(char)
      if (!pair) throw new Error(`${char} is not in GBK`)
      return pair
    }),
  )
}
const gbkBytes = new Map<string, [number, number]>()
