// The recent activity of an item, shown next to it.
import type { ItemRecord } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { isFolder, keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { LogKindIcon, logKindOf } from './log-kinds.tsx'
import { actorName, logChangeLabel } from './log-labels.ts'
import './activity.css'

const activityRows = 20

/** The recent activity of a file, or in a folder. */
export function Activity({ item, now }: { readonly item: ItemRecord; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error } = useQuery({
    queryKey: ['drive', 'log', keyOf(item), 'lately', item.version],
    queryFn: () =>
      isFolder(item)
        ? api.of(item).getFolderLog({ folderId: item.fId, rows: activityRows }, { quiet: true })
        : api.of(item).getFileLog({ fileId: item.fId, rows: activityRows }, { quiet: true }),
    staleTime: 0,
  })
  if (error !== null) return <p className="dr-info-note">{error.message}</p>
  if (data?.list.length === 0 && data.next === 0) return <p className="dr-info-note">{t('property.log.none')}</p>
  return (
    <ol className="dr-activity">
      {data?.list.map((entry) => (
        <li key={entry.logId}>
          <LogKindIcon kind={logKindOf(entry.type)} />
          <span>
            {[
              isolated(actorName(entry, t)),
              t(`property.kind.${logKindOf(entry.type) ?? 'edit'}`),
              entry.fId === item.fId ? '' : isolated(entry.fName),
            ].join(' ')}
          </span>
          <small>{[shortTime(entry.time, now, locale), logChangeLabel(entry, t)].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
      <li>
        <Button kind="link" size="small" onClick={() => void openWindow('cloudoc-property', { item, tab: 'log' })}>
          {t('drive.info.allActivity')}
        </Button>
      </li>
    </ol>
  )
}
