// Processes, for the report of who can see what: those who launched, handled or got a copy of a process on the file.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

export const processAccessRecords: AccessSource = {
  way: 'workflow',
  select: (question) => sql`
    select p.account_id as user_id, a.name as who, i.id as item_id, i.name as item_name, r.title as what,
      l.name as given_by, p.arrived_at as at, p.ended_at as ends_at, r.ended_at is null as is_open
    from process r join process_player p on p.process_id = r.id join account a on a.id = p.account_id
      join account l on l.id = r.launcher_id join item i on i.id = r.item_id
    where r.launched_at is not null and ${
      'userId' in question ? sql`p.account_id = ${question.userId}` : sql`r.item_id = any(${[...question.items]})`
    }`,
}
