// Libraries and their limits ([R207], decisions E3): a table of all libraries, the details of one next to it, and the
// storage use.
import {
  Add16Regular,
  Archive16Regular,
  Box16Regular,
  Building16Regular,
  People16Regular,
  Person16Regular,
  Search16Regular,
} from '@fluentui/react-icons'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { UsageBar } from '../../admin/shared/usage-parts.tsx'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
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
    refetchCompany()
    setOpenId(made.libraryId)
  }
  return (
    <AdminBody
      title={t('company.libraries')}
      actions={
        !isStorage && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
            {t('company.library.new')}
          </Button>
        )
      }
    >
      <div className="co-page">
        <nav className="co-tabs" aria-label={t('company.libraries')}>
          <Link to={address} aria-current={isStorage ? undefined : 'page'}>
            {t('company.tab.libraries')}
          </Link>
          <Link to={`${address}/storage`} aria-current={isStorage ? 'page' : undefined}>
            {t('company.tab.storage')}
          </Link>
        </nav>
        {isStorage ? <StorageTab /> : <Libraries openId={openId} onOpen={setOpenId} />}
      </div>
    </AdminBody>
  )
}

function Libraries(props: {
  readonly openId: number | undefined
  onOpen: (id: number | undefined) => void
}): ReactNode {
  const { openId, onOpen } = props
  const t = useT()
  const [kind, setKind] = useState<(typeof kinds)[number]>('all')
  const [state, setState] = useState<(typeof states)[number]>('all')
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const query = useLibraries({ state, keyword, ...(kind === 'all' ? {} : { kind }) })
  const list = query.data?.pages.flatMap((page) => page.list) ?? []
  const open = list.find(({ libraryId }) => libraryId === openId)
  return (
    <div className="co-two">
      <div className="co-main">
        <div className="co-filters">
          <div className="k-input">
            <Search16Regular />
            <input
              type="search"
              aria-label={t('company.library.search')}
              placeholder={t('company.library.search')}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
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
        </div>
        {query.error !== null ? (
          <StatePage title={t('company.failed')} text={query.error.message}>
            <Button onClick={() => void query.refetch()}>{t('company.again')}</Button>
          </StatePage>
        ) : query.data === undefined ? (
          <Spinner />
        ) : list.length === 0 ? (
          <StatePage title={t('company.library.none')} text={t('company.library.noneMore')} />
        ) : (
          <Table list={list} openId={openId} onOpen={onOpen} />
        )}
        {query.hasNextPage && (
          <div className="co-more">
            <Button onClick={() => void query.fetchNextPage()}>{t('company.more')}</Button>
          </div>
        )}
      </div>
      {open !== undefined && <LibraryDrawer key={open.libraryId} library={open} onClose={() => onOpen(undefined)} />}
    </div>
  )
}

function Table(props: {
  readonly list: readonly LibraryInfo[]
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
}): ReactNode {
  const t = useT()
  const kept = (value: number | null, none: string): string =>
    value === null ? t('company.usual') : value === 0 ? none : String(value)
  return (
    <table className="co-table" aria-label={t('company.libraries')}>
      <thead>
        <tr>
          {(['name', 'kind', 'owner', 'space', 'versions', 'bin'] as const).map((column) => (
            <th key={column} scope="col">
              {t(`company.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.list.map((library) => (
          <tr key={library.libraryId} className={library.libraryId === props.openId ? 'is-open' : ''}>
            <td>
              <button type="button" className="co-name" onClick={() => props.onOpen(library.libraryId)}>
                {kindIcons[library.kind]}
                <span title={library.name}>{library.name}</span>
                <LibraryTags library={library} />
              </button>
            </td>
            <td>{t(`company.kind.${library.kind}`)}</td>
            <td>{library.ownerName === '' ? '—' : library.ownerName}</td>
            <td>
              <UsageBar used={library.used} total={library.quota} label={library.name} />
            </td>
            <td>{kept(library.keptVersions, t('company.allVersions'))}</td>
            <td>{kept(library.binDays, t('company.forever'))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The states of a library other than open. */
export function LibraryTags({ library }: { readonly library: LibraryInfo }): ReactNode {
  const t = useT()
  if (library.closeTime > 0) return <span className="or-tag is-muted">{t('company.state.closed')}</span>
  const isFull = library.quota > 0 && library.used >= library.quota
  return (
    <>
      {library.readOnly && <span className="or-tag is-muted">{t('company.state.readOnly')}</span>}
      {isFull && <span className="or-tag is-danger">{t('company.full')}</span>}
    </>
  )
}
