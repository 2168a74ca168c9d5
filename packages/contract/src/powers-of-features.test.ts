// Every feature that somebody has to administer is in the hands of one of the three powers (decisions E1).
import { expect, test } from 'vitest'
import * as features from './features.ts'

const administrators = /^(systemAdministrator|securityAdministrator|auditor|linkOverseer|workflowAdministrator)$/

test.each([
  ['chat', features.talkAdministration],
  ['mail', features.mailboxes],
  ['workflow', features.processTemplates],
  ['signing', features.signatures],
  ['exchange', features.exchangeRules],
  ['holds', features.holds],
  ['retention', features.retention],
  ['announcements', features.announcements],
])('%s is administered by a power', (_name, { calls }) => {
  const guards = Object.values(calls as Readonly<Record<string, { readonly guard?: { readonly name: string } }>>)
  expect(guards.some(({ guard }) => guard !== undefined && administrators.test(guard.name))).toBe(true)
})
