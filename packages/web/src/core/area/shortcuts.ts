// The keys that the page answers, as the help lists them: those of actions from the actions, the others from here.

import type { PlainTextKey } from '../i18n/i18n.ts'
import type { Action } from '../menu/action.ts'
import { areas } from './area.ts'

/** Keys as they are written, and what they do. Alternatives stand beside each other. */
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

/** Everything the help lists, in its groups. */
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
