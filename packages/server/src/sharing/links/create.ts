// Creating a link, and asking for its approval where it needs one ([R222], [R231]).
import { randomInt } from 'node:crypto'
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail, secretLevelNow, withNeededRights } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { seal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { askApproval } from './approval.ts'
import { readLinks, showOnItem } from './link-state.ts'
import { checkGiving, checkMails, checkPeople, checkTerms, templateOf } from './link-terms.ts'
import { passwordPurpose } from './link-views.ts'
import { checkPolicy, policyOf, readPolicies } from './policy.ts'

const tokenLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
/** 16 letters out of 57: not guessable. */
const tokenLength = 16

const newToken = (): string =>
  Array.from({ length: tokenLength }, () => tokenLetters[randomInt(tokenLetters.length)]).join('')

/** The settings of a new link. */
export type NewLink = Omit<InputOf<(typeof features.externalLinks.calls)['externalCreate']>, 'fileId' | 'folderId'> & {
  /** It waits for an approval again when the file has a new version. */
  readonly hasVersionLimit?: boolean
  /** The reviewers whom the creator chose; if empty, all. */
  readonly verifiers?: readonly number[]
}

/**
 * Creates a link to an item that has passed the gate `createLink`. Returns its id, and that of the request for its
 * approval if it needs one; until then it does not open.
 */
export async function createLink(
  context: WriteContext,
  services: Pick<Services, 'settings' | 'secrets' | 'contributed'>,
  { row, facts }: Access,
  input: NewLink,
): Promise<{ readonly externalId: number; readonly reviewId: number | undefined }> {
  const { tx, now } = context
  const { settings, secrets } = services
  const actor = actorOf(context)
  const fType = row.f_type
  const terms = {
    rights: withNeededRights(input.rights),
    starts_at: input.startTime === 0 ? now : input.startTime,
    ends_at: input.endTime,
  }
  checkTerms(terms, fType, now, { start: input.startTime !== 0, end: true })
  checkGiving(context, terms.rights, row.id, fType)
  const people = await checkPeople(tx, settings, input.userIdArray, now)
  const policy = policyOf(await readPolicies(tx), actor)
  const mails = await checkMails(context.tx, settings, input.mailArray)
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
      template_id: await templateOf(tx, input.watermarkTemplateId, actor.accountId),
      approval: null,
      only_version: input.hasVersionLimit === true && fType === 1 ? row.version : null,
      end_set_at: now,
      paused_at: null,
      cancelled_at: null,
      created_at: now,
      modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await showOnItem(tx, row.id, now)
  const needsApproval = policy.needsApproval || facts.linkByApplication
  const reviewId = needsApproval
    ? await askFor(context, services, id, {
        ...{ approvers: policy.approvers, verifiers: input.verifiers ?? [] },
        ...{ comments: input.comments, handleBefore: input.handleBefore },
      })
    : undefined
  context.event(itemEvent(row, 'rights', actor.name))
  context.audit({ externalLink: id, rights: terms.rights, until: terms.ends_at })
  return { externalId: id, reviewId }
}

/** Requests the approval of a link; until then it does not open ([R231]). Returns the id of the request. */
export async function askFor(
  context: WriteContext,
  services: Pick<Services, 'contributed'>,
  externalId: number,
  asked: {
    readonly approvers: readonly number[]
    readonly verifiers: readonly number[]
    readonly comments: string
    readonly handleBefore: number | null
  },
): Promise<number> {
  const [link] = await readLinks(context.tx, sql`l.id = ${externalId}`)
  return askApproval(context, services, { link: link ?? fail('notFound'), ...asked })
}
