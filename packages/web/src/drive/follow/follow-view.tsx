// The pages /doc/folder/cooperate/watch-change and watch-download: the items that the user follows ([R052], [R239]).
import { type ReactNode, useState } from 'react'
import { NavLink } from 'react-router'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { followsOf } from '../../items/lists/lists.ts'
import { rowDetailsOf } from '../../items/lists/ordered-source.ts'
import type { ItemColumn } from '../files/grid/columns.ts'
import { FlatList } from '../files/grid/flat-list.tsx'
import { flatListColumnsWith } from '../files/grid/flat-list-columns.ts'
import '../../items/lists/ranges.css'

/** Whose actions on the item are followed. */
const whose = (kind: 'followChange' | 'followDownload'): ItemColumn => ({
  id: 'whose',
  label: 'drive.follow.whose',
  text: (item) => {
    const { followedUsers = [], followedGroups = [] } = rowDetailsOf(kind, item).followed ?? {}
    const names = [...followedGroups, ...followedUsers].map(({ name }) => name)
    return names.length === 0 ? say('drive.follow.everybody') : names.join(say('drive.rights.and'))
  },
})
const columns = {
  change: flatListColumnsWith('drive.column.time', { more: [whose('followChange')] }),
  download: flatListColumnsWith('drive.column.time', { more: [whose('followDownload')] }),
}

export const WatchChanges = (): ReactNode => <FollowView key="change" kind="change" />
export const WatchDownloads = (): ReactNode => <FollowView key="download" kind="download" />

function FollowView({ kind }: { readonly kind: 'change' | 'download' }): ReactNode {
  const t = useT()
  const [keyword, onKeyword] = useState('')
  return (
    <FlatList
      list={followsOf(kind === 'change' ? 1 : 2, keyword)}
      keyword={keyword}
      onKeyword={onKeyword}
      module="interest"
      label={t('drive.follow.title')}
      columns={columns[kind]}
      head={
        <>
          <h1>{t('drive.follow.title')}</h1>
          <nav className="dr-ranges" aria-label={t('drive.follow.kind')}>
            <NavLink to="/doc/folder/cooperate/watch-change" className={({ isActive }) => (isActive ? 'is-on' : '')}>
              {t('drive.follow.changes')}
            </NavLink>
            <NavLink to="/doc/folder/cooperate/watch-download" className={({ isActive }) => (isActive ? 'is-on' : '')}>
              {t('drive.follow.downloads')}
            </NavLink>
          </nav>
        </>
      }
      nothing={t(kind === 'change' ? 'drive.follow.nothingChange' : 'drive.follow.nothingDownload')}
      hint={t('drive.follow.hint', { action: t(`drive.follow.${kind}`) })}
    />
  )
}
