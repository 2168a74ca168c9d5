import type { English } from '../../core/i18n/i18n.ts'
import type { backupZh } from './texts.zh.ts'

export const backupEn: English<typeof backupZh> = {
  'backup.never': 'There is no backup yet',
  'backup.last': 'Last backup: {when}',
  'backup.now': 'Back up now',
  'backup.running.backup': 'Backing up: {n}%',
  'backup.running.check': 'Checking the backup: {n}%',
  'backup.failed': 'The last backup failed: {why}',
  'backup.folder': 'Backups are stored on the server in',
  'backup.beside':
    'This folder is stored with the data and would be lost with the same disk. Set --backup-dir to a folder on another disk, or copy it elsewhere regularly.',
  'backup.column.time': 'Time',
  'backup.column.rows': 'Records',
  'backup.column.contents': 'File contents',
  'backup.column.size': 'Size',
  'backup.column.checked': 'Can be restored',
  'backup.check': 'Check',
  'backup.unchecked': 'Not checked',
  'backup.whole': 'Intact, checked {when}',
  'backup.broken': '{n} problems',
  'backup.broken_one': '{n} problem',
  'backup.damaged': '{n} contents were damaged before the backup',
  'backup.damaged_one': '{n} content was damaged before the backup',
  'backup.nothing': 'No backups',
  'backup.nothingMore': 'Select “Back up now”. Everybody can keep working meanwhile.',
  'backup.restore': 'How to restore',
  'backup.restoreMore':
    'A restore replaces all data, so it is done on the server: stop the service, prepare an empty data folder and an empty database, then run:',
  'backup.copy': 'Copy command',
}
