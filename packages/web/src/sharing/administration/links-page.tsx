// Links of all users ([R231], mock-n-admin-links): open links by risk, and the policies. Neither addresses nor
// passwords are shown.
import { fullTime } from '@cloudoc/domain'
import { ArrowDownload16Regular, Prohibited16Regular, Search16Regular } from '@fluentui/react-icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
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
import '../../admin/shared/company.css'
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
    <nav className="co-tabs" aria-label={t('company.links')}>
      {tabs.map((one) => (
        <Link key={one} to={`${address}/${one}`} aria-current={one === tab ? 'page' : undefined}>
          {t(`company.links.tab.${one}`)}
        </Link>
      ))}
    </nav>
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
  const save = async (): Promise<void> => {
    const { list } = await api.getAllLinks({ risk, keyword, rows: mostRows })
    const heads = (['file', 'creator', 'group', 'why', 'who', 'may', 'end', 'visits', 'downloads'] as const).map(
      (one) => t(`company.links.column.${one}`),
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
  const toggle = (one: OpenLink): void => {
    const next = new Map(chosen)
    if (!next.delete(one.externalId)) next.set(one.externalId, one)
    setChosen(next)
  }
  const list = data?.list ?? []
  const isAll = list.length > 0 && list.every(({ externalId }) => chosen.has(externalId))
  const cancel = async (): Promise<void> => {
    const done = await openWindow('company-cancel-links', { links: [...chosen.values()] })
    if (done === true) setChosen(new Map())
  }
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <AdminBody
      title={t('company.links')}
      note={t('company.links.note')}
      actions={
        <Button
          icon={<ArrowDownload16Regular />}
          disabled={(data?.total ?? 0) === 0}
          onClick={() =>
            void save().catch((failure: unknown) =>
              toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') }),
            )
          }
        >
          {t('company.links.export')}
        </Button>
      }
    >
      <div className="co-page">
        {head}
        <div className="co-main">
          <div className="cl-risks" role="group" aria-label={t('company.links.column.why')}>
            {riskFilters.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={risk === one}
                onClick={() => {
                  setRisk(one)
                  setPage(0)
                }}
              >
                <span>{t(`company.links.risk.${one}`)}</span>
                <b>{data?.counts[one] ?? '–'}</b>
                <small>{t(`company.links.risk.${one}.more`)}</small>
              </button>
            ))}
          </div>
          <div className="co-filters">
            <div className="k-input">
              <Search16Regular />
              <input
                type="search"
                aria-label={t('company.links.search')}
                placeholder={t('company.links.search')}
                value={typed}
                onChange={({ target }) => {
                  setTyped(target.value)
                  setPage(0)
                }}
              />
            </div>
          </div>
          {error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : list.length === 0 ? (
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
          ) : (
            <div className="cl-scroll">
              <table className="co-table" aria-label={t('company.links.tab.open')}>
                <thead>
                  <tr>
                    {mayChange && (
                      <th>
                        <Checkbox
                          label={<span className="cl-unseen">{t('company.links.all')}</span>}
                          checked={isAll}
                          onChange={() =>
                            setChosen(isAll ? new Map() : new Map(list.map((one) => [one.externalId, one])))
                          }
                        />
                      </th>
                    )}
                    {(['file', 'creator', 'why', 'who', 'may', 'end'] as const).map((one) => (
                      <th key={one} scope="col">
                        {t(`company.links.column.${one}`)}
                      </th>
                    ))}
                    {(['visits', 'downloads'] as const).map((one) => (
                      <th key={one} scope="col" className="is-number">
                        {t(`company.links.column.${one}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {list.map((one) => (
                    <tr key={one.externalId} className={chosen.has(one.externalId) ? 'is-open' : undefined}>
                      {mayChange && (
                        <td>
                          <Checkbox
                            label={<span className="cl-unseen">{one.fName}</span>}
                            checked={chosen.has(one.externalId)}
                            onChange={() => toggle(one)}
                          />
                        </td>
                      )}
                      <td>
                        <span className="co-name">
                          {one.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={one.extName} size={22} />}
                          <span title={one.note || one.fName}>{one.fName}</span>
                        </span>
                      </td>
                      <td title={one.groupName}>
                        {one.creatorName} <small className="cl-group">{one.groupName}</small>
                      </td>
                      <td className="cl-reasons">
                        {one.reports > 0 && (
                          <button
                            type="button"
                            className="cl-risk"
                            data-what="reported"
                            aria-haspopup="dialog"
                            onClick={() => void openWindow('company-link-reports', { link: one })}
                          >
                            {t('company.links.reports', { n: one.reports })}
                          </button>
                        )}
                        {one.risks
                          .filter((what) => what !== 'reported')
                          .map((what) => (
                            <em key={what} className="cl-risk" data-what={what}>
                              {t(`company.links.risk.${what}`)}
                            </em>
                          ))}
                      </td>
                      <td>
                        {one.people === 0 ? t('company.links.anybody') : t('company.links.people', { n: one.people })}
                      </td>
                      <td>{linkRightsLabel(t, one.rights)}</td>
                      <td>{fullTime(one.endTime).slice(0, 16)}</td>
                      <td className="is-number">{one.visits}</td>
                      <td className="is-number">{one.downloads}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {pages > 1 && (
            <div className="co-more">
              <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
                {t('company.links.before')}
              </Button>{' '}
              {page + 1} / {pages}{' '}
              <Button size="small" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
                {t('company.links.after')}
              </Button>
            </div>
          )}
          {chosen.size > 0 && (
            <div className="cl-chosen" role="status">
              <b>{t('company.links.chosen', { n: chosen.size })}</b>
              <span>
                {t('company.links.of', {
                  names: [...new Set([...chosen.values()].map(({ creatorName }) => creatorName))].join(
                    t('company.links.and'),
                  ),
                })}
              </span>
              <Button kind="danger" icon={<Prohibited16Regular />} onClick={() => void cancel()}>
                {t('company.links.cancel', { n: chosen.size })}
              </Button>
            </div>
          )}
        </div>
      </div>
    </AdminBody>
  )
}
