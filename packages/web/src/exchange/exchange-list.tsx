// /doc/folder/security/file-exchange-sent, -receive and -review ([R053], [R259]): what the user has sent, has received,
// and decides about.
import type { FileExchange } from '@cloudoc/contract'
import { extNameOf, formatSize, minuteTime, shortTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../core/call/api.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { isolated } from '../core/i18n/isolate.ts'
import { openWindow } from '../core/windows/index.ts'
import { FileIcon } from '../items/item/file-icon.tsx'
import { SheetPicture } from '../items/lists/list-states.tsx'
import { Button } from '../kit/button.tsx'
import { StatusChip } from '../kit/chips.tsx'
import { SearchField } from '../kit/filter-bar.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { PagePager } from '../kit/pager.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { TabPanel } from '../kit/tab-panel.tsx'
import { type Column, Table, TableName } from '../kit/table.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { pickUp, stateOf, titleOf, tryChange } from './exchange-common.ts'
import { type ListState, listQuery, perPage, type Side } from './exchange-queries.ts'
import { ExchangeSide } from './exchange-side.tsx'
import './exchange.css'

export const SentExchanges = (): ReactNode => <Exchanges key="sent" side="sent" />
export const ReceivedExchanges = (): ReactNode => <Exchanges key="receive" side="receive" />
export const ReviewedExchanges = (): ReactNode => <Exchanges key="review" side="review" />

const tabs = ['all', 'open', 'handled'] as const
const idOf = ({ applyId, approveId }: Pick<FileExchange, 'applyId' | 'approveId'>): number => applyId || approveId

function Exchanges({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const id = useId()
  const [state, setState] = useState<ListState>(side === 'review' ? 'open' : 'all')
  const [words, setWords] = useState('')
  const [page, setPage] = useState(0)
  const [currentId, setCurrentId] = useState<number>()
  const keyword = useDeferredValue(words.trim())
  const { data, error, refetch } = useQuery({
    ...listQuery(side, state, keyword, page),
    placeholderData: keepPreviousData,
  })
  const open = (one: FileExchange): void =>
    void openWindow('file-exchange-detail', {
      ...{ applyId: one.applyId, approveId: one.approveId, name: titleOf(one) },
    })
  useAsked()
  const list = data?.list
  const current = list?.find((one) => idOf(one) === currentId) ?? list?.[0]
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <ListPage
      title={t(`exchange.${side}`)}
      note={t(`exchange.note.${side}`)}
      tools={
        <SearchField
          label={t('exchange.search')}
          value={words}
          onChange={(value) => {
            setWords(value)
            setPage(0)
          }}
        />
      }
      tabs={
        <Tabs
          id={id}
          label={t('exchange.column.state')}
          tabs={tabs.map((tab) => ({ tab, text: t(`exchange.tab.${side}.${tab}`), count: data?.counts[tab] }))}
          chosen={state}
          onChoose={(tab) => {
            setState(tab)
            setPage(0)
          }}
        />
      }
      foot={
        <>
          {pages > 1 && (
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('exchange.before')}
              nextLabel={t('exchange.after')}
            />
          )}
          <span>{t('exchange.total', { n: data?.total ?? 0, m: perPage })}</span>
        </>
      }
      side={current !== undefined && <ExchangeSide key={idOf(current)} exchange={current} onOpen={open} />}
    >
      <TabPanel id={id} chosen={state} className="ex-panel">
        <ExchangeTable
          side={side}
          list={list}
          current={current && idOf(current)}
          onCurrent={setCurrentId}
          onOpen={open}
          failure={
            error && (
              <StatePage picture={<SheetPicture sign="warning" />} title={t('exchange.notLoaded')} text={error.message}>
                <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
              </StatePage>
            )
          }
          empty={
            <StatePage
              picture={<SheetPicture sign="search" />}
              title={t(keyword === '' ? `exchange.none.${side}` : 'exchange.none.filter')}
              text={t(keyword === '' ? `exchange.none.${side}.more` : 'exchange.none.filter.more')}
            />
          }
        />
      </TabPanel>
    </ListPage>
  )
}

/** Opens the exchange that the address names, for example of a notice, once: what was received is picked up ([R106]). */
function useAsked(): void {
  const [query, setQuery] = useSearchParams()
  const applyId = Number(query.get('applyId') ?? 0)
  const approveId = Number(query.get('approveId') ?? 0)
  const show = useEffectEvent(async () => {
    const isDone = approveId > 0 && (await pickUp(approveId, '').catch(() => false))
    if (!isDone) await openWindow('file-exchange-detail', { applyId, approveId })
  })
  useEffect(() => {
    if (applyId <= 0 && approveId <= 0) return
    setQuery({}, { replace: true })
    void show()
  }, [applyId, approveId, setQuery])
}

