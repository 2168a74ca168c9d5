import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  closeRights,
  dropRight,
  groupOf,
  groupRights,
  hasRight,
  lowestRights,
  Right,
  type RightName,
  rights,
  rightsGroup,
  selectableRights,
} from './rights.ts'

const names = Object.keys(Right).filter((name): name is RightName => name !== 'deny')
const anyMask = fc.subarray(Object.values(Right)).map((bits) => rights(bits.reduce((mask, bit) => mask | bit, 0)))

describe('rights', () => {
  // [R135] The 13 right bits.
  test('[R135] the bits are the documented ones', () => {
    expect(Object.values(Right)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 1048576])
  })

  // [R139] The named groups of rights, with print where it is a separate right.
  test('[R139] the groups are the sums of their bits (X6)', () => {
    const { display, preview, download, upload, move, modify, externalLink, grant } = Right
    const downloads = display + preview + download + externalLink
    const edits = downloads + upload + move + modify + Right.delete
    expect(rightsGroup).toEqual({
      invisible: Right.deny,
      preview: display + preview,
      download: downloads,
      edit: edits,
      full: edits + grant,
    })
    expect([downloads, edits, edits + grant]).toEqual([270, 510, 1022])
  })

  test.each([
    ['invisible', 1, 1],
    ['preview', 6, 6],
    ['download', 270, 1294],
    ['edit', 510, 1534],
    ['full', 1022, 2046],
  ] as const)('[R139] group %s is %i, with print_rights on %i (X5)', (name, off, on) => {
    expect(groupRights(name, { printRights: false })).toBe(off)
    expect(groupRights(name, { printRights: true })).toBe(on)
    expect(groupOf(rights(off), { printRights: false })).toBe(name)
    expect(groupOf(rights(on), { printRights: true })).toBe(name)
  })

  test('[R139] a mask that is no group is custom, and print plays no part while it is no right', () => {
    expect(groupOf(rights(2), { printRights: false })).toBe('custom')
    expect(groupOf(rights(0), { printRights: false })).toBe('custom')
    expect(groupOf(rights(270), { printRights: true })).toBe('custom')
    expect(groupOf(rights(1294), { printRights: false })).toBe('download')
    expect(groupOf(rights(2048), { printRights: true })).toBe('full')
  })

  // [R137] 2048 passes every rights check; without the right both page and server refuse.
  test('[R137] the full bit passes every check', () => {
    for (const name of names) expect(hasRight(rights(2048), name)).toBe(true)
  })

  test('a right is there when its bit is, and a deny refuses it all the same', () => {
    for (const name of names) {
      expect(hasRight(rights(Right[name]), name)).toBe(true)
      expect(hasRight(rights(~Right[name] & 1022), name)).toBe(false)
      if (name !== 'full') expect(hasRight(rights(Right[name] | Right.deny), name)).toBe(false)
    }
  })

  test('full is never selectable (X4)', () => {
    expect(selectableRights & Right.full).toBe(0)
    expect(selectableRights | Right.full).toBe(Object.values(Right).reduce((mask, bit) => mask | bit, 0))
  })

  test.each([
    ['download', 2 + 4 + 8, 1024],
    ['upload', 2 + 16, 0],
    ['move', 2 + 4 + 8 + 32, 1024],
    ['modify', 2 + 4 + 8 + 32 + 64, 1024],
    ['delete', 2 + 128, 0],
    ['externalLink', 2 + 4 + 8 + 256, 1024],
    ['grant', 2 + 512, 0],
    ['print', 2 + 4 + 1024, 0],
  ] as const)('[R136] %s brings what it needs', (name, closed, print) => {
    expect(closeRights(rights(Right[name]), { printRights: false })).toBe(closed)
    expect(closeRights(rights(Right[name]), { printRights: true })).toBe(closed + print)
  })

  test('[R136] closing twice is closing once, and more rights never close to fewer', () => {
    fc.assert(
      fc.property(anyMask, anyMask, fc.boolean(), (a, b, printRights) => {
        const closed = closeRights(a, { printRights })
        expect(closeRights(closed, { printRights })).toBe(closed)
        expect(closed & a).toBe(a)
        expect(closeRights(rights(a | b), { printRights }) & closed).toBe(closed)
      }),
    )
  })

  test('[R138] a multi-selection may what every item allows', () => {
    fc.assert(
      fc.property(fc.array(anyMask, { minLength: 1, maxLength: 5 }), (masks) => {
        const lowest = lowestRights(masks)
        for (const name of names) expect(hasRight(lowest, name)).toBe(masks.every((mask) => hasRight(mask, name)))
      }),
    )
  })

  test('[R138] an empty selection may nothing', () => {
    expect(lowestRights([])).toBe(0)
  })
})

// [R136] Rights include the rights they depend on, on the server and in the window; removing a right removes those that
// depend on it.
test('[R136] a right goes with those that need it, and no other', () => {
  const on = { printRights: true }
  expect(dropRight(rights(rightsGroup.edit | Right.print), 'download', on)).toBe(
    Right.display | Right.preview | Right.upload | Right.delete | Right.print,
  )
  expect(dropRight(rights(rightsGroup.download), 'externalLink', { printRights: false })).toBe(14)
  expect(dropRight(rights(rightsGroup.full), 'display', { printRights: false })).toBe(0 | Right.preview)
})
