/*
 * The dispatcher: one route per call of the catalogue, and one sequence for all operations (operation.ts):
 *
 * - session -> parse -> gates
 * - then, in a transaction: lock the gates' rows -> gates -> handler -> event and audit rows -> commit
 * - then the envelope
 *
 * Nothing in the transaction waits for a network, a body or a password hash. Calls that need one are `staged`: their
 * gates are checked twice, before the wait and again inside the transaction.
 */
import {
  BatchAnswer,
  type Call,
  type CallKind,
  type Calls,
  capable,
  type Fields,
  type GateUse,
  type Guard,
  type ItemRef,
} from '@cloudoc/contract'
import {
  type CodeName,
  codeMessage,
  codes,
  type Detail,
  denial,
  fail,
  formatBatchId,
  type Locale,
  LogBit,
  ResultError,
} from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, ObjectAccess } from '../access.ts'
import { type AccountActor, type Actor, accountOf, callerOf, type Outsiders } from '../actor.ts'
import { smallContent } from '../blobs/store.ts'
import { type Db, isConnectionLost, isRetryable, type Tx } from '../db/database.ts'
import { type Change, type Changed, commitChanges, type NewEvent } from '../events.ts'
import type { Gatekeeper, SomeObjects } from '../loaders.ts'
import type { Log } from '../log.ts'
import type { Commit } from '../reactions.ts'
import type { Admission } from './admission.ts'
import { readBodies } from './bodies.ts'
import { letBodyCome, readRest } from './body-time.ts'
import { type Context, commitAlone, type StagedContext, type WriteContext } from './context.ts'
import { EncodedAnswer } from './encoded-answer.ts'
import {
  createObjectGates,
  type Found,
  isOfItem,
  itemsOf,
  keyOf,
  keyOfObject,
  locksOf,
  type ObjectGates,
  passGates,
  passSome,
} from './gates.ts'
import type { BatchItemData, Handlers } from './implement.ts'
import { parseInput, readInput, type Upload } from './input.ts'
import {
  type Asked,
  authorityOf,
  type Operation,
  type OperationFacts,
  type Perform,
  type PerformCall,
  type Performed,
  type PerformWithin,
  type Work,
} from './operation.ts'
import { createSharedCommits, type SharedCommits } from './shared-commits.ts'

/** The dispatcher's dependencies. */
export interface DispatcherParts {
  readonly db: Db
  readonly log: Log
  readonly gatekeeper: Gatekeeper
  /** The kinds of objects other than items that gates use, in the order in which they are locked. */
  readonly objects: readonly SomeObjects[]
  readonly now: () => number
  /** Returns the caller's address by the rule for trusted proxies. */
  readonly addressOf: (request: FastifyRequest) => string
  /**
   * Reads the session of a request. Returns undefined if none was sent. Fails with the matching code if the session is
   * not valid.
   */
  readonly authenticate: (
    request: FastifyRequest,
    options: { query: boolean; lately?: boolean },
  ) => Promise<AccountActor | undefined>
  /** The kinds of outsiders that calls may admit beside accounts. */
  readonly outsiders: readonly Outsiders[]
  /** Afterwards all cached database state is current. Reading a session has the same effect. */
  readonly catchUp: () => Promise<void>
  /** Reads an actor again, after a wait. Fails with the matching code if its session has ended. */
  readonly stillActs: (actor: AccountActor) => Promise<AccountActor>
  /** Reads the actors of those of the sessions that are still valid, in a transaction. */
  readonly actingAnew: (tx: Tx, sessionIds: readonly number[]) => Promise<ReadonlyMap<number, AccountActor>>
  /** Ends every transaction. */
  readonly commit: Commit
  /** The refusal that a table declares for the violation of a unique index. */
  readonly refusalOfRow: (error: unknown) => ResultError | undefined
  /** Refuses operations by the rules of features (admission.ts). */
  readonly admit: Admission
  /** Called after a commit that wrote events. */
  readonly committed: () => void
  readonly observe: (call: string, milliseconds: number, result: number) => void
  /** Validates every answer against its schema. Enabled in tests and development. */
  readonly strictAnswers: boolean
  /** A named point at which tests can stop. */
  readonly pause: (point: string) => Promise<void>
}

