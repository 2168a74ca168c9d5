// The tokens and app passwords of the user: each is told once, and can be revoked.
import { fullTime } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Add16Regular, Copy16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import { DriveConnection } from './drive-connection.tsx'
import './program-texts.ts'

type Known = Awaited<ReturnType<typeof api.getMyPrograms>>
type Token = Known['list'][number]

export function TokensPage(): ReactNode {
  const t = useT()
  const [known, setKnown] = useState<Known>()
  const [problem, setProblem] = useState<string>()
  const [isNew, setNew] = useState(false)
  const [shown, setShown] = useState<string>()
  const read = useCallback(async () => {
    try {
      setKnown(await api.getMyPrograms({}, { quiet: true }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }, [])
  useEffect(() => void read(), [read])
  if (problem !== undefined) return <StatePage title={problem} />
  if (known === undefined) return <Spinner />
  const revoke = async ({ programId, name }: Token): Promise<void> => {
    const isSure = await confirmBox({
      text: t('token.revokeAsk', { name }),
      detail: t('token.revokeMore'),
      ok: t('token.revoke'),
      danger: true,
    })
    if (!isSure) return
    await api.revokeMyProgram({ programId })
    toast({ kind: 'success', text: t('token.revoked') })
    await read()
  }
  const noteOf = (token: Token): string =>
    [
      t(`token.kind.${token.kind}`),
      t(token.scopes.includes('write') ? 'token.scopeWrite' : 'token.scopeRead'),
      ...token.libraries.map(({ name }) => name),
      token.usedTime === 0 ? t('token.never') : t('token.usedAt', { time: fullTime(token.usedTime) }),
      t('token.until', { time: fullTime(token.expireTime) }),
    ].join(' · ')
  return (
    <>
      <div className="ac-body">
        <p className="ac-hint">{t(known.allowed ? 'token.what' : 'token.notAllowed')}</p>
        {shown !== undefined && <Shown token={shown} onDone={() => setShown(undefined)} />}
        {isNew && (
          <TokenForm
            mostDays={known.mostDays}
            onCancel={() => setNew(false)}
            onMade={(token) => {
              setNew(false)
              setShown(token)
              void read()
            }}
          />
        )}
        {known.list.length === 0 && !isNew && shown === undefined && <StatePage title={t('token.none')} />}
        {known.list.map((token) => (
          <SettingRow key={token.programId} label={`${token.name} …${token.ending}`} note={noteOf(token)}>
            {token.ended && <StatusChip>{t('token.ended')}</StatusChip>}
            <Button size="small" onClick={() => void revoke(token).catch(() => undefined)}>
              {t('token.revoke')}
            </Button>
          </SettingRow>
        ))}
        <DriveConnection />
      </div>
      {known.allowed && !isNew && (
        <footer className="ac-foot">
          <Button kind="primary" icon={<Add16Regular />} onClick={() => setNew(true)}>
            {t('token.new')}
          </Button>
        </footer>
      )}
    </>
  )
}

/** A new token, which is not told again. */
function Shown({ token, onDone }: { readonly token: string; readonly onDone: () => void }): ReactNode {
  const t = useT()
  return (
    <section className="ac-form" role="status">
      <p>{t('token.shown')}</p>
      <p style={{ overflowWrap: 'anywhere' }}>
        <code>{token}</code>
      </p>
      <footer className="ac-foot">
        <Button
          icon={<Copy16Regular />}
          onClick={() => void copyText(token).then(() => toast({ kind: 'success', text: t('token.copied') }))}
        >
          {t('token.copy')}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {t('token.done')}
        </Button>
      </footer>
    </section>
  )
}

function TokenForm(props: {
  readonly mostDays: number
  readonly onCancel: () => void
  readonly onMade: (token: string) => void
}): ReactNode {
  const t = useT()
  const { mostDays } = props
  const [kind, setKind] = useState<'personal' | 'app'>('personal')
  const [name, setName] = useState('')
  const [write, setWrite] = useState(false)
  const [days, setDays] = useState(String(Math.min(90, mostDays)))
  const [password, setPassword] = useState<string>()
  const [problem, setProblem] = useState<{ readonly field: 'name' | 'days' | 'password'; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const n = Number(days)
    if (name.trim() === '') return setProblem({ field: 'name', text: t('token.nameMissing') })
    if (!Number.isInteger(n) || n < 1 || n > mostDays)
      return setProblem({ field: 'days', text: t('token.daysWrong', { n: mostDays }) })
    setBusy(true)
    setProblem(undefined)
    try {
      const asked = { kind, name: name.trim(), write, days: n, ...(password !== undefined && { password }) }
      props.onMade((await api.createMyProgram(asked, { quiet: true })).token)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // Some time after the sign-in the password is asked for: its field is shown by the first refusal.
      if (error.code === 'wrongPassword' && password === undefined) return setPassword('')
      setProblem({ field: error.code === 'wrongPassword' ? 'password' : 'name', text: error.message })
    } finally {
      setBusy(false)
    }
  }
  const problemOf = (field: string): string | undefined => (problem?.field === field ? problem.text : undefined)
  return (
    <form className="ac-form" noValidate onSubmit={(event) => void create(event)}>
      <Select
        label={t('token.kind')}
        showLabel
        value={kind}
        options={(['personal', 'app'] as const).map((value) => ({ value, label: t(`token.kind.${value}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t('token.name')}
        help={t('token.nameHelp')}
        value={name}
        maxLength={60}
        autoFocus
        problem={problemOf('name')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('token.days', { n: mostDays })}
        value={days}
        inputMode="numeric"
        maxLength={4}
        problem={problemOf('days')}
        onChange={({ target }) => setDays(target.value)}
      />
      <Checkbox label={t('token.write')} checked={write} onChange={({ target }) => setWrite(target.checked)} />
      {password !== undefined && (
        <TextField
          label={t('token.password')}
          help={t('token.passwordWhy')}
          type="password"
          autoComplete="current-password"
          value={password}
          problem={problemOf('password')}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
      <footer className="ac-foot">
        <Button onClick={props.onCancel}>{t('device.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={isBusy}>
          {t('token.create')}
        </Button>
      </footer>
    </form>
  )
}
