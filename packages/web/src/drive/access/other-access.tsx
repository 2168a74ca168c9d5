// The part of the access report for ways other than rights: links, conversations, mails, exchanges, processes, signing.
import type { AccessKind, Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { FilterBar } from '../../kit/filter-bar.tsx'
import { ArrowDownload16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { saveTable } from '../../organisation/index.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { ItemField, type ReportItem } from './item-field.tsx'
import './access.css'
import './texts.ts'

type Row = Answer<typeof calls.getOtherAccess>['list'][number]

const perPage = 50
const mostRows = 1000
const ways: readonly AccessKind[] = ['link', 'talk', 'mail', 'exchange', 'workflow', 'signing']
const abouts = ['item', 'person'] as const

interface OtherAccessProps {
  readonly tabs: ReactNode
  readonly item: ReportItem | undefined
  readonly onItem: (item: ReportItem | undefined) => void
  readonly person: Subject | undefined
  readonly onPerson: (person: Subject | undefined) => void
}

export function OtherAccess({ tabs, item, onItem, person, onPerson }: OtherAccessProps): ReactNode {
  const t = useT()
  const [about, setAbout] = useState<(typeof abouts)[number]>('item')
  const [way, setWay] = useState<AccessKind | 'all'>('all')
  const [current, setCurrent] = useState(true)
  const [page, setPage] = useState(0)
  const isChosen = about === 'item' ? item !== undefined : person !== undefined
  const asked = {
    ...(about === 'person'
      ? { userId: person?.id ?? 0 }
      : item?.fType === 1
        ? { fileId: item.fId }
        : { folderId: item?.fId ?? 0 }),
    ...(way !== 'all' && { way }),
    ...(current && { current }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'access', 'other', asked, page],
    queryFn: () =>
      api.of(mainServer).getOtherAccess({ ...asked, from: page * perPage, rows: perPage }, { quiet: true }),
    enabled: isChosen,
    placeholderData: (before) => before,
  })
  const whoOf = ({ way: by, who }: Row): string => who || t(by === 'link' ? 'otherWays.anybody' : 'otherWays.unknown')
  const cellsOf = (row: Row): string[] => [
    whoOf(row),
    t(`otherWays.way.${row.way}`),
    row.fName,
    row.what,
    row.givenBy,
    fullTime(row.at),
    row.endTime === 0 ? '' : fullTime(row.endTime),
    t(row.isOpen ? 'otherWays.open' : 'otherWays.over'),
  ]
  const heads = (['who', 'way', 'item', 'what', 'givenBy', 'at', 'ends', 'state'] as const).map((one) =>
    t(`otherWays.column.${one}`),
  )
  const save = async (kind: 'csv' | 'xlsx'): Promise<void> => {
    const { list } = await api.of(mainServer).getOtherAccess({ ...asked, rows: mostRows })
    const name = about === 'item' ? item?.fName : person?.name
    await saveTable(`${t('otherWays.other')} ${name ?? ''}.${kind}`, [heads, ...list.map(cellsOf)], {
      sheet: t('otherWays.other'),
    })
    toast({ kind: 'success', text: t('company.exported', { n: list.length }) })
  }
  const columns: readonly Column<Row>[] = [
    { id: 'who', head: t('otherWays.column.who'), renderCell: (row) => <TableName>{whoOf(row)}</TableName> },
    { id: 'way', head: t('otherWays.column.way'), renderCell: (row) => t(`otherWays.way.${row.way}`) },
    { id: 'item', head: t('otherWays.column.item'), text: 'clip', renderCell: ({ fName }) => fName || '—' },
    { id: 'what', head: t('otherWays.column.what'), text: 'clip', renderCell: ({ what }) => what || '—' },
    { id: 'givenBy', head: t('otherWays.column.givenBy'), renderCell: ({ givenBy }) => givenBy || '—' },
    { id: 'at', head: t('otherWays.column.at'), renderCell: ({ at }) => fullTime(at) },
    {
      id: 'state',
      head: t('otherWays.column.state'),
      renderCell: ({ isOpen, endTime }) => (
        <StatusChip tone={isOpen ? 'warning' : 'neutral'}>
          {isOpen && endTime > 0
            ? t('otherWays.until', { time: fullTime(endTime) })
            : t(isOpen ? 'otherWays.open' : 'otherWays.over')}
        </StatusChip>
      ),
    },
  ]
  const change =
    <V,>(set: (value: V) => void) =>
    (value: V): void => {
      set(value)
      setPage(0)
    }
  return (
    <ListPage
      title={t('company.access')}
      note={t('company.access.readOnly')}
      tools={(['csv', 'xlsx'] as const).map((kind) => (
        <Button
          key={kind}
          icon={<ArrowDownload16Regular />}
          disabled={!isChosen || (data?.total ?? 0) === 0}
          onClick={() => void save(kind).catch(notifyFailure)}
        >
          {t(`company.export.${kind}`)}
        </Button>
      ))}
      tabs={tabs}
      filters={
        <FilterBar>
          <Select
            label={t('otherWays.about')}
            value={about}
            options={abouts.map((value) => ({ value, label: t(`otherWays.about.${value}`) }))}
            onChange={change(setAbout)}
          />
          {about === 'item' ? (
            <ItemField item={item} onChange={change(onItem)} />
          ) : (
            <span className="co-pick">
              <SubjectField
                label={t('company.access.column.member')}
                types="user"
                chosen={person === undefined ? [] : [person]}
                onChange={(chosen) => change(onPerson)(chosen.at(-1))}
              />
            </span>
          )}
          <Select
            label={t('otherWays.column.way')}
            value={way}
            options={(['all', ...ways] as const).map((value) => ({ value, label: t(`otherWays.way.${value}`) }))}
            onChange={change(setWay)}
          />
          <span className="co-toggle">
            <Switch label={t('otherWays.current')} on={current} onChange={change(setCurrent)} />
            <span aria-hidden="true">{t('otherWays.current')}</span>
          </span>
        </FilterBar>
      }
      foot={
        data !== undefined &&
        isChosen && (
          <>
            <span>{t('company.access.rows', { n: data.total })}</span>
            <PagePager
              page={page}
              pages={Math.ceil(data.total / perPage)}
              onPage={setPage}
              previousLabel={t('company.access.before')}
              nextLabel={t('company.access.after')}
            />
            <span>{t('company.access.recorded')}</span>
          </>
        )
      }
    >
      {isChosen ? (
        <Table
          label={t('otherWays.other')}
          columns={columns}
          rows={data?.list}
          keyOf={({ way: by, userId, who, fId, what, at }) => `${by} ${userId} ${who} ${fId} ${what} ${at}`}
          failure={error && <LoadFailure error={error} retry={refetch} />}
          loading={<Spinner />}
          empty={<StatePage title={t('otherWays.other.none')} text={t('otherWays.other.noneMore')} />}
        />
      ) : (
        <StatePage title={t('otherWays.choose')} text={t('otherWays.chooseMore')} />
      )}
    </ListPage>
  )
}
