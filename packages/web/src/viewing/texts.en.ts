// The English texts of viewing. A missing key does not compile.
import type { English } from '../core/i18n/i18n.ts'
import type { zh } from './texts.zh.ts'

export const en: English<typeof zh> = {
  'drive.download': 'Download',
  'drive.menu.preview': 'Preview',
  'drive.watermark.title': 'Watermark',
  'drive.watermark.notHere': 'Only addresses of this server can be shown',
  'drive.watermark.notHereMore': 'Look at the first part after /watermark/: it has to begin with this server.',
  'drive.menu.print': 'Print',
  'drive.print': 'Print',
  'drive.info': 'Details',
  'drive.info.details': 'Details',
  'drive.info.versions': 'Versions',
  'drive.info.place': 'Location',
  'drive.info.kind': 'Type',
  'drive.info.size': 'Size',
  'drive.info.created': 'Created',
  'drive.info.modified': 'Modified',
  'drive.info.secret': 'Secrecy',
  'drive.info.version': 'Version {n}',
  'drive.info.current': 'current',
  'company.watermarks': 'Watermarks',
  'company.mark.new': 'New template',
  'company.mark.newOwn': 'Custom watermark',
  'company.mark.edit': 'Watermark template: {name}',
  'company.save': 'Save',
  'company.discard': 'Discard',
}
