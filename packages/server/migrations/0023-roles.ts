// The members of a role ([R348]): named people, as before, all members of a department and its sub-departments, and
// everybody with a position.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table role_group (
  role_id bigint not null references role on delete cascade,
  group_id bigint not null references org_group on delete cascade,
  primary key (role_id, group_id)
);
create index role_group_group on role_group (group_id);
create table role_title (
  role_id bigint not null references role on delete cascade,
  title text not null,
  primary key (role_id, title)
);
create index role_title_title on role_title (title);
`)
    .execute(db)
}
