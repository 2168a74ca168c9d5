/*
 * One WebDAV request while it is answered: reading its headers and body, performing operations and calls for it, and
 * refusing it with a status.
 */
import type { BatchAnswer, CallAnswer, CallInput, CallName, Fields } from '@cloudoc/contract'
import { signedIn } from '@cloudoc/contract'
import { type CodeName, codeMessage, codeOf, codes, fail } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountActor } from '../../core/actor.ts'
import { readRaw } from '../../core/call/bodies.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Upload } from '../../core/call/input.ts'
import type { Perform, PerformCall, Performed, PerformWithin, Work } from '../../core/call/operation.ts'
import type { Services } from '../../core/services.ts'
import type { StoredVersions } from '../../drive/content/index.ts'
import { destinationOf, hostName, hrefOf, namesOf } from './addresses.ts'
import { holds, parseIf, tokensOf } from './if-header.ts'
import { type DavLock, foreign, locksOver, type Touched } from './locks.ts'
import { etagOf } from './properties.ts'
import { findResource, mayRead, type Resource } from './resources.ts'
import type { UploadTargets } from './upload-targets.ts'
import { type Element, escapeXml, parseXml, writeElement, xmlHead } from './xml.ts'

/** The status of each refusal; any other is 403. */
const statuses: Partial<Record<CodeName, number>> = {
  badRequest: 400,
  illegalName: 400,
  nameTooLong: 400,
  uploadInterrupted: 400,
  notLoggedIn: 401,
  accountFrozen: 401,
  accountLocked: 401,
  accountRestricted: 401,
  deviceWiped: 401,
  notFound: 404,
  versionMissing: 404,
  alreadyExists: 405,
  fileConflict: 412,
  fileLocked: 423,
  alreadyInProcess: 423,
  serverException: 500,
  storageUnavailable: 503,
  uploadSizeExceeded: 507,
  fileSizeExceeded: 507,
  folderSizeExceeded: 507,
  userSizeExceeded: 507,
  colleagueSizeExceeded: 507,
  capacityExceeded: 507,
  capacityNotSatisfied: 507,
}

/** Ends a request with a status. */
export class DavRefusal extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body = '') {
    super(`WebDAV ${status}`)
    this.status = status
    this.body = body
  }
}

/** Refuses with a status, without an explanation of ours. */
export const refuse = (status: number): never => {
  throw new DavRefusal(status)
}

/** Refuses with a precondition that RFC 4918 names. */
export const refuseBy = (status: number, condition: string, inside = ''): never => {
  throw new DavRefusal(status, `${xmlHead}<d:error xmlns:d="DAV:">${writeElement('DAV:', condition, inside)}</d:error>`)
}

const ours = 'urn:cloudoc'
const longestBody = 1024 * 1024

export interface DavParts extends Services {
  readonly perform: Perform
  readonly performCall: PerformCall
  readonly performWithin: PerformWithin
  readonly storedVersion: StoredVersions
  readonly uploadTargets: UploadTargets
}

/** Performs calls in one transaction; the first refusal undoes all of them. */
export interface JoinedCalls {
  readonly context: WriteContext
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  /** A batch call on one item. Returns the id of what it made or kept. */
  batch<N extends CallName>(name: N, input: CallInput<N>): Promise<number>
}

/** Where a request looks: the context of a read, its caller, and what stands at its address. */
export interface Sight {
  readonly context: Context
  readonly actor: AccountActor
  readonly target: Resource
  readonly tokens: ReadonlySet<string>
}

/** The content of a file as it is now. */
export interface CurrentContent {
  readonly fileId: number
  readonly size: number
  readonly sha256: string
}

export class DavExchange {
  readonly parts: DavParts
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly names: readonly string[]

  constructor(parts: DavParts, request: FastifyRequest, reply: FastifyReply) {
    this.parts = parts
    this.request = request
    this.reply = reply
    this.names = namesOf(request.raw.url ?? '') ?? refuse(400)
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  /** Reads the body as XML; undefined if there is none. */
  async body(): Promise<Element | undefined> {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of readRaw(this.request.raw)) {
      length += chunk.length
      if (length > longestBody) refuse(413)
      chunks.push(chunk)
    }
    try {
      return length === 0 ? undefined : parseXml(Buffer.concat(chunks).toString('utf8'))
    } catch {
      return refuse(400)
    }
  }

