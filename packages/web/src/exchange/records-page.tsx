// The administration page of the records of exchanges, for auditors: what was sent to whom, exported as a table.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { LoadFailure } from '../admin/shared/load-failure.tsx'
import { api } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { notifyFailure } from '../items/actions/operations.ts'
import { Button } from '../kit/button.tsx'
import { StatusChip } from '../kit/chips.tsx'
import { FilterBar, SearchField } from '../kit/filter-bar.tsx'
import { ArrowDownload16Regular } from '../kit/icons.ts'
import { ListPage } from '../kit/list-page.tsx'
import { PagePager } from '../kit/pager.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { type Column, Table, TableName } from '../kit/table.tsx'
import { saveTable } from '../organisation/index.ts'
import { stateOf, titleOf } from './exchange-common.ts'
import './exchange-texts.ts'

type Row = Answer<typeof calls.getExchangeRecords>['list'][number]

const perPage = 50
const mostRows = 1000

const fields = [
  ...(['number', 'item', 'sender', 'group', 'network', 'rule', 'receivers', 'files', 'size'] as const),
  ...(['level', 'state', 'handledBy', 'answer', 'comment', 'asked', 'delivered', 'fetched'] as const),
]

export function ExchangeRecordsPage(): ReactNode {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const keyword = useDeferredValue(typed.trim())
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'exchangeRecords', keyword, page],
    queryFn: () => api.getExchangeRecords({ keyword, from: page * perPage, rows: perPage }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const timeOf = (at: number | null): string => (at === null ? '' : fullTime(at))
  const stateText = (row: Row) => stateOf({ ...row, approveId: 0 })
  const save = async (kind: 'csv' | 'xlsx'): Promise<void> => {
    const table: string[][] = []
    for (let from = 0; ; from += mostRows) {
      const { list } = await api.getExchangeRecords({ keyword, from, rows: mostRows })
      table.push(
        ...list.map((row) => [
          ...[row.number, row.itemName, row.name, row.groupName, row.networkName, row.ruleName],
          ...[row.receivers.join(', '), String(row.fileCount), String(row.fileSize), row.secretName],
          ...[stateText(row).text, row.handledBy, row.answer, row.applyComment],
          ...[timeOf(row.createTime), timeOf(row.deliveredTime), timeOf(row.fetchedTime)],
        ]),
      )
      if (list.length < mostRows) break
    }
    const heads = fields.map((field) => t(`exchangeRecords.${field}`))
    await saveTable(`${t('exchangeRecords.title')}.${kind}`, [heads, ...table], { sheet: t('exchangeRecords.title') })
    toast({ kind: 'success', text: t('exchangeRecords.exported', { n: table.length }) })
  }
  const columns: readonly Column<Row>[] = [
    {
      id: 'item',
      head: t('exchangeRecords.item'),
      renderCell: (row) => <TableName note={row.number}>{titleOf(row)}</TableName>,
    },
    {
      id: 'sender',
      head: t('exchangeRecords.sender'),
      renderCell: ({ name, groupName }) => <TableName note={groupName}>{name}</TableName>,
    },
    { id: 'network', head: t('exchangeRecords.network'), renderCell: ({ networkName }) => networkName },
    {
      id: 'receivers',
      head: t('exchangeRecords.receivers'),
      text: 'clip',
      renderCell: ({ receivers }) => receivers.join('、'),
    },
    { id: 'size', head: t('exchangeRecords.size'), renderCell: ({ fileSize }) => formatSize(fileSize, 1) },
    { id: 'level', head: t('exchangeRecords.level'), renderCell: ({ secretName }) => secretName || '—' },
    { id: 'handledBy', head: t('exchangeRecords.handledBy'), renderCell: ({ handledBy }) => handledBy || '—' },
    { id: 'asked', head: t('exchangeRecords.asked'), renderCell: ({ createTime }) => fullTime(createTime) },
    {
      id: 'state',
      head: t('exchangeRecords.state'),
      renderCell: (row) => <StatusChip tone={stateText(row).tone}>{stateText(row).text}</StatusChip>,
    },
  ]
  return (
    <ListPage
      title={t('exchangeRecords.title')}
      note={t('exchangeRecords.note')}
      tools={(['csv', 'xlsx'] as const).map((kind) => (
        <Button
          key={kind}
          icon={<ArrowDownload16Regular />}
          disabled={(data?.total ?? 0) === 0}
          onClick={() => void save(kind).catch(notifyFailure)}
        >
          {t(`exchangeRecords.export.${kind}`)}
        </Button>
      ))}
      filters={
        <FilterBar>
          <SearchField
            label={t('exchangeRecords.find')}
            value={typed}
            onChange={(text) => {
              setTyped(text)
              setPage(0)
            }}
          />
        </FilterBar>
      }
      foot={
        data !== undefined && (
          <>
            <span>{t('exchangeRecords.rows', { n: data.total })}</span>
            <PagePager
              page={page}
              pages={Math.ceil(data.total / perPage)}
              onPage={setPage}
              previousLabel={t('exchangeRecords.before')}
              nextLabel={t('exchangeRecords.after')}
            />
          </>
        )
      }
    >
      <Table
        label={t('exchangeRecords.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ applyId }) => applyId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('exchangeRecords.none')} text={t('exchangeRecords.noneMore')} />}
      />
    </ListPage>
  )
}
