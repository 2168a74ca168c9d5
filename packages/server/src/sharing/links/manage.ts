// Links from their creators' view: create, change, pause, cancel, list, send ([R222]-[R227], [R229]).
import { randomInt } from 'node:crypto'
import {
  type ExternalLink,
  externalLinkKind,
  type features,
  type Parsed as InputOf,
  type ListedLink,
} from '@cloudoc/contract'
import {
  calendarDays,
  denial,
  fail,
  gates,
  LinkStatus,
  LogBit,
  linkRightNames,
  linkRights,
  secretLevelNow,
  withNeededRights,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Account, Actor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import { isMailSetUp, postMail } from '../../core/mail/index.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, createCompleteRecords, itemEvent, lockItem, recordOf } from '../../drive/tree/index.ts'
import { checkTemplate } from '../../drive/watermarks/index.ts'
import { limitHandOuts, loadAccounts } from '../../people/auth/index.ts'
import { askApproval, endApproval } from './approval.ts'
import { readVisits, sendVisits } from './export.ts'
import { type LinkRow, type ResolvedLink, readLinks, resolveLinks, showOnItem, statusOf } from './link-state.ts'
import { checkDomains, checkPolicy, policyOf, readPolicies } from './policy.ts'

/** The encryption purpose of link passwords. */
export const passwordPurpose = 'link password'
const tokenLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
/** 16 letters out of 57: not guessable. */
const tokenLength = 16

const newToken = (): string =>
  Array.from({ length: tokenLength }, () => tokenLetters[randomInt(tokenLetters.length)]).join('')

type Calls = typeof features.externalLinks.calls
/** The calls of link creators. */
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

interface OwnLinkAccess extends ObjectAccess<{ mayManage: boolean; isCancelled: boolean }> {
  readonly link: LinkRow
}

/** Filters links to those that the user created or whose library they manage. */
async function managed(db: Db, actor: Account, links: readonly LinkRow[], now: number): Promise<Set<number>> {
  if (actor.isGuest) return new Set()
  const others = links.filter(({ account_id }) => account_id !== actor.accountId)
  const items = await accessToMany(db, actor, [...new Set(others.map(({ item_id }) => item_id))], now)
  const isManager = ({ item_id }: LinkRow): boolean => items.get(item_id)?.facts.actor.isManager === true
  return new Set(links.flatMap((link) => (link.account_id === actor.accountId || isManager(link) ? [link.id] : [])))
}

export function linkObjects({ now }: Pick<Services, 'now'>): Objects<OwnLinkAccess> {
  return {
    kind: externalLinkKind,
    async load(db, actor: Actor, ids) {
      if (actor.kind !== 'account') return new Map()
      const links = await readLinks(db, sql`l.id = any(${ids.map(Number)})`)
      const own = await managed(db, actor, links, now())
      return new Map(
        links
          .filter(({ id }) => own.has(id))
          .map((link) => [link.id, { link, facts: { mayManage: true, isCancelled: link.cancelled_at !== null } }]),
      )
    },
    async lock(tx, id, lock) {
      const strength = sql.raw(lock === 'change' ? 'for no key update' : 'for share')
      await sql`select 1 from external_link where id = ${Number(id)} ${strength}`.execute(tx)
    },
  }
}

/** The action that a creator must be allowed in order to grant a right by a link. */
const giving = { preview: 'preview', download: 'download', edit: 'giveEdit', upload: 'upload' } as const

interface Terms {
  readonly rights: number
  readonly starts_at: number
  readonly ends_at: number
}

/** The handlers of links, for their creators. */
export function manageHandlers(
  services: Pick<Services, 'db' | 'settings' | 'secrets' | 'publicUrl' | 'now' | 'contributed'>,
  objects: Objects<OwnLinkAccess>,
) {
  const { settings, secrets, publicUrl } = services
  const complete = createCompleteRecords(services)
  const ownOf = (context: Context, externalId: number): LinkRow => context.object(objects, externalId).link

  const told = ({ link, reason }: ResolvedLink, mayManage: boolean, sees: boolean): ExternalLink => ({
    externalId: link.id,
    fType: link.f_type,
    fId: sees ? link.item_id : 0,
    fName: link.item_name,
    extName: link.ext,
    note: link.note,
    greeting: mayManage ? link.greeting : '',
    creatorId: link.account_id,
    creatorName: link.creator,
    createTime: link.created_at,
    rights: link.rights,
    hasPassword: link.password !== null,
    startTime: link.starts_at,
    endTime: link.ends_at,
    visitLimit: link.visit_limit,
    downloadLimit: link.download_limit,
    visits: mayManage ? link.visits : 0,
    downloads: mayManage ? link.downloads : 0,
    people: [...(link.named ?? [])],
    mails: mayManage ? [...link.mails] : [],
    isNamed: link.is_named,
    status: statusOf[reason],
    reason,
    mayManage,
    linkToken: mayManage ? link.token : '',
    password: mayManage && link.password !== null ? unseal(secrets, passwordPurpose, link.password) : '',
    notify: mayManage && link.notify,
    watermark: link.marked,
    watermarkTemplateId: link.template_id ?? 0,
  })

  const seesOf = async (db: Db, actor: Account, links: readonly LinkRow[], now: number) => {
    const found = await accessToMany(db, actor, [...new Set(links.map(({ item_id }) => item_id))], now)
    return new Map([...found].filter(([, access]) => denial(gates.see, access.facts) === undefined))
  }

  const tellOne = async (context: Context, db: Db, externalId: number): Promise<ExternalLink> => {
    const links = await readLinks(db, sql`l.id = ${externalId}`)
    const [met] = await resolveLinks(db, settings, links, context.now)
    const sees = await seesOf(db, actorOf(context), links, context.now)
    return met === undefined ? fail('notFound') : told(met, true, sees.has(met.link.item_id))
  }

  /** Checks the rules between the fields of a link ([R224]). */
  const checkTerms = (terms: Terms, fType: 1 | 2, now: number, changed: { start: boolean; end: boolean }): void => {
    if (changed.start && terms.starts_at < now - 60_000)
      fail('badRequest', { zh: '生效时间不能早于现在', en: 'the start must not be earlier than now' })
    if (changed.end && terms.ends_at <= now)
      fail('badRequest', { zh: '到期时间不能早于现在', en: 'the end must not be earlier than now' })
    if (terms.starts_at > terms.ends_at)
      fail('badRequest', { zh: '生效时间不能晚于到期时间', en: 'the start must not be later than the end' })
    if (fType === 1 && (terms.rights & linkRights.upload) !== 0)
      fail('badRequest', { zh: '只有文件夹的外链可以上传', en: 'only a link to a folder takes uploads' })
  }
  /** 0 is the current standard template. */
  const templateOf = async (db: Db, templateId: number): Promise<number | null> => {
    if (templateId === 0) return null
    await checkTemplate(db, templateId)
    return templateId
  }
  /** Requests the approval of a link; until then it does not open ([R231]). */
  const askFor = async (
    context: WriteContext,
    externalId: number,
    approvers: readonly number[],
    said: { readonly comments: string; readonly handleBefore: number | null },
  ): Promise<void> => {
    const [link] = await readLinks(context.tx, sql`l.id = ${externalId}`)
    await askApproval(context, services, { link: link ?? fail('notFound'), approvers, ...said })
  }
  /** Whether a limit allows more than before; 0 is no limit. */
  const isMore = (given: number | undefined, before: number): boolean =>
    given !== undefined && before > 0 && (given === 0 || given > before)
  const checkPeople = async (db: Db, ids: readonly number[], now: number): Promise<number[]> => {
    const wanted = [...new Set(ids)]
    const found = await loadAccounts(db, settings, wanted, now)
    return found.size < wanted.length ? fail('notFound', 'userIdArray') : wanted
  }

  /** Normalizes addresses. Without a mail server no code can be sent, so mail recipients are refused. */
  const checkMails = async (mails: readonly string[]): Promise<string[]> => {
    const wanted = [...new Set(mails.map((mail) => mail.toLowerCase()))]
    return wanted.length > 0 && !isMailSetUp(await settings.current()) ? fail('mailNotSetUp') : wanted
  }

  /** A creator cannot grant rights that they do not have. */
  const checkGiving = (context: WriteContext, rights: number, itemId: number, fType: 1 | 2): void => {
    const { facts } = context.item({ fType, fId: itemId })
    for (const name of linkRightNames)
      if ((rights & linkRights[name]) !== 0 && denial(gates[giving[name]], facts) !== undefined)
        fail('noPermission', name)
  }

  /** Announces a change of links on the item, in the log and to clients that show it. */
  const tellItem = async (context: WriteContext, { item_id }: LinkRow, log: number): Promise<void> => {
    await lockItem(context.tx, item_id, 'change')
    await showOnItem(context.tx, item_id, context.now)
    const actor = actorOf(context)
    const access = (await accessToMany(context.tx, actor, [item_id], context.now)).get(item_id)
    if (access !== undefined && access.row.deleted_at === null)
      context.event(itemEvent(access.row, 'rights', actor.name))
    context.audit({ log })
  }

  const listOf = async (context: Context, itemId: number) => {
    const { db, now } = context
    const actor = actorOf(context)
    const links = await readLinks(db, sql`l.item_id = ${itemId}`, 500)
    const own = await managed(db, actor, links, now)
    const met = await resolveLinks(db, settings, links, now)
    // Ended links are listed only to their creators and managers.
    return {
      list: met
        .filter(
          ({ link, reason }) =>
            own.has(link.id) || statusOf[reason] === LinkStatus.active || statusOf[reason] === LinkStatus.inactive,
        )
        .map((one) => told(one, own.has(one.link.id), true)),
    }
  }

  interface Wanted {
    readonly from: number
    readonly rows: number
    readonly state: 'all' | 'active' | 'inactive' | 'approval' | 'over'
    readonly keyword: string
  }
  const inState = (status: number, state: Wanted['state']): boolean => {
    if (state === 'all') return true
    if (state === 'active') return status === LinkStatus.active
    if (state === 'inactive') return status === LinkStatus.inactive
    if (state === 'approval') return status === LinkStatus.underApproval
    return status === LinkStatus.over || status === LinkStatus.refused || status === LinkStatus.failed
  }
  const page = async (context: Context, links: LinkRow[], { from, rows, state, keyword }: Wanted, isOwn: boolean) => {
    const { db, now } = context
    const actor = actorOf(context)
    const word = keyword.toLowerCase()
    const named = links.filter(
      ({ note, item_name, token }) =>
        word === '' || `${note}\n${item_name}\n${isOwn ? token : ''}`.toLowerCase().includes(word),
    )
    const met = await resolveLinks(db, settings, named, now)
    const there = met.filter(({ reason }) => inState(statusOf[reason], state))
    const shown = there.slice(from, from + rows)
    const sees = await seesOf(
      db,
      actor,
      shown.map(({ link }) => link),
      now,
    )
    const records = await complete(
      actor,
      Array.from(sees.values(), (access) => recordOf(access, actor)),
    )
    const recordAt = new Map(records.map((record) => [record.fId, record]))
    const list: ListedLink[] = shown.map((one) => {
      const access = sees.get(one.link.item_id)
      const item = recordAt.get(one.link.item_id) ?? null
      const listed = { ...told(one, isOwn, access !== undefined), item }
      // A named recipient gets the address of the link but not its password.
      return isOwn ? listed : { ...listed, linkToken: one.link.token }
    })
    return { list, total: there.length }
  }

  return {
    async externalCreate(context: WriteContext, input: Parsed<'externalCreate'>) {
      const { tx, now } = context
      const actor = actorOf(context)
      const fType = input.fileId === undefined ? (2 as const) : (1 as const)
      const { row } = context.item({ fType, fId: input.fileId ?? input.folderId ?? 0 })
      const terms = {
        rights: withNeededRights(input.rights),
        starts_at: input.startTime === 0 ? now : input.startTime,
        ends_at: input.endTime,
      }
      checkTerms(terms, fType, now, { start: input.startTime !== 0, end: true })
      checkGiving(context, terms.rights, row.id, fType)
      const people = await checkPeople(tx, input.userIdArray, now)
      const policy = policyOf(await readPolicies(tx), actor)
      const mails = await checkMails(input.mailArray)
      const isNamed = people.length > 0 || mails.length > 0
      checkPolicy(policy, { ...terms, hasPassword: input.password !== '', isNamed, mails }, now)
      const token = input.address ?? newToken()
      const { rows: taken } = await sql`select 1 from external_link where token = ${token}`.execute(tx)
      if (taken.length > 0) return fail('alreadyExists', 'address')
      const { id } = await tx
        .insertInto('external_link')
        .values({
          ...terms,
          token,
          item_id: row.id,
          account_id: actor.accountId,
          password: input.password === '' ? null : seal(secrets, passwordPurpose, input.password),
          visit_limit: input.visitLimit,
          download_limit: input.downloadLimit,
          people,
          mails,
          note: input.note,
          greeting: input.greeting,
          secret_level: secretLevelNow(row.secret_level, row.secret_until, now),
          notify: input.notify,
          marked: input.watermark,
          template_id: await templateOf(tx, input.watermarkTemplateId),
          approval: null,
          end_set_at: now,
          paused_at: null,
          cancelled_at: null,
          created_at: now,
          modified_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await showOnItem(tx, row.id, now)
      if (policy.needsApproval) await askFor(context, id, policy.approvers, input)
      context.event(itemEvent(row, 'rights', actor.name))
      context.audit({ externalLink: id, rights: terms.rights, until: terms.ends_at })
      return tellOne(context, tx, id)
    },

    async externalModify(context: WriteContext, input: Parsed<'externalModify'>) {
      const { tx, now } = context
      const own = ownOf(context, input.externalId)
      const terms = {
        rights: withNeededRights(input.rights ?? own.rights),
        starts_at: input.startTime === undefined ? own.starts_at : input.startTime === 0 ? now : input.startTime,
        ends_at: input.endTime ?? own.ends_at,
      }
      const isMoved = (given: number | undefined, before: number): boolean =>
        given !== undefined && given !== 0 && given !== before
      checkTerms(terms, own.f_type, now, {
        start: isMoved(input.startTime, own.starts_at),
        end: isMoved(input.endTime, own.ends_at),
      })
      const [met] = await resolveLinks(tx, settings, [own], now)
      if ((terms.rights & ~own.rights) !== 0) {
        // Granting more requires the same rights as creating the link, both of the caller and of the creator.
        const mine = (await accessToMany(tx, actorOf(context), [own.item_id], now)).get(own.item_id)
        for (const facts of [met?.access?.facts, mine?.facts])
          for (const name of linkRightNames)
            if (
              (terms.rights & linkRights[name]) !== 0 &&
              (facts === undefined || denial(gates[giving[name]], facts) !== undefined)
            )
              return fail('noPermission', name)
      }
      const before = own.password === null ? '' : unseal(secrets, passwordPurpose, own.password)
      const isOther = input.password !== undefined && input.password !== before
      const people = input.userIdArray === undefined ? undefined : await checkPeople(tx, input.userIdArray, now)
      const mails = input.mailArray === undefined ? undefined : await checkMails(input.mailArray)
      const isNamed = (people ?? own.people).length > 0 || (mails ?? own.mails).length > 0
      const isNamedOther = input.userIdArray !== undefined || input.mailArray !== undefined
      const hasPassword = isOther ? input.password !== '' : own.password !== null
      const isEndOther = isMoved(input.endTime, own.ends_at)
      if (met?.policy !== undefined)
        checkPolicy(
          met.policy,
          {
            // Unchanged fields are not checked, so that other fields can be changed; each visit checks them.
            rights: input.rights === undefined ? 0 : terms.rights,
            ends_at: isEndOther ? terms.ends_at : now,
            hasPassword: (input.password === undefined && !isNamedOther) || hasPassword,
            isNamed,
            mails: mails ?? [],
          },
          now,
        )
      const gives = {
        rights: (terms.rights & ~own.rights) !== 0,
        time: terms.ends_at > own.ends_at || terms.starts_at < Math.min(own.starts_at, now),
        password: own.password !== null && !hasPassword,
        people: people?.some((id) => !own.people.map(Number).includes(id)) === true,
        mails: mails?.some((mail) => !own.mails.includes(mail)) === true,
        anybody: own.is_named && !isNamed,
        visits: isMore(input.visitLimit, own.visit_limit),
        downloads: isMore(input.downloadLimit, own.download_limit),
      }
      const isWider = Object.values(gives).some(Boolean)
      if (isWider && own.approval === 'pending')
        return fail('duplicateRequest', {
          zh: '正在等待审批，请先撤回申请再放宽',
          en: 'a request waits for it: take that back before it gives more',
        })
      const policy = met?.policy
      const peopleBefore = new Set(own.people.map(Number))
      const isOtherPeople =
        people !== undefined && (people.length !== peopleBefore.size || people.some((id) => !peopleBefore.has(id)))
      await tx
        .updateTable('external_link')
        .set({
          ...terms,
          ...(isEndOther ? { end_set_at: now } : {}),
          modified_at: now,
          ...(isOther
            ? { password: input.password === '' ? null : seal(secrets, passwordPurpose, input.password ?? '') }
            : {}),
          // Mail recipients are checked with each request. All other visitors who are inside have to enter again.
          ...(isOther || isOtherPeople || isNamed !== own.is_named ? { pass_version: own.pass_version + 1 } : {}),
          ...(people === undefined ? {} : { people }),
          ...(mails === undefined ? {} : { mails }),
          ...(input.visitLimit === undefined ? {} : { visit_limit: input.visitLimit }),
          ...(input.downloadLimit === undefined ? {} : { download_limit: input.downloadLimit }),
          ...(input.note === undefined ? {} : { note: input.note }),
          ...(input.greeting === undefined ? {} : { greeting: input.greeting }),
          ...(input.notify === undefined ? {} : { notify: input.notify }),
          ...(input.watermark === undefined ? {} : { marked: input.watermark }),
          ...(input.watermarkTemplateId === undefined
            ? {}
            : { template_id: await templateOf(tx, input.watermarkTemplateId) }),
        })
        .where('id', '=', own.id)
        .execute()
      // The approval covered only the earlier rights.
      if (isWider && policy?.needsApproval === true)
        await askFor(context, own.id, policy.approvers, { comments: '', handleBefore: null })
      await tellItem(context, own, LogBit.modifyLink)
      context.audit({ rights: terms.rights, until: terms.ends_at, password: isOther })
      return tellOne(context, tx, own.id)
    },

    async pauseExternal(context: WriteContext, { externalId, paused }: Parsed<'pauseExternal'>) {
      const own = ownOf(context, externalId)
      if ((own.paused_at !== null) === paused) return fail('duplicateOperation')
      await context.tx
        .updateTable('external_link')
        .set({ paused_at: paused ? context.now : null, modified_at: context.now })
        .where('id', '=', own.id)
        .execute()
      await tellItem(context, own, LogBit.modifyLink)
      context.audit({ paused })
      return {}
    },

    async cancelExternal(context: WriteContext, { externalId }: Parsed<'cancelExternal'>) {
      const own = ownOf(context, externalId)
      await context.tx
        .updateTable('external_link')
        .set({ cancelled_at: context.now, modified_at: context.now })
        .where('id', '=', own.id)
        .execute()
      await endApproval(context, services, own)
      await tellItem(context, own, LogBit.cancelLink)
      return {}
    },

    getExternalListByFileId: (context: Context, { fileId }: Parsed<'getExternalListByFileId'>) =>
      listOf(context, fileId),
    getExternalListByFolderId: (context: Context, { folderId }: Parsed<'getExternalListByFolderId'>) =>
      listOf(context, folderId),

    async getExternalInfo(context: Context, { externalId }: Parsed<'getExternalInfo'>) {
      const link = await tellOne(context, context.db, ownOf(context, externalId).id)
      return { ...link, fileKey: link.linkToken }
    },

    async getExternalVisitList(
      context: Context,
      { externalId, from, rows: most, what }: Parsed<'getExternalVisitList'>,
    ) {
      const { db, now } = context
      const { id } = ownOf(context, externalId)
      const kind = what === 'all' ? sql`true` : sql`what = ${what}`
      const visits = await readVisits(db, id, what, { rows: most, from })
      const list = visits.map(({ id: _, ...visit }) => visit)
      const week = calendarDays(now, actorOf(context).settings.setting.download_time_zone, 7)
      const { rows: sums } = await sql<{ total: number; addresses: number; wrong: number; bytes: number }>`
        select count(*) filter (where ${kind})::int as total, count(distinct address)::int as addresses,
          count(*) filter (where what in ('wrongPassword', 'wrongCode'))::int as wrong, coalesce(sum(bytes), 0)::bigint as bytes
        from external_visit where link_id = ${id}`.execute(db)
      const { rows: days } = await sql<{ from: number; opens: number; downloads: number }>`
        select d as "from", count(v.id) filter (where v.what = 'open')::int as opens,
          count(v.id) filter (where v.what = 'download')::int as downloads
        from unnest(${week.map(({ from }) => from)}::bigint[], ${week.map(({ until }) => until)}::bigint[]) w (d, until)
          left join external_visit v on v.link_id = ${id} and v.at >= d and v.at < until
        group by d order by d`.execute(db)
      const sum = sums[0] ?? { total: 0, addresses: 0, wrong: 0, bytes: 0 }
      return { list, total: sum.total, addresses: sum.addresses, wrongPasswords: sum.wrong, bytes: sum.bytes, days }
    },

    async exportExternalVisits(context: Context, { externalId, what }: Parsed<'exportExternalVisits'>) {
      return sendVisits(context, ownOf(context, externalId), what)
    },

    async sendExternalMail(
      context: WriteContext,
      { externalId, toArray, comments, withPassword }: Parsed<'sendExternalMail'>,
    ) {
      const { tx, now, request } = context
      const own = ownOf(context, externalId)
      const actor = actorOf(context)
      const set = await settings.current()
      if (!isMailSetUp(set)) return fail('mailNotSetUp')
      checkDomains(policyOf(await readPolicies(tx), actor), toArray)
      await limitHandOuts(tx, 'linkMail', String(actor.accountId), now)
      const locale = localeOf(request)
      const base = publicUrl ?? `${request.protocol}://${request.host}`
      const password = own.password === null ? '' : unseal(secrets, passwordPurpose, own.password)
      const until = new Date(own.ends_at).toISOString().slice(0, 16).replace('T', ' ')
      const lines =
        locale === 'zh'
          ? [
              `${actor.name} 向你分享了《${own.item_name}》`,
              `链接：${base}/s/${own.token}`,
              ...(password === '' ? [] : [withPassword ? `密码：${password}` : '密码由分享人另行告诉你']),
              `有效期至 ${until} UTC`,
            ]
          : [
              `${actor.name} shares “${own.item_name}” with you`,
              `Link: ${base}/s/${own.token}`,
              ...(password === ''
                ? []
                : [withPassword ? `Password: ${password}` : 'You will be told the password another way']),
              `Good until ${until} UTC`,
            ]
      const text = [...lines, ...(comments === '' ? [] : ['', comments])].join('\n')
      for (const to of new Set(toArray)) await postMail({ tx, now }, { to, subject: lines[0] ?? '', text, locale })
      context.audit({ mails: toArray.length })
      return {}
    },

    async getLinkCreationList(context: Context, input: Wanted) {
      const { accountId } = actorOf(context)
      return page(context, await readLinks(context.db, sql`l.account_id = ${accountId}`), input, true)
    },

    async getLinkSharedList(context: Context, input: Wanted) {
      const { accountId } = actorOf(context)
      const links = await readLinks(
        context.db,
        sql`l.people @> array[${accountId}]::bigint[] and l.account_id <> ${accountId} and l.cancelled_at is null
          and (l.approval is null or l.approval = 'approved')`,
      )
      return page(context, links, input, false)
    },
  }
}
