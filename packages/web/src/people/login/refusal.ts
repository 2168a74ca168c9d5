import type { CallError } from '../../core/call/api.ts'
import type { Translate } from '../../core/i18n/i18n.ts'

/**
 * What a refused sign-in says to the person. `captchaShown`: a captcha was on the page already and was wrong. One that
 * only now comes up is nobody's mistake: the field says what to do, and nothing turns red.
 */
export function refusalOf(error: CallError, captchaShown: boolean, t: Translate): string | undefined {
  if (error.code === 'wrongPassword') return t('login.wrongPassword')
  if (error.code === 'wrongVerificationCode') return captchaShown ? t('login.wrongCaptcha') : undefined
  return error.message
}
