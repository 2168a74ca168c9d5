// The windows of the frame.
import { win } from '../core/windows/index.ts'

/** What the frame adds to the window catalogue. */
export const appWindows = {
  'connection-diagnostics': win<object>({
    title: 'diagnostics.title',
    size: { width: 470, height: 450 },
    minSize: { width: 470, height: 450 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./diagnostics/diagnostics.tsx').then((module) => module.Diagnostics),
    sample: {},
  }),
  'cloudoc-shortcuts': win<object>({
    title: 'help.title',
    size: { width: 820, height: 690 },
    minSize: { width: 420, height: 320 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./help/shortcut-help.tsx').then((module) => module.ShortcutHelp),
    sample: {},
  }),
}
