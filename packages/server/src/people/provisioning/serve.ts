/*
 * SCIM 2.0 (RFC 7644): users and groups of a provisioning system. A request names itself by the token of a service account
 * with the scope `provisioning`; the provider that is set up with that account is the only one whose people it sees. Each
 * request is an operation, so session, transaction, events and audit are those of calls.
 */
import { type Fields, scimPath, signedIn } from '@cloudoc/contract'
import { type CodeName, fail } from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Perform, Work } from '../../core/call/operation.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { enabledProviders, notePending } from '../providers/index.ts'
import { createGroup, findGroup, groupResources, listGroups, patchGroup, removeGroup, replaceGroup } from './groups.ts'
import {
  createPerson,
  findPerson,
  listPeople,
  patchPerson,
  personOf,
  removePerson,
  replacePerson,
  resourcesOf,
  type ScimAnswer,
  type ScimProvider,
  type ScimWrite,
} from './people.ts'
import { refuse, ScimRefusal, type ScimType } from './refusal.ts'
import { noteRequest } from './requests.ts'
import {
  groupKind,
  isComplex,
  type Json,
  type Kind,
  messageUrns,
  placeOf,
  project,
  type Resource,
  readResource,
  schemas,
  userKind,
  type Wanted,
} from './schema.ts'

const mediaType = 'application/scim+json; charset=utf-8'
const bodyLimit = 4 * 1024 * 1024
const pageSize = { usual: 100, most: 500 } as const

type Parts = Pick<Services, 'db' | 'now' | 'publicUrl'> & { readonly perform: Perform }

/** Registers the routes of SCIM. */
export function serveScim(http: FastifyInstance, parts: Parts): void {
  http.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, parsed) => parsed(null, body))
    for (const url of [scimPath, `${scimPath}/*`]) {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        bodyLimit,
        handler: (request, reply) => answer(parts, request, reply),
      })
    }
    done()
  })
}

/** The address of this server's SCIM, as its clients know it. */
export const scimAddress = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string =>
  `${publicUrl?.replace(/\/+$/, '') ?? `${protocol}://${host}`}${scimPath}`

interface Asked {
  readonly method: string
  /** Users, Groups, Schemas and so on. */
  readonly kind: string
  readonly id: string | undefined
  readonly query: URLSearchParams
  readonly base: string
  readonly body: Json
}

function askedOf(request: FastifyRequest, publicUrl: string | undefined): Asked {
  const url = new URL(request.url, 'http://server')
  let names: string[]
  try {
    names = url.pathname
      .slice(scimPath.length)
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent)
  } catch {
    return refuse(404, 'no such address')
  }
  const [kind = '', id, ...more] = names
  if (more.length > 0) refuse(404, 'no such address')
  const { method } = request
  return { method, kind, id, query: url.searchParams, base: scimAddress(request, publicUrl), body: bodyOf(request) }
}

function bodyOf({ body }: FastifyRequest): Json {
  if (typeof body !== 'string' || body.trim() === '') return null
  try {
    return JSON.parse(body) as Json
  } catch {
    return refuse(400, 'the body is no JSON', 'invalidSyntax')
  }
}

const list = (text: string | null): string[] | undefined => (text === null ? undefined : text.split(','))

/** What a request wants of each resource, and which of them. */
function wantedOf(
  { query, body }: Asked,
  isSearch: boolean,
): Wanted & {
  readonly filter: string | undefined
  readonly start: number
  readonly count: number
} {
  const from = isSearch && isComplex(body) ? body : {}
  const textIn = (name: string): string | undefined => {
    const value = isSearch ? from[name] : query.get(name)
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
  }
  const namesIn = (name: string): string[] | undefined => {
    if (!isSearch) return list(query.get(name))
    const value = from[name]
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
  }
  const numberIn = (name: string, usual: number): number => {
    const text = textIn(name)
    if (text === undefined) return usual
    return /^-?\d{1,9}$/.test(text) ? Number(text) : refuse(400, `${name}: a number is expected`, 'invalidValue')
  }
  return {
    attributes: namesIn('attributes'),
    excluded: namesIn('excludedAttributes'),
    filter: textIn('filter'),
    start: Math.max(1, numberIn('startIndex', 1)),
    count: Math.min(pageSize.most, Math.max(0, numberIn('count', pageSize.usual))),
  }
}

/** The provider that was set up with the service account of the caller. */
async function providerOf(db: Db, context: Context): Promise<ScimProvider> {
  const actor = actorOf(context)
  if (actor.program?.scopes.has('provisioning') !== true) return fail('noPermission')
  for (const { id, settings } of await enabledProviders(db, 'scim'))
    if (settings.kind === 'scim' && settings.serviceAccountId === actor.accountId) return { id, settings }
  return refuse(403, 'no sign-in provider is set up with this service account, or it is switched off')
}

