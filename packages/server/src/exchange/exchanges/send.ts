// Sending: which rule permits an exchange, who has to approve it, and the request with its pinned contents.
import { createHash } from 'node:crypto'
import type { Answer, calls, ExchangeReceiver } from '@cloudoc/contract'
import { type CodeName, codes, ExchangeStatus, exchangeLimits, fail, matchExchange, ResultError } from '@cloudoc/domain'
import { launch, launchApproved } from '../../approvals/review/index.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { seal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { hashPassword } from '../../people/auth/index.ts'
import { exchangeRounds, type Network, readNetworks, rulesOfSender, type StoredRule } from '../rules/index.ts'
import { type CollectedFile, collectFiles, mostSecret, pinFiles, rootsOf } from './collect.ts'
import { exchangeReview, type RequestedExchange } from './kind.ts'
import type { KnownReceiver } from './tables.ts'
import { openWire } from './wire.ts'

const hourMs = 60 * 60_000
export const passwordPurpose = 'exchange-password'

interface Chosen {
  readonly fileId: readonly number[]
  readonly folderId: readonly number[]
  readonly targetServerCode: string
}

const secretName = ({ settings }: Account, level: number): string =>
  level === 0 ? '' : (settings.secret_names[level - 1] ?? `${level}`)

/** The detail of a refusal: the names of the files or receivers concerned. */
function detailOf(code: CodeName, names: readonly string[]) {
  const some = names.slice(0, 5).join('、')
  if (code === 'receiverNotInRule') return { zh: `不在规则允许的接收范围内：${some}`, en: `outside the rule: ${some}` }
  if (code === 'exchangeOutsideRules') return { zh: `不在发送规则内：${some}`, en: `outside the rules: ${some}` }
  return undefined
}

interface Planned {
  readonly files: readonly CollectedFile[]
  readonly rule: StoredRule
  readonly subject: RequestedExchange
  readonly itemId: number
  readonly handleBefore: number | null
}

/** Finds the rule for an exchange; fails with the code of the refusal. */
async function plan(
  context: Context,
  db: Db,
  chosen: Chosen,
  network: Network,
  receivers: readonly KnownReceiver[],
): Promise<Planned> {
  const actor = actorOf(context)
  const { now } = context
  const files = await collectFiles(db, actor, rootsOf(context, chosen), now)
  const found = matchExchange(await rulesOfSender(db, actor, now), {
    ...{ targetServerCode: chosen.targetServerCode, files, receivers },
    mostFiles: actor.settings.inner.exchange_files,
  })
  if ('refusal' in found) {
    const { code, files: outside, receivers: strangers } = found.refusal
    const names =
      strangers.length > 0
        ? receivers.filter(({ account }) => strangers.includes(account)).map(({ name }) => name)
        : files.filter(({ id }) => outside.includes(id)).map(({ name }) => name)
    return fail(code, detailOf(code, names))
  }
  const { rule } = found
  const top = mostSecret(files)
  const approval = rule.levels.find(({ level }) => level === top.level) ?? fail('levelWithoutApprover')
  return {
    ...{ files, rule, itemId: top.id },
    handleBefore: rule.hours === 0 ? null : now + rule.hours * hourMs,
    subject: {
      ...{ ruleId: rule.ruleId, networkName: network.name, level: top.level, fileCount: files.length },
      ...{ isFree: approval.isFree, rounds: approval.rounds, atDeadline: rule.atDeadline },
    },
  }
}

/** The networks to which a user may send these files; all of their rules' networks without files. */
export async function targetsFor(context: Context, files?: readonly CollectedFile[]): Promise<Network[]> {
  const actor = actorOf(context)
  const rules = await rulesOfSender(context.db, actor, context.now)
  const networks = await readNetworks(context.db)
  return networks.filter(({ code }) => {
    if (files === undefined) return rules.some(({ targetServerCode }) => targetServerCode === code)
    const found = matchExchange(rules, {
      ...{ targetServerCode: code, files, receivers: [] },
      mostFiles: actor.settings.inner.exchange_files,
    })
    return 'rule' in found
  })
}

