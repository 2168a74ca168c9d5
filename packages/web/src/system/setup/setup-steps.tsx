// The steps of the first set-up. Each uses the same calls as the administration.
import type { Answer, Input as CallInput, calls } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { Cloud20Regular, HardDrive20Regular } from '@fluentui/react-icons'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ByteLimitField } from '../../admin/shared/usage-parts.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { RetentionField } from '../../drive/libraries/index.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Input } from '../../organisation/index.ts'
import { LoginPreview } from '../../people/index.ts'
import { LogoChoice } from '../settings/logo-part.tsx'
import { settingLabel } from '../settings/setting-labels.ts'
import { postponeSetup } from './setup-redirect.ts'
import './texts.ts'

export type Setup = Answer<typeof calls.getSetup>

export interface StepProps {
  readonly setup: Setup
  /** The step's data has been saved. */
  readonly onDone: () => Promise<void>
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
function Form({ children, save, disabled, onDone, onLeave, onBack, isLast }: FormProps): ReactNode {
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
          <Field label={t('company.setup.mail')} help={t('company.setup.mail.help')}>
            <Link to="/doc/admin/settings" onClick={postponeSetup}>
              {t('company.setup.mail.set')}
            </Link>
          </Field>
        </>
      )}
    </Form>
  )
}

function Libraries(props: StepProps): ReactNode {
  const t = useT()
  const { version_count, recycle_days, user_space } = useSession().serverSetting
  const [space, setSpace] = useState<number | undefined>(user_space)
  const [versions, setVersions] = useState<number | null>(version_count)
  const [days, setDays] = useState<number | null>(recycle_days)
  const [name, setName] = useState('')
  const [quota, setQuota] = useState<number | undefined>(0)
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

/** In display order. */
export const steps = {
  company: Company,
  password: Password,
  storage: Storage,
  levels: Levels,
  organisation: Organisation,
  libraries: Libraries,
}
