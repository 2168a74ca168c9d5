// The pages /doc/folder/recently ([R054], [R249]): the files that the user opened, edits or submitted, and changes by
// other users.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { NavLink, useSearchParams } from 'react-router'
import { api, mainServer } from '../../core/call/api.ts'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { recentOf, refetchOrdered } from '../../items/lists/lists.ts'
import { countRecent, type RecentKind, rowDetailsOf } from '../../items/lists/ordered-source.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Delete16Regular, History16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type FixedColumns, type ItemColumn, itemColumns } from '../files/grid/columns.ts'
import { FlatList } from '../files/grid/flat-list.tsx'
import { flatListColumnsWith, locationColumn } from '../files/grid/flat-list-columns.ts'
import { changeText } from './change-text.ts'
import { CompareChange } from './compare-change.tsx'
import { RecentWork } from './resume.tsx'
import '../../items/lists/ranges.css'

export const recentKinds = ['history', 'locked', 'submit', 'change'] as const satisfies readonly RecentKind[]

const act: ItemColumn = {
  id: 'act',
  label: 'recent.column.act',
  text: (item) => {
    const { act: what } = rowDetailsOf('history', item)
    return what === undefined ? '' : say(`recent.act.${what}`)
  },
}
const editor: ItemColumn = { id: 'by', label: 'recent.column.editor', text: ({ editorName }) => editorName }
const version: ItemColumn = {
  id: 'version',
  label: 'recent.column.version',
  text: (item) => {
    const { version: n } = rowDetailsOf('submit', item)
    return n === undefined ? '' : say('drive.info.version', { n })
  },
}

/** The folder, the user who changed it, the change, and the time. */
const changed: FixedColumns = {
  columns: [
    locationColumn,
    { ...itemColumns.by, label: 'recent.column.who' },
    {
      id: 'change',
      label: 'recent.column.change',
      text: changeText,
      cell: (item) => (
        <>
          {rowDetailsOf('change', item).change?.isNew && <StatusChip tone="info">{say('recent.isNew')}</StatusChip>}{' '}
          {changeText(item)}
        </>
      ),
    },
    itemColumns.time,
    {
      id: 'compare',
      label: 'recent.column.compare',
      text: () => '',
      title: () => undefined,
      cell: (item) => <CompareChange item={item} />,
    },
  ],
  template: '36px minmax(180px, 3fr) minmax(0, 1.6fr) 100px minmax(0, 2.4fr) 108px 84px',
}

const columns: Readonly<Record<RecentKind, FixedColumns>> = {
  history: flatListColumnsWith('recent.time.history', { more: [act], by: false }),
  locked: flatListColumnsWith('recent.time.locked', { more: [editor], by: false }),
  submit: flatListColumnsWith('recent.time.submit', { more: [version], by: false }),
  change: changed,
}

export const RecentHistory = (): ReactNode => <RecentView key="history" kind="history" />
export const RecentLocked = (): ReactNode => <RecentView key="locked" kind="locked" />
export const RecentSubmit = (): ReactNode => <RecentView key="submit" kind="submit" />
export const RecentChange = (): ReactNode => <RecentView key="change" kind="change" />

async function forgetAll(): Promise<void> {
  const yes = await confirmBox({ text: say('recent.clearAsk'), ok: say('recent.clear'), danger: true })
  if (!yes) return
  try {
    await api.of(mainServer).deleteRecentHistory({ all: true })
    await refetchOrdered('recent')
  } catch (error) {
    notifyFailure(error)
  }
}

/** The selectable numbers of days. Changes by other users cover thirty days. */
const periods = [7, 30, 90, 0] as const
const daysOfChange = 30

function RecentView({ kind }: { readonly kind: RecentKind }): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const [keyword, onKeyword] = useState(query.get('keyword') ?? '')
  const days = periods.find((one) => one !== 0 && one === Number(query.get('days')))
  /** The other lists use the same filter. */
  const asked = new URLSearchParams({ ...(keyword && { keyword }), ...(days && { days: String(days) }) }).toString()
  const what = { keyword, days }
  const { data: counts } = useQuery({
    queryKey: ['drive', 'recent', keyword, days],
    queryFn: () => countRecent(what),
    placeholderData: keepPreviousData,
  })
  return (
    <FlatList
      list={recentOf(kind, what)}
      keyword={keyword}
      onKeyword={onKeyword}
      module="recent"
      label={t('recent.title')}
      columns={columns[kind]}
      grouped="days"
      head={
        <>
          <h1>{t('recent.title')}</h1>
          <nav className="dr-ranges" aria-label={t('recent.kinds')}>
            {recentKinds.map((one) => (
              <NavLink
                key={one}
                to={{ pathname: `/doc/folder/recently/${one}`, search: asked }}
                className={({ isActive }) => (isActive ? 'is-on' : '')}
              >
                {t(`recent.${one}`)}
                {counts !== undefined && <small>{counts[one]}</small>}
              </NavLink>
            ))}
          </nav>
        </>
      }
      tools={
        <>
          <Select
            size="small"
            className="dr-recent-period"
            label={t('recent.period')}
            value={kind === 'change' && (days === undefined || days > daysOfChange) ? daysOfChange : (days ?? 0)}
            options={periods
              .filter((one) => kind !== 'change' || (one !== 0 && one <= daysOfChange))
              .map((value) => ({
                value,
                label: value === 0 ? t('recent.always') : t('recent.days', { n: value }),
              }))}
            onChange={(value) => setQuery(value === 0 ? {} : { days: String(value) }, { replace: true })}
          />
          {(kind === 'locked' || kind === 'submit') && (
            <Button
              kind="ghost"
              size="small"
              icon={<History16Regular />}
              onClick={() => void openWindow('cloudoc-recent-edit', {})}
            >
              {t('editor.recent.title')}
            </Button>
          )}
          {kind === 'history' && counts !== undefined && counts.history > 0 && (
            <Button kind="ghost" size="small" icon={<Delete16Regular />} onClick={() => void forgetAll()}>
              {t('recent.clear')}
            </Button>
          )}
        </>
      }
      above={kind === 'history' && keyword === '' ? <RecentWork /> : undefined}
      nothing={days === undefined ? t(`recent.nothing.${kind}`) : t('recent.nothingThen', { n: days })}
      hint={t(`recent.hint.${kind}`)}
    />
  )
}
