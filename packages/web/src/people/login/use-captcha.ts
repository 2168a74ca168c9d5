import { useCallback, useState } from 'react'
import { CallError, streamUrl } from '../../core/call/api.ts'

/** The size of the picture ([R013]). */
export const captchaSize = { width: 130, height: 48 } as const

interface Captcha {
  /** The picture, when one is asked for. */
  readonly url: string | undefined
  readonly text: string
  readonly setText: (text: string) => void
  /** Asks for another picture: each is good once. */
  readonly renew: () => void
  /** Takes up what a refused sign-in says about the captcha. */
  readonly refused: (error: unknown) => void
}

/** A captcha that shows only when the server asks for one (-115). */
export function useCaptcha(): Captcha {
  const [url, setUrl] = useState<string>()
  const [text, setText] = useState('')
  const renew = useCallback(() => {
    setUrl(streamUrl('getCaptcha', captchaSize))
    setText('')
  }, [])
  const refused = (error: unknown): void => {
    const due = error instanceof CallError && error.code === 'wrongVerificationCode'
    if (due || url !== undefined) renew()
  }
  return { url, text, setText, renew, refused }
}
