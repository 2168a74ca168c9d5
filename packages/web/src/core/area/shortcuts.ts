// The keyboard shortcuts of the page for the help: those of actions come from the actions, the others are listed here.

import type { PlainTextKey } from '../i18n/i18n.ts'
import type { Action } from '../menu/action.ts'
import { areas } from './area.ts'

/** Keys in display form and their effect. Alternatives are listed side by side. */
export type Shortcut = readonly [keys: readonly string[], does: PlainTextKey]

const listShortcuts: readonly Shortcut[] = [
  [['↑', '↓', 'Home', 'End', 'PgUp', 'PgDn'], 'help.move'],
  [['Shift+↓'], 'help.extend'],
  [['Ctrl+Space'], 'help.toggle'],
  [['Ctrl+A'], 'help.all'],
  [['Ctrl+Shift+A'], 'help.invert'],
  [['Esc'], 'help.none'],
  [['A–Z'], 'help.letters'],
  [['Shift+F10'], 'help.menu'],
]
const pageShortcuts: readonly Shortcut[] = [
  [['Ctrl+K'], 'help.find'],
  [['?'], 'help.title'],
  [['Esc'], 'help.closeWindow'],
  [['Ctrl+`'], 'help.nextWindow'],
]

/** All help entries, by group. */
export function shortcutGroups(): readonly (readonly [title: PlainTextKey, list: readonly Shortcut[]])[] {
  const actions = areas().flatMap(({ menu = [] }) => menu)
  const listed = (where: Action['help']): Shortcut[] =>
    actions.flatMap(({ help, keys, label }): Shortcut[] => (help === where && keys ? [[keys, label]] : []))
  return [
    ['app.files', listed('acts')],
    ['help.page', pageShortcuts],
    ['help.ways', listed('ways')],
    ['help.list', listShortcuts],
  ]
}
