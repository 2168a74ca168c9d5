// The journeys of a worker share one server and its company library, and which of them share one is random.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const journeys = join(import.meta.dirname, '../e2e/journeys')

test('no two journeys make a folder of the same name in the company library', () => {
  const names = readdirSync(journeys)
    .filter((file) => file !== 'company.ts')
    .flatMap((file) => [...readFileSync(join(journeys, file), 'utf8').matchAll(/sharedFolder\('([^']+)'/g)])
    .map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
