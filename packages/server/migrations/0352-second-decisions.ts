// Workflows: who has decided at a node and does not decide again, and the stand-ins who were let in.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Those who have decided at this node and do not decide again, because enough others can.
alter table process_task add column barred bigint[] not null default '{}';

-- The stand-ins of those whom a process waits for, who read its file and were told.
create table process_stand_in (
  process_id bigint not null references process on delete cascade,
  account_id bigint not null references account,
  primary key (process_id, account_id)
);
create index process_stand_in_account on process_stand_in (account_id);
-- Of what waits already: so that an absence that ends takes back what it gave.
insert into process_stand_in (process_id, account_id)
select distinct e.process_id, s.stand_in_id from entry e join review_stand_in s on s.stand_in_id = e.subject_id
  join process_task w on w.process_id = e.process_id and w.account_id = s.account_id
where e.process_id is not null and e.subject_type = 'user';
`)
    .execute(db)
}
