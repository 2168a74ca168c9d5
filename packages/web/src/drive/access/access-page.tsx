// The access report: who can see an item, or what a user can see, now or on a past day, each row with its reason. It
// also simulates changes. For the auditor, who sees no file content (decisions E4).
import { fullTime } from '@cloudoc/domain'
import { ArrowDownload16Regular, Beaker16Regular, History16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useDeferredValue, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { saveTable } from '../../organisation/index.ts'
import { InitialsAvatar, type Subject, SubjectField } from '../../people/index.ts'
import { rightsLabel as rightsText } from '../rights/rights-labels.ts'
import { type ReportStep, reasonLabel, stepLabel } from './access-reasons.ts'
import { ItemField, type ReportItem } from './item-field.tsx'
import '../../admin/shared/company.css'
import './access.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

const address = '/doc/admin/access'
const kinds = ['folder', 'person'] as const
const groups = ['all', 'full', 'edit', 'download', 'preview', 'custom'] as const
/** Rows on a page, and maximum rows in an exported file. */
const perPage = 50
const mostRows = 1000

export function AccessPage(): ReactNode {
  const t = useT()
  const last = useLocation().pathname.split('/').at(-1)
  const kind = kinds.find((one) => one === last) ?? 'folder'
  const [item, setItem] = useState<ReportItem>()
  const [person, setPerson] = useState<Subject>()
  const [at, setAt] = useState<number>()
  const tabs = (
    <nav className="co-tabs" aria-label={t('company.access')}>
      {kinds.map((one) => (
        <Link key={one} to={`${address}/${one}`} aria-current={one === kind ? 'page' : undefined}>
          {t(`company.access.${one}`)}
        </Link>
      ))}
    </nav>
  )
  const when = <When at={at} onChange={setAt} />
  return kind === 'folder' ? (
    <FolderReport key={`${item?.fId} ${at}`} tabs={tabs} when={when} item={item} onItem={setItem} at={at} />
  ) : (
    <PersonReport key={`${person?.id} ${at}`} tabs={tabs} when={when} person={person} onPerson={setPerson} at={at} />
  )
}

/** 18:00 on the last day of the last month, or on the last Sunday. */
function endOf(span: 'week' | 'month'): number {
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
      <span className="co-chips" role="group" aria-label={t('company.access.when')}>
        <button type="button" aria-pressed={at === undefined} onClick={() => onChange(undefined)}>
          {t('company.access.now')}
        </button>
        {(['week', 'month'] as const).map((span) => (
          <button key={span} type="button" aria-pressed={at === endOf(span)} onClick={() => onChange(endOf(span))}>
            {t(`company.access.${span}`)}
          </button>
        ))}
      </span>
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
      limitWords(one.steps, one.belowLevel),
      since(one.rights, one.now),
    ])
    await saveTable(`${t('company.access')} ${item?.fName ?? ''}.${kind}`, [heads, ...rows], {
      sheet: t('company.access'),
    })
    toast({ kind: 'success', text: t('company.exported', { n: rows.length }) })
  }
  const limitWords = (steps: readonly ReportStep[], below: boolean): string => {
    const ends = steps.flatMap(({ step, expireTime }) => (step === 'entry' && expireTime ? [expireTime] : []))
    return [
      below && t('company.access.belowLevel'),
      ends.length > 0 && t('company.access.ends', { time: fullTime(Math.min(...ends)) }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <AdminBody
      title={t('company.access')}
      note={t('company.access.readOnly')}
      actions={
        <>
          {item !== undefined && (
            <Button icon={<Beaker16Regular />} onClick={() => void openWindow('company-what-if', { item })}>
              {t('company.whatIf')}…
            </Button>
          )}
          <Exports disabled={(data?.total ?? 0) === 0} onSave={save} />
        </>
      }
    >
      <div className="co-page">
        {tabs}
        <div className="co-main co-access">
          <div className="co-filters">
            <span className="co-label">{t('company.access.item')}</span>
            <ItemField item={item} onChange={onItem} />
            {when}
          </div>
          {item === undefined ? (
            <StatePage title={t('company.access.chooseItem')} text={t('company.access.chooseItemMore')} />
          ) : error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : (
            <>
              {at !== undefined && (
                <Past at={data.at}>{t('company.access.since', { lost: data.since.lost, n: data.since.changed })}</Past>
              )}
              <div className="co-filters">
                <dl className="co-counts">
                  {groups.map((one) => (
                    <div key={one}>
                      <dd>{data.counts[one]}</dd>
                      <dt>{t(`company.access.group.${one}`)}</dt>
                    </div>
                  ))}
                </dl>
                <span className="co-right">
                  {at !== undefined && (
                    <span className="co-toggle">
                      <Switch
                        label={t('company.access.differs')}
                        on={differs}
                        onChange={(on) => {
                          setDiffers(on)
                          setPage(0)
                        }}
                      />
                      <span aria-hidden="true">{t('company.access.differs')}</span>
                    </span>
                  )}
                  <span className="k-input">
                    <input
                      type="search"
                      aria-label={t('company.access.find')}
                      placeholder={t('company.access.find')}
                      value={typed}
                      onChange={({ target }) => {
                        setTyped(target.value)
                        setPage(0)
                      }}
                    />
                  </span>
                  <Select
                    label={t('company.access.column.rights')}
                    value={group}
                    options={groups.map((value) => ({ value, label: t(`company.access.only.${value}`) }))}
                    onChange={(one) => {
                      setGroup(one)
                      setPage(0)
                    }}
                  />
                </span>
              </div>
              {data.list.length === 0 ? (
                <StatePage title={t('company.access.nobody')} />
              ) : (
                <table className="co-table" aria-label={t('company.access.folder')}>
                  <thead>
                    <tr>
                      {(['member', 'rights', 'because', 'limit'] as const).map((one) => (
                        <th key={one} scope="col">
                          {t(`company.access.column.${one}`)}
                        </th>
                      ))}
                      {at !== undefined && <th scope="col">{t('company.access.column.today')}</th>}
                    </tr>
                  </thead>
                  <tbody>
                    {data.list.map((one) => (
                      <Fragment key={one.userId}>
                        <tr className={open === one.userId ? 'is-open' : ''}>
                          <td>
                            <button
                              type="button"
                              className="co-name"
                              aria-expanded={open === one.userId}
                              onClick={() => setOpen(open === one.userId ? undefined : one.userId)}
                            >
                              <InitialsAvatar id={one.userId} name={one.accountName} />
                              <span>{one.accountName}</span>
                              <small>{one.groupName}</small>
                            </button>
                          </td>
                          <td>{words(one.rights)}</td>
                          <td className="co-because">{reasonLabel(t, one.steps, item.fId)}</td>
                          <td>{limitWords(one.steps, one.belowLevel) || '—'}</td>
                          {at !== undefined && (
                            <td className={one.rights === one.now ? 'co-same' : 'co-differs'}>
                              {since(one.rights, one.now)}
                            </td>
                          )}
                        </tr>
                        {open === one.userId && (
                          <tr className="co-steps is-open">
                            <td colSpan={at === undefined ? 4 : 5}>
                              <Steps steps={one.steps} sum={words(one.rights)} words={words} />
                            </td>
                          </tr>
                        )}
                      </Fragment>
                    ))}
                  </tbody>
                </table>
              )}
              <Foot page={page} pages={pages} total={data.total} onPage={setPage} />
            </>
          )}
        </div>
      </div>
    </AdminBody>
  )
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
    <ul>
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
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <AdminBody
      title={t('company.access')}
      note={t('company.access.readOnly')}
      actions={<Exports disabled={(data?.total ?? 0) === 0} onSave={save} />}
    >
      <div className="co-page">
        {tabs}
        <div className="co-main co-access">
          <div className="co-filters">
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
          </div>
          {person === undefined ? (
            <StatePage title={t('company.access.choosePerson')} text={t('company.access.choosePersonMore')} />
          ) : error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : (
            <>
              {at !== undefined && <Past at={data.at} />}
              <div className="co-filters">
                <span className="co-label">{t('company.access.starts', { n: data.total })}</span>
                <span className="co-right">
                  <span className="k-input">
                    <input
                      type="search"
                      aria-label={t('company.access.findItem')}
                      placeholder={t('company.access.findItem')}
                      value={typed}
                      onChange={({ target }) => {
                        setTyped(target.value)
                        setPage(0)
                      }}
                    />
                  </span>
                </span>
              </div>
              {data.list.length === 0 ? (
                <StatePage title={t('company.access.nothing')} />
              ) : (
                <table className="co-table" aria-label={t('company.access.person')}>
                  <thead>
                    <tr>
                      {(['item', 'rights', 'because', 'limit'] as const).map((one) => (
                        <th key={one} scope="col">
                          {t(`company.access.column.${one}`)}
                        </th>
                      ))}
                      {at !== undefined && <th scope="col">{t('company.access.column.today')}</th>}
                    </tr>
                  </thead>
                  <tbody>
                    {data.list.map(({ item, rights, steps, belowLevel, now }) => (
                      <Fragment key={item.fId}>
                        <tr className={open === item.fId ? 'is-open' : ''}>
                          <td>
                            <button
                              type="button"
                              className="co-name"
                              aria-expanded={open === item.fId}
                              onClick={() => setOpen(open === item.fId ? undefined : item.fId)}
                            >
                              {item.fType === 2 ? (
                                <FolderIcon size={16} />
                              ) : (
                                <FileIcon ext={item.fName.split('.').at(-1) ?? ''} size={16} />
                              )}
                              <span title={`${item.pathString}/${item.fName}`}>{item.fName}</span>
                              <small>{item.pathString.replaceAll('/', ' › ')}</small>
                            </button>
                          </td>
                          <td>{words(rights)}</td>
                          <td className="co-because">{reasonLabel(t, steps, item.fId)}</td>
                          <td>{belowLevel ? t('company.access.belowLevel') : '—'}</td>
                          {at !== undefined && (
                            <td className={rights === now ? 'co-same' : 'co-differs'}>{since(rights, now)}</td>
                          )}
                        </tr>
                        {open === item.fId && (
                          <tr className="co-steps is-open">
                            <td colSpan={at === undefined ? 4 : 5}>
                              <Steps steps={steps} sum={words(rights)} words={words} />
                            </td>
                          </tr>
                        )}
                      </Fragment>
                    ))}
                  </tbody>
                </table>
              )}
              <Foot
                page={page}
                pages={pages}
                total={data.total}
                onPage={setPage}
                note={t('company.access.startsMore')}
              />
            </>
          )}
        </div>
      </div>
    </AdminBody>
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
  readonly pages: number
  readonly total: number
  readonly onPage: (page: number) => void
  readonly note?: string
}

function Foot({ page, pages, total, onPage, note }: FootProps): ReactNode {
  const t = useT()
  return (
    <footer className="co-foot">
      <span>
        {t('company.access.rows', { n: total })}
        {note !== undefined && ` · ${note}`}
      </span>
      {pages > 1 && (
        <span>
          <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
            {t('company.access.before')}
          </Button>
          {page + 1} / {pages}
          <Button size="small" disabled={page + 1 >= pages} onClick={() => onPage(page + 1)}>
            {t('company.access.after')}
          </Button>
        </span>
      )}
      <span className="co-right">{t('company.access.recorded')}</span>
    </footer>
  )
}
