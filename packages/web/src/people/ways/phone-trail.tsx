// A trial account for a confirmed phone number ([R023]).
import { fullTime } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { api, CallError, streamUrl } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { captchaSize } from '../login/use-captcha.ts'
import { CodeField, problemOf } from './code-field.tsx'
import { enter, SignInFrame } from './sign-in-frame.tsx'

/** The address of a picture that was not shown before. */
const newPicture = (): string => streamUrl('getCaptcha', captchaSize)

export function PhoneTrail(): ReactNode {
  const t = useT()
  const [phone, setPhone] = useState('')
  const [captcha, setCaptcha] = useState('')
  const [picture, setPicture] = useState(newPicture)
  const [smsKey, setSmsKey] = useState<string>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<{ readonly at: 'phone' | 'captcha' | 'code'; readonly text: string }>()
  const [made, setMade] = useState<{ readonly account: string; readonly until: number }>()
  const [busy, setBusy] = useState(false)
  const attempt = async (at: 'captcha' | 'code', what: () => Promise<void>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await what()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const field = at === 'captcha' && error.code !== 'wrongVerificationCode' ? 'phone' : at
      setProblem({ at: field, text: problemOf(error, t) })
      // A picture is good for one answer.
      if (at === 'captcha') {
        setPicture(newPicture())
        setCaptcha('')
      }
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (smsKey === undefined) {
      if (captcha.trim() === '') return setProblem({ at: 'captcha', text: t('trail.captchaMissing') })
      void attempt('captcha', async () => {
        const sent = await api.getPhoneCode({ phone: phone.trim(), captcha: captcha.trim() }, { quiet: true })
        setSmsKey(sent.smsKey)
      })
      return
    }
    if (!/^\s*\d{6}\s*$/.test(code)) return setProblem({ at: 'code', text: t('ways.codeWrong') })
    void attempt('code', async () => {
      const { accountInfo, expireTime } = await api.createTrialUser({ smsKey, captcha: code.trim() }, { quiet: true })
      setMade({ account: accountInfo.account, until: expireTime })
    })
  }
  const problemAt = (at: 'phone' | 'captcha' | 'code'): string | undefined =>
    problem?.at === at ? problem.text : undefined
  if (made !== undefined)
    return (
      <SignInFrame title={t('trail.done')}>
        <p role="status">{t('trail.doneMore', { account: made.account, until: fullTime(made.until) })}</p>
        <Button className="login-submit" kind="primary" size="large" autoFocus onClick={() => enter('')}>
          {t('trail.begin')}
        </Button>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t('trail.title')}>
      <form className="login-form-part" noValidate onSubmit={submit}>
        {smsKey === undefined ? (
          <>
            <p>{t('trail.what')}</p>
            <TextField
              size="large"
              label={t('trail.phone')}
              type="tel"
              autoFocus
              autoComplete="tel"
              maxLength={32}
              value={phone}
              problem={problemAt('phone')}
              onChange={({ target }) => setPhone(target.value)}
            />
            <TextField
              size="large"
              label={t('trail.captcha')}
              autoComplete="off"
              maxLength={20}
              value={captcha}
              problem={problemAt('captcha')}
              onChange={({ target }) => setCaptcha(target.value)}
            />
            <div className="ways-captcha">
              <img src={picture} {...captchaSize} alt={t('login.captchaPicture')} />
              <Button kind="link" onClick={() => setPicture(newPicture())}>
                {t('login.captchaOther')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p role="status">{t('trail.sent', { phone: phone.trim() })}</p>
            <CodeField label={t('ways.code')} value={code} problem={problemAt('code')} onChange={setCode} />
          </>
        )}
        <Button className="login-submit" kind="primary" size="large" type="submit" disabled={busy}>
          {t(smsKey === undefined ? 'ways.send' : 'trail.create')}
        </Button>
      </form>
    </SignInFrame>
  )
}
