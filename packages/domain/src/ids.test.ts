import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fid,
  formatBatchId,
  formatCompositeId,
  formatItemIdStr,
  isVirtualFolder,
  parseBatchId,
  parseCompositeId,
  parseItemIdStr,
  VirtualFolder,
} from './ids.ts'

const fType = fc.constantFrom(1 as const, 2 as const)
const id = fc.integer({ min: 0, max: 999_999_999_999_999 })

describe('[R110] virtual folders', () => {
  test('are -1, -2 and -3 and nothing else', () => {
    expect(VirtualFolder).toEqual({ company: -1, mine: -2, colleagues: -3 })
    expect([-4, -3, -2, -1, 0, 1].map(isVirtualFolder)).toEqual([false, true, true, true, false, false])
  })
})

// [R112] Composite ids, written and read.
describe('[R112] composite ids', () => {
  test('a plain value is a file on the main server', () => {
    expect(parseCompositeId('12')).toEqual({ serverId: 0, fType: 1, fId: 12 })
  })

  test('two parts are a server and an id', () => {
    expect(parseCompositeId('3|12')).toEqual({ serverId: 3, fType: 1, fId: 12 })
  })

  test('four parts name all', () => {
    expect(parseCompositeId('3|12|2|7')).toEqual({ serverId: 3, fType: 2, fId: 12, ownerId: 7 })
    expect(parseCompositeId('3|3-12|2|7')).toEqual({ serverId: 3, fType: 2, fId: 12, ownerId: 7 })
    expect(parseCompositeId('0|-2|2|0')).toEqual({ serverId: 0, fType: 2, fId: -2, ownerId: 0 })
  })

  test.each([
    '',
    'x',
    '1|2|1',
    '1|2|3|4',
    '1|2|1|4|5',
    '-1|2',
    '01|2',
    '1|02',
    '1|4-2|1|7',
    '1|-0',
    '1e3',
    ' 1',
    '1\n',
  ])('%j is none', (text) => {
    expect(parseCompositeId(text)).toBeUndefined()
  })

  test('a number beyond what is exact is none', () => {
    expect(parseCompositeId('9007199254740993')).toBeUndefined()
    expect(parseCompositeId('9007199254740993|1')).toBeUndefined()
  })

  test('what is written is read back, and the fid in it is the item record’s', () => {
    fc.assert(
      fc.property(id, id, fType, id, (serverId, fId, type, ownerId) => {
        const item = { serverId, fId, fType: type, ownerId }
        expect(parseCompositeId(formatCompositeId(item))).toEqual(item)
        expect(formatCompositeId(item).split('|')[1]).toBe(fid(serverId, fId))
      }),
    )
  })
})

// [R113] Item id strings.
describe('[R113] item id strings', () => {
  test('start with the server and end with f-{n} for folders', () => {
    expect(formatItemIdStr({ serverId: 0, fType: 2, fId: 12 })).toBe('s0f-12')
    expect(formatItemIdStr({ serverId: 4, fType: 1, fId: 12 })).toBe('s4f12')
    expect(parseItemIdStr('s0f--1')).toEqual({ serverId: 0, fType: 2, fId: -1 })
  })

  test.each(['', 's0', 's0f', 's0f-', 'f-1', 's-1f1', 's0f01', 's0f1 ', 's0f---1', 'S0F1', 's0f-0x1'])(
    '%j is none',
    (text) => {
      expect(parseItemIdStr(text)).toBeUndefined()
    },
  )

  test('each item has one, and it is read back', () => {
    fc.assert(
      fc.property(id, fType, id, (serverId, type, fId) => {
        const item = { serverId, fType: type, fId }
        expect(parseItemIdStr(formatItemIdStr(item))).toEqual(item)
      }),
    )
  })

  test('any text is read or is none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^s\d{0,3}f-{0,2}\d{0,4}$/)), (text) => {
        const item = parseItemIdStr(text)
        if (item !== undefined) expect(formatItemIdStr(item)).toBe(text)
      }),
    )
  })
})

test('batch ids tell files, folders and links apart, as decided ("Batch answer")', () => {
  const parts = [1, 2, 0].map((fType) => ({ fType: fType as 0 | 1 | 2, fId: 12 }))
  expect(parts.map(formatBatchId)).toEqual(['f12', 'f-12', 'l12'])
  expect(parts.map(formatBatchId).map(parseBatchId)).toEqual(parts)
  for (const text of ['', 'f', 'f--1', 'l-1', 'fi_12', 'f012', 'f12 ']) expect(parseBatchId(text), text).toBeUndefined()
})
