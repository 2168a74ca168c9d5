// The passkeys of the user: keys of this device or of a password manager that sign in without a password.

import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { hasPasskeys } from '../../core/page/passkeys.ts'
import { userAgentLabel } from '../../core/page/user-agent.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Key20Regular } from '../../kit/icons.ts'
import { SettingRow } from '../frame/side-pages.tsx'
import './security-texts.ts'

type Passkey = Awaited<ReturnType<typeof api.getMyPasskeys>>['list'][number]

/** Lets the browser make a passkey. False: the user has dismissed its prompt. */
export async function makePasskey(name: string, password = ''): Promise<boolean> {
  const { options } = await api.beginPasskey({ password }, { quiet: true })
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = JSON.parse(options) as Parameters<typeof startRegistration>[0]['optionsJSON']
  const made = await startRegistration({ optionsJSON }).catch(() => undefined)
  if (made === undefined) return false
  await api.addPasskey({ credential: JSON.stringify(made), name }, { quiet: true })
  return true
}

/** Gives the second factor of this session by a passkey. False: dismissed. */
export async function proveByPasskey(): Promise<boolean> {
  const { options } = await api.startPasskeySignIn({}, { quiet: true })
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = JSON.parse(options) as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const answer = await startAuthentication({ optionsJSON }).catch(() => undefined)
  if (answer === undefined) return false
  await api.proveByPasskey({ credential: JSON.stringify(answer) }, { quiet: true })
  return true
}

/** The name that a new passkey has until its owner gives another. */
export const passkeyName = (otherwise: string): string => userAgentLabel(navigator.userAgent) || otherwise

/** The list of passkeys, each with its removal, and a form for a new one. */
export function Passkeys(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [list, setList] = useState<readonly Passkey[]>()
  const [name, setName] = useState<string>()
  const [password, setPassword] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [renaming, setRenaming] = useState<number>()
  const read = useCallback(async () => setList((await api.getMyPasskeys({}, { quiet: true })).list), [])
  useEffect(() => void read().catch(() => undefined), [read])
  if (list === undefined) return null
  const day = (at: number): string => new Date(at).toLocaleDateString(locale)
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      if (!(await makePasskey(name?.trim() || passkeyName(t('passkey.one')), password)))
        return setProblem(t('passkey.dismissed'))
      toast({ kind: 'success', text: t('passkey.added') })
      setName(undefined)
      setPassword(undefined)
      await read()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // Some time after the sign-in the password is asked for: its field is shown by the first refusal.
      if (error.code === 'wrongPassword' && password === undefined) return setPassword('')
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const remove = async ({ passkeyId, name: its }: Passkey): Promise<void> => {
    const isSure = await confirmBox({
      text: t('passkey.removeAsk', { name: its }),
      detail: t('passkey.removeMore'),
      ok: t('passkey.remove'),
      danger: true,
    })
    if (!isSure) return
    await api.removePasskey({ passkeyId })
    await read()
  }
  const noteOf = ({ createTime, usedTime, usable, host }: Passkey): string =>
    [
      t('passkey.since', { day: day(createTime) }),
      usedTime === 0 ? t('passkey.unused') : t('passkey.used', { day: day(usedTime) }),
      ...(usable ? [] : [t('passkey.elsewhere', { host })]),
    ].join(' · ')
  return (
    <>
      <h3>{t('passkey.title')}</h3>
      <p className="ac-hint">{t(hasPasskeys() ? 'passkey.what' : 'passkey.insecure')}</p>
      {list.map((one) =>
        renaming === one.passkeyId ? (
          <RenameForm
            key={one.passkeyId}
            passkey={one}
            onDone={() => {
              setRenaming(undefined)
              void read()
            }}
          />
        ) : (
          <SettingRow key={one.passkeyId} label={one.name} note={noteOf(one)}>
            <Button size="small" onClick={() => setRenaming(one.passkeyId)}>
              {t('passkey.rename')}
            </Button>
            <Button size="small" onClick={() => void remove(one).catch(() => undefined)}>
              {t('passkey.remove')}
            </Button>
          </SettingRow>
        ),
      )}
      {hasPasskeys() && name === undefined && (
        <p>
          <Button icon={<Key20Regular />} onClick={() => setName(passkeyName(t('passkey.one')))}>
            {t('passkey.add')}
          </Button>
        </p>
      )}
      {name !== undefined && (
        <form className="ac-form" onSubmit={(event) => void add(event)}>
          <TextField
            label={t('passkey.name')}
            autoFocus
            maxLength={60}
            value={name}
            problem={password === undefined ? problem : undefined}
            onChange={({ target }) => setName(target.value)}
          />
          {password !== undefined && (
            <TextField
              label={t('passkey.password')}
              type="password"
              autoFocus
              autoComplete="current-password"
              maxLength={1000}
              value={password}
              help={t('passkey.passwordWhy')}
              problem={problem}
              onChange={({ target }) => {
                setPassword(target.value)
                setProblem(undefined)
              }}
            />
          )}
          <p>
            <Button kind="primary" type="submit" disabled={busy || password === ''}>
              {t('passkey.make')}
            </Button>{' '}
            <Button
              onClick={() => {
                setName(undefined)
                setPassword(undefined)
                setProblem(undefined)
              }}
            >
              {t('box.cancel')}
            </Button>
          </p>
        </form>
      )}
    </>
  )
}

function RenameForm({ passkey, onDone }: { readonly passkey: Passkey; readonly onDone: () => void }): ReactNode {
  const t = useT()
  const [name, setName] = useState(passkey.name)
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    await api.renamePasskey({ passkeyId: passkey.passkeyId, name: name.trim() })
    onDone()
  }
  return (
    <form className="ac-form" onSubmit={(event) => void save(event).catch(() => undefined)}>
      <TextField
        label={t('passkey.name')}
        value={name}
        maxLength={60}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <footer className="ac-foot">
        <Button onClick={onDone}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={name.trim() === ''}>
          {t('passkey.save')}
        </Button>
      </footer>
    </form>
  )
}
