// Every call that changes or reveals something has a readable label in the audit log, and is never shown by its call
// name.
import { auditKindOf, type Call, calls } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'

test.each([
  ['zh', zh],
  ['en', en],
] as const)('[R286] every call that the audit shows has words in %s', (locale, texts) => {
  const shown = (Object.entries(calls) as unknown as [string, Call][]).filter(
    ([name, { kind }]) => kind !== 'read' && auditKindOf(name, true) !== 'technical',
  )
  expect(shown.length).toBeGreaterThan(150)
  const worded = ({ title, log }: Call): boolean =>
    (title?.[locale] ?? '') !== '' || (log !== undefined && `admin.log.${log}` in texts)
  expect(shown.filter(([, call]) => !worded(call)).map(([name]) => name)).toEqual([])
})
