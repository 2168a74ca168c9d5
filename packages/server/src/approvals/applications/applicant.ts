// The applicant of a review, under whose watermark its reviewers see the files that it is about.
import { sql } from 'kysely'
import type { Applicant, FindApplicant } from '../../drive/watermarks/index.ts'
import { representedAccounts } from '../review/index.ts'

/**
 * The person who launched a review that the reader was asked about, also as a stand-in: of an application the applicant,
 * of sensitive content the uploader. Only for the files of the review, so that nobody sees others under a foreign name.
 * While it waits for the reader, it opens the version that it is about: the one applied for, the one in which something
 * was found, else the present one.
 */
export const applicantOf: FindApplicant = async (db, { reviewId, fileId, readerId, now }) => {
  const { rows } = await sql<Applicant>`
    with turn as (${representedAccounts(readerId, now)})
    select a.id as "accountId", a.account, a.name, a.group_id as "groupId",
      case when r.state = 'pending' and r.launcher_id <> ${readerId} and asked.waits
        then coalesce(i.version, (r.subject->>'version')::int, f.version) end as opens
    from review r join account a on a.id = r.launcher_id
      join item f on f.id = ${fileId}
      left join application_item i on i.review_id = r.id and i.item_id = f.id
      join lateral (
        select bool_or(w.is_waiting) as waits from review_reviewer w
        where w.review_id = r.id and w.account_id in (select id from turn)) asked on asked.waits is not null
    where r.id = ${reviewId} and (r.item_id = f.id or i.item_id is not null)`.execute(db)
  return rows[0]
}
