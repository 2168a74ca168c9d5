// The mails to signers without an account.
import { momentIn } from '@cloudoc/contract/audit-words'
import { type Locale, nameInText } from '@cloudoc/domain'
import type { Mail } from '../../core/mail/index.ts'

/** What a mail is about. */
export type MailOccasion = 'asked' | 'archived' | 'rejected' | 'withdrawn'

interface Addressee {
  readonly name: string
  readonly mail: string
  readonly locale: Locale
}

interface About {
  readonly occasion: MailOccasion
  readonly title: string
  readonly launcher: string
  readonly comments: string
  readonly link: string
  readonly expiresAt: number
  readonly timeZone: string
  /** The reason, if there is one. */
  readonly words: string
}

const openings = {
  asked: {
    zh: (who: string, title: string) => `${who} 请你签署《${title}》`,
    en: (who: string, title: string) => `${who} asks you to sign “${title}”`,
  },
  archived: {
    zh: (_: string, title: string) => `《${title}》已全部签完`,
    en: (_: string, title: string) => `“${title}” is signed by everybody`,
  },
  rejected: {
    zh: (_: string, title: string) => `《${title}》不用再签：有人拒签`,
    en: (_: string, title: string) => `“${title}” need not be signed any more: somebody refused`,
  },
  withdrawn: {
    zh: (_: string, title: string) => `《${title}》不用再签：已撤回或已过期`,
    en: (_: string, title: string) => `“${title}” need not be signed any more: withdrawn or expired`,
  },
} as const

/** A mail with a link. */
export function invitationMail({ name, mail, locale }: Addressee, about: About): Mail {
  const { occasion, title, launcher, comments, link, expiresAt, timeZone, words } = about
  const subject = openings[occasion][locale](launcher, nameInText(title))
  const isZh = locale === 'zh'
  const said = occasion === 'asked' ? comments : words
  const next = {
    asked: isZh ? `打开签署：${link}` : `Open it: ${link}`,
    archived: isZh ? `下载签好的文件：${link}` : `Download the signed file: ${link}`,
    rejected: '',
    withdrawn: '',
  }[occasion]
  const lines = [
    isZh ? `${name}，你好：` : `Dear ${name},`,
    isZh ? `${subject}。` : `${subject}.`,
    ...(said === '' ? [] : [isZh ? `说明：${said}` : `They say: ${said}`]),
    ...(next === ''
      ? []
      : [
          next,
          isZh
            ? `链接在 ${momentIn(expiresAt, timeZone)} 前有效，打开时要输入验证码；转给别人也打不开。`
            : `The link is valid until ${momentIn(expiresAt, timeZone)} and asks for a code, so it opens nothing for others.`,
        ]),
  ]
  return { to: mail, subject, text: lines.join('\n'), locale }
}

/** The mail with the code. It has no link, because the reader has opened it already. */
export function codeMail({ mail, locale }: Addressee, code: string): Mail {
  const [subject, lines] =
    locale === 'zh'
      ? [
          `验证码 ${code}`,
          [`验证码：${code}`, '用来打开要签署的文件，10 分钟内有效。', '如果不是你在打开，请不要告诉别人。'],
        ]
      : [
          `Your code is ${code}`,
          [
            `Code: ${code}`,
            'It opens a file to be signed and is good for 10 minutes.',
            'If it is not you, tell nobody.',
          ],
        ]
  return { to: mail, subject, text: lines.join('\n'), locale }
}
