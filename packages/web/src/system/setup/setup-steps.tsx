// The steps of the first set-up. Each uses the same calls as the administration.
import {
  type Answer,
  administered,
  type Input as CallInput,
  type calls,
  type SettingValue,
  type SetupStep,
} from '@cloudoc/contract'
import { formatSize, rightsGroup } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ByteLimitField } from '../../admin/shared/usage-parts.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { RetentionField } from '../../drive/libraries/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Cloud20Regular, HardDrive20Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Field, Input } from '../../organisation/index.ts'
import { LoginPreview } from '../../people/index.ts'
import { ImportLicence } from '../licence/licence-page.tsx'
import { LogoChoice } from '../settings/logo-part.tsx'
import { settingLabel, valueLabel } from '../settings/setting-labels.ts'
import { postponeSetup } from './setup-redirect.ts'
import './texts.ts'

export type Setup = Answer<typeof calls.getSetup>

export interface StepProps {
  readonly setup: Setup
  /** The step's data has been saved. */
  readonly onDone: () => Promise<void>
  /** The step is left for later. */
  readonly onSkip: () => Promise<void>
  readonly onLeave: () => void
  readonly onBack: (() => void) | undefined
  readonly isLast: boolean
}

/** What is wrong, and at which field of the step; at the end of the form if it is no single field. */
interface Problem {
  readonly field?: string
  readonly text: string
}

interface FormProps extends StepProps {
  /** The fields; `problemAt` is what is wrong at a field. */
  readonly children: (problemAt: (field: string) => string | undefined) => ReactNode
  /** Saves the entered data. Returns what is wrong, if anything. */
  readonly save: () => Promise<Problem | undefined>
  readonly disabled?: boolean
}

/** Makes a call; a refusal is the problem of a field. */
async function saving(field: string, work: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof CallError && error.number !== 0) return { field, text: error.message }
    throw error
  }
}

/** Refusals are shown at their fields. */
const quiet = { quiet: true } as const

function FieldProblem({ text }: { readonly text: string | undefined }): ReactNode {
  return (
    text !== undefined && (
      <p className="k-problem" role="alert">
        {text}
      </p>
    )
  )
}

