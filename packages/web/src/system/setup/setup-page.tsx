/*
 * The first set-up of an installation (decisions E6): steps for what a company needs before other users join. Each step
 * is saved on its own and can be left and resumed. Everything can be changed later in the administration.
 */
import type { SetupStep } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { refetchCompany } from '../../drive/libraries/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { CheckmarkCircle20Filled, Circle20Regular, CircleHint20Regular, RadioButton20Filled } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { CompanyLogo } from '../../people/index.ts'
import { isSetupDue, postponeSetup } from './setup-redirect.ts'
import { type Setup, type StepProps, steps } from './setup-steps.tsx'
import './texts.ts'
import './setup.css'

const home = '/doc/folder/files'

export function SetupPage(): ReactNode {
  const t = useT()
  // A user with nothing to set up goes to the start page.
  const [isDue] = useState(isSetupDue)
  const [finished, setFinished] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'setup'],
    queryFn: () => api.getSetup({}),
    enabled: isDue,
  })
  if (!isDue || (data !== undefined && !data.open && data.skipped.length === 0 && !finished))
    return <Navigate to={home} replace />
  if (error !== null)
    return (
      <StatePage heading="h1" title={t('company.failed')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('company.again')}</Button>
      </StatePage>
    )
  return data === undefined ? (
    <Spinner />
  ) : (
    <Wizard setup={data} finished={finished} onChange={() => refetch()} onFinish={() => setFinished(true)} />
  )
}

const names = Object.keys(steps) as (keyof typeof steps)[]

/** The next step that is not done; the same one if there is none. While the set-up is open, from the first on. */
function nextOf(setup: Setup, at: number, first = false): number {
  const left = names.flatMap((name, n) => (setup.done.includes(name) || n === at ? [] : [n]))
  const unseen = setup.open ? left.filter((n) => !setup.skipped.includes(names[n] ?? 'company')) : left
  return (first ? (unseen[0] ?? left[0]) : (left.find((n) => n > at) ?? left[0])) ?? Math.max(at, 0)
}

interface WizardProps {
  readonly setup: Setup
  /** The last step is saved: the wizard says what comes next. */
  readonly finished: boolean
  readonly onChange: () => Promise<unknown>
  readonly onFinish: () => void
}

function Wizard({ setup, finished, onChange, onFinish }: WizardProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const { serverSetting } = useSession()
  // A step that was left for later is opened by its name, from the overview.
  const [asked] = useSearchParams()
  const [at, setAt] = useState<number>(() => {
    const first = names.findIndex((name) => name === asked.get('step'))
    return first < 0 ? nextOf(setup, -1, true) : first
  })
  const name = names[at] ?? 'company'
  const Step: ComponentType<StepProps> = steps[name]
  const isLast = setup.open ? at === names.length - 1 : nextOf(setup, at) === at
  const leave = (): void => {
    postponeSetup()
    void navigate(home)
  }
  const go = async (said: { readonly done: SetupStep } | { readonly skip: SetupStep }): Promise<void> => {
    await api.setSetup({ ...said, ...(isLast && setup.open && { finish: true as const }) })
    if (isLast) {
      postponeSetup()
      onFinish()
    }
    void refetchCompany()
    if (isLast) return
    await onChange()
    setAt(setup.open ? at + 1 : nextOf(setup, at))
  }
  return (
    <main className="su-page">
      <div className="su-box">
        <nav className="su-steps" aria-label={t('company.setup')}>
          <p className="su-mark">
            <CompanyLogo logo={serverSetting.company_logo} size={24} />
            <b>{serverSetting.company_name || t('company.setup.product')}</b>
          </p>
          <h1>{t('company.setup')}</h1>
          <p className="su-small">{t('company.setup.about')}</p>
          <ol>
            {names.map((one, n) => {
              const isDone = setup.done.includes(one)
              return (
                <li key={one}>
                  <button
                    type="button"
                    className={n === at && !finished ? 'is-current' : ''}
                    aria-current={n === at && !finished ? 'step' : undefined}
                    disabled={finished}
                    onClick={() => setAt(n)}
                  >
                    {isDone ? (
                      <CheckmarkCircle20Filled className="is-good" aria-label={t('company.setup.done')} />
                    ) : n === at ? (
                      <RadioButton20Filled />
                    ) : setup.skipped.includes(one) ? (
                      <CircleHint20Regular aria-label={t('company.setup.skipped')} />
                    ) : (
                      <Circle20Regular />
                    )}
                    <span>
                      {t(`company.setup.${one}`)}
                      <small>{t(`company.setup.${one}.short`)}</small>
                    </span>
                  </button>
                </li>
              )
            })}
          </ol>
          <p className="su-foot">
            <Button kind="link" onClick={() => void setLocale(locale === 'zh' ? 'en' : 'zh')}>
              {locale === 'zh' ? 'English' : '中文'}
            </Button>
          </p>
        </nav>
        {finished ? (
          <Finished setup={setup} />
        ) : (
          <section className="su-main" aria-label={t(`company.setup.${name}`)}>
            <p className="su-small">{t('company.setup.nth', { n: at + 1, of: names.length })}</p>
            <h2>{t(`company.setup.${name}.title`)}</h2>
            <p className="su-lead">{t(`company.setup.${name}.text`)}</p>
            <Step
              key={name}
              setup={setup}
              onDone={() => go({ done: name })}
              onSkip={() => go({ skip: name }).catch(notifyFailure)}
              onLeave={leave}
              onBack={at === 0 || !setup.open ? undefined : () => setAt(at - 1)}
              isLast={isLast}
            />
          </section>
        )}
      </div>
    </main>
  )
}

/** What to do next, the most needed first. */
function Finished({ setup: { people, skipped } }: { readonly setup: Setup }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const left = skipped.map((one) => t(`company.setup.${one}`))
  const next = [
    { to: people > 1 ? '/doc/admin/people' : '/doc/admin/people/import', what: 'people' },
    { to: home, what: 'files' },
    { to: '/doc/admin/backup', what: 'backup' },
    { to: '/doc/admin/overview', what: 'overview' },
  ] as const
  return (
    <section className="su-main" aria-label={t('company.setup.finished')}>
      <h2>{t('company.setup.finished')}</h2>
      <p className="su-lead">{t('company.setup.finished.text')}</p>
      {skipped.length > 0 && (
        <p className="su-lead">
          {t('company.setup.finished.skipped', { steps: new Intl.ListFormat(locale).format(left) })}
        </p>
      )}
      <nav className="su-next" aria-label={t('company.setup.finished.next')}>
        {next.map(({ to, what }, n) => (
          <Link key={what} to={to} autoFocus={n === 0}>
            <b>{t(`company.setup.finished.${what}`)}</b>
            <small>{t(`company.setup.finished.${what}More`)}</small>
          </Link>
        ))}
      </nav>
    </section>
  )
}
