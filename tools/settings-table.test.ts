import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS_PAGE, settingsPage, settingUses } from './settings-table.ts'

const root = join(import.meta.dirname, '..')
const uses = settingUses(root)

test('every setting is read by something', () => {
  expect(uses.filter(({ readBy }) => readBy.length === 0).map(({ name }) => name)).toEqual([])
})

test('every setting has a test in which it has another value', () => {
  expect(uses.filter((use) => use.test === undefined).map(({ name }) => name)).toEqual([])
})

test('docs/settings.md lists every setting; npm run docs writes it', () => {
  expect(readFileSync(join(root, SETTINGS_PAGE), 'utf8')).toBe(settingsPage(root, uses))
})
