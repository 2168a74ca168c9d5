// The keys that the page answers, as the help lists them. A test compares those of the files view with its keyboard map.
import type { PlainTextKey } from '../../core/i18n/i18n.ts'

/** Keys as they are written, and what they do. Alternatives stand beside each other. */
export type Shortcut = readonly [keys: readonly string[], does: PlainTextKey]

/** Those that the keyboard map of the files view holds. */
export const filesShortcuts: readonly Shortcut[] = [
  [['Enter'], 'drive.menu.open'],
  [['Space'], 'drive.menu.preview'],
  [['F2'], 'drive.menu.rename'],
  [['Ctrl+C'], 'drive.menu.copy'],
  [['Ctrl+X'], 'drive.menu.cut'],
  [['Ctrl+V'], 'drive.menu.paste'],
  [['Del'], 'drive.menu.delete'],
  [['Shift+Del'], 'drive.menu.deleteForGood'],
  [['Shift+Enter'], 'drive.menu.download'],
  [['Ctrl+U'], 'drive.menu.upload'],
  [['Alt+M'], 'drive.menu.create'],
  [['Ctrl+Z'], 'edit.undo'],
  [['Ctrl+Shift+Z', 'Ctrl+Y'], 'edit.redo'],
  [['Alt+Enter', 'Alt+P'], 'drive.info'],
]
/** Those of it that lead elsewhere. */
export const wayShortcuts: readonly Shortcut[] = [
  [['Alt+↑'], 'drive.up'],
  [['Alt+←', 'Backspace'], 'drive.back'],
  [['Alt+→'], 'drive.forward'],
  [['Alt+D', 'Ctrl+L'], 'drive.path.type'],
  [['Ctrl+F', 'F3'], 'drive.filter'],
  [['F5'], 'drive.menu.refresh'],
  [['Alt+1'], 'drive.view.list'],
  [['Alt+2'], 'drive.view.grid'],
  [['Alt+3'], 'drive.view.gallery'],
]
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
export const shortcutGroups: readonly (readonly [title: PlainTextKey, list: readonly Shortcut[]])[] = [
  ['app.files', filesShortcuts],
  ['help.page', pageShortcuts],
  ['help.ways', wayShortcuts],
  ['help.list', listShortcuts],
]