type LooseHandler = (context: Context, input: unknown, item?: ItemRef) => Promise<unknown>
type BatchRun<I> = (context: WriteContext, input: I, item: ItemRef) => Promise<BatchItemData>

/** The page of the client on which a licence activates the server. */
const activationPage = '/doc/activate'

const transactionTries = 4
const readTries = 3
/** Number of batch items processed concurrently: enough to share commits, few enough to leave connections free. */
const batchConcurrency = 4

/** The body limit in bytes, for everything but content. */
export const bodyLimit = 4 * 1024 * 1024

/** Converts `{param}` paths to fastify's syntax. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Registers every call of the catalogue with its handler. */
export function registerCalls<C extends Calls>(
  app: FastifyInstance,
  catalogue: C,
  handlers: Handlers<C>,
  perform: Perform,
): void {
  const byPayload = Map.groupBy(Object.entries(catalogue), ([, declared]) => declared.payload)
  for (const [payload, declarations] of byPayload) {
    app.register((scope, _options, done) => {
      readBodies(scope, payload)
      for (const [name, declared] of declarations) {
        const call = declared as Call
        const operation = operationOf(name, call, handlers[name] as unknown as LooseHandler)
        for (const path of [call.path, ...(call.aliases ?? [])]) {
          scope.route({
            method: call.method,
            url: routePath(path),
            bodyLimit: payload === 'multipart' || payload === 'raw' ? Number.MAX_SAFE_INTEGER : bodyLimit,
            handler: (request, reply) => run(call, operation, request, reply, perform),
          })
        }
      }
      done()
    })
  }
  refuseOtherMethods(app, catalogue)
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Answers 405 if the address of a call is requested with another method. The check runs in the not-found handler:
 * routes that refuse would be three times as many as those that answer, and would be created at every start.
 */
function refuseOtherMethods(app: FastifyInstance, catalogue: Calls): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, aliases = [], method } of Object.values(catalogue)) {
    for (const one of [path, ...aliases]) methodsOf.set(one, (methodsOf.get(one) ?? new Set()).add(method))
  }
  let addresses: readonly { readonly pattern: RegExp; readonly allow: string }[] | undefined
  const allowedAt = (path: string): string | undefined => {
    addresses ??= Array.from(methodsOf, ([address, own]) => ({
      pattern: new RegExp(`^${address.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+')}$`),
      allow: [...own, ...(own.has('GET') ? ['HEAD'] : [])].join(', '),
    }))
    return addresses.find(({ pattern }) => pattern.test(path))?.allow
  }
  // Runs before the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    const allow = request.is404 && methods.has(request.method) ? allowedAt(request.url.split('?')[0] ?? '') : undefined
    if (allow === undefined) return done()
    if (!request.raw.complete) readRest(request.raw)
    const envelope = {
      result: codes.badRequest.code,
      data: null,
      msg: codeMessage('badRequest', localeOf(request)),
    }
    void reply.status(405).header('allow', allow).send(envelope)
  })
}

/** Performs an operation in the transaction of another one. */
type Within = <I extends Fields, T>(context: WriteContext, operation: Operation<I, T>, input: I) => Promise<T>

/** Creates the performers, one for the process: calls of one moment commit together, whichever protocol they use. */
export function createPerformers(parts: DispatcherParts): { readonly perform: Perform; readonly within: Within } {
  const shared = createSharedCommits(parts)
  const objects = createObjectGates(parts.objects)
  return {
    perform: (asked) => performOne(asked, parts, shared, objects),
    within(context, operation, input) {
      const { actor, request, reply } = context
      const frame = new Frame({ operation, input, upload: undefined, actor, parts, shared, objects, request, reply })
      return frame.answerWithin(context)
    },
  }
}

