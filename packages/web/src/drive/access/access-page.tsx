// The access report: who can see an item, or what a user can see, now or on a past day, each row with its reason. It
// also simulates changes. For the auditor, who sees no file content (decisions E4).
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation } from 'react-router'
import { api, mainServer } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { FilterChips } from '../../kit/chips.tsx'
import { FilterBar, SearchField } from '../../kit/filter-bar.tsx'
import { ArrowDownload16Regular, Beaker16Regular, History16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { saveTable } from '../../organisation/index.ts'
import { InitialsAvatar, type Subject, SubjectField } from '../../people/index.ts'
import { rightsLabel as rightsText } from '../rights/rights-labels.ts'
import { type ReportStep, reasonLabel, stepLabel } from './access-reasons.ts'
import { ItemField, type ReportItem } from './item-field.tsx'
import { OtherAccess } from './other-access.tsx'
import './access.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

const address = '/doc/admin/access'
const kinds = ['folder', 'person', 'other'] as const
const groups = ['all', 'full', 'edit', 'download', 'preview', 'custom'] as const
/** Rows on a page, and maximum rows in an exported file. */
const perPage = 50
const mostRows = 1000

type FolderRow = Answer<typeof calls.getAccessReport>['list'][number]
type PersonRow = Answer<typeof calls.getPersonReport>['list'][number]

export function AccessPage(): ReactNode {
  const t = useT()
  const last = useLocation().pathname.split('/').at(-1)
  const kind = kinds.find((one) => one === last) ?? 'folder'
  const [item, setItem] = useState<ReportItem>()
  const [person, setPerson] = useState<Subject>()
  const [at, setAt] = useState<number>()
  const tabs = (
    <TabLinks
      label={t('company.access')}
      tabs={kinds.map((one) => ({
        to: `${address}/${one}`,
        text: t(one === 'other' ? 'otherWays.other' : `company.access.${one}`),
        current: one === kind,
      }))}
    />
  )
  if (kind === 'other')
    return <OtherAccess tabs={tabs} item={item} onItem={setItem} person={person} onPerson={setPerson} />
  const when = <When at={at} onChange={setAt} />
  return kind === 'folder' ? (
    <FolderReport key={`${item?.fId} ${at}`} tabs={tabs} when={when} item={item} onItem={setItem} at={at} />
  ) : (
    <PersonReport key={`${person?.id} ${at}`} tabs={tabs} when={when} person={person} onPerson={setPerson} at={at} />
  )
}

const spans = ['week', 'month'] as const

/** 18:00 on the last day of the last month, or on the last Sunday. */
function endOf(span: (typeof spans)[number]): number {
  const day = new Date()
  if (span === 'month') day.setDate(0)
  else day.setDate(day.getDate() - (day.getDay() || 7))
  return day.setHours(18, 0, 0, 0)
}

interface WhenProps {
  readonly at: number | undefined
  readonly onChange: (at: number | undefined) => void
}

function When({ at, onChange }: WhenProps): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  return (
    <>
      <span className="co-label">{t('company.access.when')}</span>
      <MomentField className="co-when" label={t('company.access.when')} max={now} value={at} onChange={onChange} />
      <FilterChips
        label={t('company.access.when')}
        value={at === undefined ? 'now' : spans.find((span) => endOf(span) === at)}
        options={(['now', ...spans] as const).map((value) => ({ value, label: t(`company.access.${value}`) }))}
        onChange={(span) => onChange(span === 'now' ? undefined : endOf(span))}
      />
    </>
  )
}

interface PartProps {
  readonly tabs: ReactNode
  readonly when: ReactNode
  readonly at: number | undefined
}

/** The past time of a report, and what has changed since. */
function Past({ at, children }: { readonly at: number; readonly children?: ReactNode }): ReactNode {
  const t = useT()
  return (
    <p className="co-past" role="status">
      <History16Regular />
      <span>
        <b>{t('company.access.past', { time: fullTime(at) })}</b>
        {t('company.access.pastMore')}
        {children}
      </span>
    </p>
  )
}

interface FolderProps extends PartProps {
  readonly item: ReportItem | undefined
  readonly onItem: (item: ReportItem | undefined) => void
}

