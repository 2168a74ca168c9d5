// The page on which a licence file activates the server, reached by the redirect of a 455 (X22).
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function Activate(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [known, setKnown] = useState<{ activated: boolean; installation: string }>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    api.getActivation({}, { quiet: true }).then(setKnown, (error: unknown) => {
      setProblem(error instanceof CallError ? error.message : String(error))
    })
  }, [])
  const put = async (file: File): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await api.activate({ licence: (await file.text()).slice(0, 8000) }, { quiet: true })
      setKnown({ activated: true, installation: '' })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  if (known === undefined && problem === undefined)
    return (
      <SignInFrame title={t('activate.title')} isSignedIn>
        <Spinner />
      </SignInFrame>
    )
  if (known?.activated === true)
    return (
      <SignInFrame title={t('activate.done')} isSignedIn>
        <p role="status">{t('activate.doneMore')}</p>
        <Button className="login-submit" kind="primary" size="large" onClick={() => void navigate('/doc/login?left=1')}>
          {t('activate.signIn')}
        </Button>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t('activate.title')} isSignedIn>
      <p>{t('activate.why')}</p>
      {known !== undefined && (
        <p>
          {t('activate.number')} <code>{known.installation}</code>
        </p>
      )}
      {problem !== undefined && (
        <p className="k-problem" role="alert">
          {problem}
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('activate.file')}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file !== undefined) void put(file)
        }}
      />
      <Button
        className="login-submit"
        kind="primary"
        size="large"
        disabled={isBusy || known === undefined}
        onClick={() => input.current?.click()}
      >
        {t('activate.file')}
      </Button>
    </SignInFrame>
  )
}
