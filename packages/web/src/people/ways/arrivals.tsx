// Pages to which others send a browser: a provider after its sign-in ([R019]), and a program with a key ([R022]).
import { ClientType } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { FactorField } from '../login/factor-field.tsx'
import { isFactorAsked, sentTo } from '../login/refusal.ts'
import { bindingResultPath, confirmedChannel } from './paths.ts'
import { enter, SignInFrame } from './sign-in-frame.tsx'
import './confirm-texts.ts'

const isSignedIn = (): Promise<boolean> =>
  api.getMyAccountInfo({}, { quiet: true, probe: true }).then(
    () => true,
    () => false,
  )

/** Finishes the sign-in with what the provider has sent back, once. */
export function SignInReturn(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const providerId = Number(useParams()['providerId'] ?? 0)
  const [query] = useState(() => location.search)
  const [failure, setFailure] = useState<CallError>()
  const [factor, setFactor] = useState<string>()
  const [sent, setSent] = useState<string>()
  const begun = useRef(false)
  const bind = async (): Promise<void> => {
    const result = await api.finishBinding({ providerId, query }, { quiet: true }).then(
      ({ name }) => ({ result: 'ok', name }),
      (error: unknown) => ({ result: 'failed', name: error instanceof CallError ? error.message : '' }),
    )
    void navigate(`${bindingResultPath}?${new URLSearchParams(result)}`, { replace: true })
  }
  const [confirmation, setConfirmation] = useState<CallError | 'done'>()
  const confirm = async (): Promise<void> => {
    try {
      await api.finishConfirmation({ providerId, query }, { quiet: true })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      return setConfirmation(error)
    }
    setConfirmation('done')
    const channel = new BroadcastChannel(confirmedChannel)
    const say: (message: true) => void = channel.postMessage.bind(channel)
    say(true)
    channel.close()
    window.close()
  }
  const finish = async (factorCode?: string): Promise<void> => {
    // The state tells by its first letter what was begun: a binding, a confirmation or a sign-in.
    const letter = new URLSearchParams(query).get('state')?.slice(0, 1)
    if (letter === 'b') return bind()
    if (letter === 'c') return confirm()
    try {
      const input = { providerId, query, ...(factorCode !== undefined && { factorCode }) }
      enter((await api.finishProviderSignIn(input, { quiet: true })).redirect)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // The page is shown once more, such as by the back button, to somebody whom it has signed in.
      if (error.code === 'signInAbnormal' && (await isSignedIn())) return enter('')
      const isAsked = isFactorAsked(error)
      if (isAsked || error.code === 'wrongSecondFactor') setFactor('')
      if (isAsked) setSent(sentTo(error))
      setFailure(isAsked ? undefined : error)
    }
  }
  // The code of the provider is good once, also where effects run twice.
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void finish()
  })
  if (confirmation !== undefined) return <ConfirmationResult failure={confirmation} />
  if (factor !== undefined)
    return (
      <SignInFrame title={t('return.factor')}>
        <form
          className="login-form-part"
          noValidate
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault()
            void finish(factor.trim())
          }}
        >
          <FactorField
            value={factor}
            sent={sent}
            problem={failure?.message}
            onChange={setFactor}
            onResend={() => void finish()}
          />
          <Button className="login-submit" kind="primary" size="large" type="submit">
            {t('ways.signIn')}
          </Button>
        </form>
      </SignInFrame>
    )
  if (failure === undefined)
    return (
      <SignInFrame title={t('return.title')}>
        <Spinner />
      </SignInFrame>
    )
  const { code } = failure
  const words =
    code === 'signInRejected'
      ? { title: t('return.rejected'), text: t('return.rejectedMore') }
      : code === 'signInAbnormal'
        ? { title: t('return.abnormal'), text: t('return.abnormalMore') }
        : { title: t(code === 'identityNotJoined' ? 'return.notJoined' : 'return.failed'), text: failure.message }
  return (
    <SignInFrame title={words.title}>
      <p role="alert">{words.text}</p>
      {code === 'signInAbnormal' && failure.message !== words.title && <p>{failure.message}</p>}
      <Button className="login-submit" kind="primary" size="large" onClick={() => void navigate('/doc/login?left=1')}>
        {t('ways.again')}
      </Button>
    </SignInFrame>
  )
}

/** The end of a confirmation, if the window could not close itself. */
function ConfirmationResult({ failure }: { readonly failure: CallError | 'done' }): ReactNode {
  const t = useT()
  if (failure === 'done')
    return (
      <SignInFrame title={t('confirm.done')} isSignedIn>
        <p role="status">{t('confirm.doneMore')}</p>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t('confirm.failed')} isSignedIn>
      <p role="alert">{failure.message}</p>
      <p>{t('confirm.failedMore')}</p>
    </SignInFrame>
  )
}

/** Signs in with the single-use key of a session in a program on this computer. */
export function LoginToWeb(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const [failed, setFailed] = useState(false)
  const begun = useRef(false)
  const key = query.get('loginKey') ?? ''
  const target = query.get('redirect') ?? ''
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    api.login3ByLoginKey({ serverId: 0, clientType: ClientType.web, loginKey: key }, { quiet: true }).then(
      () => enter(target),
      () => setFailed(true),
    )
  }, [key, target])
  return (
    <SignInFrame title={t(failed ? 'toWeb.failed' : 'return.title')}>
      {failed ? <p role="alert">{t('toWeb.failedMore')}</p> : <Spinner />}
    </SignInFrame>
  )
}

/** Tells whether an identity was bound ([R025]); names neither another person nor their account. */
export function BindingResult(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const done = query.get('result') === 'ok'
  return (
    <SignInFrame title={t(done ? 'bind.done' : 'bind.failed')} isSignedIn>
      <p role={done ? 'status' : 'alert'}>
        {done ? t('bind.doneMore', { name: query.get('name') ?? '' }) : t('bind.failedMore')}
        {!done && query.get('name') !== '' && <small> {query.get('name')}</small>}
      </p>
      <Button
        className="login-submit"
        kind="primary"
        size="large"
        onClick={() => void navigate('/doc/personal-setting', { replace: true })}
      >
        {t('bind.back')}
      </Button>
    </SignInFrame>
  )
}
