// Texts of the act of signing that are loaded with it.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'sign.confirm.by': '用“{name}”确认身份',
  'sign.confirm.help': '没有登录密码时，在“{name}”重新登录一次，就能签署。',
  'sign.confirm.done': '身份已确认，5 分钟内可以签署一次',
  'sign.confirm.blocked': '浏览器拦住了新窗口，请允许弹出窗口后再试',
} as const
const en: English<typeof zh> = {
  'sign.confirm.by': 'Confirm with {name}',
  'sign.confirm.help': 'Without a password here, sign in to {name} once more to sign.',
  'sign.confirm.done': 'Confirmed: you can sign once within 5 minutes',
  'sign.confirm.blocked': 'The browser blocked the new window: allow pop-ups and try again',
}

type SigningTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends SigningTexts {}
}
addTexts(zh, en)