/** Creates the performer of calls for protocols other than the calls themselves. */
export function createCallPerformer<C extends Calls>(
  catalogue: C,
  handlers: Handlers<C>,
  perform: Perform,
): PerformCall {
  return async ({ name, input, request, reply, upload }) => {
    const call = catalogue[name] as Call
    const performed = await perform({
      operation: operationOf(name, call, handlers[name] as unknown as LooseHandler),
      request,
      reply,
      incoming: () => Promise.resolve({ input: parseInput(call.input, { ...input }), upload }),
    })
    const data: unknown = 'data' in performed ? performed.data : undefined
    return data instanceof EncodedAnswer ? { data: data.data } : performed
  }
}

/** Creates the performer of calls in the transaction of another operation. */
export function createPerformerWithin<C extends Calls>(
  catalogue: C,
  handlers: Handlers<C>,
  within: Within,
): PerformWithin {
  return (context, { name, input }) => {
    const call = catalogue[name] as Call
    const operation = operationOf(name, call, handlers[name] as unknown as LooseHandler)
    return within(context, operation, parseInput(call.input, { ...input }))
  }
}

/** The operation of a call. */
function operationOf(name: string, call: Call, handler: LooseHandler): Operation<Fields, unknown> {
  const work: Work<Fields, unknown> =
    call.kind === 'batch'
      ? { kind: 'batch', run: handler as BatchRun<unknown>, answer: (items) => items }
      : { kind: call.kind, run: handler }
  return {
    ...authorityOf(name, call),
    ...work,
    resultOf: (data) => resultOf(call, data),
    validate(data) {
      if (call.kind !== 'stream') call.data.parse(data instanceof EncodedAnswer ? data.data : data)
    },
  }
}

/** Answers a request for a call. */
async function run(
  call: Call,
  operation: Operation<Fields, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
  perform: Perform,
): Promise<unknown> {
  const performed = await perform({
    operation,
    request,
    reply,
    async incoming() {
      const { raw, upload } = await readInput(call, request)
      return { input: parseInput(call.input, raw), upload }
    },
  })
  if ('code' in performed) return reply.status(statusOf(performed.code, call)).send(performed.envelope)
  if ('isCut' in performed || call.kind === 'stream' || reply.raw.headersSent) return reply
  if (performed.data instanceof EncodedAnswer) return performed.data.send(reply)
  const result = resultOf(call, performed.data)
  return {
    result,
    data: performed.data,
    msg: result === codes.success.code ? '' : messageOf(call, performed.data, result, localeOf(request)),
  }
}

/** The message of a batch's result. If a part of the batch succeeded, the message says so first. */
function messageOf(call: Call, data: unknown, result: number, locale: Locale): string {
  const text = Object.values(codes).find(({ code }) => code === result)?.[locale] ?? ''
  const answers = call.data === BatchAnswer ? (data as BatchAnswer) : []
  const done = answers.filter((one) => one.result === codes.success.code).length
  if (done === 0) return text
  return locale === 'zh'
    ? `${answers.length} 项中完成了 ${done} 项；未完成的第一项：${text}`
    : `${done} of ${answers.length} done; the first of the others: ${text}`
}

/** The result of a batch is the first of its items' results that is not success. */
function resultOf(call: Call, data: unknown): number {
  const refused =
    call.data === BatchAnswer ? (data as BatchAnswer).find(({ result }) => result !== codes.success.code) : undefined
  return refused?.result ?? codes.success.code
}

