// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { actionOf } from '../../drive/files/files-keys.ts'
import { zh as driveZh } from '../../drive/texts.zh.ts'
import { filesShortcuts, shortcutGroups, wayShortcuts } from './shortcuts.ts'

const named: Readonly<Record<string, string>> = {
  Space: ' ',
  Del: 'Delete',
  '↑': 'ArrowUp',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
}
/** The key press that is written like that. */
function pressOf(written: string) {
  const parts = written.split('+')
  const last = parts.at(-1) ?? ''
  return {
    key: named[last] ?? last,
    altKey: parts.includes('Alt'),
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    metaKey: false,
  }
}
/** Whatever can be pressed. */
const keys = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789/?`-= ',
  ...Array.from({ length: 12 }, (_, i) => `F${i + 1}`),
  ...['Enter', 'Escape', 'Delete', 'Backspace', 'Insert', 'Home', 'End', 'PageUp', 'PageDown', 'ContextMenu'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
]
const either = [false, true]
const everyPress = keys.flatMap((key) =>
  either.flatMap((altKey) =>
    either.flatMap((ctrlKey) => either.map((shiftKey) => ({ key, altKey, ctrlKey, shiftKey, metaKey: false }))),
  ),
)

it('of the files view are those of its keyboard map, and none is missing', () => {
  const written = [...filesShortcuts, ...wayShortcuts].flatMap(([keys]) => keys)
  expect(written.filter((keys) => actionOf(pressOf(keys)) === undefined)).toEqual([])
  const listed = new Set(written.map((keys) => actionOf(pressOf(keys))))
  const missing = everyPress.filter((press) => {
    const action = actionOf(press)
    return action !== undefined && !listed.has(action)
  })
  expect(missing).toEqual([])
})

it('that do the same stand in one line, and each line says what it does', () => {
  for (const [keys, does] of [...filesShortcuts, ...wayShortcuts]) {
    expect([does, new Set(keys.map((one) => actionOf(pressOf(one)))).size]).toEqual([does, 1])
  }
  const lines = shortcutGroups.flatMap(([, list]) => list.map(([, does]) => does))
  expect(lines.filter((does, i) => lines.indexOf(does) !== i)).toEqual([])
  expect(lines.filter((does) => does.startsWith('drive.') && !(does in driveZh))).toEqual([])
})