  /** Whether the request brings a body. */
  hasBody(): boolean {
    const { headers } = this.request
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  /** The names of the Destination header. */
  destination(): readonly string[] {
    const names = destinationOf(this.header('destination') ?? '', this.#hosts())
    return names === 'foreign' ? refuse(502) : (names ?? refuse(400))
  }

  /** The names of this server: the one by which it was asked, and the public one. */
  #hosts(): ReadonlySet<string> {
    const { publicUrl } = this.parts
    return new Set([hostName(this.request.host), ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])])
  }

  /** Reads as the caller, after the conditions of the request are checked. */
  look<T>(work: (sight: Sight) => Promise<T>): Promise<T> {
    return this.#read(async (context) => {
      const actor = actorOf(context)
      const target = await findResource(this.parts, actor, this.names, context.now)
      return work({ context, actor, target, tokens: await this.#expected(context, actor, target) })
    })
  }

  /** Whether If-Match and If-None-Match permit a change of what stands there. */
  permits(exists: boolean, etag: string | undefined): boolean {
    const [match, noneMatch] = [this.header('if-match'), this.header('if-none-match')]
    const among = (list: string): boolean =>
      list.trim() === '*' ? exists : etag !== undefined && list.split(',').some((one) => one.trim() === etag)
    return (match === undefined || among(match)) && (noneMatch === undefined || !among(noneMatch))
  }

  /** The content that stands there, if the caller may read it, whatever the conditions of the request say. */
  currentContent(): Promise<CurrentContent | undefined> {
    return this.#read(async (context) => {
      const { item } = await findResource(this.parts, actorOf(context), this.names, context.now)
      if (item === undefined || item.row.f_type !== 1 || !mayRead(item)) return undefined
      const content = await this.contentOf(item.row)
      return content && { fileId: item.row.id, size: item.row.size, sha256: content.sha256 }
    })
  }

  #read<T>(run: (context: Context) => Promise<T>): Promise<T> {
    return this.#perform('webDav', (refusable) => ({ kind: 'read', run: (context) => refusable(() => run(context)) }))
  }

  /** Changes what belongs to WebDAV alone: locks and stored properties. */
  write<T>(work: (context: WriteContext, actor: AccountActor) => Promise<T>): Promise<T> {
    return this.#perform('webDavChange', (refusable) => ({
      kind: 'write',
      run: (context) => refusable(() => work(context, actorOf(context))),
    }))
  }

  /** Performs work that may refuse with a status; a refusal undoes what was written. */
  async #perform<T>(
    name: string,
    workOf: (refusable: (run: () => Promise<T>) => Promise<T>) => Exclude<Work<object, T>, { kind: 'batch' }>,
  ): Promise<T> {
    let refusal: DavRefusal | undefined
    const work = workOf(async (run) => {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof DavRefusal)) throw error
        refusal = error
        return fail('badRequest')
      }
    })
    const performed = await this.parts.perform<object & Fields, T>({
      operation: {
        ...{
          name,
          auth: 'required',
          payload: 'none',
          needs: 'files',
          guard: signedIn,
          unrecorded: true,
          limitsItself: true,
        },
        ...work,
      },
      request: this.request,
      reply: this.reply,
      incoming: () => Promise.resolve({ input: {} }),
    })
    if (refusal !== undefined) throw refusal
    return this.#done(performed)
  }

  /** Performs a call, and refuses as it does. */
  call<N extends CallName>(name: N, input: CallInput<N>, upload?: Upload): Promise<CallAnswer<N>>
  async call(name: CallName, input: Fields, upload?: Upload): Promise<unknown> {
    const { request, reply } = this
    return this.#done(await this.parts.performCall({ name, input, request, reply, upload }))
  }

  /** Performs several calls, and what belongs to WebDAV alone, in one transaction. */
  inOneTransaction(work: (joined: JoinedCalls) => Promise<void>): Promise<void> {
    return this.write((context) => {
      const perform = (name: CallName, input: Fields): Promise<unknown> =>
        this.parts.performWithin(context, { name, input })
      return work({
        context,
        call: perform as JoinedCalls['call'],
        batch: async (name, input) => this.#idOf((await perform(name, input)) as BatchAnswer),
      })
    })
  }

  /** The id of what a batch call on one item made or kept. */
  #idOf([one]: BatchAnswer): number {
    if (one === undefined) return fail('notFound')
    if (one.result !== codes.success.code) this.refuseFor(codeOf(one.result) ?? 'serverException')
    return one.fId ?? 0
  }

  /** The locks that forbid a change of a resource to this request; refuses if there are any. */
  async assertUnlocked({ context, actor, tokens }: Sight, resource: Resource, touched: Touched = {}): Promise<void> {
    const locks = await locksOver(context.db, resource.item, touched, context.now)
    this.refuseLocked(foreign(locks, tokens, actor.accountId))
  }

  refuseLocked(locks: readonly DavLock[]): void {
    if (locks.length === 0) return
    const href = writeElement('DAV:', 'href', escapeXml(hrefOf(this.names, false)))
    refuseBy(423, 'lock-token-submitted', href)
  }

  /** The ETag of a file; undefined for folders and for whoever may not read it. */
  async etagOf({ item }: Resource): Promise<string | undefined> {
    if (item === undefined || item.row.f_type !== 1 || !mayRead(item)) return undefined
    return (await this.contentOf(item.row))?.etag
  }

  /** The hash of the current content of a file. */
  async contentOf(row: { id: number; version: number }): Promise<{ etag: string; sha256: string } | undefined> {
    const content = await this.parts.storedVersion(row.id, row.version)
    if (content === undefined) return undefined
    const sha256 = content.sha256.toString('hex')
    return { sha256, etag: etagOf(sha256) }
  }

  refuseFor(code: CodeName): never {
    const status = statuses[code] ?? 403
    if (status === 401) this.challenge()
    const text = codeMessage(code, localeOf(this.request))
    const body = writeElement(ours, 'code', code) + writeElement(ours, 'message', escapeXml(text))
    throw new DavRefusal(status, `${xmlHead}<d:error xmlns:d="DAV:">${body}</d:error>`)
  }

  challenge(): void {
    this.reply.header('www-authenticate', 'Basic realm="Cloudoc", charset="UTF-8"')
  }

  #done<T>(performed: Performed<T>): T {
    if ('isCut' in performed) throw new DavRefusal(0)
    return 'code' in performed ? this.refuseFor(performed.code) : performed.data
  }

  /** Checks If, If-Match and If-None-Match; collects the lock tokens that the request names. */
  async #expected(context: Context, actor: AccountActor, target: Resource): Promise<ReadonlySet<string>> {
    const written = this.header('if')
    const lists = written === undefined ? [] : (parseIf(written) ?? fail('badRequest', 'If'))
    const ownToken = /^<(.+)>$/.exec(this.header('lock-token') ?? '')?.[1]
    const tokens = new Set([...tokensOf(lists), ...(ownToken === undefined ? [] : [ownToken])])
    const isRead = this.request.method === 'GET' || this.request.method === 'HEAD'
    if (lists.length > 0) {
      const isTrue = await holds(lists, async (address) => {
        const at = address === undefined ? target : await this.#at(context, actor, address)
        const locks = await locksOver(context.db, at?.item, { memberOf: at?.parent }, context.now)
        const etag = at === undefined ? undefined : await this.etagOf(at)
        return { tokens: new Set(locks.map(({ token }) => token)), ...(etag !== undefined && { etag }) }
      })
      if (!isTrue) fail('fileConflict')
    }
    const isConditional = ['if-match', 'if-none-match'].some((name) => this.header(name) !== undefined)
    if (!isRead && isConditional && !this.permits(target.item !== undefined, await this.etagOf(target)))
      fail('fileConflict')
    return tokens
  }

  async #at(context: Context, actor: AccountActor, address: string): Promise<Resource | undefined> {
    const names = destinationOf(address, this.#hosts())
    if (names === undefined || names === 'foreign') return undefined
    return findResource(this.parts, actor, names, context.now)
  }
}
