// The start page of an administrator: users, storage, activity, server health, and items that need attention.
import type { SetupStep } from '@cloudoc/contract'
import { formatSize, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { BarChart, dayLabel, LineChart } from '../../admin/shared/charts.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { growthLabel, UsageBar } from '../../admin/shared/usage-parts.tsx'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import {
  ArrowSync16Regular,
  CheckmarkCircle16Filled,
  Circle16Filled,
  Info16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { setupPath } from '../setup/setup-redirect.ts'
import '../setup/texts.ts'

/** Refresh interval. */
const everyMs = 60_000

/** The page to resolve each kind of issue. */
const places = {
  nearlyFull: '/doc/admin/libraries/storage',
  serverFull: '/doc/admin/libraries/storage',
  diskFull: '/doc/admin/libraries/storage',
  logFull: '/doc/admin/settings',
  damaged: undefined,
  noBackup: '/doc/admin/backup',
  oldBackup: '/doc/admin/backup',
  lockedAccounts: '/doc/admin/people',
  neverSignedIn: '/doc/admin/people',
  failedJobs: undefined,
} as const

export function OverviewPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { permission, serverSetting } = useSession()
  const isSystem = permission.powers.includes('system')
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'overview'],
    queryFn: () => api.getOverview({}),
    refetchInterval: everyMs,
  })
  const storage = useQuery({
    queryKey: ['company', 'storage'],
    queryFn: () => api.getStorage({}),
    enabled: isSystem,
  }).data
  return (
    <AdminBody
      title={t('company.overview')}
      note={data && t('company.overview.at', { time: shortTime(data.at, data.at, locale) })}
      actions={
        <Button icon={<ArrowSync16Regular />} onClick={() => void refetch()}>
          {t('company.refresh')}
        </Button>
      }
    >
      {isSystem && serverSetting.setup_open && (
        <div className="co-notice">
          <Warning16Regular className="is-warn" />
          <p>{t('company.setup.notDone')}</p>
          <Link to={setupPath}>{t('company.setup.goOn')}</Link>
        </div>
      )}
      {isSystem && !serverSetting.setup_open && serverSetting.setup_skipped.length > 0 && (
        <SkippedSteps skipped={serverSetting.setup_skipped} />
      )}
      {error !== null ? (
        <LoadFailure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Spinner />
      ) : (
        <>
          <div className="co-figures">
            <Figure title={t('company.people')} value={data.people.total} of={data.people.limit}>
              {t('company.people.active', { n: data.people.active })}
            </Figure>
            <Figure title={t('company.online')} value={data.online.people}>
              {t('company.sessions', { n: data.online.sessions })}
            </Figure>
            <Figure title={t('company.today')} value={data.activity.at(-1)?.file ?? 0}>
              {t('company.today.signIns', { n: data.activity.at(-1)?.signIn ?? 0 })}
            </Figure>
            <section className="ad-card">
              <h2>{t('company.space')}</h2>
              {storage === undefined ? (
                <p>—</p>
              ) : (
                <UsageBar
                  used={storage.used}
                  total={
                    storage.limit > 0 ? storage.limit : storage.disk === null ? 0 : storage.used + storage.disk.free
                  }
                  label={t('company.space')}
                />
              )}
              <small>
                {storage !== undefined &&
                  t('company.storage.grown', {
                    grown: growthLabel(storage.used - (storage.days[0]?.used ?? storage.used)),
                  })}
              </small>
            </section>
          </div>
          <div className="co-cards">
            <section className="ad-card">
              <h2>{t('company.attention')}</h2>
              {data.attention.length === 0 && (
                <p>
                  <CheckmarkCircle16Filled className="is-good" /> {t('company.attention.none')}
                </p>
              )}
              <ul className="co-lines">
                {data.attention.map(({ what, n }) => {
                  const place = places[what]
                  return (
                    <li key={what}>
                      <Warning16Regular className="is-warn" />
                      <span>{t(`company.attention.${what}`, { n })}</span>
                      {isSystem && place !== undefined && (
                        <Link className="co-link" to={place}>
                          {t('company.attention.look')}
                        </Link>
                      )}
                    </li>
                  )
                })}
              </ul>
            </section>
            <section className="ad-card">
              <h2>{t('company.health')}</h2>
              <Health {...data.health} />
            </section>
            <section className="ad-card">
              <h2>{t('company.activity')}</h2>
              <BarChart
                caption={t('company.activity.caption')}
                day={t('company.day')}
                kinds={(['signIn', 'file', 'rights', 'administration'] as const).map((kind) =>
                  t(`company.activity.${kind}`),
                )}
                days={data.activity.map(({ day, signIn, file, rights, administration }) => ({
                  label: dayLabel(day),
                  values: [signIn, file, rights, administration],
                }))}
              />
            </section>
            {storage !== undefined && (
              <section className="ad-card">
                <h2>{t('company.storage.title')}</h2>
                <LineChart
                  caption={t('company.storage.chart', {
                    grown: growthLabel(storage.used - (storage.days[0]?.used ?? storage.used)),
                  })}
                  heads={[t('company.day'), t('company.column.used')]}
                  points={storage.days.map(({ day, used }) => ({ label: dayLabel(day), value: used }))}
                  format={(bytes) => formatSize(bytes, 1)}
                />
              </section>
            )}
          </div>
        </>
      )}
    </AdminBody>
  )
}