function FolderReport({ tabs, when, item, onItem, at }: FolderProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const [group, setGroup] = useState<(typeof groups)[number]>('all')
  const [typed, setTyped] = useState('')
  const [differs, setDiffers] = useState(false)
  const [page, setPage] = useState(0)
  const [open, setOpen] = useState<number>()
  const keyword = useDeferredValue(typed.trim())
  const asked = {
    ...(item?.fType === 1 ? { fileId: item.fId } : { folderId: item?.fId ?? 0 }),
    ...(at !== undefined && { at }),
    ...(group !== 'all' && { group }),
    ...(differs && { differs }),
    ...(keyword !== '' && { keyword }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'access', asked, page],
    queryFn: () =>
      api.of(mainServer).getAccessReport({ ...asked, from: page * perPage, rows: perPage }, { quiet: true }),
    enabled: item !== undefined,
    placeholderData: (before) => before,
  })
  const words = (mask: number): string => rightsText(mask, printRights, t)
  const since = (rights: number, now: number): string =>
    rights === now ? t('company.access.same') : t('company.access.isNow', { rights: words(now) })
  const save = async (kind: 'csv' | 'xlsx'): Promise<void> => {
    const { list } = await api.of(mainServer).getAccessReport({ ...asked, rows: mostRows })
    const heads = (['member', 'group', 'rights', 'because', 'limit', 'today'] as const).map((one) =>
      t(`company.access.column.${one}`),
    )
    const rows = list.map((one) => [
      one.accountName,
      one.groupName,
      words(one.rights),
      reasonLabel(t, one.steps, item?.fId),
      limitLabel(t, one.steps, one.belowLevel),
      since(one.rights, one.now),
    ])
    await saveTable(`${t('company.access')} ${item?.fName ?? ''}.${kind}`, [heads, ...rows], {
      sheet: t('company.access'),
    })
    toast({ kind: 'success', text: t('company.exported', { n: rows.length }) })
  }
  const toFirst = (): void => setPage(0)
  return (
    <ListPage
      title={t('company.access')}
      note={t('company.access.readOnly')}
      tools={
        <>
          {item !== undefined && (
            <Button icon={<Beaker16Regular />} onClick={() => void openWindow('company-what-if', { item })}>
              {t('company.whatIf')}…
            </Button>
          )}
          <Exports disabled={(data?.total ?? 0) === 0} onSave={save} />
        </>
      }
      tabs={tabs}
      filters={
        <>
          <FilterBar>
            <span className="co-label">{t('company.access.item')}</span>
            <ItemField item={item} onChange={onItem} />
            {when}
          </FilterBar>
          {at !== undefined && data !== undefined && (
            <Past at={data.at}>{t('company.access.since', { lost: data.since.lost, n: data.since.changed })}</Past>
          )}
          {data !== undefined && error === null && (
            <FilterBar
              end={
                <>
                  {at !== undefined && (
                    <span className="co-toggle">
                      <Switch
                        label={t('company.access.differs')}
                        on={differs}
                        onChange={(on) => {
                          setDiffers(on)
                          toFirst()
                        }}
                      />
                      <span aria-hidden="true">{t('company.access.differs')}</span>
                    </span>
                  )}
                  <SearchField
                    label={t('company.access.find')}
                    value={typed}
                    onChange={(text) => {
                      setTyped(text)
                      toFirst()
                    }}
                  />
                  <Select
                    label={t('company.access.column.rights')}
                    value={group}
                    options={groups.map((value) => ({ value, label: t(`company.access.only.${value}`) }))}
                    onChange={(one) => {
                      setGroup(one)
                      toFirst()
                    }}
                  />
                </>
              }
            >
              <Counts counts={data.counts} />
            </FilterBar>
          )}
        </>
      }
      foot={data !== undefined && error === null && <Foot page={page} total={data.total} onPage={setPage} />}
    >
      {item === undefined ? (
        <StatePage title={t('company.access.chooseItem')} text={t('company.access.chooseItemMore')} />
      ) : (
        <Table
          label={t('company.access.folder')}
          columns={folderColumns({ t, words, since, item, at })}
          rows={data?.list}
          keyOf={({ userId }) => userId}
          nameOf={({ accountName }) => accountName}
          onOpen={({ userId }) => setOpen(open === userId ? undefined : userId)}
          renderDetail={(one) =>
            open === one.userId && <Steps steps={one.steps} sum={words(one.rights)} words={words} />
          }
          failure={error && <LoadFailure error={error} retry={refetch} />}
          loading={<Spinner />}
          empty={<StatePage title={t('company.access.nobody')} />}
        />
      )}
    </ListPage>
  )
}

