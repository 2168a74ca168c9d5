// The applicant of a review, under whose watermark its reviewers see the files that it is about.
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import type { Applicant, FindApplicant } from '../../drive/watermarks/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { linkName } from '../links/index.ts'
import { mayAnswerFor } from '../review/index.ts'

type Reviewed = Parameters<FindApplicant>[1]

const applicantColumns = sql.raw('a.id as "accountId", a.account, a.name, a.group_id as "groupId"')

/**
 * The person who launched a review that the reader was asked about, also as a stand-in: of an application the applicant,
 * of sensitive content the uploader. Only for the files of the review, so that nobody sees others under a foreign name.
 * While it waits for the reader, it opens the version that it is about: the one applied for, the one in which something
 * was found, else the present one.
 */
export const applicantOf =
  (services: Pick<Services, 'settings'>): FindApplicant =>
  async (db, reviewed) =>
    (await applicantOfFile(db, reviewed)) ?? applicantOfFolder(db, services, reviewed)

async function applicantOfFile(db: Db, { reviewId, fileId, readerId, now }: Reviewed): Promise<Applicant | undefined> {
  const { rows } = await sql<Applicant>`
    select ${applicantColumns},
      case when r.state = 'pending' and r.launcher_id <> ${readerId} and asked.waits
        then coalesce(i.version, (r.subject->>'version')::int, f.version) end as opens
    from review r join account a on a.id = r.launcher_id
      join item f on f.id = ${fileId}
      left join application_item i on i.review_id = r.id and i.item_id = f.id
      join lateral (
        select bool_or(w.is_waiting) as waits from review_reviewer w
        where w.review_id = r.id and ${mayAnswerFor(readerId, now)}) asked on asked.waits is not null
    where r.id = ${reviewId} and (r.item_id = f.id or i.item_id is not null)`.execute(db)
  return rows[0]
}

/** The same for a file in the folder of a link that waits for the reader, as far as the link would hand it out. */
async function applicantOfFolder(
  db: Db,
  { settings }: Pick<Services, 'settings'>,
  { reviewId, fileId, readerId, now }: Reviewed,
): Promise<Applicant | undefined> {
  const { rows } = await sql<Omit<Applicant, 'opens'> & { readonly folderId: number; readonly level: number }>`
    select ${applicantColumns}, r.item_id as "folderId",
      (select secret_level from account where id = ${readerId}) as level
    from review r join account a on a.id = r.launcher_id
    where r.id = ${reviewId} and r.kind = ${linkName} and r.state = 'pending' and r.launcher_id <> ${readerId}
      and exists (select 1 from review_reviewer w
        where w.review_id = r.id and w.is_waiting and ${mayAnswerFor(readerId, now)})`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { folderId, level, ...applicant } = row
  const launcher = (await loadAccounts(db, settings, [applicant.accountId], now)).get(applicant.accountId)
  const access = launcher && (await accessToMany(db, launcher, [fileId], now)).get(fileId)
  const isInside = access?.row.deleted_at === null && access.path.some(({ id }) => id === folderId)
  // A file that is too secret for the reader does not exist for them.
  if (access === undefined || !isInside || access.facts.secretLevel > level) return undefined
  return denial(gates.preview, access.facts) === undefined ? { ...applicant, opens: access.row.version } : undefined
}