const isMembersWanted = (kind: Kind, { attributes, excluded }: Wanted): boolean => {
  const names = (given: readonly string[] | undefined): string[] =>
    (given ?? []).flatMap((name) => placeOf(kind, name.trim()) ?? []).map(({ attribute }) => attribute.name)
  if (attributes !== undefined && attributes.length > 0) return names(attributes).includes('members')
  return !(excluded ?? []).some((name) => {
    const place = placeOf(kind, name.trim())
    return place?.attribute.name === 'members' && place.sub === undefined
  })
}

async function read(db: Db, provider: ScimProvider, asked: Asked, request: FastifyRequest): Promise<ScimAnswer> {
  const { kind, id, base, method } = asked
  const isSearch = method === 'POST' && id === '.search'
  const wanted = wantedOf(asked, isSearch)
  const isPeople = kind === 'Users'
  const ofKind = isPeople ? userKind : groupKind
  if (id !== undefined && !isSearch) {
    const [found] = isPeople
      ? await resourcesOf(db, [await findPerson(db, provider.id, id)], base)
      : await groupResources(db, [await findGroup(db, provider.id, id)], base, isMembersWanted(groupKind, wanted))
    const full = found ?? refuse(404, 'not found')
    const version = isComplex(full['meta']) ? wordOf(full['meta']['version']) : ''
    const headers = { etag: version }
    if (request.headers['if-none-match'] === version) return { status: 304, headers }
    return { status: 200, body: project(ofKind, full, wanted), headers }
  }
  const { start, count } = wanted
  const { total, resources } = isPeople
    ? await listPeople(db, provider.id, wanted).then(async ({ total: all, rows }) => ({
        ...{ total: all, resources: await resourcesOf(db, rows, base) },
      }))
    : await listGroups(db, provider.id, wanted).then(async ({ total: all, rows }) => ({
        ...{ total: all, resources: await groupResources(db, rows, base, isMembersWanted(groupKind, wanted)) },
      }))
  return {
    status: 200,
    body: {
      ...{ schemas: [messageUrns.list], totalResults: total, startIndex: start, itemsPerPage: resources.length },
      ...((count > 0 || total === 0) && { Resources: resources.map((one) => project(ofKind, one, wanted)) }),
    },
  }
}

function change(request: ScimWrite, { method, kind, id, body }: Asked): Promise<ScimAnswer> {
  const isPeople = kind === 'Users'
  if (method === 'POST' && id === undefined) return isPeople ? createPerson(request, body) : createGroup(request, body)
  if (id === undefined || method === 'POST') return refuse(405, 'name a resource')
  if (method === 'PUT') return isPeople ? replacePerson(request, id, body) : replaceGroup(request, id, body)
  if (method === 'PATCH') return isPeople ? patchPerson(request, id, body) : patchGroup(request, id, body)
  return isPeople ? removePerson(request, id) : removeGroup(request, id)
}

/** What the server can do, and its schemas: the same for every caller. */
function discovery({ kind, id, base }: Asked): Resource | undefined {
  const inList = (all: readonly Resource[], idKey: string): Resource => {
    if (id !== undefined) return all.find((one) => one[idKey] === id) ?? refuse(404, 'not found')
    return {
      ...{ schemas: [messageUrns.list], totalResults: all.length, startIndex: 1, itemsPerPage: all.length },
      Resources: all,
    }
  }
  const located = (one: object, type: string, address: string): Resource => ({
    ...one,
    meta: { resourceType: type, location: `${base}/${address}` },
  })
  if (kind === 'Schemas')
    return inList(
      schemas.map((one) => located(one, 'Schema', `Schemas/${one.id}`)),
      'id',
    )
  if (kind === 'ResourceTypes') {
    const types = [userKind, groupKind].map(({ name, urn, extensions }) =>
      located(
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          ...{ id: name, name, endpoint: `/${name}s`, schema: urn },
          schemaExtensions: Object.keys(extensions).map((schema) => ({ schema, required: false })),
        },
        'ResourceType',
        `ResourceTypes/${name}`,
      ),
    )
    return inList(types, 'id')
  }
  if (kind !== 'ServiceProviderConfig' || id !== undefined) return undefined
  return located(
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: pageSize.most },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        {
          ...{ type: 'oauthbearertoken', name: 'OAuth Bearer Token', primary: true },
          description: 'The token of a service account with the scope provisioning',
        },
      ],
    },
    'ServiceProviderConfig',
    'ServiceProviderConfig',
  )
}

/** The status of each refusal by a rule of the product; any other is 403. */
const statuses: Partial<Record<CodeName, readonly [number, ScimType?]>> = {
  ...{ badRequest: [400, 'invalidSyntax'], illegalName: [400, 'invalidValue'], nameTooLong: [400, 'invalidValue'] },
  ...{ notLoggedIn: [401], accountFrozen: [401], accountLocked: [401], accountRestricted: [401], deviceWiped: [401] },
  ...{ notFound: [404], alreadyExists: [409, 'uniqueness'], identityNotJoined: [409, 'uniqueness'] },
  ...{ serverException: [500], storageUnavailable: [503] },
}

