/*
 * The first set-up of an installation (decisions E6): steps for what a company needs before other users join. Each step
 * is saved on its own and can be left and resumed. Everything can be changed later in the administration.
 */
import type { SetupStep } from '@cloudoc/contract'
import { CheckmarkCircle20Filled, Circle20Regular, RadioButton20Filled } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'
import { api } from '../../core/call/api.ts'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { refetchCompany } from '../../drive/libraries/index.ts'
import { Button } from '../../kit/button.tsx'
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
  if (!isDue || (data?.open === false && !finished)) return <Navigate to={home} replace />
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
  const [at, setAt] = useState<number>(() => {
    const first = names.findIndex((name) => !setup.done.includes(name))
    return first < 0 ? names.length - 1 : first
  })
  const name = names[at] ?? 'company'
  const Step: ComponentType<StepProps> = steps[name]
  const isLast = at === names.length - 1
  const leave = (): void => {
    postponeSetup()
    void navigate(home)
  }
  const done = async (step: SetupStep): Promise<void> => {
    await api.setSetup({ done: step, ...(isLast && { finish: true as const }) })
    if (isLast) {
      postponeSetup()
      onFinish()
    }
    void refetchCompany()
    if (isLast) return
    await onChange()
    setAt(at + 1)
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
              const isDone = finished || setup.done.includes(one)
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
          <Finished people={setup.people} />
        ) : (
          <section className="su-main" aria-label={t(`company.setup.${name}`)}>
            <p className="su-small">{t('company.setup.nth', { n: at + 1, of: names.length })}</p>
            <h2>{t(`company.setup.${name}.title`)}</h2>
            <p className="su-lead">{t(`company.setup.${name}.text`)}</p>
            <Step
              key={name}
              setup={setup}
              onDone={() => done(name)}
              onLeave={leave}
              onBack={at === 0 ? undefined : () => setAt(at - 1)}
              isLast={isLast}
            />
          </section>
        )}
      </div>
    </main>
  )
}

/** What to do next, the most needed first. */
function Finished({ people }: { readonly people: number }): ReactNode {
  const t = useT()
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
