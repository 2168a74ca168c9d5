// Texts of the pages for a forgotten password. They are loaded with those pages, to keep the login page small.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'setPassword.title': '设置密码',
  'setPassword.code': '验证码',
  'setPassword.codeHelp': '管理员给你的，或邮件里的 16 位验证码。',
  'setPassword.codeWrong': '验证码是 16 位字母和数字',
  'setPassword.codeGone': '验证码不存在、已用过或已过期，请再要一个',
  'setPassword.whose': '{name}（{account}），请设置你的密码。',
  'setPassword.next': '下一步',
  'setPassword.save': '设置密码',
  'setPassword.done': '密码已设置，请登录',
  'setPassword.toLogin': '去登录',
  'findPassword.title': '忘记密码',
  'findPassword.help': '验证码会发到这个账号的邮箱。',
  'findPassword.helpSms': '验证码会发到这个账号绑定的手机。',
  'findPassword.helpBoth': '验证码会发到这个账号的邮箱或绑定的手机。',
  'findPassword.send': '发送验证码',
  'findPassword.sendMail': '用邮件接收验证码',
  'findPassword.sendSms': '用短信接收验证码',
  'findPassword.sentSms':
    '如果账号 {account} 绑定了手机，验证码短信已经发出，十分钟内有效。没有收到时，手机号可能未绑定或不存在，请联系管理员。',
  'findPassword.smsCode': '短信验证码',
  'findPassword.smsCodeWrong': '验证码是 6 位数字',
  'findPassword.smsGone': '验证码已过期或已用过，请重新获取',
  'findPassword.again': '重新获取',
  'findPassword.haveCode': '我有验证码',
  'findPassword.sent':
    '如果账号 {account} 填写了邮箱，验证码已经发出，一小时内有效。没有收到时，请看看垃圾邮件，或请管理员重置密码。',
  'findPassword.noMail': '公司还没有设置邮件服务，请管理员重置密码',
} as const

const en: English<typeof zh> = {
  'setPassword.title': 'Set a password',
  'setPassword.code': 'Code',
  'setPassword.codeHelp': 'The 16 characters that the administrator gave you, in the link or on the slip.',
  'setPassword.codeWrong': 'A code has 16 letters and digits',
  'setPassword.codeGone': 'There is no such code, or it was used or has expired: ask the administrator for another one',
  'setPassword.whose': '{name} ({account}), please set your password.',
  'setPassword.next': 'Next',
  'setPassword.save': 'Set password',
  'setPassword.done': 'The password is set, please sign in',
  'setPassword.toLogin': 'Sign in',
  'findPassword.title': 'Forgot password',
  'findPassword.help': 'A code is sent to the mail address of this account.',
  'findPassword.helpSms': 'A code is sent to the phone of this account.',
  'findPassword.helpBoth': 'A code is sent to the mail address or the phone of this account.',
  'findPassword.send': 'Send a code',
  'findPassword.sendMail': 'Send a code by mail',
  'findPassword.sendSms': 'Send a code by SMS',
  'findPassword.sentSms':
    'If the account {account} has a phone, a short message with a code is on its way, good for ten minutes. If none comes, the phone may not be bound or not exist: please contact the administrator.',
  'findPassword.smsCode': 'Code',
  'findPassword.smsCodeWrong': 'The code has 6 digits',
  'findPassword.smsGone': 'The code has expired or is used: please ask for another',
  'findPassword.again': 'Ask again',
  'findPassword.haveCode': 'I have a code',
  'findPassword.sent':
    'If the account {account} has a mail address, a code is on its way, good for an hour. If none comes, look among the junk, or ask the administrator for a new password.',
  'findPassword.noMail': 'The company has no mail server yet; ask the administrator for a new password',
}

type Forgotten = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends Forgotten {}
}

addTexts(zh, en)
