// Conversations as their person sees them: the list of recent contacts, with what is unread ([R294], [R399]).
import { features, type TalkChat } from '@cloudoc/contract'
import { ContactKind, denial, type TalkRole } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { messageOf, type Reader, readMessagesOf } from '../messages/index.ts'

/** More are counted as this many: the badge shows at most 99 ([R298]). */
const mostCounted = 100

interface ChatRow {
  readonly id: number
  readonly kind: 'user' | 'group'
  readonly name: string
  readonly peer_id: number | null
  readonly peer_name: string | null
  readonly peer_gender: number | null
  readonly peer_picture: string | null
  readonly peer_there: boolean
  readonly allowed: boolean
  readonly library_id: number | null
  readonly peer_read: number | null
  readonly picture_id: string
  readonly founder_id: number | null
  readonly role: TalkRole
  readonly is_member: boolean
  readonly dissolved: boolean
  readonly all_muted: boolean
  readonly approves_invites: boolean
  readonly leaders_mention_all: boolean
  readonly shows_history: boolean
  readonly announcement: string
  readonly announced_name: string | null
  readonly announced_at: number | null
  readonly muted: boolean
  readonly pinned: boolean
  readonly aside: boolean
  readonly peer_online: boolean
  readonly last_at: number
  readonly read_number: number
  readonly marked_unread: boolean
  readonly draft: string
  readonly draft_at: number | null
  readonly members: number
  readonly last_number: number | null
  readonly unread: number
  readonly mentioned: boolean
  readonly stays: Reader['stays']
}

/** Unread messages `m` of a member `w`, up to the number that a badge can show (isUnread of the domain). */
const unreadOf = (accountId: number): RawBuilder<unknown> => sql`
  from talk_message m join talk_stay s on s.conversation_id = m.conversation_id and s.account_id = ${accountId}
    and m.number > s.after_position and (s.until_position is null or m.number <= s.until_position)
  where m.conversation_id = w.conversation_id and m.number > w.read_number and m.sender_id <> ${accountId}
    and m.recalled_at is null and m.type <> 'notify'`

