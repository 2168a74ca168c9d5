// cloudoc-link-detail ([R226]): one link and its visits: time, address, action.

import type { ExternalLink } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { isLoopback } from '../../items/item/public-address.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { type ChipTone, FilterChips, StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import {
  ArrowDownload16Regular,
  Copy16Regular,
  DocumentCheckmark16Regular,
  Edit16Regular,
  Mail16Regular,
  Open16Regular,
  Pause16Regular,
  Play16Regular,
  Prohibited16Regular,
} from '../../kit/icons.ts'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { LinkChip } from './link-chip.tsx'
import {
  addressOf,
  cancelLink,
  canRequestApproval,
  copyLabel,
  copyShareMessage,
  isOver,
  isPaused,
  linkOf,
  linkRightsLabel,
  linkStateLabel,
  minute,
  pauseLink,
  recipientsLabel,
  saveVisits,
  tryLinkChange,
  type VisitsQuery,
  visitsOf,
} from './link-queries.ts'
import { openLink } from './open-link.ts'
import { QrCode } from './qr-code.tsx'
import './links.css'
import './link-texts.ts'

export interface LinkDetailProps {
  readonly externalId: number
  readonly name: string
}

type Link = Awaited<ReturnType<ReturnType<typeof linkOf>['queryFn']>>
type Visits = Awaited<ReturnType<ReturnType<typeof visitsOf>['queryFn']>>
type Visit = Visits['list'][number]

const perPage = 12
/** The tone of what a visitor did. */
function visitTone(what: string): ChipTone {
  if (what === 'wrongPassword' || what === 'wrongCode') return 'danger'
  return what === 'download' ? 'info' : 'neutral'
}

/** The filters for visits. A wrong password or mail address is offered only if the link asks for one. */
const kindsOf = ({ hasPassword, mails }: ExternalLink): readonly VisitsQuery[] => [
  ...(['all', 'open', 'preview', 'download', 'print', 'upload', 'edit'] as const),
  ...(hasPassword || mails.length === 0 ? (['wrongPassword'] as const) : []),
  ...(mails.length > 0 ? (['wrongCode'] as const) : []),
]

/** A short name of the browser, from its user agent. */
function deviceOf(agent: string): string {
  const browser = /MicroMessenger/.test(agent)
    ? '微信'
    : (/(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? '').replace('Edg', 'Edge').replace('OPR', 'Opera')
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(agent)?.[1] ?? ''
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 24)
}

