// Texts of the confirmation by a provider. They are loaded with the page that providers send back to.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'confirm.done': '身份已确认',
  'confirm.doneMore': '请关闭此页，回到签署窗口继续。',
  'confirm.failed': '没有确认',
  'confirm.failedMore': '请关闭此页，在签署窗口里再试一次。',
} as const
const en: English<typeof zh> = {
  'confirm.done': 'Confirmed',
  'confirm.doneMore': 'Close this page and go on where you sign.',
  'confirm.failed': 'Not confirmed',
  'confirm.failedMore': 'Close this page and try again where you sign.',
}

type ConfirmTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ConfirmTexts {}
}
addTexts(zh, en)
