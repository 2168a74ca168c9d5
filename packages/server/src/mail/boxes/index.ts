// Mailboxes: their calls ([R289]), and the events that tell the pages of their owner.
import { features, type Mailbox, type MailboxState } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, whileAsked } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import { MailFailure, problemText } from '../../core/mail/index.ts'
import { seal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { checkBox } from './check.ts'
import { type Credential, credentialOf } from './credentials.ts'
import { mailChanged, requireMail } from './mail-events.ts'
import { ownObjects } from './objects.ts'
import { mostBoxes, outlookHandlers } from './outlook.ts'
import { isOutlookSetUp } from './outlook-app.ts'
import { guessServers } from './providers.ts'
import {
  type BoxRow,
  type BoxSettings,
  boxColumns,
  boxSettings,
  type EnteredBox,
  findBox,
  mailboxPurpose,
} from './settings.ts'

export {
  type Delivered,
  imapProblem,
  openImap,
  openPop,
  passwordIn,
  popProblem,
  smtpStep,
  takesUnicodeNames,
  withSmtp,
} from './connections.ts'
export { type Credential, credentialOf } from './credentials.ts'
export { type MailChanged, mailAudience, mailChanged, requireMail } from './mail-events.ts'
export { mailFacts, ownObjects } from './objects.ts'
export { type BoxRow, type BoxSettings, boxColumns, boxSettings, findBox, senderOf } from './settings.ts'

/** Checks connect to servers of the caller's choice: each person makes one at a time, and few in a minute. */
const checksAMinute = 20

export const mailboxObjects = ownObjects(
  features.mailboxes.objects.mailbox,
  sql`mailbox`,
  sql`b.id, ${boxColumns}`,
  (_row: BoxRow & { readonly id: number }, facts) => facts,
)

function shown(context: Context, row: BoxRow, more: { unread: number; isFetching: boolean }): Mailbox {
  const {
    boxId,
    account,
    loginName,
    senderName,
    aliases,
    mailProtocol,
    ssl,
    fetch,
    isDefault,
    fetchTime,
    problem,
    said,
  } = row
  const { spaceUsed, spaceTotal, sealedTokens } = row
  const { imapAddress, imapPort, popAddress, popPort, smtpAddress, smtpPort, exchangeUrl } = row
  return {
    ...{
      boxId,
      account,
      loginName,
      senderName,
      aliases: [...aliases],
      mailProtocol,
      ssl,
      fetch,
      isDefault,
      fetchTime,
      ...more,
    },
    ...{ imapAddress, imapPort, popAddress, popPort, smtpAddress, smtpPort, exchangeUrl },
    ...{ spaceUsed, spaceTotal, isOutlook: sealedTokens !== '' },
    state: row.state as MailboxState,
    problem: problem === '' ? '' : problemText(problem, said)[localeOf(context.request)],
  }
}

async function listed(context: Context, accountId: number, boxId?: number): Promise<Mailbox[]> {
  const { rows } = await sql<BoxRow & { unread: number; isFetching: boolean }>`
    select ${boxColumns},
      (select count(*)::int from mail_folder f join mail m on m.folder_id = f.id and not m.is_read
        where f.mailbox_id = b.id and f.role = 'inbox') as unread,
      exists (select 1 from job j where j.kind = 'mail.fetch' and j.key = b.id::text and j.state in ('waiting', 'running'))
        as "isFetching"
    from mailbox b where b.account_id = ${accountId} ${boxId === undefined ? sql`` : sql`and b.id = ${boxId}`}
    order by b.is_default desc, b.id`.execute(context.db)
  return rows.map(({ unread, isFetching, ...row }) => shown(context, row, { unread, isFetching }))
}

const columnsOf = (entered: EnteredBox & { readonly fetch: boolean }) => ({
  address: entered.account,
  login_name: entered.loginName,
  sender_name: entered.senderName,
  aliases: [...entered.aliases],
  protocol: entered.mailProtocol,
  imap_host: entered.imapAddress,
  imap_port: entered.imapPort,
  pop_host: entered.popAddress,
  pop_port: entered.popPort,
  smtp_host: entered.smtpAddress,
  smtp_port: entered.smtpPort,
  exchange_url: entered.exchangeUrl,
  ssl: entered.ssl,
  fetches: entered.fetch,
})

/** Whether the stored password may be sent to these servers: it was entered for them. */
function isSameServer(stored: BoxRow, entered: EnteredBox): boolean {
  const [before, after] = [boxSettings(stored), boxSettings(entered)]
  return (
    before.login === after.login &&
    before.receive.host === after.receive.host &&
    (after.send === undefined || before.send?.host === after.send.host)
  )
}

export function mailboxHandlers(services: Services) {
  const { secrets } = services
  const checking = new Map<number, number[]>()

  /** Limits checks of a person in this process. */
  const countCheck = (accountId: number, now: number): void => {
    const recent = (checking.get(accountId) ?? []).filter((at) => at > now - 60_000)
    if (recent.length >= checksAMinute) fail('sendingTooOften')
    checking.set(accountId, [...recent, now])
  }

  return implement(features.mailboxes.calls, {
    async getMailboxes(context) {
      const { accountId, settings } = requireMail(context)
      return { list: await listed(context, accountId), canBindOutlook: isOutlookSetUp(settings) }
    },

    async getMailbox(context, { boxId }) {
      const [box] = await listed(context, actorOf(context).accountId, boxId)
      return box ?? fail('notFound')
    },

    async createMailbox(context, { password, ...entered }) {
      const { accountId } = requireMail(context)
      boxSettings(entered)
      // Locked, so that two of one moment cannot both become the default.
      await sql`select 1 from account where id = ${accountId} for no key update`.execute(context.tx)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from mailbox where account_id = ${accountId}`.execute(context.tx)
      const before = rows[0]?.n ?? 0
      if (before >= mostBoxes) fail('tooMany')
      const row = await context.tx
        .insertInto('mailbox')
        .values({
          ...columnsOf(entered),
          account_id: accountId,
          is_default: before === 0,
          password: seal(secrets, mailboxPurpose, password),
          next_fetch: context.now,
          created_at: context.now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      context.event(mailChanged(accountId, row.id))
      return { boxId: row.id }
    },

    async updateMailbox(context, { boxId, password, isDefault, ...entered }) {
      const { row } = context.object(mailboxObjects, boxId)
      // The servers of an Outlook mailbox are those of its binding: its tokens go nowhere else.
      const isOutlook = row.sealedTokens !== ''
      if (!isOutlook) boxSettings(entered)
      // A password goes only to the servers that it was entered for.
      if (password === undefined && !isOutlook && !isSameServer(row, entered))
        fail('badRequest', {
          zh: '更换服务器或登录名时请重新输入密码',
          en: 'enter the password again for another server',
        })
      await context.tx
        .updateTable('mailbox')
        .set({
          ...(isOutlook
            ? { sender_name: entered.senderName, aliases: entered.aliases, fetches: entered.fetch }
            : columnsOf(entered)),
          ...(password === undefined || isOutlook ? {} : { password: seal(secrets, mailboxPurpose, password) }),
          ...{ state: 'new', problem: '', said: '', next_fetch: context.now },
        })
        .where('id', '=', boxId)
        .execute()
      if (isDefault === true)
        await sql`update mailbox set is_default = (id = ${boxId}) where account_id = ${row.accountId}`.execute(
          context.tx,
        )
      context.event(mailChanged(row.accountId, boxId))
      return {}
    },

    async deleteMailbox(context, { boxId }) {
      const { row } = context.object(mailboxObjects, boxId)
      await context.tx.deleteFrom('mailbox').where('id', '=', boxId).execute()
      if (row.isDefault)
        await sql`
          update mailbox set is_default = true
          where id = (select min(id) from mailbox where account_id = ${row.accountId})`.execute(context.tx)
      context.audit({ account: row.account })
      context.event(mailChanged(row.accountId, boxId))
      return {}
    },

    async checkMailbox(context, { boxId, password, ...entered }) {
      const actor = requireMail(context)
      countCheck(actor.accountId, context.now)
      const { settings, credential } = await toCheck(services, actor.accountId, { boxId, password, entered })
      const { mailbox_local_hosts: localHosts } = actor.settings.inner
      return whileAsked(context, (gone) => checkBox(settings, credential, localHosts, localeOf(context.request), gone))
    },

    async guessMailbox(context, { account }) {
      requireMail(context)
      return { ...(await guessServers(account)), mailProtocol: 'imap' as const, ssl: true }
    },

    ...outlookHandlers(services),
  })
}

/** What a check uses: the settings entered and their password, or those of a stored mailbox. */
async function toCheck(
  services: Services,
  accountId: number,
  asked: { readonly boxId: number | undefined; readonly password: string | undefined; readonly entered: EnteredBox },
): Promise<{ readonly settings: BoxSettings; readonly credential: Credential }> {
  const { boxId, password, entered } = asked
  const row = boxId === undefined ? undefined : await findBox(services.db, boxId)
  if (boxId !== undefined && row?.accountId !== accountId) return fail('notFound')
  const isOutlook = row !== undefined && row.sealedTokens !== ''
  const settings = boxSettings(isOutlook ? row : entered)
  if (password !== undefined && !isOutlook) return { settings, credential: { password } }
  if (row === undefined || !(isOutlook || isSameServer(row, entered)))
    return fail('badRequest', { zh: '请输入密码或授权码', en: 'enter the password or authorization code' })
  try {
    return { settings, credential: await credentialOf(services, row) }
  } catch (error) {
    if (error instanceof MailFailure && isOutlook) return { settings, credential: { accessToken: '' } }
    throw error
  }
}
