import { expect, test } from 'vitest'
import { importedIcons, writtenIcons } from './icons.ts'

test('kit/icons.ts has the icons that the client imports and no other (else run node tools/icons.ts)', () => {
  expect([...writtenIcons().keys()]).toEqual(importedIcons())
})
