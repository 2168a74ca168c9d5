// Changing a link ([R222]-[R224]). What gives more than before needs the rights of creating it, and its approval again.
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { denial, fail, gates, LogBit, linkRightNames, linkRights, withNeededRights } from '@cloudoc/domain'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, itemEvent, lockItem } from '../../drive/tree/index.ts'
import { askFor } from './create.ts'
import { type LinkRow, needsApproval, type ResolvedLink, resolveLinks, showOnItem } from './link-state.ts'
import { checkMails, checkPeople, checkTerms, giving, isMore, type Terms, templateOf } from './link-terms.ts'
import { passwordPurpose } from './link-views.ts'
import { checkPolicy } from './policy.ts'

type Input = InputOf<(typeof features.externalLinks.calls)['externalModify']>

/** Announces a change of links on the item, in the log and to clients that show it. */
export async function announceItem(context: WriteContext, { item_id }: LinkRow, log: number): Promise<void> {
  await lockItem(context.tx, item_id, 'change')
  await showOnItem(context.tx, item_id, context.now)
  const actor = actorOf(context)
  const access = (await accessToMany(context.tx, actor, [item_id], context.now)).get(item_id)
  if (access !== undefined && access.row.deleted_at === null) context.event(itemEvent(access.row, 'rights', actor.name))
  context.audit({ log })
}

/** Changes a link that the caller manages. */
export async function modifyLink(
  context: WriteContext,
  services: Pick<Services, 'settings' | 'secrets' | 'contributed'>,
  own: LinkRow,
  input: Input,
): Promise<void> {
  const { tx, now } = context
  const { settings, secrets } = services
  const terms = {
    rights: withNeededRights(input.rights ?? own.rights),
    starts_at: input.startTime === undefined ? own.starts_at : input.startTime === 0 ? now : input.startTime,
    ends_at: input.endTime ?? own.ends_at,
  }
  const isEndOther = isMoved(input.endTime, own.ends_at)
  checkTerms(terms, own.f_type, now, { start: isMoved(input.startTime, own.starts_at), end: isEndOther })
  const [met] = await resolveLinks(tx, settings, [own], now)
  await checkMoreRights(context, own, terms.rights, met)
  const before = own.password === null ? '' : unseal(secrets, passwordPurpose, own.password)
  const isOther = input.password !== undefined && input.password !== before
  const people = input.userIdArray === undefined ? undefined : await checkPeople(tx, settings, input.userIdArray, now)
  const mails = input.mailArray === undefined ? undefined : await checkMails(context.tx, settings, input.mailArray)
  const isNamed = (people ?? own.people).length > 0 || (mails ?? own.mails).length > 0
  const isNamedOther = input.userIdArray !== undefined || input.mailArray !== undefined
  const hasPassword = isOther ? input.password !== '' : own.password !== null
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
  const isWider = givesMore(own, input, { terms, people, mails, hasPassword, isNamed, now })
  if (isWider && own.approval === 'pending')
    fail('duplicateRequest', {
      zh: '正在等待审批，请先撤回申请再放宽',
      en: 'a request waits for it: take that back before it gives more',
    })
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
        : { template_id: await templateOf(tx, input.watermarkTemplateId, own.account_id, actorOf(context).accountId) }),
    })
    .where('id', '=', own.id)
    .execute()
  // The approval covered only the earlier rights.
  if (isWider && met !== undefined && needsApproval(met))
    await askFor(context, services, own.id, {
      ...{ approvers: met.policy?.approvers ?? [], verifiers: [], comments: '', handleBefore: null },
    })
  await announceItem(context, own, LogBit.modifyLink)
  context.audit({ rights: terms.rights, until: terms.ends_at, password: isOther })
}

const isMoved = (given: number | undefined, before: number): boolean =>
  given !== undefined && given !== 0 && given !== before

/** Granting more requires the same rights as creating the link, both of the caller and of the creator. */
async function checkMoreRights(
  context: WriteContext,
  own: LinkRow,
  rights: number,
  met: ResolvedLink | undefined,
): Promise<void> {
  if ((rights & ~own.rights) === 0) return
  const { tx, now } = context
  const mine = (await accessToMany(tx, actorOf(context), [own.item_id], now)).get(own.item_id)
  for (const facts of [met?.access?.facts, mine?.facts])
    for (const name of linkRightNames)
      if (
        (rights & linkRights[name]) !== 0 &&
        (facts === undefined || denial(gates[giving[name]], facts) !== undefined)
      )
        fail('noPermission', name)
}

/** Whether the link gives more, to more people, or for longer than before. */
function givesMore(
  own: LinkRow,
  input: Input,
  changed: {
    readonly terms: Terms
    readonly people: readonly number[] | undefined
    readonly mails: readonly string[] | undefined
    readonly hasPassword: boolean
    readonly isNamed: boolean
    readonly now: number
  },
): boolean {
  const { terms, people, mails, hasPassword, isNamed, now } = changed
  return [
    (terms.rights & ~own.rights) !== 0,
    terms.ends_at > own.ends_at || terms.starts_at < Math.min(own.starts_at, now),
    own.password !== null && !hasPassword,
    people?.some((id) => !own.people.map(Number).includes(id)) === true,
    mails?.some((mail) => !own.mails.includes(mail)) === true,
    own.is_named && !isNamed,
    isMore(input.visitLimit, own.visit_limit),
    isMore(input.downloadLimit, own.download_limit),
  ].some(Boolean)
}
