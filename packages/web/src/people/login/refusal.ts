import type { CallError } from '../../core/call/api.ts'
import type { Translate } from '../../core/i18n/i18n.ts'

/**
 * The message for a refused sign-in. `captchaShown`: a captcha was already shown and the input was wrong. A captcha
 * that appears only now is not the user's mistake: the field explains what to do, without an error.
 */
export function refusalOf(error: CallError, captchaShown: boolean, t: Translate): string | undefined {
  if (error.code === 'wrongPassword') return t('login.wrongPassword')
  if (error.code === 'wrongVerificationCode') return captchaShown ? t('login.wrongCaptcha') : undefined
  return error.message
}

/** Whether a sign-in lacks nothing but the code of the second factor. */
export const isFactorAsked = ({ code }: CallError): boolean => code === 'secondFactorDue' || code === 'secondFactorSent'

/** Where the code was sent, if a message brings it. */
export const sentTo = ({ code, message }: CallError): string | undefined =>
  code === 'secondFactorSent' ? message : undefined
