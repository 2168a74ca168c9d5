// Editable delimited tables: content that was not edited is written back unchanged.
import { describe, expect, it } from 'vitest'
import { delimiterOf, fieldOf, fieldText, readDelimited, tableValues, writeDelimited } from './delimited.ts'

const again = (text: string, ext = 'csv'): string => {
  const delimiter = delimiterOf(text, ext)
  return writeDelimited(readDelimited(text, delimiter), delimiter)
}
const says = (text: string): string[][] => readDelimited(text, ',').map(({ fields }) => fields.map(fieldText))

describe('tables as text', () => {
  it.each([
    '',
    'a',
    'a,b',
    'a,b\n',
    'a,b\r\n\r\n"c ""d""\r\ne",f\r\ng',
    '\n\n',
    ',\n,',
    'a,"not closed\nb,c',
    'a,"b"c,d\n"x"" y",z',
    '"',
    '""',
    'a\rb\r',
    'sep=;\na;b',
    ' "a",b\n',
  ])('[R171] [R198] are written back as they were: %j', (text) => {
    expect(again(text)).toBe(text)
    expect(again(text, 'tsv')).toBe(text)
  })

  // [R171] Any table as text is written back unchanged.
  it('[R171] are written back as they were, whatever letters there are in whatever order', () => {
    const letters = [...'a,";\t|\r\n 字']
    let seed = 7
    const random = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % n
    }
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random(24) }, () => letters[random(letters.length)]).join('')
      expect(again(text)).toBe(text)
    }
  })

  // [R163] A preview of a table as text has the rows that the editor has: any line ends, quotes that nothing closes,
  // empty lines that count as rows; a first line that names the delimiter is no row.
  it.each([
    [
      'carriage returns alone',
      '姓名,部门\r张三,财务\r',
      [
        ['姓名', '部门'],
        ['张三', '财务'],
      ],
    ],
    ['sep= names the delimiter', 'sep=;\r\n姓名;部门\r\n', [['姓名', '部门']]],
    ['empty lines', 'a,b\n\n\nc,d\n', [['a', 'b'], [], [], ['c', 'd']]],
    [
      'a quote that nothing closes',
      'a,b\n"未闭合,1\nc,2\n',
      [
        ['a', 'b'],
        ['"未闭合', '1'],
        ['c', '2'],
      ],
    ],
    ['quoted line ends and quotes', '"a\r\nb","x""y"""\n', [['a\r\nb', 'x"y"']]],
  ])('[R163] are shown as the editor has them: %s', (_, text, rows) => {
    expect(tableValues(text, 'csv', 10)).toEqual(rows)
    expect(tableValues(text, 'csv', 1)).toEqual(rows.slice(0, 1))
  })

  it('say what is in quotes, over several lines too', () => {
    expect(says('a,"b,1"\r\n"say ""hi""\nyou",c\n')).toEqual([
      ['a', 'b,1'],
      ['say "hi"\nyou', 'c'],
    ])
    expect(says('a,"not closed\nb,c')).toEqual([
      ['a', '"not closed'],
      ['b', 'c'],
    ])
    for (const text of ['a', 'a,b', '"', 'x"y', 'a\nb', '', ' a ', '""']) {
      expect(fieldText(fieldOf(text, ','))).toBe(text)
      expect(says(`${fieldOf(text, ',')},x`)).toEqual([[text, 'x']])
    }
    expect(fieldOf('a', ',', '"b"')).toBe('"a"')
  })

  it('have the delimiter that their lines have alike', () => {
    expect(delimiterOf('a;b;c\n1,5;2,5;3\n', 'csv')).toBe(';')
    expect(delimiterOf('a\tb\nc\td', 'csv')).toBe('\t')
    expect(delimiterOf('a,b;c\nd,e', 'csv')).toBe(',')
    expect(delimiterOf('one\ntwo', 'csv')).toBe(',')
    expect(delimiterOf('one\ntwo', 'tsv')).toBe('\t')
    expect(delimiterOf('sep=|\na,b|c', 'csv')).toBe('|')
  })
})
