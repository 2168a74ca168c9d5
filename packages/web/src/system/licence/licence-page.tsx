// The licence: what it permits and what of it is used, its end, and its import from a file.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import { Copy16Regular, Key16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import './texts.ts'
import './licence.css'

type Known = Answer<typeof calls.getLicence>
type Licence = Known['list'][number]

const licenceKey = ['admin', 'licence'] as const
const dayMs = 24 * 60 * 60_000
/** From so many days before its end the page warns. */
const soonDays = 30
const tones: Readonly<Record<Known['state'], ChipTone>> = {
  none: 'neutral',
  valid: 'success',
  grace: 'warning',
  expired: 'danger',
}

/** The licence that ends first, of those that end. */
function firstToEnd(list: readonly Licence[]): Licence | undefined {
  return list.filter(({ until }) => until > 0).toSorted((a, b) => a.until - b.until)[0]
}

export function LicencePage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({ queryKey: licenceKey, queryFn: () => api.getLicence({}) })
  const isSystem = useSession().permission.powers.includes('system')
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined) return <Spinner />
  return (
    <AdminBody
      title={t('company.licence')}
      note={<StatusChip tone={tones[data.state]}>{t(`licence.state.${data.state}`)}</StatusChip>}
      actions={data.demanded && isSystem && <ImportLicence />}
    >
      <div className="li">
        <Warning known={data} />
        <Figures known={data} />
        <div className="li-parts">
          {data.list.map((licence) => (
            <LicenceCard key={licence.scope} licence={licence} />
          ))}
          <InstallationCard known={data} />
        </div>
        {data.history.length > 0 && <History known={data} />}
      </div>
    </AdminBody>
  )
}

function Warning({ known: { state, list, at } }: { readonly known: Known }): ReactNode {
  const t = useT()
  const first = firstToEnd(list)
  if (first === undefined) return null
  const endOfGrace = first.until + first.graceDays * dayMs
  if (state === 'expired')
    return (
      <p className="li-note is-over" role="alert">
        {t('licence.over')}
      </p>
    )
  if (state === 'grace')
    return (
      <p className="li-note" role="alert">
        {t('licence.grace', { until: fullTime(endOfGrace) })}
      </p>
    )
  const left = Math.ceil((first.until - at) / dayMs)
  return left > soonDays ? null : <p className="li-note">{t('licence.soon', { n: left, days: first.graceDays })}</p>
}

function Figures({ known: { seats, workspaces, list, at } }: { readonly known: Known }): ReactNode {
  const t = useT()
  const first = firstToEnd(list)
  const left = first === undefined ? undefined : Math.max(0, Math.ceil((first.until - at) / dayMs))
  return (
    <div className="li-figures">
      <Figure title={t('licence.seats')} used={seats.used} most={seats.most} note={t('licence.seatsNote')} />
      <Figure
        title={t('licence.workspaces')}
        used={workspaces.used}
        most={workspaces.most}
        note={t('licence.workspacesNote')}
      />
      {first !== undefined && left !== undefined && (
        <section className="ad-card">
          <h2>{t('licence.days')}</h2>
          <strong>{left}</strong>
          <small>{t('licence.daysNote', { until: fullTime(first.until) })}</small>
        </section>
      )}
    </div>
  )
}

function Figure(props: {
  readonly title: string
  readonly used: number
  /** 0: no limit. */
  readonly most: number
  readonly note: string
}): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { title, used, most, note } = props
  return (
    <section className="ad-card">
      <h2>{title}</h2>
      <p>
        <strong>{used.toLocaleString(locale)}</strong>{' '}
        {most === 0 ? t('licence.unlimited') : t('licence.of', { n: most.toLocaleString(locale) })}
      </p>
      {most > 0 && <meter style={{ width: '100%' }} aria-label={title} min={0} max={most} value={used} />}
      <small>{note}</small>
    </section>
  )
}

function LicenceCard({ licence }: { readonly licence: Licence }): ReactNode {
  const t = useT()
  const until = licence.until === 0 ? t('licence.unlimited') : fullTime(licence.until)
  return (
    <section className="ad-card">
      <h2>{t(`licence.scope.${licence.scope}`)}</h2>
      <dl>
        <dt>{t('licence.customer')}</dt>
        <dd>{licence.customer}</dd>
        <dt>{t('licence.id')}</dt>
        <dd>
          <code>{licence.licenceId}</code>
        </dd>
        <dt>{t('licence.period')}</dt>
        <dd>{t('licence.periodOf', { from: fullTime(licence.from), until })}</dd>
        <dt>{t('licence.graceDays')}</dt>
        <dd>{t('licence.graceOf', { n: licence.graceDays })}</dd>
      </dl>
    </section>
  )
}

function InstallationCard({ known: { installation, demanded } }: { readonly known: Known }): ReactNode {
  const t = useT()
  return (
    <section className="ad-card">
      <h2>{t('licence.installation')}</h2>
      <p>
        <code>{installation}</code>
      </p>
      <small>{t(demanded ? 'licence.how' : 'licence.free')}</small>
      <div className="li-ways">
        <Button
          icon={<Copy16Regular />}
          onClick={() => void copyText(installation).then(() => toast({ kind: 'success', text: t('licence.copied') }))}
        >
          {t('licence.copy')}
        </Button>
      </div>
    </section>
  )
}

function History({ known: { history } }: { readonly known: Known }): ReactNode {
  const t = useT()
  return (
    <section className="ad-card li-history">
      <h2>{t('licence.history')}</h2>
      <ul>
        {history.map(({ at, by, licenceIds }) => (
          <li key={at}>
            <time>{fullTime(at)}</time>
            <span>
              {by === ''
                ? t('licence.byActivation', { ids: licenceIds.join(', ') })
                : t('licence.by', { by, ids: licenceIds.join(', ') })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Chooses a file, shows what it says, and puts it in force. */
/** Imports a licence from its file, after it was shown what it permits. */
export function ImportLicence({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const put = async (file: File): Promise<void> => {
    const licence = await file.text()
    const said = await api.installLicence({ licence, check: true })
    const isConfirmed = await confirmBox({
      title: t('licence.confirm', { id: said.licenceId }),
      text: t('licence.confirmMore', {
        customer: said.customer,
        seats: said.seats === 0 ? t('licence.unlimited') : said.seats,
        until: said.until === 0 ? t('licence.unlimited') : fullTime(said.until),
      }),
      ok: t('licence.put'),
    })
    if (!isConfirmed) return
    await api.installLicence({ licence })
    toast({ kind: 'success', text: t('licence.done') })
    await queryClient.invalidateQueries({ queryKey: licenceKey })
    onDone?.()
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('licence.import')}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file !== undefined) void put(file).catch(() => undefined)
        }}
      />
      <Button kind="primary" icon={<Key16Regular />} onClick={() => input.current?.click()}>
        {t('licence.import')}
      </Button>
    </>
  )
}
