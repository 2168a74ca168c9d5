// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { zh as driveZh } from '../../../test/all-texts.ts'
import { actionsIn } from '../../core/area/area.ts'
import { type Shortcut, shortcutGroups } from '../../core/area/shortcuts.ts'
import { type Action, actionOfKeys, pressOf } from '../../core/menu/action.ts'
import { loadSignedIn } from '../join-areas.ts'

beforeAll(loadSignedIn)

/** The action of the files view for this key press. */
const actionOf = (press: ReturnType<typeof pressOf>): Action | undefined => actionOfKeys(actionsIn('files'), press)
/** The help entries that come from the files view: its actions and its navigation keys. */
const ofFiles = (): Shortcut[] =>
  shortcutGroups().flatMap(([title, list]) => (title === 'app.files' || title === 'help.ways' ? list : []))

/** Every key that can be pressed. */
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
  const written = ofFiles().flatMap(([keys]) => keys)
  expect(written.filter((keys) => actionOf(pressOf(keys)) === undefined)).toEqual([])
  const listed = new Set(written.map((keys) => actionOf(pressOf(keys))))
  const missing = everyPress.filter((press) => {
    const action = actionOf(press)
    return action !== undefined && !listed.has(action)
  })
  expect(missing).toEqual([])
  expect(written.length).toBeGreaterThan(25)
})

it('that do the same stand in one line, and each line says what it does', () => {
  for (const [keys, does] of ofFiles()) {
    expect([does, new Set(keys.map((one) => actionOf(pressOf(one)))).size]).toEqual([does, 1])
  }
  const lines = shortcutGroups().flatMap(([, list]) => list.map(([, does]) => does))
  expect(lines.filter((does, i) => lines.indexOf(does) !== i)).toEqual([])
  expect(lines.filter((does) => does.startsWith('drive.') && !(does in driveZh))).toEqual([])
})
