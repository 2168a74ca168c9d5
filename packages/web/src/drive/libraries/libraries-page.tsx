// Libraries and their limits ([R207], decisions E3): a table of all libraries, the details of one next to it, and the
// storage use.

import { type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation } from 'react-router'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { UsageBar } from '../../admin/shared/usage-parts.tsx'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { FilterBar, SearchField } from '../../kit/filter-bar.tsx'
import {
  Add16Regular,
  Archive16Regular,
  Box16Regular,
  Building16Regular,
  People16Regular,
  Person16Regular,
} from '../../kit/icons.ts'
import { ListPage, type ListPageProps } from '../../kit/list-page.tsx'
import { CursorPager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { LibraryDrawer } from './library-drawer.tsx'
import { type LibraryInfo, refetchCompany, useLibraries } from './library-queries.ts'
import { StorageTab } from './storage-tab.tsx'
import './texts.ts'

const address = '/doc/admin/libraries'
const kinds = ['all', 'company', 'department', 'project', 'archive', 'personal'] as const
const states = ['all', 'open', 'readOnly', 'closed', 'nearly'] as const

export const kindIcons: Readonly<Record<LibraryInfo['kind'], ReactNode>> = {
  company: <Building16Regular />,
  department: <People16Regular />,
  project: <Box16Regular />,
  archive: <Archive16Regular />,
  personal: <Person16Regular />,
}

export function LibrariesPage(): ReactNode {
  const t = useT()
  const isStorage = useLocation().pathname.endsWith('/storage')
  const [openId, setOpenId] = useState<number>()
  const create = async (): Promise<void> => {
    const made = await openWindow('company-new-library', {})
    if (made === undefined) return
    void refetchCompany()
    setOpenId(made.libraryId)
  }
  const page = {
    title: t('company.libraries'),
    tabs: (
      <TabLinks
        label={t('company.libraries')}
        tabs={[
          { to: address, text: t('company.tab.libraries'), current: !isStorage },
          { to: `${address}/storage`, text: t('company.tab.storage'), current: isStorage },
        ]}
      />
    ),
  }
  if (isStorage)
    return (
      <ListPage {...page}>
        <StorageTab />
      </ListPage>
    )
  return (
    <Libraries
      page={{
        ...page,
        tools: (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
            {t('company.library.new')}
          </Button>
        ),
      }}
      openId={openId}
      onOpen={setOpenId}
    />
  )
}

interface LibrariesProps {
  readonly page: Pick<ListPageProps, 'title' | 'tabs' | 'tools'>
  readonly openId: number | undefined
  readonly onOpen: (id: number | undefined) => void
}

function Libraries({ page, openId, onOpen }: LibrariesProps): ReactNode {
  const t = useT()
  const [kind, setKind] = useState<(typeof kinds)[number]>('all')
  const [state, setState] = useState<(typeof states)[number]>('all')
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const query = useLibraries({ state, keyword, ...(kind === 'all' ? {} : { kind }) })
  const list = query.data?.pages.flatMap((page) => page.list)
  const open = list?.find(({ libraryId }) => libraryId === openId)
  const kept = (value: number | null, none: string): string =>
    value === null ? t('company.usual') : value === 0 ? none : String(value)
  const columns: readonly Column<LibraryInfo>[] = [
    {
      id: 'name',
      head: t('company.column.name'),
      renderCell: (library) => (
        <TableName icon={kindIcons[library.kind]} tags={<LibraryTags library={library} />}>
          {library.name}
        </TableName>
      ),
    },
    { id: 'kind', head: t('company.column.kind'), renderCell: (library) => t(`company.kind.${library.kind}`) },
    { id: 'owner', head: t('company.column.owner'), renderCell: ({ ownerName }) => ownerName || '—' },
    {
      id: 'space',
      head: t('company.column.space'),
      renderCell: ({ used, quota, name }) => <UsageBar used={used} total={quota} label={name} />,
    },
    {
      id: 'versions',
      head: t('company.column.versions'),
      renderCell: ({ keptVersions }) => kept(keptVersions, t('company.allVersions')),
    },
    { id: 'bin', head: t('company.column.bin'), renderCell: ({ binDays }) => kept(binDays, t('company.forever')) },
  ]
  return (
    <ListPage
      {...page}
      filters={
        <FilterBar>
          <SearchField label={t('company.library.search')} value={typed} onChange={setTyped} />
          <Select
            label={t('company.library.kind')}
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`company.kind.${value}`) }))}
            onChange={setKind}
          />
          <Select
            label={t('company.library.state')}
            value={state}
            options={states.map((value) => ({ value, label: t(`company.state.${value}`) }))}
            onChange={setState}
          />
        </FilterBar>
      }
      foot={
        query.hasNextPage && <CursorPager hasNext onNext={() => void query.fetchNextPage()} label={t('company.more')} />
      }
      side={
        open !== undefined && <LibraryDrawer key={open.libraryId} library={open} onClose={() => onOpen(undefined)} />
      }
    >
      <Table
        label={t('company.libraries')}
        columns={columns}
        rows={list}
        keyOf={({ libraryId }) => libraryId}
        nameOf={({ name }) => name}
        onOpen={({ libraryId }) => onOpen(libraryId)}
        current={openId}
        failure={query.error && <LoadFailure error={query.error} retry={query.refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('company.library.none')} text={t('company.library.noneMore')} />}
      />
    </ListPage>
  )
}

/** The states of a library other than open. */
export function LibraryTags({ library }: { readonly library: LibraryInfo }): ReactNode {
  const t = useT()
  if (library.closeTime > 0) return <StatusChip>{t('company.state.closed')}</StatusChip>
  const isFull = library.quota > 0 && library.used >= library.quota
  return (
    <>
      {library.readOnly && <StatusChip>{t('company.state.readOnly')}</StatusChip>}
      {isFull && <StatusChip tone="danger">{t('company.full')}</StatusChip>}
    </>
  )
}
