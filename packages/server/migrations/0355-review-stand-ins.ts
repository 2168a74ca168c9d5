// Reviews: stand-ins who were told of what waits, so that one who is set later is told too.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table review_told_stand_in (
  review_id bigint not null references review on delete cascade,
  account_id bigint not null,
  primary key (review_id, account_id)
);
create index review_told_stand_in_account on review_told_stand_in (account_id);

-- Who stands in now was told when the request came to the reviewer.
insert into review_told_stand_in (review_id, account_id)
select distinct w.review_id, s.stand_in_id from review_reviewer w join review_stand_in s on s.account_id = w.account_id
where w.is_waiting and s.from_at <= extract(epoch from now()) * 1000
  and (s.until_at is null or s.until_at > extract(epoch from now()) * 1000);
`)
    .execute(db)
}
