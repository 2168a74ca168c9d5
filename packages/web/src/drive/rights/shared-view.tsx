// The pages /doc/folder/share/permission-shared and permission-creation: items shared with the user, and by the user
// ([R213]).
import type { ItemRecord } from '@cloudoc/contract'
import { groupOf, rights, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, NavLink, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { t as said, useT } from '../../core/i18n/i18n.ts'
import { sharedOf } from '../../items/lists/lists.ts'
import { type SharedKind, sharedUntil } from '../../items/lists/shared-source.ts'
import { Dismiss12Regular } from '../../kit/icons.ts'
import { PersonAvatar } from '../../people/index.ts'
import { type FixedColumns, itemColumns } from '../files/grid/columns.ts'
import { FlatList } from '../files/grid/flat-list.tsx'
import '../../items/lists/ranges.css'
import './rights.css'

const columnsOf = (kind: SharedKind): FixedColumns => ({
  columns: [
    {
      id: 'sharer',
      label: kind === 'theirs' ? 'share.column.by' : 'share.column.with',
      text: ({ lastOperatorName }: ItemRecord) => lastOperatorName,
      title: ({ lastOperatorName }) => lastOperatorName,
    },
    {
      id: 'may',
      label: 'share.column.rights',
      text: (item) => {
        const group = groupOf(rights(item.rights), { printRights: false })
        return said(group === 'custom' ? 'share.custom' : `rights.group.${group}`)
      },
    },
    { ...itemColumns.time, label: 'share.column.time' },
    {
      id: 'until',
      label: 'share.column.until',
      text: (item, at, locale) => {
        const until = sharedUntil(item)
        return until === null ? said('share.forever') : shortTime(until, at, locale)
      },
    },
    itemColumns.size,
  ],
  template: '36px minmax(180px, 3fr) minmax(0, 2fr) 88px 108px 108px 92px',
})
const columns = { mine: columnsOf('mine'), theirs: columnsOf('theirs') }

export const SharedWithMe = (): ReactNode => <SharedView key="theirs" kind="theirs" />
export const SharedByMe = (): ReactNode => <SharedView key="mine" kind="mine" />

function SharedView({ kind }: { readonly kind: SharedKind }): ReactNode {
  const t = useT()
  const [keyword, onKeyword] = useState('')
  const [query] = useSearchParams()
  const said = query.get('by') ?? ''
  const by = kind === 'theirs' && /^[1-9]\d{0,14}$/.test(said) ? Number(said) : undefined
  const { data: person } = useQuery({
    queryKey: ['people', 'one', by],
    queryFn: () => api.getUserInfo({ accountId: by ?? 0 }, { quiet: true }),
    enabled: by !== undefined,
  })
  const name = person?.accountName ?? ''
  return (
    <FlatList
      list={sharedOf(kind, keyword, by)}
      keyword={keyword}
      onKeyword={onKeyword}
      module="shared"
      label={t('share.title')}
      columns={columns[kind]}
      head={
        <>
          <h1>{t('share.title')}</h1>
          <nav className="dr-ranges" aria-label={t('share.kind')}>
            <NavLink to="/doc/folder/share/permission-shared" className={({ isActive }) => (isActive ? 'is-on' : '')}>
              {t('share.theirs')}
            </NavLink>
            <NavLink to="/doc/folder/share/permission-creation" className={({ isActive }) => (isActive ? 'is-on' : '')}>
              {t('share.mine')}
            </NavLink>
          </nav>
          {by !== undefined && name !== '' && (
            <span className="dr-shared-by">
              <PersonAvatar id={by} name={name} />
              {t('share.by', { name })}
              <Link to="/doc/folder/share/permission-shared" aria-label={t('share.byAll')} data-tip={t('share.byAll')}>
                <Dismiss12Regular />
              </Link>
            </span>
          )}
        </>
      }
      nothing={
        by !== undefined && name !== ''
          ? t('share.nothingBy', { name })
          : t(kind === 'mine' ? 'share.nothingMine' : 'share.nothingTheirs')
      }
      hint={t(kind === 'mine' ? 'share.hintMine' : 'share.hintTheirs')}
    />
  )
}