async function answer(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.type(mediaType).header('cache-control', 'no-store')
  const send = ({ status, body, headers = {} }: ScimAnswer): FastifyReply => {
    reply.status(status).headers(headers)
    return reply.send(body === undefined ? '' : JSON.stringify(body))
  }
  const refused = (status: number, detail: string, scimType?: ScimType): FastifyReply => {
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="Cloudoc"')
    const body = { schemas: [messageUrns.error], status: String(status), ...(scimType && { scimType }), detail }
    return send({ status, body })
  }
  let refusal: ScimRefusal | undefined
  let provider: ScimProvider | undefined
  const refusable = async (run: () => Promise<ScimAnswer>): Promise<ScimAnswer> => {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ScimRefusal)) throw error
      refusal = error
      return fail('badRequest')
    }
  }
  const { method } = request
  const isRead = method === 'GET' || (method === 'POST' && /\/\.search\/?(?:\?|$)/.test(request.url))
  let asked: Asked | undefined
  const work: Work<Fields, ScimAnswer> = isRead
    ? {
        kind: 'read',
        run: (context) =>
          refusable(async () => {
            provider = await providerOf(context.db, context)
            asked = askedOf(request, parts.publicUrl)
            const found = method === 'GET' ? discovery(asked) : undefined
            if (found !== undefined) return { status: 200, body: found }
            return assertKind(asked) ?? read(context.db, provider, asked, request)
          }),
      }
    : {
        kind: 'write',
        run: (write) =>
          refusable(async () => {
            provider = await providerOf(write.tx, write)
            asked = askedOf(request, parts.publicUrl)
            assertKind(asked)
            // One change at a time for each provider: the brake counts, and equal requests find each other.
            await write.tx.selectFrom('provider').select('id').where('id', '=', provider.id).forNoKeyUpdate().execute()
            write.audit({ providerId: provider.id })
            const done = await change({ write, provider, base: asked.base }, asked)
            if (done.told !== undefined) await noteRequest(write.tx, provider.id, write.now, done.told, done.status)
            return done
          }),
      }
  const performed = await parts.perform<Fields, ScimAnswer>({
    operation: {
      ...{ name: isRead ? 'scimRead' : 'scimWrite', auth: 'required', payload: 'json', guard: signedIn },
      ...(isRead && { unrecorded: true }),
      ...work,
    },
    request,
    reply,
    incoming: () => Promise.resolve({ input: {} }),
  })
  if ('isCut' in performed) return reply
  if ('data' in performed) {
    const { data } = performed
    const isWanted = asked !== undefined && !isRead && data.body !== undefined && data.status < 300
    const ofKind = asked?.kind === 'Groups' ? groupKind : userKind
    const meta = data.body?.['meta']
    const headers = {
      ...data.headers,
      ...(isComplex(meta) && { etag: wordOf(meta['version']) }),
      ...(data.status === 201 && isComplex(meta) && { location: wordOf(meta['location']) }),
    }
    if (!isWanted || asked === undefined || data.body === undefined) return send({ ...data, headers })
    return send({ ...data, headers, body: project(ofKind, data.body, wantedOf(asked, false)) })
  }
  const [status, scimType] =
    refusal === undefined ? (statuses[performed.code] ?? [403]) : [refusal.status, refusal.scimType]
  const detail = refusal?.message ?? performed.envelope.msg
  if (provider !== undefined && !isRead) await noteRefusal(parts, provider, asked, performed.code, status, detail)
  return refused(status, detail, scimType)
}

/** Refuses what is neither users nor groups. */
function assertKind({ kind }: Asked): undefined {
  if (kind === 'Bulk' || kind === 'Me') refuse(501, `${kind} is not supported`)
  if (kind !== 'Users' && kind !== 'Groups') refuse(404, 'no such address')
}

/** Keeps a refusal for the page, and a person whose name is taken for the administrator who joins accounts. */
async function noteRefusal(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { id, settings }: ScimProvider,
  asked: Asked | undefined,
  code: CodeName,
  status: number,
  detail: string,
): Promise<void> {
  let name = asked?.id ?? ''
  if (asked?.method === 'POST' && asked.kind === 'Users' && isComplex(asked.body) && asked.id === undefined) {
    try {
      const person = personOf(readResource(userKind, asked.body), settings)
      name = person.name
      if (code === 'identityNotJoined') await notePending(db, id, person)
    } catch (error) {
      if (!(error instanceof ScimRefusal)) throw error
    }
  }
  await noteRequest(db, id, now(), { what: 'refuse', name, detail }, status)
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')
