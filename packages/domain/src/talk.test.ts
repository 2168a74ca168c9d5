import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CountedMessage,
  isMessageLength,
  isUnread,
  isWithin,
  mayRecall,
  splitAddresses,
  unreadCount,
} from './talk.ts'

const message: fc.Arbitrary<CountedMessage> = fc.record({
  number: fc.integer({ min: 1, max: 50 }),
  from: fc.integer({ min: 1, max: 3 }),
  recall: fc.boolean(),
  type: fc.constantFrom('text', 'img', 'notify'),
})

describe('unread', () => {
  // [R100] Only unread messages of others that are not recalled count.
  test('[R100] never counts own, recalled and system messages, and never grows by reading on', () => {
    fc.assert(
      fc.property(fc.array(message), fc.nat(60), fc.nat(10), (messages, readNumber, more) => {
        const mark = { readNumber, isMarkedUnread: false }
        const counted = messages.filter((one) => isUnread(one, 1, mark))
        expect(counted.every(({ from, recall, type }) => from !== 1 && !recall && type !== 'notify')).toBe(true)
        expect(unreadCount(messages, 1, mark)).toBe(counted.length)
        expect(unreadCount(messages, 1, { ...mark, readNumber: readNumber + more })).toBeLessThanOrEqual(counted.length)
        expect(unreadCount(messages, 1, { ...mark, isMarkedUnread: true })).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})

// [R298] A message has at most 2,048 UTF-16 units, counted alike on both sides.
test('[R298] a message has 1 to 2,048 UTF-16 units; emoji count as what they are made of', () => {
  expect(isMessageLength('字'.repeat(2048))).toBe(true)
  expect(isMessageLength('字'.repeat(2049))).toBe(false)
  expect(isMessageLength('👍'.repeat(1024))).toBe(true)
  expect(isMessageLength(`${'👍'.repeat(1024)}a`)).toBe(false)
  // A family of eleven units, and combining marks of one unit each.
  expect(isMessageLength('👨‍👩‍👧‍👦'.repeat(186))).toBe(true)
  expect(isMessageLength('👨‍👩‍👧‍👦'.repeat(187))).toBe(false)
  expect(isMessageLength('e\u0301'.repeat(1024))).toBe(true)
  expect(isMessageLength('  \n ')).toBe(false)
})

test('a position is within a stay after its beginning and up to its end', () => {
  const stays = [
    { after: 3, until: 5 },
    { after: 9, until: null },
  ]
  expect([3, 4, 5, 6, 9, 10, 99].map((position) => isWithin(stays, position))).toEqual([
    ...[false, true, true, false, false, true, true],
  ])
})

test('a message is taken back by its sender, within the window, once', () => {
  const own = { from: 1, timestamp: 1000, recall: false, type: 'text' } as const
  expect(mayRecall(own, 1, 1000 + 300_000, 300_000)).toBe(true)
  expect(mayRecall(own, 1, 1001 + 300_000, 300_000)).toBe(false)
  expect(mayRecall(own, 2, 1000, 300_000)).toBe(false)
  expect(mayRecall({ ...own, recall: true }, 1, 1000, 300_000)).toBe(false)
})

describe('addresses in texts', () => {
  test.each([
    ['看https://a.cn/b。好', ['https://a.cn/b']],
    ['看 https://a.cn/b，谢谢', ['https://a.cn/b']],
    ['（https://a.cn/b）', ['https://a.cn/b']],
    ['https://a.cn/b请看', ['https://a.cn/b']],
    ['(https://a.cn/b)', ['https://a.cn/b']],
    ['https://a.cn/b_(c)', ['https://a.cn/b_(c)']],
    ['https://a.cn/b.', ['https://a.cn/b']],
    ['https://a.cn/?q=1&r=2!', ['https://a.cn/?q=1&r=2']],
    ['www.a.cn/x', ['www.a.cn/x']],
    ['a@www.b.cn', []],
    ['javascript:alert(1)', []],
    ['https://', []],
    ['没有地址', []],
    ['https://a.cn“引号”https://b.cn', ['https://a.cn', 'https://b.cn']],
    // Han characters stay where they begin a part of an address that stands alone between spaces or line ends.
    ['https://zh.wikipedia.org/wiki/中国', ['https://zh.wikipedia.org/wiki/中国']],
    ['看 https://a.cn/wiki/中国 吧', ['https://a.cn/wiki/中国']],
    ['https://a.cn/wiki/中国\n第二行', ['https://a.cn/wiki/中国']],
    ['https://a.cn/?q=合同&p=2', ['https://a.cn/?q=合同&p=2']],
    ['https://a.cn/合同_终稿.docx', ['https://a.cn/合同_终稿.docx']],
    ['https://a.cn/#第-一-章', ['https://a.cn/#第-一-章']],
    ['https://a.cn/目录/文件', ['https://a.cn/目录/文件']],
    ['看https://a.cn/wiki/中国', ['https://a.cn/wiki/']],
    ['https://a.cn/wiki/中国，请看', ['https://a.cn/wiki/']],
    ['（https://a.cn/wiki/中国）', ['https://a.cn/wiki/']],
    ['https://a.cn/b请看 谢谢', ['https://a.cn/b']],
    ['https://a.cn/b请看/c', ['https://a.cn/b']],
    ['https://a.cn/目录/b请看', ['https://a.cn/目录/b']],
    // Every full-width mark ends one.
    ['https://a.cn/b、https://a.cn/c', ['https://a.cn/b', 'https://a.cn/c']],
    ['https://a.cn/b；好', ['https://a.cn/b']],
    ['https://a.cn/b：好', ['https://a.cn/b']],
    ['https://a.cn/b？好', ['https://a.cn/b']],
    ['https://a.cn/b！', ['https://a.cn/b']],
    ['《https://a.cn/b》', ['https://a.cn/b']],
    ['【https://a.cn/b】', ['https://a.cn/b']],
    ['「https://a.cn/b」', ['https://a.cn/b']],
    ['“https://a.cn/b”', ['https://a.cn/b']],
    ['‘https://a.cn/b’', ['https://a.cn/b']],
    ['https://a.cn/b……', ['https://a.cn/b']],
    ['https://a.cn/b　后面', ['https://a.cn/b']],
    ['https://a.cn/b～', ['https://a.cn/b']],
    // Brackets, quotes and marks of ASCII.
    ['[https://a.cn/b]', ['https://a.cn/b']],
    ['{https://a.cn/b}', ['https://a.cn/b']],
    ['<https://a.cn/b>', ['https://a.cn/b']],
    ['"https://a.cn/b"', ['https://a.cn/b']],
    ["'https://a.cn/b'", ['https://a.cn/b']],
    ['`https://a.cn/b`', ['https://a.cn/b']],
    ['(https://a.cn/b_(c))', ['https://a.cn/b_(c)']],
    ['https://a.cn/b[1]', ['https://a.cn/b[1]']],
    ['https://a.cn/b).', ['https://a.cn/b']],
    ['https://a.cn/b...', ['https://a.cn/b']],
    ['https://a.cn/b,c', ['https://a.cn/b,c']],
    ['https://a.cn:8080/b:c', ['https://a.cn:8080/b:c']],
    // Forms of addresses.
    ['HTTPS://A.CN/B', ['HTTPS://A.CN/B']],
    ['http://中文.中国/', ['http://中文.中国/']],
    ['www.例子.中国/首页', ['www.例子.中国/首页']],
    ['https://a.cn请看', ['https://a.cn']],
    ['https://a.cn/b.请看', ['https://a.cn/b']],
    ['http://xn--fiq228c.cn/', ['http://xn--fiq228c.cn/']],
    ['http://10.0.0.1/x', ['http://10.0.0.1/x']],
    ['http://[::1]:80/x', ['http://[::1]:80/x']],
    ['https://u@a.cn/b', ['https://u@a.cn/b']],
    ['https://a.cn/%E4%B8%AD', ['https://a.cn/%E4%B8%AD']],
    ['https://a.cn/b\thttps://a.cn/c', ['https://a.cn/b', 'https://a.cn/c']],
    ['xhttps://a.cn', []],
    ['@https://a.cn', []],
    ['www.', []],
    ['ftp://a.cn/b', []],
  ])('%s', (text, found) => {
    const parts = splitAddresses(text)
    expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(parts.filter(({ href }) => href !== undefined).map((part) => part.text)).toEqual(found)
    expect(parts.every(({ href }) => href === undefined || /^https?:/i.test(href))).toBe(true)
  })
})
