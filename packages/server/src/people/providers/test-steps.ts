// Tries a provider step by step, for the administrator who sets it up.
import type { LdapSettings, OAuthSettings, OidcSettings, SamlSettings, ScimSettings } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context } from '../../core/call/context.ts'
import { OutboundFailure } from '../../core/outbound-http.ts'
import { DirectoryFailure, type DirectoryProblem, withDirectory } from './directory.ts'
import { addressesOf, appTokenOf, exchangeCode, OAuthRefusal } from './oauth.ts'
import { configurationOf } from './oidc.ts'
import { certificatesOf } from './saml.ts'

interface Step {
  readonly ok: boolean
  readonly warning: boolean
  readonly text: string
  readonly detail: string
}

interface Tried {
  readonly steps: Step[]
  readonly values: { readonly field: string; readonly value: string }[]
}

/** People that a test counts: enough to see that base and filter are right. */
const maxCounted = 2000

const texts = {
  connected: { zh: '已连接', en: 'connected' },
  bound: { zh: '查询账号可以登录', en: 'the account for queries signs in' },
  people: { zh: '找到的人数', en: 'people found' },
  nobody: { zh: '没有找到任何人，请检查查找位置和筛选', en: 'nobody is found: check base and filter' },
  unusable: { zh: '没有账号名或编号的条目', en: 'entries without an account name or id' },
  found: { zh: '找到', en: 'found' },
  notFound: { zh: '没有找到', en: 'not found' },
  disabled: { zh: '已在目录中停用', en: 'disabled in the directory' },
  plain: { zh: '连接没有加密，密码会明文传送', en: 'the connection is not encrypted: passwords travel in the clear' },
  metadata: { zh: '已读取提供方信息', en: 'the metadata of the provider is read' },
  noMetadata: { zh: '读不到提供方信息', en: 'the metadata of the provider cannot be read' },
  certificate: { zh: '签名证书有效', en: 'the signing certificate is valid' },
  soonOver: { zh: '签名证书即将过期', en: 'the signing certificate ends soon' },
  over: { zh: '签名证书已过期', en: 'the signing certificate has expired' },
  service: { zh: '服务账号可用', en: 'the service account can be used' },
  noService: { zh: '没有可用的服务账号', en: 'there is no usable service account' },
  token: { zh: '有有效的同步令牌，到期', en: 'there is a valid token for provisioning, until' },
  noToken: { zh: '还没有同步令牌，保存后建立', en: 'there is no token for provisioning yet: make one once saved' },
  appToken: { zh: '应用编号和密钥正确，已取得应用令牌', en: 'id and secret are right: the app token is issued' },
  noAppToken: { zh: '取不到应用令牌', en: 'no app token is issued' },
  tokenAnswers: { zh: '令牌地址有应答', en: 'the token address answers' },
  noTokenAnswer: { zh: '令牌地址没有应答，或地址不对', en: 'the token address does not answer, or is wrong' },
  noPkce: { zh: '提供方没有声明支持 PKCE', en: 'the provider does not declare PKCE' },
} as const

const problems: Readonly<Record<DirectoryProblem, Readonly<Record<Locale, string>>>> = {
  unreachable: { zh: '连接不上', en: 'no connection' },
  encryption: { zh: '加密连接失败，或证书不可信', en: 'no safe connection, or its certificate is not trusted' },
  credentials: { zh: '查询账号的密码不对', en: 'the account for queries is refused' },
  base: { zh: '查找位置或组不存在', en: 'the base or a group does not exist' },
  search: { zh: '查询失败', en: 'the query fails' },
}

/** The text of a failure of a directory. */
export const problemText = (kind: DirectoryProblem, locale: Locale): string => problems[kind][locale]

/** Connects, binds, counts people and looks for one of them. */
export async function tryLdap(settings: LdapSettings, secret: string, account: string, locale: Locale): Promise<Tried> {
  const steps: Step[] = []
  const values: Tried['values'] = []
  const say = (text: keyof typeof texts, detail = '', state: 'ok' | 'warning' | 'failed' = 'ok'): void =>
    void steps.push({ ok: state === 'ok', warning: state === 'warning', text: texts[text][locale], detail })
  const isPlain = settings.urls.some((url) => /^ldap:/i.test(url)) && !settings.startTls
  if (isPlain) say('plain', '', 'warning')
  try {
    await withDirectory(settings, secret, async (directory) => {
      say('connected', directory.url)
      if (settings.bindDn !== '') say('bound', settings.bindDn)
      let [people, unusable] = [0, 0]
      for await (const person of directory.people()) {
        if ('unusable' in person) unusable += 1
        else people += 1
        if (people + unusable >= maxCounted) break
      }
      if (people === 0) say('nobody', settings.base, 'failed')
      else say('people', people + unusable >= maxCounted ? `${maxCounted}+` : String(people))
      if (unusable > 0) say('unusable', String(unusable), 'warning')
      if (account.trim() === '') return
      const person = await directory.find(account.trim())
      if (person === undefined) return say('notFound', account.trim(), 'failed')
      say('found', person.dn)
      if (person.disabled) say('disabled', person.account, 'warning')
      const { name, email, phone, title, department } = person
      const read = { account: person.account, name, email, phone, title, department: department?.join(' / ') ?? '' }
      values.push(...Object.entries(read).map(([field, value]) => ({ field, value })))
    })
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) throw error
    steps.push({
      ok: false,
      warning: false,
      text: problemText(error.kind, locale),
      detail: error.message.slice(0, 300),
    })
  }
  return { steps, values }
}

