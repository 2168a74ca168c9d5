// Links of all users ([R231], mock-n-admin-links): open links by risk, and the policies. Neither addresses nor
// passwords are shown.
import { fullTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { ChipButton, StatusChip } from '../../kit/chips.tsx'
import { FilterBar, SearchField } from '../../kit/filter-bar.tsx'
import { ArrowDownload16Regular, Prohibited16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
import { type Column, type RowKey, Table, TableName } from '../../kit/table.tsx'
import { saveTable } from '../../organisation/index.ts'
import { DownloadLimits } from './download-limits.tsx'
import {
  linkRightsLabel,
  type OpenLink,
  openLinks,
  perPage,
  type RiskFilter,
  riskFilters,
} from './link-admin-queries.ts'
import { LinkPolicies } from './link-policies.tsx'
import './links.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

const address = '/doc/admin/links'
/** Maximum rows in an exported file. */
const mostRows = 1000
const tabs = ['open', 'policies', 'limits'] as const

export function LinksPage(): ReactNode {
  const t = useT()
  const last = useLocation().pathname.split('/').at(-1)
  const tab = tabs.find((one) => one === last) ?? 'open'
  const mayChange = useSession().permission.powers.includes('security')
  const head = (
    <TabLinks
      label={t('company.links')}
      tabs={tabs.map((one) => ({
        to: `${address}/${one}`,
        text: t(`company.links.tab.${one}`),
        current: one === tab,
      }))}
    />
  )
  if (tab === 'limits') return <DownloadLimits head={head} mayChange={mayChange} />
  return tab === 'policies' ? (
    <LinkPolicies head={head} mayChange={mayChange} />
  ) : (
    <Open head={head} mayChange={mayChange} />
  )
}

interface PartProps {
  readonly head: ReactNode
  /** The audit power has read-only access. */
  readonly mayChange: boolean
}

function Open({ head, mayChange }: PartProps): ReactNode {
  const t = useT()
  const asked = useSearchParams()[0].get('risk')
  const [risk, setRisk] = useState<RiskFilter>(() => riskFilters.find((one) => one === asked) ?? 'any')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<ReadonlyMap<number, OpenLink>>(new Map())
  const keyword = useDeferredValue(typed.trim())
  const { data, error, refetch } = useQuery({
    ...openLinks(risk, keyword, page),
    placeholderData: keepPreviousData,
  })
  const list = data?.list ?? []
  /** Keeps chosen links of other pages. */
  const choose = (ids: ReadonlySet<RowKey>): void => {
    const known = new Map([...chosen, ...list.map((one) => [one.externalId, one] as const)])
    setChosen(new Map([...known].filter(([id]) => ids.has(id))))
  }
  const cancel = async (): Promise<void> => {
    const done = await openWindow('company-cancel-links', { links: [...chosen.values()] })
    if (done === true) setChosen(new Map())
  }
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <ListPage
      title={t('company.links')}
      note={t('company.links.note')}
      tools={
        <Button
          icon={<ArrowDownload16Regular />}
          disabled={(data?.total ?? 0) === 0}
          onClick={() =>
            void saveLinks(risk, keyword, t).catch((failure: unknown) =>
              toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') }),
            )
          }
        >
          {t('company.links.export')}
        </Button>
      }
      tabs={head}
      filters={
        <>
          <Risks
            risk={risk}
            counts={data?.counts}
            onRisk={(one) => {
              setRisk(one)
              setPage(0)
            }}
          />
          <FilterBar>
            <SearchField
              label={t('company.links.search')}
              value={typed}
              onChange={(text) => {
                setTyped(text)
                setPage(0)
              }}
            />
          </FilterBar>
        </>
      }
      foot={
        (pages > 1 || chosen.size > 0) && (
          <>
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('company.links.before')}
              nextLabel={t('company.links.after')}
            />
            {chosen.size > 0 && <Chosen links={[...chosen.values()]} onCancel={() => void cancel()} />}
          </>
        )
      }
    >
      <Table
        label={t('company.links.tab.open')}
        columns={columnsOf(t)}
        rows={data?.list}
        keyOf={({ externalId }) => externalId}
        nameOf={({ fName }) => fName}
        {...(mayChange && {
          selection: { chosen: new Set(chosen.keys()), onChange: choose, allLabel: t('company.links.all') },
        })}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={
          <StatePage
            title={t(
              keyword === ''
                ? risk === 'all'
                  ? 'company.links.none.all'
                  : 'company.links.none.risk'
                : 'company.links.none',
            )}
            text={keyword === '' ? undefined : t('company.links.none.more')}
          />
        }
      />
    </ListPage>
  )
}

