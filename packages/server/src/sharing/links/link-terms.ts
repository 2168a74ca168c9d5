// The terms of a link: the rules between its fields, and what its creator can grant ([R224]).
import { denial, fail, gates, linkRightNames, linkRights } from '@cloudoc/domain'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { isMailSetUp } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
import { checkTemplate } from '../../drive/watermarks/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'

type Settings = Services['settings']

/** The action that a creator must be allowed in order to grant a right by a link. */
export const giving = { preview: 'preview', download: 'takeDownload', edit: 'giveEdit', upload: 'upload' } as const

/** The rights of a link, and when it opens. */
export interface Terms {
  readonly rights: number
  readonly starts_at: number
  readonly ends_at: number
}

/** Checks the rules between the fields of a link ([R224]). */
export function checkTerms(
  terms: Terms,
  fType: 1 | 2,
  now: number,
  changed: { readonly start: boolean; readonly end: boolean },
): void {
  if (changed.start && terms.starts_at < now - 60_000)
    fail('badRequest', { zh: '生效时间不能早于现在', en: 'the start must not be earlier than now' })
  if (changed.end && terms.ends_at <= now)
    fail('badRequest', { zh: '到期时间不能早于现在', en: 'the end must not be earlier than now' })
  if (terms.starts_at > terms.ends_at)
    fail('badRequest', { zh: '生效时间不能晚于到期时间', en: 'the start must not be later than the end' })
  if (fType === 1 && (terms.rights & linkRights.upload) !== 0)
    fail('badRequest', { zh: '只有文件夹的外链可以上传', en: 'only a link to a folder takes uploads' })
}

/**
 * Returns the id of a watermark template of the company or of one of these persons; null for 0, the current standard
 * template.
 */
export async function templateOf(db: Db, templateId: number, ...owners: readonly number[]): Promise<number | null> {
  if (templateId === 0) return null
  await checkTemplate(db, templateId, ...owners)
  return templateId
}
/** Whether a limit allows more than before; 0 is no limit. */
export const isMore = (given: number | undefined, before: number): boolean =>
  given !== undefined && before > 0 && (given === 0 || given > before)

/** Returns the accounts that a link is for, each once; all of them have to be usable. */
export async function checkPeople(db: Db, settings: Settings, ids: readonly number[], now: number): Promise<number[]> {
  const wanted = [...new Set(ids)]
  const found = await loadAccounts(db, settings, wanted, now)
  return found.size < wanted.length ? fail('notFound', 'userIdArray') : wanted
}

/** Normalizes addresses. Without a mail server no code can be sent, so mail recipients are refused. */
export async function checkMails(db: Db, settings: Settings, mails: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(mails.map((mail) => mail.toLowerCase()))]
  return wanted.length > 0 && !isMailSetUp(await settings.current(db)) ? fail('mailNotSetUp') : wanted
}

/** A creator cannot grant rights that they do not have. */
export function checkGiving(context: Context, rights: number, itemId: number, fType: 1 | 2): void {
  const { facts } = context.item({ fType, fId: itemId })
  for (const name of linkRightNames)
    if ((rights & linkRights[name]) !== 0 && denial(gates[giving[name]], facts) !== undefined)
      fail('noPermission', name)
}