/** Reads the metadata of an OpenID provider. */
export async function tryOidc(settings: OidcSettings, secret: string, now: number, locale: Locale): Promise<Tried> {
  try {
    const metadata = (await configurationOf(settings, secret, now)).serverMetadata()
    const steps: Step[] = [{ ok: true, warning: false, text: texts.metadata[locale], detail: metadata.issuer }]
    if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
      steps.push({ ok: false, warning: true, text: texts.noPkce[locale], detail: '' })
    return { steps, values: [] }
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 300) : ''
    return { steps: [{ ok: false, warning: false, text: texts.noMetadata[locale], detail }], values: [] }
  }
}

const isWrongAddress = (status: number): boolean => (status < 400 ? status >= 300 : status === 404 || status === 405)

/**
 * Asks for the token of the application, and shows the token address a code that nobody has: a refusal is its answer.
 * Everything behind it takes a person who signs in.
 */
export async function tryOAuth(settings: OAuthSettings, secret: string, locale: Locale): Promise<Tried> {
  const steps: Step[] = []
  const say = (text: keyof typeof texts, detail = '', state: 'ok' | 'warning' | 'failed' = 'ok'): void =>
    void steps.push({ ok: state === 'ok', warning: state === 'warning', text: texts[text][locale], detail })
  if (addressesOf(settings).some((address) => address.startsWith('http:'))) say('plain', '', 'warning')
  let appToken: string | undefined
  try {
    appToken = await appTokenOf(settings, secret)
    if (appToken !== undefined) say('appToken')
  } catch (error) {
    if (!(error instanceof OAuthRefusal || error instanceof OutboundFailure)) throw error
    say('noAppToken', error.message, 'failed')
    return { steps, values: [] }
  }
  if (settings.tokenUrl === '') return { steps, values: [] }
  try {
    await exchangeCode(settings, { secret, appToken }, { code: 'test', verifier: 'test', back: settings.tokenUrl })
    say('tokenAnswers')
  } catch (error) {
    if (error instanceof OAuthRefusal && !isWrongAddress(error.status)) say('tokenAnswers', error.message)
    else if (error instanceof OAuthRefusal || error instanceof OutboundFailure)
      say('noTokenAnswer', error.message, 'failed')
    else throw error
  }
  return { steps, values: [] }
}

/** Days before the end of a certificate in which it is warned of. */
const warnedMs = 30 * 24 * 60 * 60_000

/** Tells how long the signing certificates of a SAML provider hold. One that is over does no harm beside a valid one. */
export function trySaml({ certificates }: SamlSettings, now: number, locale: Locale): Tried {
  const ends = certificatesOf(certificates).map(({ validTo }) => Date.parse(validTo))
  const last = Math.max(...ends)
  const state = last <= now ? 'over' : last - now < warnedMs ? 'soonOver' : 'certificate'
  const detail = new Date(last).toISOString().slice(0, 10)
  return {
    steps: [{ ok: state === 'certificate', warning: state === 'soonOver', text: texts[state][locale], detail }],
    values: [],
  }
}

/** Looks for the service account of a provisioning system and its tokens. */
export async function tryScim(
  { serviceAccountId }: ScimSettings,
  { db, now }: Pick<Context, 'db' | 'now'>,
  locale: Locale,
): Promise<Tried> {
  const { rows } = await sql<{ account: string; until: number | null }>`
    select a.account, (select max(p.expires_at) from program p
      where p.account_id = a.id and 'provisioning' = any(p.scopes) and p.expires_at > ${now}) as until
    from account a where a.id = ${serviceAccountId} and a.service and a.state = 'normal'`.execute(db)
  const [row] = rows
  const step = (text: keyof typeof texts, detail: string, ok: boolean, warning = false): Step => ({
    ...{ ok, warning, text: texts[text][locale], detail },
  })
  if (row === undefined) return { steps: [step('noService', '', false)], values: [] }
  const until = row.until === null ? undefined : new Date(row.until).toISOString().slice(0, 10)
  const token = until === undefined ? step('noToken', '', false, true) : step('token', until, true)
  return { steps: [step('service', row.account, true), token], values: [] }
}