/** A step: its fields, and the buttons back, next and leave. */
function Form({ children, save, disabled, onDone, onSkip, onLeave, onBack, isLast }: FormProps): ReactNode {
  const t = useT()
  const [problem, setProblem] = useState<Problem>()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const wrong = await save()
      if (wrong === undefined) await onDone()
      else {
        setProblem(wrong)
        if (wrong.field !== undefined) form.current?.querySelector<HTMLElement>(`[name=${wrong.field}]`)?.focus()
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem({ text: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className="su-form"
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={() => setProblem(undefined)}
    >
      <div className="su-fields">
        {children((field) => (problem?.field === field ? problem.text : undefined))}
        {problem !== undefined && problem.field === undefined && (
          <p className="k-problem" role="alert">
            {problem.text}
          </p>
        )}
      </div>
      <footer className="su-buttons">
        <Button kind="link" onClick={onLeave}>
          {t('company.setup.later')}
        </Button>
        <span className="or-grow" />
        {onBack !== undefined && <Button onClick={onBack}>{t('company.setup.back')}</Button>}
        <Button disabled={busy} onClick={() => void onSkip()}>
          {t('company.setup.skip')}
        </Button>
        <Button kind="primary" type="submit" disabled={busy || disabled === true}>
          {t(isLast ? 'company.setup.finish' : 'company.setup.next')}
        </Button>
      </footer>
    </form>
  )
}

function Company(props: StepProps): ReactNode {
  const t = useT()
  const { company_name, company_logo, setting } = useSession().serverSetting
  const locale = useLocale()
  const [name, setName] = useState(company_name)
  const [code, setCode] = useState(setting.server_code)
  const [logo, setLogo] = useState(company_logo)
  return (
    <Form
      {...props}
      save={async () => {
        if (name.trim() === '') return { field: 'company', text: t('company.setup.company.missing') }
        return saving('code', () =>
          api.setServerSetting({ company_name: name.trim(), server_code: code.trim() }, quiet),
        )
      }}
    >
      {(problemAt) => (
        <>
          <Field label={t('company.setup.company.name')} help={t('company.setup.company.help')}>
            <Input
              name="company"
              label={t('company.setup.company.name')}
              problem={problemAt('company')}
              autoFocus
              maxLength={64}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </Field>
          <Field label={settingLabel('server_code', locale)} help={t('company.setup.company.codeHelp')}>
            <Input
              name="code"
              label={settingLabel('server_code', locale)}
              problem={problemAt('code')}
              maxLength={32}
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          </Field>
          <Field label={t('admin.logo')}>
            <LogoChoice logo={logo} onChange={setLogo} />
          </Field>
          <figure className="su-preview">
            <figcaption>{t('company.setup.company.preview')}</figcaption>
            <LoginPreview company={name.trim()} logo={logo} code={code.trim()} />
          </figure>
        </>
      )}
    </Form>
  )
}

function Password(props: StepProps): ReactNode {
  const t = useT()
  const { account } = useSession().account
  const isDone = props.setup.done.includes('password')
  const [changed, setChanged] = useState(isDone)
  return (
    <Form {...props} save={() => Promise.resolve(undefined)}>
      {() => (
        <>
          <Field label={t('company.setup.company.account')}>{account}</Field>
          <Field
            label={t('company.setup.company.password')}
            help={t(changed ? 'company.setup.password.changed' : 'company.setup.password.help')}
          >
            <Button
              onClick={() =>
                void openWindow('cloudoc-change-password', { account, due: false }).then(
                  (done) => done === true && setChanged(true),
                )
              }
            >
              {t('company.setup.password.change')}
            </Button>
          </Field>
        </>
      )}
    </Form>
  )
}

function Storage(props: StepProps): ReactNode {
  const t = useT()
  const { server_space } = useSession().serverSetting
  const { place, disk } = props.setup.storage
  const [space, setSpace] = useState<number | undefined>(server_space)
  return (
    <Form
      {...props}
      disabled={space === undefined}
      save={async () => {
        await api.setServerSetting({ server_space: space })
        return undefined
      }}
    >
      {() => (
        <>
          <Field label={t('company.setup.storage.where')} help={t('company.setup.storage.help')}>
            <span className="or-line">
              {disk === null ? <Cloud20Regular /> : <HardDrive20Regular />}
              <code>{place}</code>
            </span>
          </Field>
          {disk !== null && (
            <Field label={t('company.setup.storage.free')}>
              {t('company.setup.storage.freeOf', { free: formatSize(disk.free, 1), size: formatSize(disk.size, 1) })}
            </Field>
          )}
          <Field label={t('company.setup.storage.limit')} help={t('company.setup.storage.limitHelp')}>
            <ByteLimitField label={t('company.setup.storage.limit')} value={server_space} onChange={setSpace} />
          </Field>
        </>
      )}
    </Form>
  )
}

/** The entries of a text, one per line. */
const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

function Levels(props: StepProps): ReactNode {
  const t = useT()
  const { secret_names } = useSession().serverSetting
  const [text, setText] = useState(secret_names.join('\n'))
  return (
    <Form
      {...props}
      save={async () => {
        const names = linesOf(text)
        if (names.join('\n') === secret_names.join('\n')) return undefined
        return saving('levels', () => api.setSafeStrategy({ secret_names: names }, quiet))
      }}
    >
      {(problemAt) => (
        <Field label={t('company.setup.levels.names')} help={t('company.setup.levels.help')}>
          <textarea
            className="su-lines"
            rows={6}
            name="levels"
            aria-label={t('company.setup.levels.names')}
            aria-invalid={problemAt('levels') !== undefined}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <FieldProblem text={problemAt('levels')} />
        </Field>
      )}
    </Form>
  )
}

function Organisation(props: StepProps): ReactNode {
  const t = useT()
  const [text, setText] = useState('')
  const names = linesOf(text)
  return (
    <Form
      {...props}
      save={async () => {
        for (const groupName of names) {
          try {
            await api.createGroup({ groupName, parentId: 0 }, quiet)
          } catch (error) {
            if (!(error instanceof CallError)) throw error
            // A department that already exists is the desired result.
            if (error.code !== 'alreadyExists') return { field: 'groups', text: `${groupName}: ${error.message}` }
          }
        }
        return undefined
      }}
    >
      {(problemAt) => (
        <>
          <Field
            label={t('company.setup.organisation.groups')}
            help={t('company.setup.organisation.there', { n: props.setup.groups, people: props.setup.people })}
          >
            <textarea
              className="su-lines"
              rows={6}
              name="groups"
              aria-label={t('company.setup.organisation.groups')}
              aria-invalid={problemAt('groups') !== undefined}
              placeholder={t('company.setup.organisation.sampleGroups')}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
            <FieldProblem text={problemAt('groups')} />
            <Button kind="link" onClick={() => setText(t('company.setup.organisation.sampleGroups'))}>
              {t('company.setup.organisation.sample')}
            </Button>
          </Field>
          <Field label={t('company.setup.organisation.people')} help={t('company.setup.organisation.peopleHelp')}>
            <Link to="/doc/admin/people/import" onClick={postponeSetup}>
              {t('company.setup.organisation.import')}
            </Link>
            <Link to="/doc/admin/people" onClick={postponeSetup}>
              {t('company.setup.organisation.byHand')}
            </Link>
          </Field>
        </>
      )}
    </Form>
  )
}

/** Libraries that most companies have beside those of the company, its departments and its people. */
const defaultLibraries = {
  rules: (name: string, { companyGroupId }: Setup) => ({
    name,
    kind: 'company' as const,
    entries: [{ subjectType: 'group' as const, subjectId: companyGroupId, rights: rightsGroup.download }],
  }),
  archive: (name: string) => ({ name, kind: 'archive' as const, readOnly: true, binDays: 0 }),
} satisfies Record<string, (name: string, setup: Setup) => CallInput<typeof calls.createLibrary>>
type DefaultLibrary = keyof typeof defaultLibraries
const libraryNames = Object.keys(defaultLibraries) as DefaultLibrary[]

function Libraries(props: StepProps): ReactNode {
  const t = useT()
  const { version_count, recycle_days, user_space } = useSession().serverSetting
  const [space, setSpace] = useState<number | undefined>(user_space)
  const [versions, setVersions] = useState<number | null>(version_count)
  const [days, setDays] = useState<number | null>(recycle_days)
  const [name, setName] = useState('')
  const [quota, setQuota] = useState<number | undefined>(0)
  const [chosen, setChosen] = useState<readonly DefaultLibrary[]>(
    props.setup.demo.state === 'done' ? [] : ['rules', 'archive'],
  )
  return (
    <Form
      {...props}
      disabled={space === undefined || quota === undefined}
      save={async () => {
        const rules: CallInput<typeof calls.setServerSetting> = {
          user_space: space,
          version_count: versions ?? 0,
          recycle_days: days ?? 0,
        }
        await api.setServerSetting(rules)
        for (const one of chosen) {
          try {
            await api.createLibrary(defaultLibraries[one](t(`company.setup.library.${one}`), props.setup), quiet)
          } catch (error) {
            // A library that already exists is the desired result.
            if (!(error instanceof CallError) || error.code !== 'alreadyExists') throw error
          }
        }
        if (name.trim() === '') return undefined
        return saving('library', () =>
          api.createLibrary({ name: name.trim(), kind: 'project', quota: quota ?? 0 }, quiet),
        )
      }}
    >
      {(problemAt) => (
        <>
          <Field label={t('company.setup.libraries.person')} help={t('company.setup.libraries.personHelp')}>
            <ByteLimitField label={t('company.setup.libraries.person')} value={user_space} onChange={setSpace} />
          </Field>
          <RetentionField
            label={t('company.column.versions')}
            help={t('company.versionsHelp')}
            value={versions}
            none={t('company.allVersions')}
            usual={20}
            onChange={setVersions}
          />
          <RetentionField
            label={t('company.column.bin')}
            help={t('company.binHelp')}
            value={days}
            none={t('company.forever')}
            usual={30}
            onChange={setDays}
          />
          <Field label={t('company.setup.libraries.usual')} help={t('company.setup.libraries.usualHelp')}>
            {libraryNames.map((one) => (
              <div key={one} className="su-choice">
                <Checkbox
                  label={t(`company.setup.library.${one}`)}
                  checked={chosen.includes(one)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, one] : chosen.filter((each) => each !== one))
                  }
                />
                <small>{t(`company.setup.library.${one}More`)}</small>
              </div>
            ))}
          </Field>
          <Field label={t('company.setup.libraries.first')} help={t('company.setup.libraries.firstHelp')}>
            <Input
              name="library"
              label={t('company.setup.libraries.first')}
              problem={problemAt('library')}
              maxLength={200}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </Field>
          {name.trim() !== '' && (
            <Field label={t('company.quota')}>
              <ByteLimitField label={t('company.quota')} value={0} onChange={setQuota} />
            </Field>
          )}
        </>
      )}
    </Form>
  )
}