/** A network as it is told to a sender. */
export const toTarget = ({ code, name, description, serverId }: Network) => ({
  ...{ targetServerCode: code, targetName: name, description },
  transport: serverId === null ? ('bundle' as const) : ('wire' as const),
})

/** Tells before the sending whether it is permitted, and who would approve it. */
export async function preApply(context: Context, chosen: Chosen): Promise<Answer<typeof calls.preApplyExchange>> {
  const { db, now } = context
  const actor = actorOf(context)
  const mostFiles = actor.settings.inner.exchange_files
  const files = await collectFiles(db, actor, rootsOf(context, chosen), now)
  const level = Math.max(0, ...files.map((one) => one.level))
  const rules = await rulesOfSender(db, actor, now)
  const found = matchExchange(rules, { ...chosen, files, receivers: [], mostFiles })
  const answer = {
    ...{ result: 0, mostFiles, fileCount: files.length, fileSize: files.reduce((sum, { bytes }) => sum + bytes, 0) },
    ...{ secretLevel: level, secretName: secretName(actor, level), ruleName: '', requirePwd: false, outside: [] },
    ...{ rounds: [], receivers: [], handleBefore: null },
  }
  if ('refusal' in found) {
    const { code, files: outside } = found.refusal
    return {
      ...answer,
      result: codes[code].code,
      outside: files.filter(({ id }) => outside.includes(id)).map(({ id, name }) => ({ fId: id, fName: name })),
    }
  }
  const { rule } = found
  const known = { ruleName: rule.name, requirePwd: rule.requirePwd, receivers: [...rule.receivers] }
  const approval = rule.levels.find((one) => one.level === level)
  try {
    if (approval === undefined) return fail('levelWithoutApprover')
    // Only reads, so no transaction is needed.
    const ask = { tx: db as Tx, now, itemId: mostSecret(files).id, launcherId: actor.accountId }
    const rounds = await exchangeRounds(ask, approval)
    const ids = rounds.flatMap(({ who }) => who.map(({ accountId }) => accountId))
    const people = await db
      .selectFrom('account')
      .select(['id', 'name'])
      .where('id', 'in', [0, ...ids])
      .execute()
    const nameOf = new Map(people.map(({ id, name }) => [id, name]))
    return {
      ...answer,
      ...known,
      rounds: rounds.map(({ needed, who }) => ({
        needed,
        reviewers: who.map(({ accountId }) => ({ userId: accountId, accountName: nameOf.get(accountId) ?? '' })),
      })),
      handleBefore: rounds.length === 0 || rule.hours === 0 ? null : now + rule.hours * hourMs,
    }
  } catch (error) {
    if (error instanceof ResultError) return { ...answer, ...known, result: codes[error.code].code }
    throw error
  }
}

type Parts = Pick<Services, 'secrets' | 'now'>

/** The network with a code to which the caller may send something. */
export async function networkOfSender(context: Context, code: string): Promise<Network> {
  const [network] = (await targetsFor(context)).filter((one) => one.code === code)
  return network ?? fail('senderNotInRule')
}

/** Finds people of the target. Nobody where there is no wire. */
export async function findReceiversAt(
  context: Context,
  services: Parts,
  network: Network,
  query: { readonly keyword: string; readonly ids: readonly number[] },
  signal: AbortSignal,
): Promise<readonly ExchangeReceiver[]> {
  if (network.serverId === null) return []
  const wire = await openWire(services, context.db, network.code, { now: services.now })
  const { list } = await wire.say({ kind: 'receivers', keyword: query.keyword, ids: [...query.ids] }, signal)
  return list
}