/** Saves all matching links as a table. */
async function saveLinks(risk: RiskFilter, keyword: string, t: Translate): Promise<void> {
  const { list } = await api.getAllLinks({ risk, keyword, rows: mostRows })
  const heads = (['file', 'creator', 'group', 'why', 'who', 'may', 'end', 'visits', 'downloads'] as const).map((one) =>
    t(`company.links.column.${one}`),
  )
  const rows = list.map((one) => [
    one.fName,
    one.creatorName,
    one.groupName,
    one.risks.map((what) => t(`company.links.risk.${what}`)).join(' '),
    one.people === 0 ? t('company.links.anybody') : t('company.links.people', { n: one.people }),
    linkRightsLabel(t, one.rights),
    fullTime(one.endTime),
    String(one.visits),
    String(one.downloads),
  ])
  await saveTable(`${t('company.links.tab.open')}.xlsx`, [heads, ...rows], { sheet: t('company.links.tab.open') })
  toast({ kind: 'success', text: t('company.exported', { n: rows.length }) })
}

const columnsOf = (t: Translate): readonly Column<OpenLink>[] => [
  {
    id: 'file',
    head: t('company.links.column.file'),
    renderCell: (one) => (
      <TableName
        icon={one.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={one.extName} size={22} />}
        title={one.note || one.fName}
      >
        {one.fName}
      </TableName>
    ),
  },
  {
    id: 'creator',
    head: t('company.links.column.creator'),
    renderCell: (one) => (
      <>
        {one.creatorName} <small className="cl-group">{one.groupName}</small>
      </>
    ),
    title: (one) => one.groupName,
  },
  {
    id: 'why',
    head: t('company.links.column.why'),
    text: 'wrap',
    renderCell: (one) => (
      <>
        {one.reports > 0 && (
          <ChipButton tone="danger" hasDialog onClick={() => void openWindow('company-link-reports', { link: one })}>
            {t('company.links.reports', { n: one.reports })}
          </ChipButton>
        )}
        {one.risks
          .filter((what) => what !== 'reported')
          .map((what) => (
            <StatusChip key={what} tone={what === 'sensitive' ? 'danger' : 'warning'}>
              {t(`company.links.risk.${what}`)}
            </StatusChip>
          ))}
        {one.applicationId !== 0 && (
          <ChipButton
            tone="info"
            hasDialog
            onClick={() =>
              void openWindow('cloudoc-apply-link-detail', { applicationId: one.applicationId, name: one.fName })
            }
          >
            {t('company.links.approved')}
          </ChipButton>
        )}
      </>
    ),
  },
  {
    id: 'who',
    head: t('company.links.column.who'),
    renderCell: (one) => (one.people === 0 ? t('company.links.anybody') : t('company.links.people', { n: one.people })),
  },
  { id: 'may', head: t('company.links.column.may'), renderCell: (one) => linkRightsLabel(t, one.rights) },
  { id: 'end', head: t('company.links.column.end'), renderCell: (one) => fullTime(one.endTime).slice(0, 16) },
  { id: 'visits', head: t('company.links.column.visits'), align: 'number', renderCell: (one) => one.visits },
  { id: 'downloads', head: t('company.links.column.downloads'), align: 'number', renderCell: (one) => one.downloads },
]

interface RisksProps {
  readonly risk: RiskFilter
  readonly counts: Readonly<Record<RiskFilter, number>> | undefined
  readonly onRisk: (risk: RiskFilter) => void
}

/** The links by why they need a look, each with its number. */
function Risks({ risk, counts, onRisk }: RisksProps): ReactNode {
  const t = useT()
  return (
    <div className="cl-risks" role="group" aria-label={t('company.links.column.why')}>
      {riskFilters.map((one) => (
        <button key={one} type="button" aria-pressed={risk === one} onClick={() => onRisk(one)}>
          <span>{t(`company.links.risk.${one}`)}</span>
          <b>{counts?.[one] ?? '–'}</b>
          <small>{t(`company.links.risk.${one}.more`)}</small>
        </button>
      ))}
    </div>
  )
}

interface ChosenProps {
  readonly links: readonly OpenLink[]
  readonly onCancel: () => void
}

function Chosen({ links, onCancel }: ChosenProps): ReactNode {
  const t = useT()
  return (
    <div className="cl-chosen" role="status">
      <b>{t('company.links.chosen', { n: links.length })}</b>
      <span>
        {t('company.links.of', {
          names: [...new Set(links.map(({ creatorName }) => creatorName))].join(t('company.links.and')),
        })}
      </span>
      <Button kind="danger" icon={<Prohibited16Regular />} onClick={onCancel}>
        {t('company.links.cancel', { n: links.length })}
      </Button>
    </div>
  )
}
