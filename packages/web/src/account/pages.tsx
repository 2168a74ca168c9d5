// The user's own pages ([R025]): the account, missing profile details, and the choice of a module.
import { modules as allModules, type Capability } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { areas } from '../core/area/area.ts'
import { api, CallError } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { mayUse, useSession } from '../core/session/session.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/fields.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { pageNames } from './personal/page-props.ts'
import { PersonalSettings } from './personal/personal-settings.tsx'
import './frame/account.css'

const nothing = (): void => undefined

export function PersonalPage(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const wanted = pageNames.find((name) => name === query.get('page'))
  return (
    <div className="ac-personal-page">
      <h1>{t('personal.title')}</h1>
      <PersonalSettings key={wanted} {...(wanted && { page: wanted })} close={nothing} setDirty={nothing} />
    </div>
  )
}

const asked = ['title', 'phone', 'email'] as const

/** Asks for missing profile details, then continues. */
export function ImproveInformation(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [missing, setMissing] = useState<readonly string[]>()
  const [values, setValues] = useState<Partial<Record<(typeof asked)[number], string>>>({})
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    api.getAccountInfo({}).then(
      (info) => setMissing(info.missing),
      () => setMissing([]),
    )
  }, [])
  const wanted = query.get('redirect') ?? ''
  const target = /^\/[^/\\]/.test(wanted) ? wanted : '/doc/folder/files'
  if (missing === undefined) return <Spinner />
  // Nothing is missing and the user was only redirected to this page: continue at once.
  if (missing.length === 0 && wanted !== '') return <Navigate to={target} replace />
  const goOn = (): void => void navigate(target, { replace: true })
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    try {
      await api.modifyUserInfo(values, { quiet: true })
      goOn()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(asked.find((name) => error.message.includes(name)) ?? 'email')
    }
  }
  return (
    <div className="ac-alone">
      <section>
        <h1>{t('improve.title')}</h1>
        <p>{t(missing.length === 0 ? 'improve.nothing' : 'improve.why')}</p>
        <form className="ac-form" noValidate onSubmit={(event) => void save(event)}>
          {asked
            .filter((name) => missing.includes(name))
            .map((name) => (
              <TextField
                key={name}
                label={t(name === 'title' ? 'personal.jobTitle' : `personal.${name}`)}
                value={values[name] ?? ''}
                maxLength={name === 'title' ? 64 : name === 'phone' ? 32 : 254}
                problem={problem === name && name !== 'title' ? t(`personal.wrong.${name}`) : undefined}
                onChange={({ target }) => {
                  setValues({ ...values, [name]: target.value })
                  setProblem(undefined)
                }}
              />
            ))}
          <footer className="ac-foot">
            <Button onClick={goOn}>{t(missing.length === 0 ? 'improve.goOn' : 'improve.later')}</Button>
            {missing.length > 0 && (
              <Button kind="primary" type="submit">
                {t('improve.save')}
              </Button>
            )}
          </footer>
        </form>
      </section>
    </div>
  )
}

/** Lets the user choose one of the modules of the page. */
export function ModuleSelect(): ReactNode {
  const t = useT()
  const { permission } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'modules'],
    queryFn: () => api.getModuleSetting({}),
  })
  if (error !== null)
    return (
      <StatePage title={error.message}>
        <Button onClick={() => void refetch()}>{t('modules.again')}</Button>
      </StatePage>
    )
  if (data === undefined) return <Spinner />
  const offered: readonly string[] = data.modules
  /** A module that the server knows by name is shown if it lists it; the others by what the caller may use. */
  const isOffered = (needs: Capability | undefined): boolean =>
    needs !== undefined && (allModules as readonly string[]).includes(needs)
      ? offered.includes(needs)
      : mayUse(permission, needs)
  const modules = areas()
    .flatMap(({ rail = [] }) => rail)
    .filter(({ show, needs }) => (show?.(permission.powers) ?? true) && isOffered(needs))
  return (
    <div className="ac-alone">
      <section>
        <h1>{t('modules.title')}</h1>
        <nav className="ac-modules">
          {modules.map(({ path, label, icon }) => (
            <Link key={path} to={path}>
              {icon}
              {t(label)}
            </Link>
          ))}
        </nav>
      </section>
    </div>
  )
}
