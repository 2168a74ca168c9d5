// Texts of the check of signatures that are loaded with it.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'sign.check.earlier': '只对较早的版本有效',
  'sign.check.earlierHint': '这个签名之后，文件又有改动，而且不只是后面的人签字：现在看到的内容可能不是当时签的内容',
} as const
const en: English<typeof zh> = {
  'sign.check.earlier': 'Valid for an earlier version only',
  'sign.check.earlierHint':
    'The file was changed after this signature, and not only by later signatures: what it shows now may not be what was signed',
}

type CheckTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends CheckTexts {}
}
addTexts(zh, en)
