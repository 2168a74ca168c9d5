// Captchas: a picture with a code, which is used once and bound to a cookie ([R013]).
import svgCaptcha from 'svg-captcha'
import type { Context } from '../../core/call/context.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { captchaIdOf, setCaptchaCookie } from './request.ts'
import { limitHandOuts } from './throttle.ts'

const captchaLife = 5 * 60_000

/** The codes of the captchas that were drawn. */
export const captchaTokens = oneTimeToken<{ readonly text: string }>('captcha')

/** Draws a captcha and sends it. */
export async function sendCaptcha(context: Context, size: { width: number; height: number }): Promise<void> {
  await limitHandOuts(context.db, 'captcha', context.address, context.now)
  const { data, text } = svgCaptcha.create({
    ...size,
    size: 4,
    noise: 2,
    ignoreChars: '0oO1iIlL',
    // Grey on the page's background: the colours of this library are too pale to read.
    color: false,
  })
  const id = await captchaTokens.issue(context.db, { text: text.toLowerCase() }, context.now + captchaLife)
  setCaptchaCookie(context.request, context.reply, id)
  await context.reply.type('image/svg+xml').header('cache-control', 'no-store').send(data)
}

/** Whether the typed text is that of the picture that this browser was shown. Each picture is good for one answer. */
export async function takeCaptcha({ db, request, now }: Context, typed: string): Promise<boolean> {
  const id = captchaIdOf(request)
  const code = id === undefined ? undefined : await captchaTokens.consume(db, id, now)
  return code !== undefined && code.text === typed.trim().toLowerCase()
}
