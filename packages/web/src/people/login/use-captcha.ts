import { useCallback, useState } from 'react'
import { CallError, streamUrl } from '../../core/call/api.ts'

/** The size of the picture ([R013]). */
export const captchaSize = { width: 130, height: 48 } as const

interface Captcha {
  /** The picture, if a captcha is required. */
  readonly url: string | undefined
  readonly text: string
  readonly setText: (text: string) => void
  /** Loads another picture: each is valid once. */
  readonly renew: () => void
  /** Handles the captcha part of a refused sign-in. */
  readonly refused: (error: unknown) => void
}

/** A captcha that is shown only if the server requires one: for the next attempt, or by a refusal (-115). */
export function useCaptcha(): Captcha {
  const [url, setUrl] = useState<string>()
  const [text, setText] = useState('')
  const renew = useCallback(() => {
    setUrl(streamUrl('getCaptcha', captchaSize))
    setText('')
  }, [])
  const refused = (error: unknown): void => {
    const due = error instanceof CallError && (error.captchaDue || error.code === 'wrongVerificationCode')
    if (due || url !== undefined) renew()
  }
  return { url, text, setText, renew, refused }
}