function size(bytes: number): string {
  if (bytes === 0) return ''
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${(bytes / 1024 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

export function LinkDetail({ externalId, close }: WindowProps<LinkDetailProps>): ReactNode {
  const t = useT()
  const { data: link, error } = useQuery(linkOf(externalId))
  const [what, setWhat] = useState<VisitsQuery>('all')
  const [page, setPage] = useState(0)
  const { data: visits } = useQuery(visitsOf(externalId, what, page, perPage))
  if (error !== null)
    return (
      <StatePage title={t('links.notLoaded')} text={error.message}>
        <Button onClick={() => close()}>{t('drive.close')}</Button>
      </StatePage>
    )
  if (link === undefined) return <Spinner label={t('links.loading')} />
  return (
    <>
      <div className="sl-split">
        <LinkFacts link={link} />
        <section aria-label={t('links.visits')}>
          <header>
            <h3>{t('links.visits')}</h3>
            <Button
              kind="link"
              size="small"
              icon={<ArrowDownload16Regular />}
              disabled={visits === undefined || visits.total === 0}
              onClick={() => void tryLinkChange(() => saveVisits(link, what))}
            >
              {t('links.visits.export')}
            </Button>
          </header>
          <VisitSums link={link} visits={visits} />
          <FilterChips
            label={t('links.visits')}
            value={what}
            options={kindsOf(link).map((value) => ({ value, label: t(`links.what.${value}`) }))}
            onChange={(one) => {
              setWhat(one)
              setPage(0)
            }}
          >
            <small>{t('links.visits.more')}</small>
          </FilterChips>
          <Table
            columns={visitColumns(t)}
            rows={visits?.list}
            keyOf={({ time }, n) => `${time} ${n}`}
            loading={<Spinner label={t('links.loading')} />}
            empty={<StatePage title={t('links.noVisits')} text={t('links.noVisits.more')} />}
          />
        </section>
      </div>
      <DialogFooter>
        {canRequestApproval(link) && (
          <Button onClick={() => void openWindow('sharing-request-approval', { link })}>{t('links.ask')}</Button>
        )}
        {!isOver(link) && (
          <>
            <Button kind="danger" icon={<Prohibited16Regular />} onClick={() => void cancelLink(link)}>
              {t('links.cancel')}
            </Button>
            <Button icon={isPaused(link) ? <Play16Regular /> : <Pause16Regular />} onClick={() => void pauseLink(link)}>
              {t(isPaused(link) ? 'links.goOn' : 'links.pause')}
            </Button>
          </>
        )}
        <span className="sl-left">
          <PagePager
            page={page}
            pages={Math.ceil((visits?.total ?? 0) / perPage)}
            onPage={setPage}
            previousLabel={t('links.before')}
            nextLabel={t('links.after')}
          />
        </span>
        {!isOver(link) && (
          <Button
            icon={<Edit16Regular />}
            onClick={() =>
              void openWindow('cloudoc-link-create', {
                item: { ...mainServer, fId: link.fId, fType: link.fType, fName: link.fName },
                link,
              })
            }
          >
            {t('links.modify')}
          </Button>
        )}
        <Button kind="primary" onClick={() => close()}>
          {t('links.finish')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** What the link is: its item, its address, and what it permits. */
function LinkFacts({ link }: { readonly link: Link }): ReactNode {
  const t = useT()
  const { externalId } = link
  const url = addressOf(link.linkToken)
  const facts: readonly (readonly [string, string])[] = [
    [t('links.who'), recipientsLabel(t, link) ?? t('links.who.anybody')],
    [t('links.may'), linkRightsLabel(t, link.rights)],
    [t('links.time'), `${minute(link.startTime)} – ${minute(link.endTime)}`],
    [t('links.column.visits'), `${link.visits} / ${link.visitLimit || t('links.unlimited')}`],
    [t('links.column.downloads'), `${link.downloads} / ${link.downloadLimit || t('links.unlimited')}`],
    ...(link.watermark ? [[t('links.watermark'), t('links.watermark.more')] as const] : []),
    [t('links.by'), `${link.creatorName} · ${minute(link.createTime)}`],
    ...(link.note === '' ? [] : [[t('links.note'), link.note] as const]),
  ]
  return (
    <aside>
      <div className="sl-item">
        {link.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={link.extName} size={22} />}
        <b title={link.fName}>{link.fName}</b>
      </div>
      <p>
        <LinkChip status={link.status} /> <small>{linkStateLabel(t, link)}</small>
      </p>
      <small>{t('links.link')}</small>
      <p className="sl-url">
        <b>{url.replace(/^https?:\/\//, '')}</b>
        <IconButton size="small" label={t('links.open')} icon={<Open16Regular />} onClick={() => openLink(url)} />
      </p>
      {isLoopback(url) && <p role="note">{t('links.loopback')}</p>}
      <div className="sl-card">
        <div>
          <small>{t('links.password')}</small>
          <p className="sl-big">{link.password === '' ? t('links.password.none') : link.password}</p>
          <small>{link.password !== '' && t('links.password.case')}</small>
        </div>
        <QrCode text={url} size={84} label={t('links.qr')} />
      </div>
      <div className="sl-row">
        <Button size="small" kind="primary" icon={<Copy16Regular />} onClick={() => void copyShareMessage(link)}>
          {t(copyLabel(link))}
        </Button>
        {!isOver(link) && (
          <Button
            size="small"
            icon={<Mail16Regular />}
            onClick={() => void openWindow('cloudoc-link-sendMail', { link })}
          >
            {t('links.mail')}
          </Button>
        )}
      </div>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {link.applicationId !== 0 && (
        <Button
          kind="link"
          size="small"
          icon={<DocumentCheckmark16Regular />}
          onClick={() =>
            void openWindow('cloudoc-apply-link-detail', { applicationId: link.applicationId, name: link.fName })
          }
        >
          {t('links.application')}
        </Button>
      )}
      {!isOver(link) && (
        <div className="sl-row">
          <Switch
            label={t('links.notify.more')}
            on={link.notify}
            onChange={(notify) => void tryLinkChange(() => api.externalModify({ externalId, notify }))}
          />
          <small>{t('links.notify.more')}</small>
        </div>
      )}
    </aside>
  )
}

interface VisitSumsProps {
  readonly link: ExternalLink
  readonly visits: Visits | undefined
}

function VisitSums({ link, visits }: VisitSumsProps): ReactNode {
  const t = useT()
  const most = Math.max(1, ...(visits?.days ?? []).map(({ opens, downloads }) => opens + downloads))
  return (
    <div className="sl-sums">
      <div>
        <small>{t('links.column.visits')}</small>
        <b>{link.visits}</b>
        <small>{t('links.addresses', { n: visits?.addresses ?? 0 })}</small>
      </div>
      <div>
        <small>{t('links.column.downloads')}</small>
        <b>{link.downloads}</b>
        <small>{size(visits?.bytes ?? 0)}</small>
      </div>
      <div>
        <small>{t('links.wrongTries')}</small>
        <b>{visits?.wrongPasswords ?? 0}</b>
      </div>
      <ol className="sl-days">
        {visits?.days.map(({ from, opens, downloads }) => (
          <li key={from} title={t('links.day', { opens, downloads })}>
            <i style={{ height: `${((opens + downloads) / most) * 40}px` }} />
            <small>{minute(from).slice(5, 10)}</small>
          </li>
        ))}
      </ol>
    </div>
  )
}

const visitColumns = (t: Translate): readonly Column<Visit>[] => [
  { id: 'time', head: t('links.column.time'), renderCell: ({ time }) => minute(time).slice(5) },
  {
    id: 'what',
    head: t('links.column.what'),
    text: 'wrap',
    renderCell: (one) => (
      <>
        <StatusChip tone={visitTone(one.what)}>{t(`links.what.${one.what}`)}</StatusChip>{' '}
        <span title={one.fName}>{one.fName}</span> {size(one.bytes)}
      </>
    ),
  },
  { id: 'who', head: t('links.column.who'), text: 'wrap', renderCell: ({ visitor }) => visitor },
  {
    id: 'device',
    head: t('links.column.device'),
    text: 'wrap',
    title: ({ agent }) => agent,
    renderCell: ({ agent }) => deviceOf(agent),
  },
  { id: 'address', head: t('links.column.address'), text: 'wrap', renderCell: ({ address }) => address },
]
