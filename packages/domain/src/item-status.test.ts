import { expect, test } from 'vitest'
import { hasStatus, ItemStatusBit, type ItemStatusName, itemStatus } from './item-status.ts'

const names = Object.keys(ItemStatusBit) as ItemStatusName[]

// [R133] The 31 status bits have the documented values.
test('[R133] the status has the 31 documented bits', () => {
  expect(Object.values(ItemStatusBit)).toEqual(Array.from({ length: 31 }, (_, i) => 2 ** i))
  expect(ItemStatusBit).toMatchObject({
    deleted: 32,
    fileAudit: 1024,
    applyAuthorization: 1048576,
    signing: 2097152,
    shortcut: 134217728,
    folderReadOnly: 268435456,
    documentManager: 1073741824,
  })
})

test('[R133] each bit is read back, and no other', () => {
  for (const name of names) {
    const status = itemStatus(name)
    expect(names.filter((other) => hasStatus(status, other))).toEqual([name])
  }
})

test('[R133] a status is made of names and of masks from outside, and stays a positive number', () => {
  expect(itemStatus()).toBe(0)
  expect(itemStatus('favorite', 8, 'secret')).toBe(72)
  expect(hasStatus(itemStatus('favorite', 'secret'), 'secret')).toBe(true)
  expect(itemStatus(...names)).toBe(2 ** 31 - 1)
})
