// The pages sign-review and sign-creation ([R052], [R275]): what the user signs, and what they sent to be signed.
import type { SignActivity } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { RequestListTabs } from '../../approvals/index.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { onRowLetter } from '../../kit/row-letters.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { listQuery, perPage, type Side, type SignFilter } from '../shared/sign-queries.ts'
import { SignChip } from '../shared/state-chip.tsx'
import { openDetail, openReject, SignSide } from './sign-side.tsx'
import './lists.css'

export const SignReviews = (): ReactNode => <SignList key="review" side="review" />
export const SignCreations = (): ReactNode => <SignList key="creation" side="creation" />

const filters: readonly SignFilter[] = ['all', 'open', 'signed', 'rejected', 'done']

/** As in the side column: S signs, R declines. */
const onRowKey = (activity: SignActivity, event: KeyboardEvent): boolean =>
  onRowLetter(event, activity.isTurn ? { s: () => openDetail(activity), r: () => openReject(activity) } : {})

function SignList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const id = useId()
  const [state, setState] = useState<SignFilter>('all')
  const [page, setPage] = useState(0)
  const [typed, setTyped] = useState('')
  const [current, setCurrent] = useState<number>()
  const keyword = useDeferredValue(typed.trim())
  const { data, error, refetch } = useQuery({
    ...listQuery(side, state, keyword, page),
    placeholderData: keepPreviousData,
  })
  useNamedActivity()
  const columns = useColumns(side)
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const focused = data?.list.find(({ activityId }) => activityId === current) ?? data?.list[0]
  return (
    <ListPage
      title={t(`sign.list.${side}`)}
      note={t(`sign.list.${side}.note`)}
      tools={
        <>
          <SearchField
            label={t('sign.list.search')}
            value={typed}
            onChange={(words) => {
              setTyped(words)
              setPage(0)
            }}
          />
          <Button onClick={() => void openWindow('cloudoc-sign-setting', {})}>{t('sign.list.setting')}</Button>
        </>
      }
      tabs={
        <>
          <RequestListTabs />
          <Tabs
            id={id}
            label={t('sign.list.column.state')}
            tabs={filters.map((one) => ({
              tab: one,
              text: one === 'all' ? t('sign.list.filter.all') : t(`sign.list.filter.${side}.${one}`),
              count: data?.counts[one],
            }))}
            chosen={state}
            onChoose={(next) => {
              setState(next)
              setPage(0)
            }}
          />
        </>
      }
      side={focused !== undefined && <SignSide key={focused.activityId} activity={focused} />}
      foot={
        data !== undefined &&
        data.total > 0 && (
          <>
            <span>{t(`sign.list.keys.${side}`)}</span>
            <span>
              {t('sign.list.total', { n: data.total })}
              <PagePager
                page={page}
                pages={pages}
                onPage={setPage}
                previousLabel={t('sign.list.before')}
                nextLabel={t('sign.list.after')}
              />
            </span>
          </>
        )
      }
    >
      <TabPanel id={id} chosen={state} className="sg-list">
        <Table
          label={t(`sign.list.${side}`)}
          columns={columns}
          rows={error === null ? data?.list : undefined}
          keyOf={({ activityId }) => activityId}
          nameOf={({ activityTitle }) => activityTitle}
          isTall
          current={focused?.activityId}
          onCurrent={({ activityId }) => setCurrent(activityId)}
          onOpen={openDetail}
          onRowKey={onRowKey}
          loading={<Spinner label={t('sign.loading')} />}
          failure={
            error === null ? undefined : (
              <StatePage picture={<SheetPicture sign="warning" />} title={t('sign.notLoaded')} text={error.message}>
                <Button onClick={() => void refetch()}>{t('sign.list.retry')}</Button>
              </StatePage>
            )
          }
          empty={
            keyword !== '' ? (
              <StatePage picture={<SheetPicture sign="search" />} title={t('sign.list.none')}>
                <Button onClick={() => setTyped('')}>{t('sign.list.clear')}</Button>
              </StatePage>
            ) : (
              <StatePage
                picture={<SheetPicture sign="search" />}
                title={t(`sign.list.empty.${side}`)}
                {...(side === 'creation' && { text: t('sign.list.empty.creation.text') })}
              />
            )
          }
        />
      </TabPanel>
    </ListPage>
  )
}

/** Opens the window of the process that the address names: a notice leads to it ([R105]). */
function useNamedActivity(): void {
  const [query, setQuery] = useSearchParams()
  const id = Number(query.get('activityId') ?? 0)
  useEffect(() => {
    if (!(id > 0)) return
    setQuery({}, { replace: true })
    void openWindow('cloudoc-sign-detail', { activityId: id })
  }, [id, setQuery])
}

function useColumns(side: Side): readonly Column<SignActivity>[] {
  const t = useT()
  const act: Column<SignActivity> = {
    id: 'act',
    head: t('sign.list.column.act'),
    isHeadHidden: true,
    width: '88px',
    renderCell: (activity) =>
      activity.isTurn && (
        <Button size="small" onClick={() => openDetail(activity)}>
          {t('sign.list.sign')}
        </Button>
      ),
  }
  return [
    {
      id: 'file',
      head: t('sign.list.column.file'),
      text: 'clip',
      renderCell: ({ activityTitle, fileName, pages }) => (
        <span className="sg-cell-file">
          <FileIcon ext="pdf" size={22} />
          <span>
            <b title={activityTitle}>{activityTitle}</b>
            <small>{t('sign.detail.pages', { name: isolated(fileName), n: pages })}</small>
          </span>
        </span>
      ),
    },
    side === 'review'
      ? {
          id: 'who',
          head: t('sign.list.column.launcher'),
          width: '120px',
          isHiddenOnPhone: true,
          renderCell: ({ launchId, launcherName }) => (
            <span className="sg-cell-who">
              <PersonAvatar id={launchId} name={launcherName} /> <span title={launcherName}>{launcherName}</span>
            </span>
          ),
        }
      : {
          id: 'waiting',
          head: t('sign.list.column.waiting'),
          width: '112px',
          text: 'clip',
          isHiddenOnPhone: true,
          renderCell: ({ state, waiting }) =>
            state === 'running' ? waiting.map(({ accountName }) => isolated(accountName)).join(t('sign.comma')) : '—',
        },
    {
      id: 'state',
      head: t('sign.list.column.state'),
      width: '184px',
      text: 'clip',
      renderCell: (activity) => (
        <span className="sg-cell-state">
          <SignChip activity={activity} />
          {activity.rejection !== null && (
            <small title={activity.rejection.comments}>{activity.rejection.comments}</small>
          )}
        </span>
      ),
    },
    {
      id: 'due',
      head: t('sign.list.column.deadline'),
      width: '96px',
      isHiddenOnPhone: true,
      renderCell: ({ deadline }) => (deadline === null ? '—' : minuteTime(deadline).slice(5, 16)),
    },
    ...(side === 'review' ? [act] : []),
  ]
}
