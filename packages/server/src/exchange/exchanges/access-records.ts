// Exchanges, for the report of who can see what: the receivers in other networks, and what people received here.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

export const exchangeAccessRecords: AccessSource = {
  way: 'exchange',
  select: (question, now) =>
    'userId' in question
      ? sql`
        select r.account_id as user_id, a.name as who, coalesce(i.id, 0) as item_id, coalesce(i.name, '') as item_name,
          v.network_name || ' ' || v.number as what, '' as given_by, r.created_at as at, r.expires_at as ends_at,
          r.state = 'fetched' or (r.state = 'waiting' and r.expires_at > ${now}::bigint) as is_open
        from exchange_received r join exchange_arrival v on v.id = r.arrival_id join account a on a.id = r.account_id
          left join item i on i.id = r.item_id
        where r.account_id = ${question.userId}`
      : sql`
        select null::bigint as user_id, (p.person ->> 'name') || ' (' || (p.person ->> 'account') || ')' as who,
          i.id as item_id, i.name as item_name, x.network_name || ' ' || x.number as what, s.name as given_by,
          x.changed_at as at, x.expires_at as ends_at,
          x.fetched_at is not null or (x.delivered_at is not null and coalesce(x.expires_at > ${now}::bigint, true)) as is_open
        from exchange_file f join exchange x on x.review_id = f.review_id join item i on i.id = f.item_id
          join account s on s.id = x.sender_id
          cross join lateral jsonb_array_elements(x.receivers::jsonb) p (person)
        where f.item_id = any(${[...question.items]})`,
}
