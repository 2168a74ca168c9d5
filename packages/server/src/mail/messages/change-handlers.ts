// What a person does to received mails: marks, moves, deletes; fetching now; trusted senders.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { type MailChanged, mailChanged, requireMail } from '../boxes/index.ts'
import { recordChanges } from './changes.ts'
import { fetching, fetchNow } from './fetching.ts'
import { usualNames } from './folders.ts'
import { mailObjects } from './mail-objects.ts'

/** The handlers that change mails. */
export function changeHandlers(): Pick<
  Handlers<typeof features.mails.calls>,
  'fetchMail' | 'markMails' | 'moveMails' | 'deleteMails' | 'trustSender'
> {
  return {
    async fetchMail(context, { boxId }) {
      const { tx, now } = context
      await sql`
        update mailbox set state = 'new' where id = ${boxId} and state = 'signIn'`.execute(tx)
      context.event(mailChanged(actorOf(context).accountId, boxId))
      await fetchNow({ tx, now }, boxId)
      return {}
    },

    async markMails(context, { mailIdArray, isRead, isStarred }) {
      const { tx, now } = context
      await sql`
        update mail set is_read = coalesce(${isRead ?? null}::boolean, is_read),
          is_starred = coalesce(${isStarred ?? null}::boolean, is_starred), changed_at = ${now}
        where id = any(${mailIdArray}::bigint[])`.execute(tx)
      if (isRead !== undefined) await recordChanges(tx, mailIdArray, isRead ? 'read' : 'unread')
      if (isStarred !== undefined) await recordChanges(tx, mailIdArray, isStarred ? 'star' : 'unstar')
      await afterChange(context, mailIdArray)
      return {}
    },

    async moveMails(context, { mailIdArray, mailFolderId, role }) {
      const { tx } = context
      const boxes = new Set(mailIdArray.map((id) => context.object(mailObjects, id).row.boxId))
      if ((mailFolderId === undefined) === (role === undefined)) fail('badRequest', 'mailFolderId')
      for (const boxId of boxes) {
        const target = await targetIn(tx, boxId, { mailFolderId, role })
        const ids = mailIdArray.filter((id) => context.object(mailObjects, id).row.boxId === boxId)
        const moving = ids.filter((id) => context.object(mailObjects, id).row.mailFolderId !== target)
        await recordChanges(tx, moving, 'move', target)
        await sql`
          update mail set folder_id = ${target}, remote_key = 'pending-' || id
          where id = any(${moving}::bigint[])`.execute(tx)
      }
      await afterChange(context, mailIdArray)
      return {}
    },

    async deleteMails(context, { mailIdArray }) {
      const { tx } = context
      await recordChanges(tx, mailIdArray, 'delete')
      const boxes = new Set(mailIdArray.map((id) => context.object(mailObjects, id).row.boxId))
      await sql`delete from mail where id = any(${mailIdArray}::bigint[])`.execute(tx)
      await tellServers(context, boxes)
      return {}
    },

    async trustSender(context, { address, isTrusted }) {
      const { accountId } = requireMail(context)
      const row = { account_id: accountId, address: address.toLowerCase() }
      if (isTrusted)
        await context.tx
          .insertInto('mail_trust')
          .values(row)
          .onConflict((c) => c.doNothing())
          .execute()
      else
        await context.tx
          .deleteFrom('mail_trust')
          .where('account_id', '=', row.account_id)
          .where('address', '=', row.address)
          .execute()
      return {}
    },
  }
}

/** The folder that mails are moved to. A mailbox without one for the role gets it, and its server at the next fetch. */
async function targetIn(
  tx: Tx,
  boxId: number,
  {
    mailFolderId,
    role,
  }: { readonly mailFolderId?: number | undefined; readonly role?: 'inbox' | 'trash' | 'junk' | 'archive' | undefined },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from mail_folder where mailbox_id = ${boxId}
      and ${mailFolderId === undefined ? sql`role = ${role}` : sql`id = ${mailFolderId}`} limit 1`.execute(tx)
  if (rows[0] !== undefined) return rows[0].id
  if (role === undefined || role === 'inbox') return fail('notFound')
  const path = usualNames[role]
  const made = await sql<{ id: number }>`
    insert into mail_folder (mailbox_id, path, name, role) values (${boxId}, ${path}, ${path}, ${role})
    on conflict (mailbox_id, path) do update set role = excluded.role returning id`.execute(tx)
  return made.rows[0]?.id ?? fail('notFound')
}

interface ChangeContext extends Context {
  readonly tx: Tx
  event(event: MailChanged): void
}

/** Tells the pages of the owner, and the servers of the mailboxes at once. */
async function afterChange(context: ChangeContext, mailIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ boxId: number }>`
    select distinct mailbox_id as "boxId" from mail where id = any(${mailIds}::bigint[])`.execute(context.tx)
  await tellServers(context, new Set(rows.map(({ boxId }) => boxId)))
}

async function tellServers(context: ChangeContext, boxes: ReadonlySet<number>): Promise<void> {
  const { accountId } = actorOf(context)
  for (const boxId of boxes) {
    context.event(mailChanged(accountId, boxId))
    await enqueue({ tx: context.tx, now: context.now }, fetching, { boxId }, { retryFailed: true })
  }
}
