// Texts of the second factor at the sign-in. They are loaded with its field, to keep the login page small.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'login.factor': '动态验证码',
  'login.factorHint': '验证器中的 6 位数字',
  'login.factorMissing': '请输入验证码',
  'login.factorSms': '短信验证码',
  'login.factorAgain': '重新发送',
} as const
const en: English<typeof zh> = {
  'login.factor': 'Code',
  'login.factorHint': '6 digits of the authenticator',
  'login.factorMissing': 'Enter the code',
  'login.factorSms': 'Text code',
  'login.factorAgain': 'Send again',
}

type FactorTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends FactorTexts {}
}
addTexts(zh, en)
