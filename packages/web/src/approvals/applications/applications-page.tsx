// /doc/folder/security/apply-download-creation, -review, apply-link-creation and -review ([R053], [R251], [R252]): the
// user's applications, and those that they decide about, with the details of one beside the list.
import type { OperationApplication } from '@cloudoc/contract'
import { ApplyType, extNameOf, minuteTime, shortTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { onRowLetter } from '../../kit/row-letters.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, type RowKey, Table, TableName } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { refetchApplications } from './application-decision.tsx'
import {
  type ListState,
  listOf,
  type OperateType,
  perPage,
  type Side,
  stateOf,
  titleOf,
  tryChange,
  windowOf,
} from './application-queries.ts'
import { ApplicationSide } from './application-side.tsx'
import '../review/approvals.css'
import './applications.css'

const { download, external } = ApplyType

export const DownloadReview = (): ReactNode => <Applications key="dr" operateType={download} side="review" />
export const DownloadCreation = (): ReactNode => <Applications key="dc" operateType={download} side="creation" />
export const LinkReview = (): ReactNode => <Applications key="lr" operateType={external} side="review" />
export const LinkCreation = (): ReactNode => <Applications key="lc" operateType={external} side="creation" />

interface ApplicationsProps {
  readonly operateType: OperateType
  readonly side: Side
}

const tabsOf = { review: ['open', 'handled', 'others'], creation: ['all', 'open', 'handled'] } as const
const periods = [30, 7, 90, 0] as const

function Applications({ operateType, side }: ApplicationsProps): ReactNode {
  const t = useT()
  const id = useId()
  const [state, setState] = useState<ListState>(side === 'review' ? 'open' : 'all')
  const [words, setWords] = useState('')
  const [days, setDays] = useState<number>(30)
  const [page, setPage] = useState(0)
  const [currentId, setCurrentId] = useState<number>()
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const keyword = useDeferredValue(words.trim())
  const { data, error, refetch } = useQuery({
    ...listOf(operateType, side, { state, keyword, days, page }),
    placeholderData: keepPreviousData,
  })
  const open = ({
    applicationId,
    applicationTitle,
  }: Pick<OperationApplication, 'applicationId' | 'applicationTitle'>) =>
    void openWindow(windowOf(operateType, side === 'review'), { applicationId, name: applicationTitle })
  useAsked((applicationId) => open({ applicationId, applicationTitle: '' }))
  const list = data?.list ?? []
  const current = list.find(({ applicationId }) => applicationId === currentId) ?? list[0]
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const waiting = list.filter(({ applicationId, isAwaited }) => isAwaited && chosen.has(applicationId))
  const approveAll = async (): Promise<void> => {
    const approveEach = async (): Promise<void> => {
      for (const { applicationId } of waiting) await api.applyApprove({ applicationId })
    }
    await tryChange(approveEach, t('applications.batch.done', { n: waiting.length }), refetchApplications)
    setChosen(new Set())
  }
  const change =
    <V,>(set: (value: V) => void) =>
    (value: V): void => {
      set(value)
      setPage(0)
    }
  const kind = operateType === external ? 'link' : 'download'
  const isFiltered = keyword !== '' || (data?.counts.all ?? 0) > 0
  return (
    <ListPage
      title={t(`approvals.security.${kind}.${side}`)}
      tools={
        <>
          <SearchField label={t('applications.search')} value={words} onChange={change(setWords)} />
          <Select
            label={t('applications.since')}
            value={days}
            options={periods.map((value) => ({ value, label: t(`applications.since.${value}`) }))}
            onChange={change(setDays)}
          />
        </>
      }
      tabs={
        <Tabs
          id={id}
          label={t('applications.column.state')}
          tabs={tabsOf[side].map((tab) => ({ tab, text: tabText(t, side, tab), count: data?.counts[tab] }))}
          chosen={state}
          onChoose={change(setState)}
        />
      }
      foot={
        <>
          {waiting.length > 0 && (
            <Button kind="primary" size="small" onClick={() => void approveAll()}>
              {t('applications.batch.approve', { n: waiting.length })}
            </Button>
          )}
          {pages > 1 && (
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('approvals.before')}
              nextLabel={t('approvals.after')}
            />
          )}
          <span>{t('applications.total', { n: data?.total ?? 0, m: perPage })}</span>
        </>
      }
      side={
        current !== undefined && <ApplicationSide key={current.applicationId} application={current} onOpen={open} />
      }
    >
      <TabPanel id={id} chosen={state} className="al-panel">
        <ApplicationTable
          side={side}
          list={data?.list}
          current={current?.applicationId}
          onCurrent={setCurrentId}
          chosen={chosen}
          onChosen={setChosen}
          onOpen={open}
          failure={
            error && (
              <StatePage
                picture={<SheetPicture sign="warning" />}
                title={t('applications.notLoaded')}
                text={error.message}
              >
                <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
              </StatePage>
            )
          }
          empty={
            <StatePage
              picture={<SheetPicture sign="search" />}
              title={t(isFiltered && state !== 'open' ? 'applications.none.filter' : `applications.none.${side}`)}
              text={t(
                isFiltered && state !== 'open'
                  ? 'applications.none.filter.more'
                  : side === 'review'
                    ? 'applications.none.review.more'
                    : `applications.none.creation.${kind}`,
              )}
            />
          }
        />
      </TabPanel>
    </ListPage>
  )
}