/** The receivers that an input names, as the target knows them. */
async function receiversOf(
  context: Context,
  services: Parts,
  network: Network,
  receiverIds: readonly (number | string)[],
  signal: AbortSignal,
): Promise<KnownReceiver[]> {
  if (network.serverId === null)
    return [...new Set(receiverIds.map((id) => String(id).trim()))].map((account) =>
      account === '' ? fail('badRequest', 'receiverIds') : { userId: 0, account, name: account, groups: [] },
    )
  const ids = [...new Set(receiverIds.map(Number))]
  if (ids.some((id) => !Number.isSafeInteger(id) || id <= 0)) return fail('badRequest', 'receiverIds')
  const list = await findReceiversAt(context, services, network, { keyword: '', ids }, signal)
  if (list.length < ids.length)
    return fail('receiverNotInRule', {
      zh: '有接收人在对方网络里不存在或已停用',
      en: 'a receiver is not there any more',
    })
  return list.map(({ userId, account, accountName, groups }) => ({ userId, account, name: accountName, groups }))
}

/** The same contents to the same people a second time is the same request. */
const keyOf = (files: readonly CollectedFile[], code: string, receivers: readonly KnownReceiver[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        code,
        files.map(({ id, version }) => [id, version]).toSorted(([a = 0], [b = 0]) => a - b),
        receivers.map(({ userId, account }) => `${userId} ${account}`).toSorted(),
      ]),
    )
    .digest('base64url')

interface SendInput extends Chosen {
  readonly applyComment: string
  readonly pwd: string
  readonly receiverIds: readonly (number | string)[]
}

/** Sends files. The other server is asked and the password is hashed before the transaction begins. */
export async function applyExchange(
  context: StagedContext,
  services: Parts,
  input: SendInput,
  signal: AbortSignal,
): Promise<{ applyId: number; number: string; remindStatus: ExchangeStatus }> {
  const network = await networkOfSender(context, input.targetServerCode)
  if (input.receiverIds.length > exchangeLimits.receivers) return fail('tooMany')
  const receivers = await receiversOf(context, services, network, input.receiverIds, signal)
  const passwordHash = input.pwd === '' ? '' : await hashPassword(input.pwd)
  return context.commit(async (write) => {
    const planned = await plan(write, write.tx, input, network, receivers)
    if (planned.rule.requirePwd && input.pwd === '')
      return fail('badRequest', { zh: '这条规则要求设取件密码', en: 'pwd: the rule requires a password' })
    return store(write, services, { input, network, receivers, passwordHash, planned })
  })
}

interface Storing {
  readonly input: SendInput
  readonly network: Network
  readonly receivers: readonly KnownReceiver[]
  readonly passwordHash: string
  readonly planned: Planned
}

async function store(
  context: WriteContext,
  { secrets }: Parts,
  { input, network, receivers, passwordHash, planned }: Storing,
) {
  const { tx, now } = context
  const actor = actorOf(context)
  const { files, rule, subject, itemId, handleBefore } = planned
  const roots = rootsOf(context, input)
  const title = roots[0]?.row.name ?? ''
  const insert = async (id: number): Promise<void> => {
    await tx
      .insertInto('exchange')
      .values({
        ...{ review_id: id, number: numberOf(id, now), sender_id: actor.accountId, network_code: network.code },
        ...{ network_name: network.name, server_id: network.serverId, rule_name: rule.name },
        ...{ secret_level: subject.level, file_count: files.length, password_hash: passwordHash, changed_at: now },
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        sealed_password: input.pwd === '' ? '' : seal(secrets, passwordPurpose, input.pwd),
        receivers: JSON.stringify(receivers) as never,
      })
      .execute()
    await pinFiles(tx, id, files)
  }
  const request = { itemId, title, key: keyOf(files, network.code, receivers), subject, comments: input.applyComment }
  let applyId: number
  if (subject.isFree) applyId = await launchApproved(context, exchangeReview, request, {}, insert)
  else {
    applyId = await launch(context, exchangeReview, { ...request, handleBefore })
    await insert(applyId)
  }
  const number = numberOf(applyId, now)
  context.audit({ applicationId: applyId, number, items: files.length, targetServerCode: network.code })
  return { applyId, number, remindStatus: subject.isFree ? ExchangeStatus.approved : ExchangeStatus.reviewing }
}

/** The number of an exchange, by which people name it: KW-2026-0088. */
const numberOf = (id: number, now: number): string =>
  `KW-${new Date(now).getUTCFullYear()}-${String(id).padStart(4, '0')}`
