// Signs the user in at a linked server with their account there. The other server checks the password once and remembers
// the account; after that, the server of the page signs the user in.
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { linkAccountAt, useServerName } from '../../core/session/linked-servers.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import './linked-sign-in.css'

export interface LinkedSignInProps {
  readonly serverId: number
  /** A session there has ended while the user was working on it ([R035]). */
  readonly ended: boolean
}

/** The window cloudoc-linked-sign-in. Returns true after the sign-in. */
export function LinkedSignIn({ serverId, ended, close }: WindowProps<LinkedSignInProps, boolean>): ReactNode {
  const t = useT()
  const name = useServerName(serverId)
  const { account } = useSession()
  const [userName, setUserName] = useState(account.account)
  const [password, setPassword] = useState('')
  const [factorCode, setFactorCode] = useState<string>()
  const [sent, setSent] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (userName.trim() === '' || password === '') return setProblem(t('linked.window.typeBoth'))
    setBusy(true)
    try {
      const typed = { userName: userName.trim(), password, ...(factorCode !== undefined && { factorCode }) }
      if (await linkAccountAt(serverId, typed)) return close(true)
      setProblem(t('linked.window.refused', { name }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'secondFactorDue' || error.code === 'secondFactorSent') {
        setFactorCode('')
        setSent(error.code === 'secondFactorSent' ? error.message : undefined)
      } else setProblem(error.message)
    }
    setBusy(false)
  }
  const typed = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    set(event.target.value)
    setProblem(undefined)
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <div className="linked-sign-in">
          <p>{t(ended ? 'linked.window.ended' : 'linked.window.text', { name })}</p>
          <TextField
            size="large"
            label={t('linked.window.account', { name })}
            autoComplete="off"
            maxLength={200}
            value={userName}
            onChange={typed(setUserName)}
          />
          <TextField
            size="large"
            label={t('linked.window.password')}
            type="password"
            autoComplete="off"
            autoFocus
            maxLength={1000}
            value={password}
            problem={problem}
            onChange={typed(setPassword)}
          />
          {factorCode !== undefined && (
            <TextField
              size="large"
              label={t('linked.window.factor')}
              autoFocus
              autoComplete="one-time-code"
              maxLength={20}
              help={sent}
              value={factorCode}
              onChange={typed(setFactorCode)}
            />
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t(ended ? 'linked.window.leave' : 'linked.window.later')}</Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {t('linked.window.ok')}
        </Button>
      </DialogFooter>
    </form>
  )
}
