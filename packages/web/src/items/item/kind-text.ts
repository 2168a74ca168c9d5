// The kind of an item as text.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { extOf, isFolder } from './item.ts'

/** The named kinds of files, with their extensions. */
export const families = {
  document: ['doc', 'docx', 'wps', 'odt', 'rtf'],
  sheet: ['xls', 'xlsx', 'et', 'csv', 'ods'],
  slides: ['ppt', 'pptx', 'dps', 'odp'],
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp', 'tif', 'tiff', 'heic'],
  video: ['mp4', 'mov', 'avi', 'mkv', 'wmv', 'webm'],
  audio: ['mp3', 'wav', 'flac', 'm4a', 'aac', 'ogg'],
  archive: ['zip', 'rar', '7z', 'tar', 'gz'],
  drawing: ['dwg', 'dxf'],
  text: ['txt', 'md', 'log'],
} as const

export type KindFamily = keyof typeof families

/** Returns the kind of an extension. */
export function familyOf(ext: string): KindFamily | undefined {
  return (Object.keys(families) as KindFamily[]).find((family) => (families[family] as readonly string[]).includes(ext))
}

/** Returns the kind as text: folder, Word document, PDF file, and so on. */
export function kindText(item: Pick<ItemRecord, 'fName' | 'fType'>): string {
  if (isFolder(item)) return t('drive.kind.folder')
  const ext = extOf(item)
  const family = familyOf(ext)
  if (family !== undefined) {
    return t('drive.kind.named', { ext: ext.toUpperCase(), kind: t(`drive.kind.${family}`) })
  }
  return ext === ''
    ? t('drive.kind.file')
    : t('drive.kind.named', { ext: ext.toUpperCase(), kind: t('drive.kind.other') })
}
