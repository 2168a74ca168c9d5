// The text of a log entry in addition to its kind.
import type { Answer, calls } from '@cloudoc/contract'
import type { Translate } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { logKindOf } from './log-kinds.tsx'

export type LogEntry = Answer<typeof calls.getFileLog>['list'][number]

/** Returns the person of an entry. Entries of automatic rules belong to the server. */
export const actorName = ({ userId, userName }: LogEntry, t: Translate): string =>
  userId === 0 ? t('property.log.server') : userName

/** Returns the change as text. */
export function logChangeLabel(entry: LogEntry, t: Translate): string {
  const { version, from, to } = entry
  const kind = logKindOf(entry.type)
  if (kind === 'rename') return `${isolated(from)} → ${isolated(to)}`
  if (kind === 'secretChange') return from === '' && to === '' ? '' : `${from || 0} → ${to || 0}`
  if (kind === 'delete' && version > 0) return t('property.log.versionGone', { n: version })
  if (kind === 'delete' && from !== '') return t('property.log.versionsGone', { list: from })
  if (kind === 'conflict') return t('property.log.conflict', { base: from, n: version })
  if (kind === 'resolveConflict')
    return to === 'overwrite'
      ? t('property.log.overwritten', { base: from, n: version })
      : t('property.log.savedAs', { base: from })
  if (version === 0) return ''
  const nth = t('drive.info.version', { n: version })
  if (kind === 'edit' && from !== '') return `${nth} · ${t('property.restoredFrom', { n: Number(from) })}`
  return to === '' ? nth : `${nth} · ${isolated(to)}`
}
