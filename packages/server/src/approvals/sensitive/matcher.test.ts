// What the matcher finds in a text, and where.

import { type SensitiveRuleInput } from '@cloudoc/contract'
import { type NumberPattern, newSensitiveRule } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { normalised } from '../../core/folding.ts'
import { createMatcher, masked, type TextToMatch } from './matcher.ts'
import { creditCheckCharacter, findNumbers, idCheckDigit, passesLuhn } from './number-patterns.ts'
import { nameMatches } from './outcome.ts'
import { faultsOf, tidied, toMatch } from './rules.ts'
import { wordFinder } from './word-finder.ts'

const today = new Date(Date.UTC(2026, 10, 20))
const id = '11010519491231002X'

const found = (text: string, headOf?: (at: number) => string) =>
  findNumbers([{ text: normalised(text).toLowerCase(), ...(headOf && { headOf }) }], { joins: true, today })[0] ?? []
const kinds = (text: string): NumberPattern[] => found(text).map(({ pattern }) => pattern)

const key = new Uint8Array(32)
const matching = (rule: Partial<SensitiveRuleInput>) => {
  const match = createMatcher([toMatch({ ...newSensitiveRule, ...rule, ruleId: 1 })], key)
  return (...texts: string[]) =>
    match(
      texts.map((text): TextToMatch => ({ text: normalised(text) })),
      today,
    )
}

describe('numbers', () => {
  test('an ID card is found by its neighbours, region, date and check digit', () => {
    for (const text of [
      `身份证号${id}号`,
      `(${id})`,
      `证件：${id.toLowerCase()}。`,
      '１１０１０５１９４９１２３１００２Ｘ',
      '110105 19491231 002X',
      '110105194912\n31002X',
      '1101\u200b0519491231002X',
    ])
      expect([text, kinds(text)]).toEqual([text, ['idCard']])
    for (const text of [
      `12${id}`,
      `${'9'.repeat(12)}110105194912310020`,
      '110105194912310021',
      '110105194902300024',
      '99010519491231002X',
      `a${id}`,
      `${id}a`,
    ])
      expect([text, kinds(text)]).toEqual([text, []])
    const leap = '11010520000229001'
    expect(kinds(`${leap}${idCheckDigit(leap)}`)).toEqual(['idCard'])
    const none = '11010520010229001'
    expect(kinds(`${none}${idCheckDigit(none)}`)).toEqual([])
    expect([kinds('身份证 110105491231002'), kinds('110105491231002')]).toEqual([['idCard'], []])
  })

  test('a bank card needs issuer, check digit and a word beside it, or company', () => {
    expect(passesLuhn('6222021234567894')).toBe(true)
    expect(kinds('卡号 6222 0212 3456 7894')).toEqual(['bankCard'])
    expect(kinds('卡号 6222 0212 3456 7895')).toEqual([])
    expect(kinds('订单 6222021234567894')).toEqual([])
    expect(kinds('6222021234567894 6222020000000000 6228481234567891 9')).toEqual([])
    const many = ['622202123456789', '622848040256489', '621700361000123'].map(
      (first) => `${first}${[...'0123456789'].find((digit) => passesLuhn(first + digit)) ?? ''}`,
    )
    expect(kinds(many.join('\n'))).toEqual(many.map(() => 'bankCard'))
    expect(kinds('1.0000000000000001E-3')).toEqual([])
  })

  test('a mobile number, with and without its country', () => {
    for (const text of [
      '电话 13800138000',
      '手机：138-0013-8000',
      '+8613800138000',
      '+86 138 0013 8000',
      'Tel 13800138000',
    ])
      expect([text, found(text).map(({ value }) => value)]).toEqual([text, ['13800138000']])
    for (const text of ['订单13800138000', '电话 12800138000', '电话 138001380001'])
      expect([text, kinds(text)]).toEqual([text, []])
  })

  test('a unified social credit code and a passport', () => {
    const code = '91350100M000100Y4'
    const whole = `${code}${creditCheckCharacter(code.toLowerCase()).toUpperCase()}`
    expect(whole).toBe('91350100M000100Y43')
    expect([kinds(whole), kinds(`${code}4`), kinds('91350100I000100Y43')]).toEqual([['creditCode'], [], []])
    expect([kinds('护照号 E12345678'), kinds('E12345678'), kinds('型号 E12345678')]).toEqual([['passport'], [], []])
  })

  // A corpus of numbers that are none of these: order numbers, prices, hashes, times and identifiers of pictures.
  test('at most one of ten thousand other numbers is taken for one', () => {
    let seed = 7
    const random = (n: number): number => {
      seed = (seed + 0x6d2b79f5) | 0
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * n)
    }
    const digits = (n: number): string => Array.from({ length: n }, () => random(10)).join('')
    const one = (): string => {
      switch (random(6)) {
        case 0:
          return `2026${digits(14)}`
        case 1:
          return digits(16 + random(4))
        case 2:
          return `${digits(5)}.${digits(14)}`
        case 3:
          return `1.2.840.${digits(6)}.${digits(4)}.${digits(2)}.${digits(10)}`
        case 4:
          return Array.from({ length: 32 }, () => '0123456789abcdef'[random(16)]).join('')
        default:
          return `1${digits(10)}`
      }
    }
    const lines = Array.from({ length: 40_000 }, (_, n) => `${n % 7} 单号 ${one()} 数量 ${random(100)}`)
    expect(found(lines.join('\n')).length).toBeLessThanOrEqual(4)
  })

  test('the head of a column is the word beside its cells', () => {
    const rows = ['收款账号', '6222021234567894']
    const text = rows.join('\t\n')
    const cells = [
      [0, 3, 0],
      [1, 3, 6],
    ] as const
    const match = createMatcher(
      [toMatch({ ...newSensitiveRule, patterns: [{ pattern: 'bankCard', atLeast: 1 }], ruleId: 1 })],
      key,
    )
    expect(match([{ text, cells }], today).map(({ places }) => places)).toEqual([[{ section: 0, start: 6, end: 22 }]])
  })
})