const tabText = (t: ReturnType<typeof useT>, side: Side, tab: ListState): string => {
  if (side === 'review')
    return tab === 'open' || tab === 'handled' || tab === 'others' ? t(`applications.tab.review.${tab}`) : ''
  return tab === 'others' ? '' : t(`applications.tab.creation.${tab}`)
}

/** Opens the application that the address names, for example of a notice, once. */
function useAsked(open: (applicationId: number) => void): void {
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('applicationId') ?? 0)
  const show = useEffectEvent(open)
  useEffect(() => {
    if (asked <= 0) return
    setQuery({}, { replace: true })
    show(asked)
  }, [asked, setQuery])
}

interface ApplicationTableProps {
  readonly side: Side
  readonly list: readonly OperationApplication[] | undefined
  readonly current: number | undefined
  readonly onCurrent: (applicationId: number) => void
  readonly chosen: ReadonlySet<RowKey>
  readonly onChosen: (chosen: ReadonlySet<RowKey>) => void
  readonly onOpen: (application: OperationApplication) => void
  readonly failure: ReactNode
  readonly empty: ReactNode
}

function ApplicationTable(props: ApplicationTableProps): ReactNode {
  const { side, list, current, onCurrent, chosen, onChosen, onOpen, failure, empty } = props
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const columns: readonly Column<OperationApplication>[] = [
    {
      id: 'what',
      head: t('applications.column.what'),
      renderCell: (one) => (
        <TableName
          icon={
            one.applicationTitleType === 2 ? (
              <FolderIcon size={22} />
            ) : (
              <FileIcon ext={extNameOf(one.applicationTitle)} size={22} />
            )
          }
          below={one.comments}
        >
          {titleOf(one)}
        </TableName>
      ),
    },
    ...(side === 'review'
      ? [
          {
            id: 'who',
            head: t('applications.column.who'),
            width: '140px',
            renderCell: ({ userId, userName }: OperationApplication) => (
              <span className="al-person">
                <PersonAvatar id={userId} name={userName} /> {userName}
              </span>
            ),
          },
        ]
      : []),
    {
      id: 'state',
      head: t('applications.column.state'),
      width: '190px',
      renderCell: (one) => <StateCell application={one} now={now} />,
    },
    {
      id: 'time',
      head: t('applications.column.time'),
      width: '96px',
      isHiddenOnPhone: true,
      renderCell: ({ createTime }) => <time>{shortTime(createTime, now, locale)}</time>,
    },
  ]
  const isReview = side === 'review'
  return (
    <Table
      label={t('applications.column.what')}
      columns={columns}
      rows={list}
      keyOf={({ applicationId }) => applicationId}
      nameOf={titleOf}
      isTall
      {...(isReview && {
        selection: { chosen, onChange: onChosen, allLabel: t('applications.chooseAll') },
      })}
      current={current}
      onCurrent={({ applicationId }) => onCurrent(applicationId)}
      onOpen={onOpen}
      opensByDoubleClick
      onRowKey={(one, event) => rowKey(one, event, onOpen)}
      loading={<Spinner label={t('approvals.loading')} />}
      failure={failure}
      empty={empty}
    />
  )
}

/** A, R and F open the window in which the request is approved, rejected or forwarded. */
function rowKey(
  one: OperationApplication,
  event: KeyboardEvent,
  open: (application: OperationApplication) => void,
): void {
  const decide = (): void => open(one)
  onRowLetter(event, one.isAwaited ? { a: decide, r: decide, f: decide } : {})
}

function StateCell({
  application,
  now,
}: {
  readonly application: OperationApplication
  readonly now: number
}): ReactNode {
  const t = useT()
  const { text, tone } = stateOf(application)
  const { state, handleBefore, waitsFor, isAwaited, handledBy, endTime } = application
  const names = waitsFor.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  const isLate = handleBefore !== null && handleBefore <= now
  const termOf = (): string => {
    if (state === 'approved' && endTime !== null) return t('applications.ends', { time: minuteTime(endTime) })
    if (state !== 'pending') return handledBy?.accountName ?? ''
    if (handleBefore !== null)
      return t(isLate ? 'applications.late' : 'applications.before', { time: minuteTime(handleBefore) })
    return isAwaited ? '' : t('applications.waits', { names })
  }
  return (
    <span className="al-state" data-late={(state === 'pending' && isLate) || undefined}>
      <StatusChip tone={tone}>{text}</StatusChip>
      <small>{termOf()}</small>
    </span>
  )
}
