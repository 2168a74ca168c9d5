// The most recent files of the user as cards, at the top of the start folder and of the history.
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { create } from 'zustand'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { EllipsizedName } from '../../items/item/ellipsized-name.tsx'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { extOf, isFolder } from '../../items/item/item.ts'
import { IconButton } from '../../kit/button.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import { useFlatListPage } from '../files/grid/use-flat-list-page.ts'
import './resume.css'

const most = 3
/** Whether the user closed the cards. Valid until the page is reloaded. */
const dismissed = create<{ readonly is: boolean }>(() => ({ is: false }))

/** The cards. In the start folder they show the files used before this page was opened. */
export function RecentWork({ mayClose = false }: { readonly mayClose?: boolean }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const page = useFlatListPage(useActionContext())
  const [now] = useState(Date.now)
  const isAway = dismissed((state) => state.is)
  const { data } = useQuery({
    queryKey: ['drive', 'resume'],
    queryFn: () => api.getRecentHistory({ rows: 12 }, { quiet: true }),
    staleTime: 0,
  })
  const files = (data?.list ?? [])
    .filter((item) => !isFolder(item) && (!mayClose || item.recentTime < performance.timeOrigin))
    .slice(0, most)
  if (files.length === 0 || (mayClose && isAway)) return null
  return (
    <section className="dr-resume" aria-label={t('recent.resume')}>
      {files.map(({ recentTime, recentAct, ...item }) => (
        <button key={item.fId} type="button" title={item.fName} onClick={() => page.open(item)}>
          <FileIcon ext={extOf(item)} size={40} />
          <span>
            <EllipsizedName name={item.fName} isFolder={false} />
            <small>{`${t(`recent.act.${recentAct}`)} · ${shortTime(recentTime, now, locale)}`}</small>
          </span>
        </button>
      ))}
      {mayClose && (
        <IconButton
          size="small"
          label={t('recent.resumeClose')}
          icon={<Dismiss16Regular />}
          onClick={() => dismissed.setState({ is: true })}
        />
      )}
    </section>
  )
}
