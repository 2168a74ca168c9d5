import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extNameOf, itemName, maxNameLength, nameInText, numberedName, splitName } from './names.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom(' ', '.', 'a', 'İ', 'Σ', 'ß', '\u0301', '\uFF21', 'ｶ', 'ﾞ', '\u200D', '👩', '🏽', '\uFE0F', '年'),
    )
    .map((parts) => parts.join('')),
)
const validName = anyText.filter((raw) => 'name' in itemName(raw))

function nameOf(raw: string): string {
  const result = itemName(raw)
  if ('code' in result) throw new Error(`${JSON.stringify(raw)} is refused: ${result.code}`)
  return result.name
}

function keyOf(raw: string): string {
  const result = itemName(raw)
  if ('code' in result) throw new Error(`${JSON.stringify(raw)} is refused: ${result.code}`)
  return result.key
}

describe('item names', () => {
  test.each([
    ['季度报告（终稿）.docx', '季度报告（终稿）.docx'],
    ['  a.docx ', 'a.docx'],
    ['\u3000合同\u00A0', '合同'],
    ['a. . .', 'a'],
    ['.gitignore', '.gitignore'],
    ['cafe\u0301.txt', 'café.txt'],
    ['a：b？.txt', 'a：b？.txt'],
    ['👨‍👩‍👧 家.png', '👨‍👩‍👧 家.png'],
    ['🏳️‍🌈', '🏳️‍🌈'],
    ['👩🏽‍💻.md', '👩🏽‍💻.md'],
    ['葛\u{E0100}城.txt', '葛\u{E0100}城.txt'],
    ['𠮷野家.pdf', '𠮷野家.pdf'],
    ['console.log', 'console.log'],
    ['com10.txt', 'com10.txt'],
    ['nullable', 'nullable'],
  ])('%j is kept as %j', (raw, name) => {
    expect(nameOf(raw)).toBe(name)
  })

  test.each(['', ' ', '.', '..', '. .', '...', '\u3000'])('[R382] %j is no name', (raw) => {
    expect(itemName(raw)).toEqual({ code: 'illegalName' })
  })

  test.each([...'/\\:*?"<>|'])('[R382] %s is refused anywhere in a name', (character) => {
    for (const raw of [`${character}a`, `a${character}b`, `a${character}`]) {
      expect(itemName(raw)).toEqual({ code: 'illegalName' })
    }
  })

  test.each([
    ['a C0 control', '\u0000'],
    ['a line break', '\n'],
    ['a tab', '\t'],
    ['delete', '\u007F'],
    ['a C1 control', '\u0085'],
    ['a line separator', '\u2028'],
    ['a right-to-left override', '\u202E'],
    ['a bidirectional isolate', '\u2066'],
    ['a left-to-right mark', '\u200E'],
    ['a zero width space', '\u200B'],
    ['a zero width non-joiner', '\u200C'],
    ['a zero width joiner between letters', '\u200D'],
    ['a word joiner', '\u2060'],
    ['a byte order mark', '\uFEFF'],
    ['a soft hyphen', '\u00AD'],
    ['a Hangul filler', '\u3164'],
    ['a tag character', '\u{E0041}'],
    ['a noncharacter', '\uFFFE'],
    ['a lone high surrogate', '\uD83D'],
    ['a lone low surrogate', '\uDE00'],
  ])('[R382] %s is refused anywhere in a name', (_what, character) => {
    for (const raw of [`${character}a.txt`, `a${character}b.txt`, `a.txt${character}`]) {
      expect(itemName(raw)).toEqual({ code: 'illegalName' })
    }
  })

  test('a name of nothing but variation selectors is no name', () => {
    expect(itemName('\uFE0F')).toEqual({ code: 'illegalName' })
  })

  test.each(['CON', 'prn', 'Aux.txt', 'NUL.tar.gz', 'com1', 'LPT9.docx', 'COM¹', 'con .txt', 'conin$', 'nul.'])(
    '[R382] the device name %s is refused',
    (raw) => {
      expect(itemName(raw)).toEqual({ code: 'illegalName' })
    },
  )

  test('[R387] 255 UTF-16 units are the most, counted after trimming', () => {
    expect(nameOf('字'.repeat(255))).toHaveLength(255)
    expect(nameOf(` ${'字'.repeat(255)} `)).toHaveLength(255)
    expect(itemName('字'.repeat(256))).toEqual({ code: 'nameTooLong' })
    expect(itemName('😀'.repeat(128))).toEqual({ code: 'nameTooLong' })
    expect(nameOf('e\u0301'.repeat(255))).toBe('é'.repeat(255))
  })

  test('a name of megabytes is refused at once', () => {
    expect(itemName(`${' .'.repeat(5_000_000)}x`)).toEqual({ code: 'nameTooLong' })
  })

  test.each([
    ['A.TXT', 'a.txt'],
    ['Ａ．ｔｘｔ', 'a.txt'],
    ['ÉTÉ', 'e\u0301te\u0301'],
    ['ｶﾞｲﾄﾞ', 'ガイド'],
    ['カﾞイト', 'ガイト'],
    ['报告（１）', '报告(1)'],
    ['a\u3000b', 'a b'],
    ['I', 'i'],
    ['❤️', '❤'],
  ])('[R382] %s and %s clash in one folder', (a, b) => {
    expect(keyOf(a)).toBe(keyOf(b))
  })

  test.each([
    ['a', 'b'],
    ['strasse', 'straße'],
    ['e', 'é'],
    ['合同', '合约'],
    ['a b', 'ab'],
  ])('%s and %s do not clash', (a, b) => {
    expect(keyOf(a)).not.toBe(keyOf(b))
  })

  test('any text is a name or is refused, and a name stays what it is', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const result = itemName(raw)
        if ('code' in result) return
        expect(itemName(result.name)).toEqual(result)
        expect(result.name.normalize('NFC')).toBe(result.name)
        expect(result.name.length).toBeLessThanOrEqual(maxNameLength)
        expect(result.key).not.toBe('')
      }),
      { numRuns: 5000 },
    )
  })

  test('the key of a key is the key, so that folding has an end', () => {
    fc.assert(
      fc.property(validName, (raw) => {
        const key = keyOf(raw)
        const again = itemName(key)
        if ('key' in again && again.name === key) expect(again.key).toBe(key)
      }),
      { numRuns: 2000 },
    )
  })

  test('spaces around a name and either Unicode form lead to the same name', () => {
    fc.assert(
      fc.property(validName, (raw) => {
        expect(itemName(`  ${raw} `)).toEqual(itemName(raw))
        expect(itemName(raw.normalize('NFD'))).toEqual(itemName(raw))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('parts of a name', () => {
  test.each([
    ['a.docx', 'a', 'docx'],
    ['a.tar.GZ', 'a.tar', 'GZ'],
    ['.profile', '.profile', ''],
    ['第1.第二章', '第1.第二章', ''],
    ['see 3. the end', 'see 3. the end', ''],
    ['plain', 'plain', ''],
  ])('%s is %j and %j', (name, base, ext) => {
    expect(splitName(name)).toEqual({ base, ext })
  })

  test('[R109] an item record carries the extension in lower case', () => {
    expect(extNameOf('A.DOCX')).toBe('docx')
    expect(extNameOf('plain')).toBe('')
  })
})

describe('numbered names', () => {
  test('the number stands before the extension of a file and at the end of a folder', () => {
    expect(numberedName('a.docx', 2)).toBe('a (2).docx')
    expect(numberedName('v1.2', 3, { isFolder: true })).toBe('v1.2 (3)')
    expect(numberedName('.profile', 2)).toBe('.profile (2)')
  })

  test('a long name gives way to its number and keeps its extension', () => {
    const numbered = numberedName(`${'字'.repeat(250)}.docx`, 12)
    expect(numbered).toHaveLength(255)
    expect(numbered.endsWith('字 (12).docx')).toBe(true)
  })

  test('a numbered name is a name, wherever it had to be cut', () => {
    const long = fc
      .array(fc.constantFrom('a', '字', '👨‍👩‍👧', '👩🏽‍💻', '🏳️‍🌈', 'é', '\u0316', '葛\u{E0100}'), {
        minLength: 40,
        maxLength: 255,
      })
      .map((parts) => parts.join('').slice(0, 250))
      .filter((raw) => 'name' in itemName(`${raw}.txt`))
    fc.assert(
      fc.property(
        fc.oneof(
          validName.map(nameOf),
          long.map((raw) => nameOf(`${raw}.txt`)),
        ),
        fc.integer({ min: 2, max: 9999 }),
        (name, n) => {
          for (const isFolder of [true, false]) {
            const numbered = numberedName(name, n, { isFolder })
            expect(nameOf(numbered)).toBe(numbered)
            expect(numbered).toContain(` (${n})`)
            if (!isFolder) expect(splitName(numbered).ext).toBe(splitName(name).ext)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['合同.docx', '合同.docx'],
  [`${'长'.repeat(35)}.docx`, `${'长'.repeat(35)}.docx`],
  [`${'长'.repeat(200)} (2).docx`, `${'长'.repeat(26)}…${'长'.repeat(3)} (2).docx`],
  [`${'😀'.repeat(60)}.txt`, `${'😀'.repeat(26)}…${'😀'.repeat(8)}.txt`],
])('%s stands in a sentence with its beginning, its number and its extension', (name, shown) => {
  expect(nameInText(name)).toBe(shown)
})