describe('words and expressions', () => {
  test('words are found folded, whole, apart and by pinyin if the rule says so', () => {
    const places = (rule: Partial<SensitiveRuleInput>, text: string): number =>
      matching(rule)(text).reduce((sum, { total }) => sum + total, 0)
    const words = { words: ['投标底价', 'Secret'] }
    expect(places(words, '本次投標底價為')).toBe(1)
    expect(places(words, '投 标 底-价')).toBe(1)
    expect(places({ ...words, separators: false }, '投 标 底-价')).toBe(0)
    expect(places(words, 'top ＳＥＣＲＥＴ, secretary')).toBe(1)
    expect(places({ ...words, wholeWords: false }, 'secretary')).toBe(1)
    expect(places(words, 'toubiaodijia')).toBe(0)
    expect(places({ ...words, pinyin: true }, 'tou biao di jia, toubiaodijia')).toBe(2)
    expect(wordFinder(['ab', 'b', 'abc'])('xabc').map(({ word }) => word)).toEqual([0, 1, 2])
  })

  test('positions are UTF-16 offsets, also after emoji and rare characters', () => {
    const text = '😀𠮷 a\u0301 HX-RD-1234HX-MK-5678'
    const [finding] = matching({ expressions: ['HX-(RD|MK)-[0-9]{4}'] })(text)
    const kept = normalised(text)
    expect(finding?.places.map(({ start, end }) => kept.slice(start, end))).toEqual(['HX-RD-1234', 'HX-MK-5678'])
  })

  test('a match of any length counts, and is marked at its beginning', () => {
    const match = matching({ expressions: ['机密.*'] })
    const [finding] = match(`前言\n机密${'文'.repeat(1021)}😀${'文'.repeat(9000)}`)
    expect(finding?.places).toEqual([{ section: 0, start: 3, end: 3 + 1023 }])
    expect(finding).toMatchObject({ distinct: 1, total: 1 })
  })

  test('no value is kept of a finding, only its hash and a mask', () => {
    const findings = matching({ patterns: [{ pattern: 'idCard', atLeast: 1 }] })(`${id} ${id}`)
    expect(findings).toMatchObject([{ distinct: 1, total: 2 }])
    expect(JSON.stringify(findings)).not.toContain(id.slice(3, 14))
    expect([masked('11010519491231002X'), masked('abc')]).toEqual(['110*************2X', 'a**'])
  })

  test('a catastrophic expression takes linear time', () => {
    const begun = performance.now()
    matching({ expressions: ['(a+)+$', '(x+x+)+y', '(.*)*z'] })(`${'a'.repeat(100_000)}b`, 'x'.repeat(100_000))
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test('the faults of a rule are named, with the place in an expression', () => {
    const faults = (rule: Partial<SensitiveRuleInput>) =>
      faultsOf({ ...newSensitiveRule, ...rule }).map(({ field, what, part, at }) => [field, what, part, at])
    expect(faults({ expressions: ['ab(?=c)'] })).toEqual([['expressions', 'lookaround', '(?=', 2]])
    expect(faults({ expressions: ['(a)\\1'] })).toEqual([['expressions', 'backreference', '\\1', 3]])
    expect(faults({ expressions: ['a{1,5000}'] })).toEqual([['expressions', 'repeat', '{1,5000}', 1]])
    expect(faults({ expressions: ['[a'] })).toMatchObject([['expressions', 'syntax', '[a', 0]])
    expect(faults({ words: ['的', '\u200b'] }).map(([, what]) => what)).toEqual(['short', 'empty'])
    expect(faults({}).map(([field]) => field)).toEqual(['nothing'])
    expect(tidied({ ...newSensitiveRule, words: ['\ufeffA', 'a', ''], types: ['.PDF', '*.pdf'] })).toMatchObject({
      ...{ words: ['A'], types: ['pdf'] },
    })
  })

  test('names match words and wildcards', () => {
    expect(nameMatches('工资*.xlsx', '工资表.XLSX')).toBe(true)
    expect(nameMatches('工资?.xlsx', '工资表1.xlsx')).toBe(false)
    expect(nameMatches('密钥', '我的密鑰.txt')).toBe(true)
    expect(nameMatches('*.pem', 'a.pem.txt')).toBe(false)
  })
})
