import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readCsv, readTable, SheetError, writeCsv } from './sheet.ts'
import { readWorkbook, writeWorkbook } from './workbook.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const faultOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof SheetError) return error.fault
    throw error
  }
  return 'none'
}

test('[R347] a table is found under its title, by what people call its columns; what is no column of ours is left out', () => {
  const { rows, lines, columns } = readTable([
    ['华信集团通讯录', '', ''],
    ['登录名', ' 姓 名 ', '备注', '所属部门（全称）'],
    ['linxia', ' 林夏 ', 'x', '市场 / 华东'],
    ['', '', '', ''],
    ['zhou', '周航', '', ''],
  ])
  expect(rows).toEqual([
    ['林夏', 'linxia', '市场 / 华东', '', '', '', '', '', ''],
    ['周航', 'zhou', '', '', '', '', '', '', ''],
  ])
  expect(lines).toEqual([3, 5])
  expect(columns.map(({ column }) => column)).toEqual(['account', 'accountName', undefined, 'group'])
})

test('[R347] CSV is read in UTF-8 with and without a mark, GB18030 and UTF-16, with commas, semicolons and tabs, and quoted', () => {
  // 姓名,账号 / 林夏,linxia as saved by Excel on a Chinese Windows.
  const gb = [0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xd5, 0xcb, 0xba, 0xc5, 0x0d, 0x0a, 0xc1, 0xd6, 0xcf, 0xc4, 0x2c]
  const written = [
    utf8('\ufeff姓名,账号\r\n林夏,linxia\r\n'),
    utf8('姓名;账号\n林夏;linxia'),
    Uint8Array.from([...gb, ...utf8('linxia\r\n')]),
    new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from('姓名\t账号\r\n林夏\tlinxia', (c) => c.charCodeAt(0)).buffer),
    ]),
  ]
  for (const bytes of written) expect(readTable(readCsv(bytes)).rows[0]?.slice(0, 2)).toEqual(['林夏', 'linxia'])
  expect(readCsv(utf8('"a ""b"",\nc",d'))).toEqual([['a "b",\nc', 'd']])
})

test('what is written as CSV is no formula in a spreadsheet, and is read again as it was', () => {
  const table = [
    ['姓名', '账号'],
    ['=HYPERLINK("http://x")', '@a'],
    ['-1+1', "it's"],
  ]
  const bytes = writeCsv(table)
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).not.toMatch(/(^|,|")[=@-]/m)
  expect(readCsv(bytes)).toEqual(table)
})

test("[R347] Excel's own files are read with their dates, links and results of formulas, and written so that 0012 stays 0012", () => {
  // The cells as Excel writes them, in a workbook of our own.
  const parts = unzipSync(writeWorkbook([], { sheet: '成员' }))
  const cells = [
    '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c><c r="B1" t="inlineStr"><is><t>账号</t></is></c>',
    '<c r="C1" t="inlineStr"><is><t>有效期</t></is></c><c r="D1" t="inlineStr"><is><t>邮箱</t></is></c></row>',
    '<row r="2"><c r="A2" t="inlineStr"><is><r><t>林</t></r><r><rPr><b/></rPr><t>夏</t></r></is></c>',
    '<c r="B2" t="str"><f>LOWER("LINXIA")</f><v>linxia</v></c><c r="C2" s="3"><v>47514</v></c>',
    '<c r="D2" t="inlineStr"><is><t>a@b.cn</t></is></c></row>',
  ]
  const part = (name: string, from: string, to: string): [string, Uint8Array] => [
    name,
    strToU8(new TextDecoder().decode(parts[name]).replace(from, to)),
  ]
  const written = zipSync({
    ...parts,
    ...Object.fromEntries([
      part('xl/worksheets/sheet1.xml', '<sheetData>', `<sheetData>${cells.join('')}`),
      part('xl/styles.xml', '</cellXfs>', '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'),
    ]),
  })
  const { rows } = readTable(readWorkbook(written))
  expect(rows).toEqual([['林夏', 'linxia', '', '', 'a@b.cn', '', '', '', '2030-01-31']])
  const table = [
    ['姓名', '账号'],
    ['林夏', '0012'],
    ['=1+1', 'a'],
  ]
  expect(readWorkbook(writeWorkbook(table, { sheet: '成员' }))).toEqual(table)
})

test('a file that is none of a table, has no columns, nobody, or too many, is refused by what is the matter', async () => {
  expect(await faultOf(() => readWorkbook(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])))).toBe('noSheet')
  expect(await faultOf(() => readTable(readCsv(utf8('a,b\nc,d'))))).toBe('noColumns')
  expect(await faultOf(() => readTable(readCsv(utf8(''))))).toBe('empty')
  expect(await faultOf(() => readTable(readCsv(utf8('姓名,账号\n'))))).toBe('empty')
  const many = `姓名,账号\n${'甲,a\n'.repeat(1_000_000)}`
  expect(await faultOf(() => readTable(readCsv(utf8(many))))).toBe('tooMany')
  // An archive whose directory declares an uncompressed size of 4 GiB.
  const bomb = new Uint8Array(200)
  bomb.set([0x50, 0x4b, 1, 2], 10)
  bomb.set([0xff, 0xff, 0xff, 0xff], 34)
  expect(await faultOf(() => readWorkbook(bomb))).toBe('tooLarge')
})
