// Changes of the holders of the three powers that wait for a second administrator (ADR 0349).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table power_proposal (
  id bigint generated always as identity primary key,
  power text not null unique check (power in ('system', 'security', 'audit')),
  account_id bigint not null references account on delete cascade,
  created_at bigint not null
);
create index power_proposal_account on power_proposal (account_id);
create table power_proposal_person (
  proposal_id bigint not null references power_proposal on delete cascade,
  account_id bigint not null references account on delete cascade,
  primary key (proposal_id, account_id)
);
create index power_proposal_person_account on power_proposal_person (account_id);

`)
    .execute(db)
}
