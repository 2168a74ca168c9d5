// What kind of thing an item is, in words.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n.ts'
import { extOf, isFolder } from '../item.ts'

const families = {
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

/** Folder, Word document, PDF file, and so on. */
export function kindText(item: Pick<ItemRecord, 'fName' | 'fType'>): string {
  if (isFolder(item)) return t('drive.kind.folder')
  const ext = extOf(item)
  for (const [family, exts] of Object.entries(families)) {
    if ((exts as readonly string[]).includes(ext)) {
      return t('drive.kind.named', { ext: ext.toUpperCase(), kind: t(`drive.kind.${family as keyof typeof families}`) })
    }
  }
  return ext === ''
    ? t('drive.kind.file')
    : t('drive.kind.named', { ext: ext.toUpperCase(), kind: t('drive.kind.file') })
}