/** Whether a licence is demanded, and its import. */
function LicenceStep(props: StepProps): ReactNode {
  const t = useT()
  const { data, refetch } = useQuery({ queryKey: ['company', 'setup', 'licence'], queryFn: () => api.getLicence({}) })
  return (
    <Form {...props} disabled={data === undefined} save={() => Promise.resolve(undefined)}>
      {() => (
        <>
          <Field
            label={t('company.setup.licence.state')}
            help={data && t(data.demanded ? 'company.setup.licence.demanded' : 'company.setup.licence.free')}
          >
            {data && (
              <StatusChip tone={licenceTones[data.state]}>{t(`company.setup.licence.${data.state}`)}</StatusChip>
            )}
          </Field>
          {data?.demanded && (
            <Field label={t('company.setup.licence.file')} help={t('company.setup.licence.more')}>
              <ImportLicence onDone={() => void refetch()} />
            </Field>
          )}
          <Field label={t('company.setup.licence.page')}>
            <Link to="/doc/admin/licence" onClick={postponeSetup}>
              {t('company.setup.licence.open')}
            </Link>
          </Field>
        </>
      )}
    </Form>
  )
}
const licenceTones = { none: 'neutral', valid: 'success', grace: 'warning', expired: 'danger' } as const

const mailFields = ['mail_host', 'mail_port', 'mail_account', 'mail_sender'] as const
type MailSetting = (typeof mailFields)[number] | 'mail_security'