interface FolderColumns {
  readonly t: Translate
  readonly words: (mask: number) => string
  readonly since: (rights: number, now: number) => string
  readonly item: ReportItem | undefined
  readonly at: number | undefined
}

function folderColumns({ t, words, since, item, at }: FolderColumns): readonly Column<FolderRow>[] {
  return [
    {
      id: 'member',
      head: t('company.access.column.member'),
      renderCell: (one) => (
        <TableName icon={<InitialsAvatar id={one.userId} name={one.accountName} />} note={one.groupName}>
          {one.accountName}
        </TableName>
      ),
    },
    { id: 'rights', head: t('company.access.column.rights'), renderCell: (one) => words(one.rights) },
    {
      id: 'because',
      head: t('company.access.column.because'),
      text: 'clip',
      width: '40%',
      renderCell: (one) => reasonLabel(t, one.steps, item?.fId),
    },
    {
      id: 'limit',
      head: t('company.access.column.limit'),
      renderCell: (one) => limitLabel(t, one.steps, one.belowLevel) || '—',
    },
    ...(at === undefined ? [] : [todayColumn<FolderRow>(t, since)]),
  ]
}

/** What limits the access: the level, and when it ends. */
function limitLabel(t: Translate, steps: readonly ReportStep[], below: boolean): string {
  const ends = steps.flatMap(({ step, expireTime }) => (step === 'entry' && expireTime ? [expireTime] : []))
  return [
    below && t('company.access.belowLevel'),
    ends.length > 0 && t('company.access.ends', { time: fullTime(Math.min(...ends)) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** How many people have which rights. */
function Counts({ counts }: { readonly counts: Readonly<Record<(typeof groups)[number], number>> }): ReactNode {
  const t = useT()
  return (
    <dl className="co-counts">
      {groups.map((one) => (
        <div key={one}>
          <dd>{counts[one]}</dd>
          <dt>{t(`company.access.group.${one}`)}</dt>
        </div>
      ))}
    </dl>
  )
}

/** Returns the column that compares a past day with today. */
function todayColumn<Row extends { readonly rights: number; readonly now: number }>(
  t: Translate,
  since: (rights: number, now: number) => string,
): Column<Row> {
  return {
    id: 'today',
    head: t('company.access.column.today'),
    className: ({ rights, now }) => (rights === now ? 'co-same' : 'co-differs'),
    renderCell: ({ rights, now }) => since(rights, now),
  }
}

interface StepsProps {
  readonly steps: readonly ReportStep[]
  readonly sum: string
  readonly words: (mask: number) => string
}

/** The full derivation of one row. */
function Steps({ steps, sum, words }: StepsProps): ReactNode {
  const t = useT()
  return (
    <ul className="co-steps">
      {steps.map((step, n) => (
        // Steps have no key except their index.
        <li key={`${n} ${step.step}`} data-lost={['expired', 'replaced', 'closed'].includes(step.step) || undefined}>
          <span>{stepLabel(t, step)}</span>
          <span>{step.rights === undefined ? '' : words(step.rights)}</span>
        </li>
      ))}
      <li>
        <b>{t('company.access.together')}</b>
        <b>{sum}</b>
      </li>
    </ul>
  )
}

interface PersonProps extends PartProps {
  readonly person: Subject | undefined
  readonly onPerson: (person: Subject | undefined) => void
}

function PersonReport({ tabs, when, person, onPerson, at }: PersonProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [open, setOpen] = useState<number>()
  const keyword = useDeferredValue(typed.trim())
  const asked = {
    userId: person?.id ?? 0,
    ...(at !== undefined && { at }),
    ...(keyword !== '' && { keyword }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'access', 'person', asked, page],
    queryFn: () => api.getPersonReport({ ...asked, from: page * perPage, rows: perPage }, { quiet: true }),
    enabled: person !== undefined,
    placeholderData: (before) => before,
  })
  const words = (mask: number): string => rightsText(mask, printRights, t)
  const since = (rights: number, now: number): string =>
    rights === now ? t('company.access.same') : t('company.access.isNow', { rights: words(now) })
  const save = async (kind: 'csv' | 'xlsx'): Promise<void> => {
    const { list } = await api.getPersonReport({ ...asked, rows: mostRows })
    const heads = (['item', 'place', 'rights', 'because', 'today'] as const).map((one) =>
      t(`company.access.column.${one}`),
    )
    const rows = list.map(({ item, rights, now, steps }) => [
      item.fName,
      item.pathString,
      words(rights),
      reasonLabel(t, steps, item.fId),
      since(rights, now),
    ])
    await saveTable(`${t('company.access')} ${person?.name ?? ''}.${kind}`, [heads, ...rows], {
      sheet: t('company.access'),
    })
    toast({ kind: 'success', text: t('company.exported', { n: rows.length }) })
  }
  const columns: readonly Column<PersonRow>[] = [
    {
      id: 'item',
      head: t('company.access.column.item'),
      renderCell: ({ item }) => (
        <TableName
          icon={
            item.fType === 2 ? (
              <FolderIcon size={16} />
            ) : (
              <FileIcon ext={item.fName.split('.').at(-1) ?? ''} size={16} />
            )
          }
          title={`${item.pathString}/${item.fName}`}
          note={item.pathString.replaceAll('/', ' › ')}
        >
          {item.fName}
        </TableName>
      ),
    },
    { id: 'rights', head: t('company.access.column.rights'), renderCell: ({ rights }) => words(rights) },
    {
      id: 'because',
      head: t('company.access.column.because'),
      text: 'clip',
      width: '40%',
      renderCell: ({ steps, item }) => reasonLabel(t, steps, item.fId),
    },
    {
      id: 'limit',
      head: t('company.access.column.limit'),
      renderCell: ({ belowLevel }) => (belowLevel ? t('company.access.belowLevel') : '—'),
    },
    ...(at === undefined ? [] : [todayColumn<PersonRow>(t, since)]),
  ]
  return (
    <ListPage
      title={t('company.access')}
      note={t('company.access.readOnly')}
      tools={<Exports disabled={(data?.total ?? 0) === 0} onSave={save} />}
      tabs={tabs}
      filters={
        <>
          <FilterBar>
            <span className="co-label">{t('company.access.column.member')}</span>
            <span className="co-pick">
              <SubjectField
                label={t('company.access.column.member')}
                types="user"
                chosen={person === undefined ? [] : [person]}
                onChange={(chosen) => onPerson(chosen.at(-1))}
              />
            </span>
            {when}
          </FilterBar>
          {at !== undefined && data !== undefined && <Past at={data.at} />}
          {data !== undefined && error === null && (
            <FilterBar
              end={
                <SearchField
                  label={t('company.access.findItem')}
                  value={typed}
                  onChange={(text) => {
                    setTyped(text)
                    setPage(0)
                  }}
                />
              }
            >
              <span className="co-label">{t('company.access.starts', { n: data.total })}</span>
            </FilterBar>
          )}
        </>
      }
      foot={
        data !== undefined &&
        error === null && <Foot page={page} total={data.total} onPage={setPage} note={t('company.access.startsMore')} />
      }
    >
      {person === undefined ? (
        <StatePage title={t('company.access.choosePerson')} text={t('company.access.choosePersonMore')} />
      ) : (
        <Table
          label={t('company.access.person')}
          columns={columns}
          rows={data?.list}
          keyOf={({ item }) => item.fId}
          nameOf={({ item }) => item.fName}
          onOpen={({ item }) => setOpen(open === item.fId ? undefined : item.fId)}
          renderDetail={({ item, steps, rights }) =>
            open === item.fId && <Steps steps={steps} sum={words(rights)} words={words} />
          }
          failure={error && <LoadFailure error={error} retry={refetch} />}
          loading={<Spinner />}
          empty={<StatePage title={t('company.access.nothing')} />}
        />
      )}
    </ListPage>
  )
}

interface ExportsProps {
  readonly disabled: boolean
  readonly onSave: (kind: 'csv' | 'xlsx') => Promise<void>
}

function Exports({ disabled, onSave }: ExportsProps): ReactNode {
  const t = useT()
  return (['csv', 'xlsx'] as const).map((kind) => (
    <Button key={kind} icon={<ArrowDownload16Regular />} disabled={disabled} onClick={() => void onSave(kind)}>
      {t(`company.export.${kind}`)}
    </Button>
  ))
}

interface FootProps {
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
  readonly note?: string
}

function Foot({ page, total, onPage, note }: FootProps): ReactNode {
  const t = useT()
  return (
    <>
      <span>
        {t('company.access.rows', { n: total })}
        {note !== undefined && ` · ${note}`}
      </span>
      <PagePager
        page={page}
        pages={Math.ceil(total / perPage)}
        onPage={onPage}
        previousLabel={t('company.access.before')}
        nextLabel={t('company.access.after')}
      />
      <span>{t('company.access.recorded')}</span>
    </>
  )
}