async function performOne<I extends Fields, T>(
  asked: Asked<I, T>,
  parts: DispatcherParts,
  shared: SharedCommits,
  objects: ObjectGates,
): Promise<Performed<T>> {
  const { operation, request, reply } = asked
  const { name } = operation
  const started = performance.now()
  let result: number = codes.success.code
  try {
    const actor = await retryRead(() => actorFor(operation, parts, request))
    const admitted = admit(parts, operation, actor, request)
    if (admitted !== undefined) await admitted
    if (actor !== undefined) letBodyCome(request.raw)
    const { input, upload } = await asked.incoming()
    const frame = new Frame({ operation, input, upload, actor, parts, shared, objects, request, reply })
    const data = await frame.answer()
    result = operation.resultOf?.(data) ?? codes.success.code
    if (parts.strictAnswers) operation.validate?.(data)
    return { data }
  } catch (error) {
    if (reply.raw.headersSent) {
      // A partly sent answer cannot be withdrawn. The connection is cut, so that the client does not take it for
      // complete.
      reply.raw.destroy()
      return { isCut: true }
    }
    const refusal = refusalOf(error)
    const code: CodeName = refusal?.code ?? 'serverException'
    result = codes[code].code
    if (refusal === undefined) parts.log.error({ err: error, call: name }, 'a call failed')
    if (!request.raw.complete) readRest(request.raw)
    // The client follows it to the page on which the server is activated (X22).
    if (code === 'notActivated') reply.header('redirect', activationPage)
    return { code, envelope: { result, data: null, msg: messageFor(code, refusal?.detail, localeOf(request)) } }
  } finally {
    parts.observe(name, performance.now() - started, result)
  }
}

/** Checks whether the actor may ask for the operation at all, before the input is looked at. */
function admit<I extends Fields, T>(
  parts: DispatcherParts,
  operation: Operation<I, T>,
  actor: Actor | undefined,
  request: FastifyRequest,
): Promise<void> | undefined {
  const check = (): void => {
    if (actor?.kind === 'account' && operation.before !== 'passwordChange') {
      if (actor.mustChangePassword) fail('passwordChangeRequired')
      if (actor.passwordUntil <= parts.now()) fail('passwordExpired')
    }
    if (actor?.kind === 'account' && actor.needsSecondFactor && operation.before === undefined)
      fail('secondFactorMissing')
    if ('guard' in operation) passGuard(operation.guard, actor)
    if (operation.needs !== undefined && actor !== undefined) passGuard(capable(operation.needs), actor)
  }
  const admitted = parts.admit({ operation, actor, address: parts.addressOf(request), now: parts.now() })
  if (admitted !== undefined) return admitted.then(check)
  check()
  return undefined
}

/** Checks the authority that the call requires. */
function passGuard({ rule }: Guard, actor: Actor | undefined): void {
  const refusal = actor === undefined ? 'notLoggedIn' : denial(rule, callerOf(actor))
  if (refusal !== undefined) fail(refusal)
}

/**
 * Determines the actor: an outsider if the call admits the kind and the request has such a credential, otherwise the
 * account.
 */
async function actorFor(
  operation: OperationFacts & { readonly kind: CallKind },
  parts: DispatcherParts,
  request: FastifyRequest,
): Promise<Actor | undefined> {
  const { actors = ['account'] } = operation
  for (const outsiders of parts.outsiders) {
    if (!actors.includes(outsiders.kind)) continue
    const actor = await outsiders.authenticate(parts.db, request, parts.now())
    if (actor === undefined) continue
    await parts.catchUp()
    return actor
  }
  return actors.includes('account') ? accountFor(operation, parts, request) : fail('notLoggedIn')
}

/** Reads an actor again after a wait. Fails with the matching code if it is no longer valid. */
async function stillActs(parts: DispatcherParts, actor: Actor, now: number): Promise<Actor> {
  if (actor.kind === 'account') return parts.stillActs(actor)
  const outsiders = parts.outsiders.find(({ kind }) => kind === actor.kind)
  return outsiders === undefined ? fail('notLoggedIn') : outsiders.anew(parts.db, actor, now)
}