/** Reads conversations of a person that match a condition on `talk_member w` and `talk_conversation c`. */
export async function readChats(
  db: Db,
  accountId: number,
  where: RawBuilder<unknown>,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<TalkChat[]> {
  const { rows } = await sql<ChatRow>`
    with page as (
      select w.*, c.last_number as newest, c.kind, c.name, c.low_id, c.high_id, c.picture_id, c.founder_id, c.dissolved_at, c.all_muted,
        c.approves_invites, c.leaders_mention_all, c.shows_history, c.announcement, c.announced_by, c.announced_at, c.last_at, c.library_id,
        case when c.low_id = ${accountId} then c.high_id else c.low_id end as peer_id
      from talk_member w join talk_conversation c on c.id = w.conversation_id
      left join account p on p.id = case when c.low_id = ${accountId} then c.high_id else c.low_id end
      where w.account_id = ${accountId} and ${where}
      order by w.pinned_at desc nulls last, c.last_at desc, c.id desc limit ${most} offset ${from}
    )
    select w.conversation_id as id, w.kind, coalesce(i.name, w.name) as name, w.peer_id, p.name as peer_name, p.gender as peer_gender,
      p.avatar as peer_picture, coalesce(p.state <> 'disabled', true) as peer_there,
      w.peer_id is null or not talk_refused(${accountId}, w.peer_id) as allowed, w.library_id,
      (select r.read_number from talk_member r
        where r.conversation_id = w.conversation_id and r.account_id = w.peer_id) as peer_read,
      w.picture_id, w.founder_id, w.role, w.is_member, w.dissolved_at is not null as dissolved, w.all_muted,
      w.approves_invites, w.leaders_mention_all, w.shows_history, w.announcement, b.name as announced_name, w.announced_at, w.muted,
      w.pinned_at is not null as pinned,
      w.hidden_position is not null and w.hidden_position >= w.newest as aside,
      exists (select 1 from presence o where o.account_id = w.peer_id) as peer_online, w.last_at, w.read_number, w.marked_unread, w.draft, w.draft_at,
      case when w.kind = 'user' then 2 else (select count(*)::int from talk_member o
        where o.conversation_id = w.conversation_id and o.is_member) end as members,
      l.number as last_number,
      (select count(*)::int from (select 1 ${unreadOf(accountId)} order by m.number limit ${mostCounted}) u) as unread,
      exists (select 1 ${unreadOf(accountId)} and m.mentions <> '{}' and m.mentions && ${[0, accountId]}::bigint[]) as mentioned,
      (select coalesce(json_agg(json_build_object('after', s.after_position, 'until', s.until_position)), '[]')
        from talk_stay s where s.conversation_id = w.conversation_id and s.account_id = ${accountId}) as stays
    from page w left join account p on p.id = w.peer_id left join account b on b.id = w.announced_by
    left join item i on i.id = w.library_id
    left join lateral (
      select max(x.number) as number from talk_stay s cross join lateral (
        select m.number from talk_message m where m.conversation_id = s.conversation_id
          and m.number > s.after_position and m.number <= coalesce(s.until_position, ${Number.MAX_SAFE_INTEGER}::bigint)
        order by m.number desc limit 1) x
      where s.conversation_id = w.conversation_id and s.account_id = ${accountId}) l on true
    order by w.pinned_at desc nulls last, w.last_at desc, w.conversation_id desc`.execute(db)
  const last = await readMessagesOf(
    db,
    rows.flatMap(({ id, last_number: number }) => (number === null ? [] : [{ conversationId: id, number }])),
  )
  return rows.map((row) => chatOf(row, accountId, last.get(row.id)))
}

type LastRow = Awaited<ReturnType<typeof readMessagesOf>> extends ReadonlyMap<number, infer R> ? R : never

function chatOf(row: ChatRow, accountId: number, last: LastRow | undefined): TalkChat {
  const isGroup = row.kind === 'group'
  const facts = {
    isGroup,
    isMember: row.is_member,
    role: row.role,
    isDissolved: row.dissolved,
    allMuted: row.all_muted,
    isPeerThere: row.peer_there,
    isAllowed: row.allowed,
    isOfLibrary: row.library_id !== null,
    approvesInvites: row.approves_invites,
    leadersMentionAll: row.leaders_mention_all,
  }
  const kind = row.peer_gender === 0 ? ContactKind.female : ContactKind.male
  return {
    conversationId: row.id,
    push: isGroup ? 'GROUP' : 'USER',
    id: isGroup ? row.id : (row.peer_id ?? 0),
    name: isGroup ? row.name : row.peer_there ? (row.peer_name ?? '') : '',
    type: isGroup ? ContactKind.group : kind,
    status: isGroup ? '' : row.peer_online ? 'ONLINE' : 'OFFLINE',
    avatar: isGroup ? row.picture_id : (row.peer_picture ?? ''),
    members: row.members,
    founderId: row.founder_id ?? 0,
    role: row.role,
    isMember: row.is_member,
    dissolved: row.dissolved,
    mayWrite: denial(features.talkMessages.objects.conversation.gates.write, facts) === undefined,
    mute: row.muted,
    top: row.pinned,
    aside: row.aside,
    timestamp: last?.created_at ?? row.last_at,
    last: last === undefined ? null : messageOf(last, { accountId, stays: row.stays, readNumber: row.read_number }),
    unread: row.unread === 0 && row.marked_unread ? 1 : row.unread,
    mentioned: row.mentioned,
    markedUnread: row.marked_unread,
    readNumber: row.read_number,
    lastNumber: row.last_number ?? 0,
    peerReadNumber: row.peer_read ?? 0,
    draft: row.draft,
    draftTime: row.draft_at,
    allMuted: row.all_muted,
    approvesInvites: row.approves_invites,
    leadersMentionAll: row.leaders_mention_all,
    showsHistory: row.shows_history,
    libraryId: row.library_id ?? 0,
    // A former member reads nothing of later, so not the present announcement either.
    announcement: row.is_member ? row.announcement : '',
    announcedBy: row.is_member ? (row.announced_name ?? '') : '',
    announcedAt: row.is_member ? row.announced_at : null,
  }
}

/** Reads one conversation of a person. */
export async function readChat(db: Db, accountId: number, conversationId: number): Promise<TalkChat | undefined> {
  return (await readChats(db, accountId, sql`c.id = ${conversationId}`, { from: 0, most: 1 }))[0]
}

/** Unread messages of a person for the rail: without muted conversations, except where they are mentioned (X76). */
export async function unreadTotal(db: Db, accountId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(case when w.muted
        then (select count(*) from (
          select 1 ${unreadOf(accountId)} and m.mentions <> '{}' and m.mentions && ${[0, accountId]}::bigint[] order by m.number limit ${mostCounted}) u)
        else greatest(w.marked_unread::int, (select count(*) from (
          select 1 ${unreadOf(accountId)} order by m.number limit ${mostCounted}) u)) end), 0)::int as n
    from talk_member w join talk_conversation c on c.id = w.conversation_id
    where w.account_id = ${accountId} and (c.last_number > w.read_number or w.marked_unread)
      and (w.hidden_position is null or c.last_number > w.hidden_position)`.execute(db)
  return rows[0]?.n ?? 0
}
