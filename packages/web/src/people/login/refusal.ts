import type { CallError } from '../../core/call/api.ts'
import type { Translate } from '../../core/i18n/i18n.ts'

/** What a refused sign-in says to the person. `captchaShown`: a captcha was on the page already and was wrong. */
export function refusalOf(error: CallError, captchaShown: boolean, t: Translate): string {
  if (error.code === 'wrongPassword') return t('login.wrongPassword')
  if (error.code === 'wrongVerificationCode') return t(captchaShown ? 'login.wrongCaptcha' : 'login.captchaDue')
  return error.message
}