/** The server through which mails go out, and a test mail. */
function Mail(props: StepProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data: known } = useQuery({
    queryKey: ['company', 'setup', 'mail'],
    queryFn: () => api.getAdministeredSettings({}),
  })
  const { data: status, refetch } = useQuery({
    queryKey: ['company', 'setup', 'mailStatus'],
    queryFn: () => api.getMailStatus({}),
  })
  const [typed, setTyped] = useState<Partial<Record<MailSetting, string>>>({})
  const [password, setPassword] = useState('')
  const [to, setTo] = useState<string>()
  const [outcome, setOutcome] = useState<{ readonly sent: boolean; readonly text: string }>()
  const [busy, setBusy] = useState(false)
  const valueOf = (name: MailSetting): string =>
    typed[name] ?? String(known?.list.find((one) => one.name === name)?.value ?? '')
  const store = async (): Promise<Problem | undefined> => {
    const port = Number(valueOf('mail_port'))
    if (!Number.isInteger(port)) return { field: 'mail_port', text: t('company.setup.mail.port') }
    const { mail_port: _, ...rest } = typed
    return saving('mail_host', async () => {
      const given: Record<string, SettingValue> = { ...rest, ...(typed.mail_port !== undefined && { mail_port: port }) }
      if (Object.keys(given).length > 0) await api.setServerSetting(given, quiet)
      if (password !== '') await api.setMailPassword({ password }, quiet)
      setPassword('')
      await refetch()
    })
  }
  const address = to ?? status?.own ?? ''
  const test = async (): Promise<void> => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const wrong = await store()
      if (wrong === undefined) await api.sendTestMail({ to: address }, quiet)
      setOutcome(
        wrong === undefined
          ? { sent: true, text: t('company.setup.mail.sent', { to: address }) }
          : { sent: false, text: wrong.text },
      )
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setOutcome({ sent: false, text: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form {...props} disabled={known === undefined || busy} save={store}>
      {(problemAt) => (
        <>
          {mailFields.map((name) => (
            <Field key={name} label={settingLabel(name, locale)}>
              <Input
                name={name}
                label={settingLabel(name, locale)}
                problem={problemAt(name)}
                inputMode={name === 'mail_port' ? 'numeric' : 'text'}
                placeholder={name === 'mail_host' ? 'smtp.example.com' : ''}
                maxLength={255}
                value={valueOf(name)}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value.trim() })}
              />
            </Field>
          ))}
          <Field label={settingLabel('mail_security', locale)}>
            <Select
              label={settingLabel('mail_security', locale)}
              value={valueOf('mail_security') || 'starttls'}
              options={administered.mail_security.choices.map((one) => ({
                value: one as string,
                label: valueLabel(t, 'mail_security', one),
              }))}
              onChange={(value) => setTyped({ ...typed, mail_security: value })}
            />
          </Field>
          <Field
            label={t('company.setup.company.password')}
            help={t(status?.hasPassword ? 'company.setup.mail.kept' : 'company.setup.mail.help')}
          >
            <Input
              type="password"
              label={t('company.setup.mail.password')}
              autoComplete="new-password"
              maxLength={500}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Field>
          <Field label={t('company.setup.mail.test')}>
            <span className="su-test">
              <Input
                type="email"
                label={t('company.setup.mail.to')}
                placeholder={t('company.setup.mail.to')}
                maxLength={254}
                value={address}
                onChange={({ target }) => setTo(target.value)}
              />
              <Button
                disabled={busy || valueOf('mail_host') === '' || !address.includes('@')}
                onClick={() => void test()}
              >
                {t('company.setup.mail.send')}
              </Button>
            </span>
            {outcome !== undefined && (
              <p className={outcome.sent ? 'k-help' : 'k-problem'} role={outcome.sent ? 'status' : 'alert'}>
                {outcome.text}
              </p>
            )}
          </Field>
        </>
      )}
    </Form>
  )
}

