/*
 * Servers of well-known mail providers, by the domain of an address. Several Chinese providers accept no password but an
 * authorization code from their settings page.
 */
import { resolveMx } from 'node:dns/promises'

interface Provider {
  readonly domains: readonly string[]
  /** Ends of names of mail exchangers of company domains that the provider hosts. */
  readonly exchangers?: readonly string[]
  readonly imap: string
  readonly smtp: string
  readonly smtpPort?: number
  readonly needsCode?: true
  readonly codeAddress?: string
}

const providers: readonly Provider[] = [
  {
    domains: ['163.com', 'vip.163.com'],
    imap: 'imap.163.com',
    smtp: 'smtp.163.com',
    needsCode: true,
    codeAddress: 'https://mail.163.com/',
  },
  {
    domains: ['126.com'],
    imap: 'imap.126.com',
    smtp: 'smtp.126.com',
    needsCode: true,
    codeAddress: 'https://mail.126.com/',
  },
  {
    domains: ['yeah.net'],
    imap: 'imap.yeah.net',
    smtp: 'smtp.yeah.net',
    needsCode: true,
    codeAddress: 'https://mail.yeah.net/',
  },
  {
    domains: ['qq.com', 'vip.qq.com', 'foxmail.com'],
    imap: 'imap.qq.com',
    smtp: 'smtp.qq.com',
    needsCode: true,
    codeAddress: 'https://mail.qq.com/',
  },
  {
    domains: ['exmail.qq.com'],
    exchangers: ['exmail.qq.com', 'qq.com'],
    imap: 'imap.exmail.qq.com',
    smtp: 'smtp.exmail.qq.com',
    needsCode: true,
    codeAddress: 'https://exmail.qq.com/',
  },
  { domains: ['aliyun.com'], imap: 'imap.aliyun.com', smtp: 'smtp.aliyun.com' },
  {
    domains: [],
    exchangers: ['mxhichina.com', 'qiye.aliyun.com'],
    imap: 'imap.qiye.aliyun.com',
    smtp: 'smtp.qiye.aliyun.com',
  },
  {
    domains: [],
    exchangers: ['qiye.163.com', 'netease.com', 'ym.163.com'],
    imap: 'imap.qiye.163.com',
    smtp: 'smtp.qiye.163.com',
  },
  {
    domains: ['139.com'],
    imap: 'imap.139.com',
    smtp: 'smtp.139.com',
    needsCode: true,
    codeAddress: 'https://mail.10086.cn/',
  },
  {
    domains: ['189.cn'],
    imap: 'imap.189.cn',
    smtp: 'smtp.189.cn',
    needsCode: true,
    codeAddress: 'https://webmail30.189.cn/',
  },
  {
    domains: ['sina.com', 'sina.cn'],
    imap: 'imap.sina.com',
    smtp: 'smtp.sina.com',
    needsCode: true,
    codeAddress: 'https://mail.sina.com.cn/',
  },
  {
    domains: ['sohu.com'],
    imap: 'imap.sohu.com',
    smtp: 'smtp.sohu.com',
    needsCode: true,
    codeAddress: 'https://mail.sohu.com/',
  },
  {
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['google.com', 'googlemail.com'],
    imap: 'imap.gmail.com',
    smtp: 'smtp.gmail.com',
    needsCode: true,
    codeAddress: 'https://myaccount.google.com/apppasswords',
  },
  {
    domains: ['outlook.com', 'hotmail.com', 'live.com'],
    exchangers: ['outlook.com'],
    imap: 'outlook.office365.com',
    smtp: 'smtp.office365.com',
    smtpPort: 587,
  },
  {
    domains: ['icloud.com', 'me.com'],
    imap: 'imap.mail.me.com',
    smtp: 'smtp.mail.me.com',
    smtpPort: 587,
    needsCode: true,
    codeAddress: 'https://account.apple.com/',
  },
  {
    domains: ['yahoo.com'],
    imap: 'imap.mail.yahoo.com',
    smtp: 'smtp.mail.yahoo.com',
    needsCode: true,
    codeAddress: 'https://login.yahoo.com/',
  },
]

export interface Guess {
  readonly isKnown: boolean
  readonly imapAddress: string
  readonly imapPort: number
  readonly smtpAddress: string
  readonly smtpPort: number
  readonly needsCode: boolean
  readonly codeAddress: string
}

const lookupMs = 3000

/** Proposes servers for an address: of its provider, else by the mail exchangers of its domain, else by usual names. */
export async function guessServers(address: string): Promise<Guess> {
  const domain = address.split('@')[1]?.toLowerCase() ?? ''
  const known = providers.find(({ domains }) => domains.includes(domain)) ?? (await hostOf(domain))
  return {
    isKnown: known !== undefined,
    imapAddress: known?.imap ?? `imap.${domain}`,
    imapPort: 993,
    smtpAddress: known?.smtp ?? `smtp.${domain}`,
    smtpPort: known?.smtpPort ?? 465,
    needsCode: known?.needsCode === true,
    codeAddress: known?.codeAddress ?? '',
  }
}

/** The provider that hosts a company's domain. */
async function hostOf(domain: string): Promise<Provider | undefined> {
  const found = await Promise.race([
    resolveMx(domain).catch(() => []),
    new Promise<[]>((resolve) => setTimeout(() => resolve([]), lookupMs).unref()),
  ])
  const names = found.map(({ exchange }) => exchange.toLowerCase())
  return providers.find(({ exchangers = [] }) =>
    exchangers.some((end) => names.some((name) => name === end || name.endsWith(`.${end}`))),
  )
}