async function accountFor(
  operation: OperationFacts & { readonly kind: CallKind },
  parts: DispatcherParts,
  request: FastifyRequest,
): Promise<AccountActor | undefined> {
  switch (operation.auth) {
    case 'none':
      return undefined
    case 'optional':
      // A user who comes to sign in may still send the cookie of an ended session.
      try {
        return await parts.authenticate(request, { query: false })
      } catch (error) {
        if (error instanceof ResultError) return undefined
        throw error
      }
    case 'required':
    case 'query':
      // A small content is staged for a session that was valid a moment ago. Whether it is still valid is checked in
      // the transaction.
      return (
        (await parts.authenticate(request, {
          query: operation.auth === 'query',
          lately: arrivesWithRequest(operation, request),
        })) ?? fail('notLoggedIn')
      )
  }
}

/**
 * A small content has already been sent before a refusal could spare the transfer: its gates are checked once, in the
 * transaction.
 */
function arrivesWithRequest(
  { kind, payload }: { readonly kind: CallKind } & Pick<OperationFacts, 'payload'>,
  request: FastifyRequest,
): boolean {
  const bringsContent = kind === 'staged' && (payload === 'raw' || payload === 'multipart')
  return bringsContent && Number(request.headers['content-length']) <= smallContent
}

/** A read changes nothing, so it is repeated if its connection has ended: other connections may still work. */
async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (tries === readTries || !isConnectionLost(error)) throw error
    }
  }
}

/** What is needed to make one answer. */
interface FrameParts<I, T> extends Pick<Asked<I, T>, 'operation' | 'request' | 'reply'> {
  readonly input: I
  readonly upload: Upload | undefined
  readonly actor: Actor | undefined
  readonly parts: DispatcherParts
  readonly shared: SharedCommits
  readonly objects: ObjectGates
}

/** Answers one request. */
class Frame<I extends Fields, T> {
  readonly name: string
  readonly operation: Operation<I, T>
  readonly input: I
  readonly upload: Upload | undefined
  actor: Actor | undefined
  readonly parts: DispatcherParts
  readonly shared: SharedCommits
  readonly objects: ObjectGates
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly now: number

  constructor({ operation, input, upload, actor, parts, shared, objects, request, reply }: FrameParts<I, T>) {
    this.name = operation.name
    this.operation = operation
    this.input = input
    this.upload = upload
    this.actor = actor
    this.parts = parts
    this.shared = shared
    this.objects = objects
    this.request = request
    this.reply = reply
    this.now = parts.now()
  }

  /** Runs the operation by its kind. */
  answer(): Promise<T> {
    const { operation } = this
    switch (operation.kind) {
      case 'read':
        return retryRead(() => this.read(operation.run))
      case 'stream':
        return this.read(operation.run)
      case 'write':
        return this.write((context) => operation.run(context, this.input), this.uses())
      case 'batch':
        return this.batch(operation.run).then(operation.answer)
      case 'staged':
        return this.staged(operation.run)
    }
  }

  /** Runs the operation in the transaction of another one, which records its change. */
  async answerWithin(outer: WriteContext): Promise<T> {
    const { operation, input } = this
    await admit(this.parts, operation, this.actor, this.request)
    const data = await this.workWithin(outer, operation, input)
    if (this.parts.strictAnswers) operation.validate?.(data)
    return data
  }

  private async workWithin(outer: WriteContext, operation: Operation<I, T>, input: I): Promise<T> {
    const join = async <V>(work: (context: WriteContext) => Promise<V>, uses: readonly GateUse[]): Promise<V> => {
      const { value, changes } = await this.workIn(outer.tx, work, uses)
      for (const change of changes) outer.join(change)
      return value
    }
    if (operation.kind === 'write') return join((context) => operation.run(context, input), this.uses())
    if (operation.kind !== 'batch' || !('batch' in operation))
      throw new Error(`${this.name} cannot be performed in another transaction`)
    const { items, gate } = operation.batch
    const answers: BatchAnswer = []
    for (const item of items(input)) {
      const answer = await join(
        async (context) => {
          const { name, f_type: fType } = context.item(item).row
          const data = await operation.run(context, input, item)
          return { id: formatBatchId(item), fType, name, result: codes.success.code, msg: '', ...data }
        },
        gate(item, input),
      )
      answers.push(answer)
    }
    return operation.answer(answers)
  }

