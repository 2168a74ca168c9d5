// The pages urge-review and urge-creation ([R052], [R271]): urges that the user received and sent.
import type { Urge } from '@cloudoc/contract'
import { extNameOf, minuteTime, shortTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { Alert16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { onRowLetter } from '../../kit/row-letters.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { RequestListTabs } from '../review/request-list-tabs.tsx'
import { dueText, isOpenFor, needsWords, ProgressBar, UrgeChip } from './urge-parts.tsx'
import {
  endUrge,
  listOf,
  markHandled,
  perPage,
  repeatUrge,
  type Side,
  typeKeys,
  type UrgeFilter,
} from './urge-queries.ts'
import { UrgeSide } from './urge-side.tsx'
import './urging.css'

export const UrgeReviews = (): ReactNode => <UrgeList key="review" side="review" />
export const UrgeCreations = (): ReactNode => <UrgeList key="creation" side="creation" />

const filters: Readonly<Record<Side, readonly UrgeFilter[]>> = {
  review: ['open', 'message', 'done', 'ended', 'all'],
  creation: ['open', 'message', 'done', 'ended', 'all'],
}

const openInfo = ({ notifyId, fName }: Urge): void => void openWindow('cloudoc-urge-info', { notifyId, name: fName })

function UrgeList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const id = useId()
  const navigate = useNavigate()
  const [state, setState] = useState<UrgeFilter>('open')
  const [page, setPage] = useState(0)
  const [typed, setTyped] = useState('')
  const [currentId, setCurrentId] = useState(0)
  const [now] = useState(Date.now)
  const keyword = useDeferredValue(typed.trim())
  const { data, error, refetch } = useQuery({
    ...listOf(side, state, keyword, page),
    placeholderData: keepPreviousData,
  })
  useNamedUrge()
  const columns = useColumns(side, now)
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const current = data?.list.find(({ notifyId }) => notifyId === currentId) ?? data?.list[0]
  const choose = (next: UrgeFilter): void => {
    setState(next)
    setPage(0)
  }
  return (
    <ListPage
      title={t(`urge.page.${side}`)}
      note={t(`urge.page.${side}.note`)}
      tools={
        <SearchField
          label={t('urge.search')}
          value={typed}
          onChange={(words) => {
            setTyped(words)
            setPage(0)
          }}
        />
      }
      tabs={
        <>
          <RequestListTabs />
          <Tabs
            id={id}
            label={t('approvals.state')}
            tabs={filters[side].map((one) => ({
              tab: one,
              text: t(`urge.filter.${side}.${one}`),
              count: data?.counts[one],
            }))}
            chosen={state}
            onChoose={choose}
          />
        </>
      }
      side={current !== undefined && <UrgeSide key={current.notifyId} urge={current} />}
      foot={
        data !== undefined &&
        data.total > 0 && (
          <>
            <span>{t(`urge.keys.${side}`)}</span>
            <span>
              {t('urge.total', { n: data.total, rows: perPage })}
              <PagePager
                page={page}
                pages={pages}
                onPage={setPage}
                previousLabel={t('approvals.before')}
                nextLabel={t('approvals.after')}
              />
            </span>
          </>
        )
      }
    >
      <TabPanel id={id} chosen={state} className="ur-list">
        <Table
          label={t(`urge.page.${side}`)}
          columns={columns}
          rows={error === null ? data?.list : undefined}
          keyOf={({ notifyId }) => notifyId}
          nameOf={({ fName }) => fName}
          isTall
          current={current?.notifyId}
          onCurrent={({ notifyId }) => setCurrentId(notifyId)}
          onOpen={openInfo}
          onRowKey={onRowKey}
          loading={<Spinner label={t('approvals.loading')} />}
          failure={
            error === null ? undefined : (
              <StatePage picture={<SheetPicture sign="warning" />} title={t('urge.notLoaded')} text={error.message}>
                <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
              </StatePage>
            )
          }
          empty={
            keyword !== '' ? (
              <StatePage picture={<SheetPicture sign="search" />} title={t('urge.noneFound')}>
                <Button onClick={() => setTyped('')}>{t('urge.clearSearch')}</Button>
              </StatePage>
            ) : (
              <StatePage
                picture={<SheetPicture sign="search" />}
                title={t(`urge.empty.${side}.${state === 'open' ? 'open' : 'all'}`)}
                text={t(`urge.empty.${side}.text`)}
              >
                {state !== 'all' && (data?.counts.all ?? 0) > 0 ? (
                  <Button onClick={() => choose('all')}>{t('urge.showAll')}</Button>
                ) : (
                  side === 'review' && (
                    <Button onClick={() => void navigate('/doc/folder/cooperate/urge-creation')}>
                      {t('urge.showMine')}
                    </Button>
                  )
                )}
              </StatePage>
            )
          }
        />
      </TabPanel>
    </ListPage>
  )
}

/** As in the side pane: E is done with it, M opens its messages; for its sender C urges again, Delete ends it. */
function onRowKey(urge: Urge, event: KeyboardEvent): boolean {
  const open = (): void => openInfo(urge)
  if (!isOpenFor(urge)) return onRowLetter(event, { m: open })
  if (urge.isSender)
    return onRowLetter(event, { m: open, c: () => void repeatUrge(urge), Delete: () => void endUrge(urge) })
  return onRowLetter(event, { m: open, e: () => void (needsWords(urge) ? open() : markHandled(urge)) })
}

/** Opens the window of the urge that the address names: a notice leads to it ([R104]). */
function useNamedUrge(): void {
  const [query, setQuery] = useSearchParams()
  const id = Number(query.get('notifyId') ?? 0)
  useEffect(() => {
    if (!(id > 0)) return
    setQuery({}, { replace: true })
    void openWindow('cloudoc-urge-info', { notifyId: id })
  }, [id, setQuery])
}

function useColumns(side: Side, now: number): readonly Column<Urge>[] {
  const t = useT()
  const locale = useLocale()
  return [
    {
      id: 'what',
      head: t('urge.column.what'),
      text: 'clip',
      renderCell: (urge) => (
        <span className="ur-cell-what" data-new={(urge.hasNew && isOpenFor(urge)) || undefined}>
          {urge.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={extNameOf(urge.fName)} size={22} />}
          <span>
            <b title={urge.fName}>{urge.fName}</b>
            <small>{whatText(t, urge, side)}</small>
          </span>
        </span>
      ),
    },
    side === 'review'
      ? {
          id: 'who',
          head: t('urge.column.who'),
          width: '132px',
          renderCell: ({ userId, userName }) => (
            <span className="ur-cell-who">
              <PersonAvatar id={userId} name={userName} /> <span title={userName}>{userName}</span>
            </span>
          ),
        }
      : {
          id: 'progress',
          head: t('urge.column.progress'),
          width: '132px',
          renderCell: ({ handledCount, receiverCount }) => <ProgressBar done={handledCount} all={receiverCount} />,
        },
    {
      id: 'state',
      head: t('urge.column.state'),
      width: '210px',
      text: 'clip',
      renderCell: (urge) => (
        <span className="ur-cell-state">
          <UrgeChip urge={urge} />
          <small data-late={(urge.deadline !== null && isOpenFor(urge) && !urge.hasNew) || undefined}>
            {nowText(t, urge, now, locale)}
          </small>
        </span>
      ),
    },
    {
      id: 'due',
      head: t('urge.column.due'),
      width: '96px',
      isHiddenOnPhone: true,
      title: ({ deadline }) => (deadline === null ? '' : minuteTime(deadline)),
      renderCell: ({ deadline }) => (deadline === null ? '—' : minuteTime(deadline).slice(5, 16)),
    },
    {
      id: 'act',
      head: t('urge.column.act'),
      isHeadHidden: true,
      width: '88px',
      renderCell: (urge) => <RowAct urge={urge} />,
    },
  ]
}

/** The one thing that the user can do about an urge. */
function RowAct({ urge }: { readonly urge: Urge }): ReactNode {
  const t = useT()
  if (!isOpenFor(urge)) return null
  if (urge.isSender)
    return (
      <Button size="small" icon={<Alert16Regular />} onClick={() => void repeatUrge(urge)}>
        {t('urge.remind')}
      </Button>
    )
  if (needsWords(urge) || urge.hasNew)
    return (
      <Button size="small" onClick={() => openInfo(urge)}>
        {t('urge.answer')}
      </Button>
    )
  return (
    <Button size="small" onClick={() => void markHandled(urge)}>
      {t('urge.handle')}
    </Button>
  )
}

function whatText(t: Translate, { notifyType, message, subjects }: Urge, side: Side): string {
  const names = subjects.map(({ name }) => isolated(name)).join(t('urge.comma'))
  return [t(typeKeys[notifyType]), side === 'review' ? message : names].filter(Boolean).join(t('urge.dot'))
}

/** What happens now. */
function nowText(t: Translate, urge: Urge, now: number, locale: 'zh' | 'en'): string {
  const { deadline, handleTime, hasNew, lastMessage, endTime, state } = urge
  if (hasNew && lastMessage !== null)
    return t('urge.now.message', { name: isolated(lastMessage.userName), words: lastMessage.message })
  if (handleTime !== null) return t('urge.now.handled', { time: shortTime(handleTime, now, locale) })
  if (state !== 'open' && endTime !== null) return shortTime(endTime, now, locale)
  return deadline === null ? '' : dueText(t, deadline, now)
}
