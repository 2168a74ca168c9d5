// The HTTP statuses of refusals are those that docs/programs.md tells.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodeName, codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { statusOf } from './dispatcher.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../../docs/programs.md'), 'utf8')
const rows = [...text.matchAll(/^ {2}\| (\d{3}) \| (.*) \|$/gm)].map(([, status = '', what = '']) => ({
  status: Number(status),
  names: [...what.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  isOfContents: what.includes('contents'),
  isOthers: what.startsWith('all others'),
}))

const told = (code: string, isContent: boolean): number | undefined =>
  (
    rows.find(({ names, isOfContents }) => names.includes(code) && (isContent || !isOfContents)) ??
    rows.find(({ isOthers, isOfContents }) => isOthers && isOfContents === isContent)
  )?.status

test('every refusal has the status that the paper tells, with an envelope and where contents are downloaded', () => {
  expect(rows).toHaveLength(8)
  for (const code of Object.keys(codes) as CodeName[]) {
    expect(statusOf(code, { kind: 'read' }), code).toBe(told(code, false))
    expect(statusOf(code, { kind: 'stream' }), code).toBe(told(code, true))
  }
})