  uses(): readonly GateUse[] {
    return 'gate' in this.operation ? this.operation.gate(this.input) : []
  }

  private async read(run: (context: Context, input: I) => Promise<T>): Promise<T> {
    return run(this.context(await this.gate(this.parts.db, this.uses())), this.input)
  }

  private async staged(run: (context: StagedContext, input: I) => Promise<T>): Promise<T> {
    const atOnce = arrivesWithRequest(this.operation, this.request)
    const context = this.context(atOnce ? new Map() : await this.gate(this.parts.db, this.uses()))
    const staged: StagedContext = {
      ...context,
      upload: this.upload,
      commit: async (work, last) => {
        if (this.actor !== undefined) this.actor = await stillActs(this.parts, this.actor, this.now)
        return this.write(work, this.uses(), last)
      },
      commitShared: async (work, input) => {
        const done = await this.shared(work, this, input)
        return done === undefined ? commitAlone(staged, work, input) : done.value
      },
    }
    return run(staged, this.input)
  }

  /** Each item in its own transaction, a few concurrently, so that they share the waits for the disk. */
  private async batch(run: BatchRun<I>): Promise<BatchAnswer> {
    if (!('batch' in this.operation)) throw new Error(`${this.name} is a batch call without a batch declaration`)
    const { items, gate } = this.operation.batch
    const locale = localeOf(this.request)
    const wanted = [...items(this.input)]
    const answers: BatchAnswer = []
    const waiting = wanted.entries()
    const worker = async (): Promise<void> => {
      for (const [at, item] of waiting) answers[at] = await this.batchItem(run, item, gate(item, this.input), locale)
    }
    await Promise.all(Array.from({ length: Math.min(batchConcurrency, wanted.length) }, worker))
    return answers
  }

