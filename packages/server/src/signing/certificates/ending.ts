// Mails before a certificate for signing ends: to its person, or to system administrators for those of the company. What
// the company issued to people needs none, since it is issued again by itself.
import { type Locale, nameInText } from '@cloudoc/domain'
import { sql } from 'kysely'
import { isMailSetUp, postMail } from '../../core/mail/index.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'

const dayMs = 24 * 60 * 60_000
/** Days before the end at which a mail is sent; the nearest one that is reached counts. */
const stages = [7, 30, 90] as const
/** How long it is known that a mail was sent. */
const rememberedMs = 400 * dayMs

const told = oneTimeToken<Record<string, never>>('signCertificateEnding')

interface Ending {
  readonly id: number
  readonly subject: string
  readonly kind: 'authority' | 'company' | 'person'
  readonly not_after: number
  readonly account_id: number | null
}

const sentences = {
  authority: {
    zh: '请在“管理 — 签署”里创建新的证书机构；旧证书签过的文件仍然有效。',
    en: 'Make a new authority under “Administration — Signing”. What was signed with the old one stays valid.',
  },
  company: {
    zh: '请在“管理 — 签署”里导入新的公司证书；旧证书签过的文件仍然有效。',
    en: 'Import a new certificate of the company under “Administration — Signing”. What was signed with the old one stays valid.',
  },
  person: {
    zh: '请在“签名设置 — 证书”里导入新的证书；到期后改用公司颁发的证书签署。',
    en: 'Import a new one under “Signatures — Certificate”. After its end you sign with a certificate of the company.',
  },
} as const

function mailOf({ subject, kind, not_after }: Ending, locale: Locale, at: number) {
  const name = nameInText(subject)
  const days = Math.max(0, Math.ceil((not_after - at) / dayMs))
  const title =
    locale === 'zh'
      ? `签署证书“${name}”还有 ${days} 天到期`
      : `The signing certificate “${name}” ends in ${days} ${days === 1 ? 'day' : 'days'}`
  return { subject: title, text: `${title}\n\n${sentences[kind][locale]}\n` }
}

/** Sends the mails that are due; each once, on whichever process comes first. */
export async function mailOfEndingCertificates({
  db,
  now,
  settings,
  secrets,
}: Pick<Services, 'db' | 'now' | 'settings' | 'secrets'>): Promise<void> {
  const set = await settings.current()
  if (!isMailSetUp(set)) return
  const at = now()
  const { rows: ending } = await sql<Ending>`
    select id, subject, kind, not_after, account_id from sign_certificate
    where kind <> 'issued' and is_current and revoked_at is null and not_after > ${at}
      and not_after <= ${at + Math.max(...stages) * dayMs}`.execute(db)
  for (const one of ending) {
    const stage = stages.find((days) => one.not_after - at <= days * dayMs)
    await db.transaction().execute(async (tx) => {
      if (!(await told.issueAs(tx, `${one.id} ${stage}`, { value: {}, expiresAt: at + rememberedMs }))) return
      const { rows } = await sql<{ email: string; locale: Locale }>`
        select a.email, coalesce(d.locale, 'zh') as locale from account a left join digest d on d.account_id = a.id
        where a.state = 'normal' and a.email <> '' and case when ${one.kind} = 'person'
          then a.id = ${one.account_id}::bigint
          else a.is_admin or a.id in (select account_id from administrator where power = 'system') end`.execute(tx)
      for (const { email, locale } of rows)
        await postMail({ tx, now: at }, { to: email, locale, ...mailOf(one, locale, at) }, secrets)
    })
  }
}