interface TableProps {
  readonly side: Side
  readonly list: readonly FileExchange[] | undefined
  readonly current: number | undefined
  readonly onCurrent: (id: number) => void
  readonly onOpen: (one: FileExchange) => void
  readonly failure: ReactNode
  readonly empty: ReactNode
}

function ExchangeTable({ side, list, current, onCurrent, onOpen, failure, empty }: TableProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const columns: readonly Column<FileExchange>[] = [
    {
      id: 'what',
      head: t('exchange.column.what'),
      renderCell: (one) => (
        <TableName
          icon={<FileIcon ext={extNameOf(one.itemName)} size={22} />}
          below={t(side === 'receive' ? 'exchange.road.from' : 'exchange.road.to', {
            network: one.networkName,
            number: one.number,
            size: formatSize(one.fileSize),
          })}
        >
          {titleOf(one)}
        </TableName>
      ),
    },
    {
      id: 'who',
      head: t(side === 'sent' ? 'exchange.column.receivers' : 'exchange.column.sender'),
      width: '120px',
      renderCell: ({ name, receivers }) => (side === 'sent' ? receivers.join(t('exchange.comma')) : name),
    },
    {
      id: 'state',
      head: t('exchange.column.state'),
      width: '184px',
      renderCell: (one) => <StateCell one={one} />,
    },
    {
      id: 'time',
      head: t('exchange.column.time'),
      width: '80px',
      isHiddenOnPhone: true,
      renderCell: ({ createTime }) => <time>{shortTime(createTime, now, locale)}</time>,
    },
    {
      id: 'act',
      head: t('exchange.column.act'),
      isHeadHidden: true,
      width: '88px',
      align: 'end',
      isHiddenOnPhone: true,
      renderCell: (one) => <RowButton one={one} />,
    },
  ]
  return (
    <Table
      label={t('exchange.column.what')}
      columns={columns}
      rows={list}
      keyOf={idOf}
      nameOf={titleOf}
      isTall
      current={current}
      onCurrent={(one) => onCurrent(idOf(one))}
      onOpen={onOpen}
      opensByDoubleClick
      loading={<Spinner label={t('exchange.loading')} />}
      failure={failure}
      empty={empty}
    />
  )
}

function StateCell({ one }: { readonly one: FileExchange }): ReactNode {
  const t = useT()
  const { text, tone } = stateOf(one)
  return (
    <span className="ex-state">
      <StatusChip tone={tone}>{text}</StatusChip>
      <small>{belowState(t, one)}</small>
    </span>
  )
}

/** What happens now: whom it waits for, until when, or what somebody wrote. */
function belowState(t: ReturnType<typeof useT>, one: FileExchange): string {
  const { waitsFor, isAwaited, handleBefore, expireTime, delivery, answer, fileId, folderId, approveId } = one
  if (handleBefore !== null && isAwaited && approveId === 0)
    return t('exchange.until', { time: minuteTime(handleBefore) })
  if (waitsFor.length > 0 && !isAwaited)
    return t('exchange.waits', {
      names: waitsFor.map(({ accountName }) => isolated(accountName)).join(t('exchange.comma')),
    })
  if (delivery === 'delivered' && expireTime !== null) return t('exchange.kept', { time: minuteTime(expireTime) })
  if (delivery === 'failed') return t('exchange.tryAgain')
  if (approveId > 0 && delivery === 'fetched') return fileId + folderId > 0 ? '' : t('exchange.gone.there')
  return answer
}

/** The usual next step of a row. */
function RowButton({ one }: { readonly one: FileExchange }): ReactNode {
  const t = useT()
  const { applyId, approveId, delivery, isAwaited, name, fileId, folderId } = one
  if (approveId > 0) {
    const isThere = fileId + folderId > 0
    if (!isThere && delivery !== 'delivered') return null
    return (
      <Button size="small" onClick={() => void tryChange(() => pickUp(approveId, name), '')}>
        {t(isThere ? 'exchange.openPlace' : 'exchange.pickUp')}
      </Button>
    )
  }
  if (isAwaited)
    return (
      <Button
        size="small"
        onClick={() =>
          void tryChange(
            () => api.setExchangeNodeStatus({ applyId, status: 'approved' }),
            t('exchange.done.approved', { name: isolated(name) }),
          )
        }
      >
        {t('exchange.approve')}
      </Button>
    )
  if (delivery === 'failed')
    return (
      <Button
        size="small"
        onClick={() => void tryChange(() => api.resendExchange({ applyId }), t('exchange.done.resent'))}
      >
        {t('exchange.resend')}
      </Button>
    )
  return null
}