  private async batchItem(
    run: BatchRun<I>,
    item: ItemRef,
    uses: readonly GateUse[],
    locale: Locale,
  ): Promise<BatchAnswer[number]> {
    const id = formatBatchId(item)
    // The type of a link's target is unknown until the link is read.
    let fType: 1 | 2 = item.fType === 2 ? 2 : 1
    // Set only after the gate has passed: the name of an item the caller may not see must not be disclosed.
    let name = ''
    try {
      const data = await this.write(async (context) => {
        const { row } = context.item(item)
        name = row.name
        fType = row.f_type
        return run(context, this.input, item)
      }, uses)
      return { id, fType, name, result: codes.success.code, msg: '', ...data }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) this.parts.log.error({ err: error, call: this.name }, 'an item of a batch failed')
      const code = refusal?.code ?? 'serverException'
      return { id, fType, name, result: codes[code].code, msg: messageFor(code, refusal?.detail, locale) }
    }
  }

  /**
   * Runs work in a transaction. Repeats it if PostgreSQL aborted one of two conflicting writers, or if the connection
   * had ended before the end of the transaction was sent: then nothing was changed.
   */
  async write<T>(
    work: (context: WriteContext) => Promise<T>,
    uses: readonly GateUse[],
    last?: (tx: Tx) => Promise<void>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      let wrote = false
      let ending = false
      try {
        const value = await this.parts.db.transaction().execute(async (tx) => {
          const { value: done, changes } = await this.workIn(tx, work, uses)
          await this.parts.commit.react(tx, changes)
          wrote = changes.some(({ events }) => events.length > 0)
          await this.parts.pause(`commit ${this.name}`)
          await last?.(tx)
          ending = true
          await commitChanges(tx, changes)
          return done
        })
        if (wrote) this.parts.committed()
        await this.parts.pause(`committed ${this.name}`)
        return value
      } catch (error) {
        const isUndone = isRetryable(error) || (!ending && isConnectionLost(error))
        if (attempt < transactionTries && isUndone) continue
        throw this.parts.refusalOfRow(error) ?? error
      }
    }
  }

  /** Locks what the gates use, passes them and does the work. Returns what is to be recorded. */
  private async workIn<V>(
    tx: Tx,
    work: (context: WriteContext) => Promise<V>,
    uses: readonly GateUse[],
  ): Promise<{ readonly value: V; readonly changes: readonly Change[] }> {
    if (this.objects.concern(uses)) await this.objects.lock(tx, uses)
    // Sent together, in this order: what the gates use is read after the rows are locked.
    const locked = this.parts.gatekeeper.lock(tx, locksOf(uses))
    const [passed] = await Promise.all([this.gate(tx, uses), locked])
    const { context, changes } = this.writing(tx, passed, uses)
    return { value: await work(context), changes }
  }

  /** The context of work in a transaction, and the changes that it records: its own, and those that join it. */
  writing(tx: Tx, passed: Found, uses: readonly GateUse[]): { context: WriteContext; changes: readonly Change[] } {
    const context = this.context(passed)
    const events: NewEvent[] = []
    const changed: Changed[] = []
    const { log = 'none', audits = [] } = this.operation
    const detail: Record<string, string | number | boolean | null> =
      log === 'none' || log === 'byHandler' ? {} : { log: LogBit[log] }
    for (const use of uses) if (!isOfItem(use)) detail[use.object.kind] = use.id
    if (this.actor?.kind === 'account' && this.actor.program !== undefined) detail['program'] = this.actor.program.name
    for (const name of audits) {
      const id: unknown = this.input[name]
      if (typeof id === 'number') detail[name] = id
    }
    const own: Change = {
      events,
      changed,
      detail,
      actor: this.actor,
      now: this.now,
      call: this.name,
      address: context.address,
      items: itemsOf(uses, passed),
      unrecorded: this.operation.unrecorded === true,
    }
    const changes = [own]
    return {
      context: {
        ...context,
        // Work that holds a connection also reads with it. If every transaction waited for a second connection, they
        // would deadlock.
        db: tx,
        tx,
        event: (event) => void events.push(event),
        changed: (more) => void changed.push(more),
        audit: (more) => void Object.assign(detail, more),
        join: (change) => void changes.push(change),
      },
      changes,
    }
  }

  /** The refusals of a call that passes if one of several gates passes. */
  private refused: ReadonlyMap<string, CodeName> = new Map()

  /** Passes every gate, or fails with the code of the first refusal. Some calls leave out refused items instead. */
  private async gate(db: Db, uses: readonly GateUse[]): Promise<Found> {
    const met = new Map<string, Access | ObjectAccess>()
    // A token for some libraries names what it asks about.
    if (
      uses.length === 0 &&
      this.actor?.kind === 'account' &&
      this.actor.program !== undefined &&
      this.actor.limit !== undefined &&
      this.operation.limitsItself !== true
    )
      fail('noPermission')
    // The body may have taken long to arrive since the session was read.
    if (db === this.parts.db && this.request.method !== 'GET' && uses.length > 0) await this.parts.catchUp()
    const ofItems = uses.filter(isOfItem)
    if (ofItems.length < uses.length) {
      const actor = this.actor ?? fail('notLoggedIn')
      for (const [key, object] of await this.objects.load(db, actor, uses)) met.set(key, object)
    }
    if (this.operation.leavesOut === true) {
      const actor = this.actor ?? fail('notLoggedIn')
      const found = await this.parts.gatekeeper.accessEach(
        db,
        ofItems.map(({ item }) => ({ actor: accountOf(actor), item })),
      )
      for (const [at, access] of found.entries()) {
        const use = ofItems[at]
        if (use !== undefined && access !== undefined) met.set(keyOf(use.item), access)
      }
      const { passed, refused } = passSome(actor, uses, met)
      this.refused = refused
      return passed
    }
    for (const { item } of ofItems) {
      const actor = this.actor ?? fail('notLoggedIn')
      const access = met.get(keyOf(item)) ?? (await this.access(db, actor, item))
      // The first item that does not exist for the actor ends the loop. `passGates` then refuses the uses in their
      // order, including existing items outside the actor's limit.
      if (access === undefined) break
      met.set(keyOf(item), access)
    }
    return passGates(this.actor, uses, met)
  }

  private async access(db: Db, actor: Actor, item: ItemRef): Promise<Access | undefined> {
    const { gatekeeper } = this.parts
    if (actor.kind === 'account') return gatekeeper.access(db, actor, item)
    return (await gatekeeper.accessEach(db, [{ actor: actor.responsible, item }]))[0]
  }

  private context(passed: Found): Context {
    const passedAs = (key: string): Access | ObjectAccess => {
      const found = passed.get(key)
      if (found === undefined) throw new Error(`${this.name} asks for ${key}, which its gate does not name`)
      return found
    }
    return {
      now: this.now,
      db: this.parts.db,
      actor: this.actor,
      address: this.parts.addressOf(this.request),
      request: this.request,
      reply: this.reply,
      refusalOf: (ref) => (passed.has(keyOf(ref)) ? undefined : (this.refused.get(keyOf(ref)) ?? 'notFound')),
      item: (ref) => passedAs(keyOf(ref)) as Access,
      stillMay: async () => {
        if (this.actor !== undefined) this.actor = await stillActs(this.parts, this.actor, this.parts.now())
        await this.parts.catchUp()
        await this.gate(this.parts.db, this.uses())
      },
      object: (objects, id) => passedAs(keyOfObject(objects.kind, id)) as never,
    }
  }
}

