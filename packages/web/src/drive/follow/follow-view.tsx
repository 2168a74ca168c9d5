// The pages /doc/folder/cooperate/watch-change and watch-download: what the person follows ([R052], [R239]).
import { type ReactNode, useRef } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { useActionContext } from '../actions/use-action-context.ts'
import { ItemList } from '../files/grid/item-list.tsx'
import type { ListSource } from '../files/grid/list-source.ts'
import { placedColumns } from '../files/grid/placed-columns.ts'
import { useListActions } from '../files/grid/use-list-actions.ts'
import { useListRows } from '../files/grid/use-list-rows.ts'
import { type PlacedPage, usePlacedPage } from '../files/grid/use-placed-page.ts'
import { followsOf, refetchFollows } from '../lists/lists.ts'
import { SheetPicture, StatePage } from '../lists/states.tsx'
import '../lists/ranges.css'

export const WatchChanges = (): ReactNode => <FollowView key="change" kind="change" />
export const WatchDownloads = (): ReactNode => <FollowView key="download" kind="download" />

function FollowView({ kind }: { readonly kind: 'change' | 'download' }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const root = useRef<HTMLElement>(null)
  const page = usePlacedPage(context)
  const source: ListSource = {
    rows: followsOf(kind === 'change' ? 1 : 2),
    module: 'interest',
    label: t('drive.follow.title'),
    columns: placedColumns,
    onOpen: page.open,
  }
  const rows = useListRows(source)
  const actions = useListActions<PlacedPage>({ source, rows, root, context, page })
  return (
    <section
      className="dr-files dr-recycle"
      ref={root}
      aria-label={t('drive.follow.title')}
      onKeyDown={actions.onKeyDown}
    >
      <div className="dr-path-bar">
        <h1>{t('drive.follow.title')}</h1>
        <nav className="dr-ranges" aria-label={t('drive.follow.kind')}>
          <NavLink to="/doc/folder/cooperate/watch-change" className={({ isActive }) => (isActive ? 'is-on' : '')}>
            {t('drive.follow.changes')}
          </NavLink>
          <NavLink to="/doc/folder/cooperate/watch-download" className={({ isActive }) => (isActive ? 'is-on' : '')}>
            {t('drive.follow.downloads')}
          </NavLink>
        </nav>
      </div>
      <ItemList
        source={source}
        rows={rows}
        actions={actions}
        context={context}
        onRetry={() => void refetchFollows()}
        onLeave={() => void refetchFollows()}
        bareWhenEmpty
        empty={
          <StatePage
            picture={<SheetPicture sign="search" />}
            title={t(kind === 'change' ? 'drive.follow.nothingChange' : 'drive.follow.nothingDownload')}
            text={t('drive.follow.hint', { action: t(`drive.follow.${kind}`) })}
          >
            <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
          </StatePage>
        }
      />
    </section>
  )
}
