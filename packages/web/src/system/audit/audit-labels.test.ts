// Every call that changes or reveals something has a readable label in the audit log, and is never shown by its call
// name.
import { auditKindOf, type Call, callsByName } from '@cloudoc/contract'
import { actionTitle, auditFields } from '@cloudoc/contract/audit-words'
import { LogBit, type LogBitName } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { titles } from './call-titles.ts'

test.each(['zh', 'en'] as const)('[R286] every call that the audit shows has words in %s', (locale) => {
  const shown = Object.entries(callsByName).filter(
    ([name, { kind }]) => kind !== 'read' && auditKindOf(name, true) !== 'technical',
  )
  expect(shown.length).toBeGreaterThan(150)
  const worded = (name: string, { log }: Call): boolean =>
    (actionTitle(name, log !== undefined && log in LogBit ? LogBit[log as LogBitName] : undefined, locale, titles) ??
      '') !== ''
  expect(shown.filter(([name, call]) => !worded(name, call)).map(([name]) => name)).toEqual([])
})

test('[R286] every input field that an audit row records has a label', () => {
  const recorded = new Set(Object.values(callsByName).flatMap(({ audits = [] }) => audits))
  expect([...recorded].filter((field) => !(field in auditFields))).toEqual([])
})
