// file-exchange-required-password ([R106], [R077]): the password of what was received. Four signs, then it is picked up.
import { exchangePassword } from '@cloudoc/domain'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogFooter } from '../kit/dialog.tsx'
import type { PasswordProps, PickedUp } from './window-props.ts'
import './exchange-texts.ts'
import './exchange.css'

const length = 4

export function ExchangePassword({
  approveId,
  folderId,
  sender,
  close,
}: WindowProps<PasswordProps, PickedUp>): ReactNode {
  const t = useT()
  const [pwd, setPwd] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const verify = async (value: string): Promise<void> => {
    if (busy || !exchangePassword.test(value)) return
    setBusy(true)
    try {
      close(await api.of(mainServer).verifyExchangePwd({ approveId, pwd: value, folderId }, { quiet: true }))
    } catch (failure) {
      setProblem(failure instanceof CallError ? failure.message : t('drive.failed'))
      setPwd('')
    } finally {
      setBusy(false)
    }
  }
  const change = (typed: string): void => {
    const value = typed.replace(/[^0-9A-Za-z]/g, '').slice(0, length)
    setPwd(value)
    if (value !== '') setProblem('')
    if (value.length === length) void verify(value)
  }
  return (
    <>
      <form
        className="ex-password"
        onSubmit={(event) => {
          event.preventDefault()
          void verify(pwd)
        }}
      >
        <p>{sender === '' ? t('exchange.password.ask') : t('exchange.password.askOf', { name: sender })}</p>
        <input
          ref={field}
          aria-label={t('exchange.password.title')}
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={pwd}
          disabled={busy}
          onChange={({ target }) => change(target.value)}
        />
        <small role={problem === '' ? undefined : 'alert'} data-problem={problem !== '' || undefined}>
          {problem === '' ? t('exchange.password.hint') : problem}
        </small>
      </form>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy || pwd.length < length} onClick={() => void verify(pwd)}>
          {t('exchange.pickUp')}
        </Button>
      </DialogFooter>
    </>
  )
}