/** The text of a refusal, with its subject. */
export function messageFor(code: CodeName, detail: Detail | undefined, locale: Locale): string {
  const message = codeMessage(code, locale)
  const about = typeof detail === 'object' ? detail[locale] : detail
  return about === undefined ? message : `${message} (${about})`
}

/** The named code of an error. Undefined if it is an internal error. */
export function refusalOf(error: unknown): ResultError | undefined {
  if (error instanceof ResultError) return error
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  // The disk of the contents or of the database is full.
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return new ResultError('capacityNotSatisfied')
  // Fastify's own refusals: invalid JSON, a body that is too large, an unsupported media type.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new ResultError('badRequest')
  return undefined
}

/**
 * The HTTP status expresses only who has to act: 401 sign in, 400 malformed request, 500 internal error, 503 temporary.
 * All other results are in the envelope (X37). A content has no envelope: a refused download is additionally answered
 * with 404 or 403, so that the envelope is not saved as the file.
 */
export function statusOf(code: CodeName, call?: Pick<Call, 'kind'>): number {
  if (code === 'notLoggedIn') return 401
  if (code === 'badRequest') return 400
  if (code === 'notActivated') return 455
  if (code === 'serverException') return 500
  if (code === 'storageUnavailable' || code === 'providerUnavailable') return 503
  if (call?.kind !== 'stream') return 200
  return code === 'notFound' || code === 'versionMissing' ? 404 : 403
}

/** The language of messages: `locale` cookie or Accept-Language. Chinese unless English is preferred. */
export function localeOf(request: FastifyRequest): Locale {
  const cookie = /(?:^|;\s*)locale=(zh|en)/.exec(request.headers.cookie ?? '')?.[1]
  if (cookie === 'zh' || cookie === 'en') return cookie
  return /^\s*en/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'zh'
}