const demoRefreshMs = 2000

/** A company to try everything with. It fills an empty installation only. */
function Demo(props: StepProps): ReactNode {
  const t = useT()
  const { account } = useSession().account
  const { data, refetch } = useQuery({
    queryKey: ['company', 'setup', 'demo'],
    queryFn: () => api.getSetup({}),
    refetchInterval: ({ state }) => (state.data?.demo.state === 'running' ? demoRefreshMs : false),
  })
  const { state, line } = data?.demo ?? props.setup.demo
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const fill = async (): Promise<void> => {
    setProblem(undefined)
    const wrong = await saving('password', () => api.fillWithDemo({ password }, quiet))
    setProblem(wrong?.text)
    setPassword('')
    await refetch()
  }
  const offered = state === 'ready' || state === 'failed'
  return (
    <Form {...props} disabled={state === 'running'} save={() => Promise.resolve(undefined)}>
      {() => (
        <>
          <Field label={t('company.setup.demo.what')} help={t('company.setup.demo.whatMore')}>
            {t('company.setup.demo.company')}
          </Field>
          <Field label={t('company.setup.demo.state')}>
            <span role="status">
              {t(`company.setup.demo.${state}`)}
              {line !== '' && <small className="su-demo-line">{line}</small>}
            </span>
            {state === 'running' && <progress aria-label={t('company.setup.demo.running')} />}
          </Field>
          {offered && (
            <Field label={t('company.setup.company.password')} help={t('company.setup.demo.confirmMore', { account })}>
              <span className="su-test">
                <Input
                  type="password"
                  name="demoPassword"
                  autoComplete="current-password"
                  label={t('company.setup.demo.confirm', { account })}
                  problem={problem}
                  value={password}
                  onChange={({ target }) => setPassword(target.value)}
                />
                <Button disabled={password === ''} onClick={() => void fill().catch(notifyFailure)}>
                  {t('company.setup.demo.fill')}
                </Button>
              </span>
            </Field>
          )}
        </>
      )}
    </Form>
  )
}

