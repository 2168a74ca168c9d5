// Texts of backups, loaded with their pages to keep the first load small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { backupEn } from './texts.en.ts'
import { backupZh } from './texts.zh.ts'

type BackupTexts = typeof backupZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends BackupTexts {}
}

addTexts(backupZh, backupEn)
