import { expect, test } from 'vitest'
import { createLog, forPeople } from './log.ts'

test('a terminal gets lines that people read, and no course of another program', () => {
  const lines: string[] = []
  const log = createLog('info', forPeople({ write: (line) => void lines.push(line) }))
  log.info({ from: 'postgres' }, 'starting PostgreSQL 18')
  log.warn({ topic: 'cloudoc', times: 2 }, 'NATS is away')
  log.error({ err: Object.assign(new Error('it broke'), { detail: 'Key (name)=(secret)' }) }, 'a call failed')
  expect(lines.length).toBe(2)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warning: NATS is away topic=cloudoc times=2\n$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error: a call failed: Error it broke\n {4}at /)
  expect(lines.join('')).not.toContain('secret')
})
