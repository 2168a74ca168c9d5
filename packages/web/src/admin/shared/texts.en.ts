// The English texts of this folder. A missing key does not compile.
import type { English } from '../../core/i18n/i18n.ts'
import type { sharedZh } from './texts.zh.ts'

export const sharedEn: English<typeof sharedZh> = {
  'company.column.name': 'Name',
  'company.column.owner': 'Owner',
  'company.column.grown': 'Last 30 days',
  'company.column.space': 'Used / limit',
  'company.column.versions': 'Versions',
  'company.column.bin': 'Recycle bin',
  'company.column.used': 'Used',
  'company.column.quota': 'Limit',
  'company.column.person': 'Name',
  'company.column.account': 'Account',
  'company.column.group': 'Department',
  'company.column.signedIn': 'Last sign-in',
  'company.column.library': 'Library',
  'company.column.downloads': 'Downloads',
  'company.column.size': 'Size',
  'company.column.lastDownload': 'Last download',
}