/** The address under which people come, and its certificate. Both are set where the server is started. */
function Address(props: StepProps): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: ['company', 'setup', 'address'], queryFn: () => api.getServerAddresses({}) })
  const [found, setFound] = useState<Answer<typeof calls.checkServerAddress>>()
  const [busy, setBusy] = useState(false)
  const check = async (): Promise<void> => {
    setBusy(true)
    try {
      setFound(await api.checkServerAddress({}))
    } finally {
      setBusy(false)
    }
  }
  const isSet = data !== undefined && data.publicAddress !== ''
  return (
    <Form {...props} save={() => Promise.resolve(undefined)}>
      {() => (
        <>
          <Field label={t('company.setup.address.public')} help={t('company.setup.address.help')}>
            {data === undefined ? '' : isSet ? <code>{data.publicAddress}</code> : t('company.setup.address.none')}
          </Field>
          <Field label={t('company.setup.address.used')}>
            <code>{data?.usedAddress}</code>
          </Field>
          <Field label={t('company.setup.address.certificate')} help={t('company.setup.address.more')}>
            {isSet && (
              <Button disabled={busy} onClick={() => void check()}>
                {t('company.setup.address.check')}
              </Button>
            )}
            <span role="status">
              {found === undefined
                ? ''
                : found.reached
                  ? t(found.faults.length === 0 ? 'company.setup.address.good' : 'company.setup.address.faults')
                  : t('company.setup.address.unreached', { reason: found.reason })}
            </span>
            <Link to="/doc/admin/addresses" onClick={postponeSetup}>
              {t('company.setup.address.page')}
            </Link>
          </Field>
        </>
      )}
    </Form>
  )
}

const backupRefreshMs = 2000

/** The first backup. */
function FirstBackup(props: StepProps): ReactNode {
  const t = useT()
  const { data, refetch } = useQuery({
    queryKey: ['company', 'setup', 'backup'],
    queryFn: () => api.getBackups({}),
    refetchInterval: ({ state }) => (state.data?.running ? backupRefreshMs : false),
  })
  const [latest] = data?.list ?? []
  return (
    <Form {...props} save={() => Promise.resolve(undefined)}>
      {() => (
        <>
          <Field
            label={t('company.setup.backup.folder')}
            help={t(data?.isBesideData ? 'company.setup.backup.beside' : 'company.setup.backup.help')}
          >
            <code>{data?.folder}</code>
          </Field>
          <Field label={t('company.setup.backup.latest')} help={t('company.setup.backup.more')}>
            {data?.running ? (
              <progress max={1000} value={data.running.progress} aria-label={t('company.setup.backup.running')} />
            ) : (
              <>
                <Button
                  disabled={data === undefined}
                  onClick={() => void api.backUpNow({}).then(() => refetch(), notifyFailure)}
                >
                  {t('company.setup.backup.now')}
                </Button>
                <span role="status">
                  {latest === undefined
                    ? data?.problem
                    : t('company.setup.backup.made', { size: formatSize(latest.bytes, 1) })}
                </span>
              </>
            )}
          </Field>
        </>
      )}
    </Form>
  )
}

/** In display order. */
export const steps = {
  company: Company,
  password: Password,
  licence: LicenceStep,
  storage: Storage,
  address: Address,
  mail: Mail,
  levels: Levels,
  demo: Demo,
  organisation: Organisation,
  libraries: Libraries,
  backup: FirstBackup,
} satisfies Record<SetupStep, (props: StepProps) => ReactNode>
