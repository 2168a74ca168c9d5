// Notes on files in the client: a window, an entry in the file menu, and a notice when a note is added.
import type { Notices } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { openWindow, win } from '../core/windows/index.ts'
import type { ItemAction } from '../drive/index.ts'

export const texts = {
  zh: { 'stickers.title': '便签', 'stickers.stick': '贴上便签' },
  en: { 'stickers.title': 'Note', 'stickers.stick': 'Stick a note on' },
}

export const windows = {
  'sticker-stuck': win<{ readonly fileName: string }>({
    title: 'stickers.title',
    load: () => import('./stuck.tsx').then((module) => module.Stuck),
    sample: { fileName: '合同.docx' },
  }),
}

const stick: ItemAction = {
  id: 'stick',
  modules: ['files'],
  on: 'items',
  gate: 'see',
  count: 'one',
  label: 'stickers.stick',
  keys: ['Alt+K'],
  help: 'acts',
  menu: { group: 'save', place: 90 },
  async run({ items: [item] }) {
    if (item === undefined) return
    await api.stickOn({ fileId: item.fId })
    await openWindow('sticker-stuck', { fileName: item.fName })
  },
}
export const menu = [stick]

export const notices = {
  stuck: { icon: () => '✎' },
} satisfies Notices