function Figure(props: { title: string; value: number; of?: number; children: ReactNode }): ReactNode {
  return (
    <section className="ad-card">
      <h2>{props.title}</h2>
      <strong>{props.value.toLocaleString()}</strong>
      {props.of !== undefined && props.of > 0 && ` / ${props.of.toLocaleString()}`}
      <small>{props.children}</small>
    </section>
  )
}

interface HealthProps {
  readonly upMs: number
  readonly database: { readonly version: string; readonly bytes: number; readonly ms: number }
  readonly damaged: number
  readonly backupTime: number
  readonly jobs: { readonly waiting: number; readonly failed: number }
  readonly pages: {
    readonly engine: 'none' | 'installed' | 'wasm'
    readonly isOn: boolean
    readonly freeMemory: number
  }
}

/** The memory that the WebAssembly build needs to begin a document. */
const wasmNeeds = 2 * 1024 ** 3

function Health({ upMs, database, damaged, backupTime, jobs, pages }: HealthProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const hours = Math.floor(upMs / 3_600_000)
  const lines = [
    { name: t('company.health.server'), text: t('company.health.up', { n: hours }), well: true },
    {
      name: t('company.health.database'),
      text: t('company.health.databaseMore', { version: database.version, size: formatSize(database.bytes, 1) }),
      well: true,
    },
    {
      name: t('company.health.contents'),
      text: damaged === 0 ? t('company.health.whole') : t('company.attention.damaged', { n: damaged }),
      well: damaged === 0,
    },
    {
      name: t('company.health.backup'),
      text: backupTime === 0 ? t('company.health.noBackup') : shortTime(backupTime, now, locale),
      well: backupTime > 0,
    },
    {
      name: t('company.health.jobs'),
      text: t('company.health.jobsMore', { waiting: jobs.waiting, failed: jobs.failed }),
      well: jobs.failed === 0,
    },
    {
      name: t('company.health.pages'),
      text:
        pages.engine === 'none' || pages.isOn
          ? t(`company.health.pages.${pages.engine}`, { free: formatSize(pages.freeMemory, 1) })
          : t('company.health.pages.off'),
      well: pages.engine !== 'wasm' || !pages.isOn || pages.freeMemory >= wasmNeeds,
    },
  ]
  return (
    <ul className="co-lines">
      {lines.map(({ name, text, well }) => (
        <li key={name}>
          <Circle16Filled className={well ? 'is-good' : 'is-warn'} />
          <span>{name}</span>
          <small>{text}</small>
          <b className={well ? 'is-good' : 'is-warn'}>{t(well ? 'company.health.well' : 'company.health.look')}</b>
        </li>
      ))}
    </ul>
  )
}

/** The steps of the first set-up that were left for later. */
function SkippedSteps({ skipped }: { readonly skipped: readonly SetupStep[] }): ReactNode {
  const t = useT()
  const [first] = skipped
  const steps = skipped.map((one) => t(`company.setup.${one}`)).join(t('admin.set.comma'))
  return (
    <div className="co-notice">
      <Info16Regular />
      <p>{t('company.setup.left', { n: skipped.length, steps })}</p>
      <Link to={`${setupPath}?step=${first}`}>{t('company.setup.goOn')}</Link>
      <Button kind="link" onClick={() => void api.setSetup({ forget: true }).catch(notifyFailure)}>
        {t('company.setup.forget')}
      </Button>
    </div>
  )
}
