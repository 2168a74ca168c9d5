// The applicant of a review, under whose watermark its reviewers see the files that it is about.
import { sql } from 'kysely'
import type { FindApplicant, MarkedPerson } from '../../drive/watermarks/index.ts'

/**
 * The person who launched a review that the reader was asked about, also as a stand-in: of an application the applicant,
 * of sensitive content the uploader. Only for the files of the review, so that nobody sees others under a foreign name.
 */
export const applicantOf: FindApplicant = async (db, { reviewId, fileId, readerId, now }) => {
  const { rows } = await sql<MarkedPerson>`
    select a.id as "accountId", a.account, a.name, a.group_id as "groupId"
    from review r join account a on a.id = r.launcher_id
    where r.id = ${reviewId}
      and (r.item_id = ${fileId} or exists (
        select 1 from application_item i where i.review_id = r.id and i.item_id = ${fileId}))
      and exists (
        select 1 from review_reviewer w left join review_stand_in s
          on s.account_id = w.account_id and s.stand_in_id = ${readerId} and s.from_at <= ${now} and (s.until_at is null or s.until_at > ${now})
        where w.review_id = r.id and (w.account_id = ${readerId} or s.stand_in_id is not null))`.execute(db)
  return rows[0]
}
