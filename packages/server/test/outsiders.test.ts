/*
 * Actors without an account, and objects that are not items. The test adds a feature, like one for external links: a
 * table, an object kind, calls on it, and visitors.
 */
import {
  type ActorKind,
  type Calls,
  call,
  callsByName,
  features,
  Id,
  type Input,
  ItemName,
  objectKind,
  on,
  ownAccount,
  placeInput,
  signedIn,
} from '@cloudoc/contract'
import { all, fact, fail } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { ObjectAccess } from '../src/core/access.ts'
import type { OutsiderActor, Outsiders } from '../src/core/actor.ts'
import { accountOf, actorOf, authorOf } from '../src/core/call/context.ts'
import { implement } from '../src/core/call/implement.ts'
import type { Db } from '../src/core/db/database.ts'
import { feature } from '../src/core/feature.ts'
import type { Objects } from '../src/core/loaders.ts'
import { storeNewFile } from '../src/drive/content/index.ts'
import { allFeatures } from '../src/installation.ts'
import { loadAccounts } from '../src/people/auth/index.ts'
import { externalLinks } from '../src/sharing/links/feature.ts'
import { openWorld, type Person, type Wire, type World, wireOf } from './harness.ts'

interface LinkRow {
  readonly id: number
  readonly token: string
  readonly folder_id: number
  readonly account_id: number
  readonly may_replace: boolean
  readonly ended: boolean
}
interface LinkFacts {
  readonly isOwn: boolean
  readonly hasEnded: boolean
}

const open = fact<LinkFacts>('not ended', (f) => !f.hasEnded, 'duplicateOperation')
const links = objectKind('test.link', {
  see: all<LinkFacts>(),
  upload: open,
  end: all(
    fact<LinkFacts>('one’s own', (f) => f.isOwn),
    open,
  ),
})

const shape = { auth: 'required', method: 'POST', payload: 'json', origin: 'ours' } as const
const Nothing = z.strictObject({})
const anybody: readonly ActorKind[] = ['account', 'visitor', 'server']
const testCalls = {
  seeLinks: call({
    summary: 'seeLinks',
    ...shape,
    kind: 'read',
    path: '/test/seeLinks',
    actors: anybody,
    gate: ({ ids }) => ids.map((id) => on(links, id, 'see')),
    input: z.strictObject({ ids: z.array(z.int()) }),
    data: z.strictObject({ folderIds: z.array(z.int()) }),
  }),
  endLinks: call({
    summary: 'endLinks',
    ...shape,
    kind: 'write',
    path: '/test/endLinks',
    gate: ({ ids }) => ids.map((id) => on(links, id, 'end', 'change')),
    input: z.strictObject({ ids: z.array(z.int()), really: z.boolean() }),
    data: Nothing,
  }),
  uploadByLink: call({
    summary: 'uploadByLink',
    ...shape,
    kind: 'staged',
    method: 'PUT',
    payload: 'raw',
    path: '/test/uploadByLink',
    actors: ['visitor'],
    gate: ({ linkId, folderId }) => [
      on(links, linkId, 'upload', 'hold'),
      { item: { fType: 2, fId: folderId }, action: 'upload', lock: 'hold' },
    ],
    input: z.strictObject({
      linkId: Id,
      folderId: Id,
      fileName: ItemName,
      conflict: z.enum(['refuse', 'version']).default('refuse'),
    }),
    data: z.strictObject({ fileId: z.int() }),
  }),
  whoIsAsked: call({
    summary: 'whoIsAsked',
    ...shape,
    kind: 'read',
    path: '/test/whoIsAsked',
    actors: anybody,
    guard: signedIn,
    input: Nothing,
    data: z.strictObject({ account: z.string(), name: z.string() }),
  }),
  ownThings: call({
    summary: 'ownThings',
    ...shape,
    kind: 'read',
    path: '/test/ownThings',
    actors: anybody,
    guard: ownAccount,
    input: Nothing,
    data: Nothing,
  }),
  sessionOf: call({
    summary: 'sessionOf',
    ...shape,
    kind: 'read',
    path: '/test/sessionOf',
    actors: anybody,
    guard: signedIn,
    input: Nothing,
    data: z.strictObject({ sessionId: z.int() }),
  }),
} satisfies Calls

/** The next upload waits for this after its bytes have arrived and before its transaction begins. */
let held: Promise<void> | undefined
let reached = (): void => {}

const rowsOf = async (db: Db, condition: ReturnType<typeof sql>): Promise<readonly LinkRow[]> =>
  (await sql<LinkRow>`select * from test_link where ${condition}`.execute(db)).rows

const linkObjects: Objects<ObjectAccess<LinkFacts> & { readonly link: LinkRow }> = {
  kind: links,
  async load(db, actor, ids) {
    const known =
      actor.kind === 'account' ? sql`account_id = ${actor.accountId}` : sql`id = ${actor.reference} and not ended`
    const rows = await rowsOf(db, sql`id = any(${ids.map(Number)}) and ${known}`)
    return new Map(
      rows.map((link) => [
        link.id,
        {
          link,
          facts: { isOwn: actor.kind === 'account' && actor.accountId === link.account_id, hasEnded: link.ended },
        },
      ]),
    )
  },
  async lock(tx, id, lock) {
    const strength = sql.raw(lock === 'change' ? 'for no key update' : 'for share')
    await sql`select 1 from test_link where id = ${Number(id)} ${strength}`.execute(tx)
  },
}

const testLinks = feature({
  wire: { calls: testCalls },
  open({ blobs, settings }) {
    const actorBy = async (db: Db, kind: OutsiderActor['kind'], name: string, link: LinkRow | undefined) => {
      if (link === undefined || link.ended) return fail('notLoggedIn')
      const responsible = (await loadAccounts(db, settings, [link.account_id], Date.now())).get(link.account_id)
      const actor: OutsiderActor = {
        kind,
        reference: link.id,
        name,
        responsible: responsible ?? fail('notLoggedIn'),
        limit(use, found) {
          if (!('item' in use)) return undefined
          const isInside =
            use.item.fId === link.folder_id ||
            (found as { path?: { id: number }[] } | undefined)?.path?.some(({ id }) => id === link.folder_id) === true
          if (!isInside) return 'notFound'
          const may = ['see', 'upload', ...(link.may_replace ? ['newVersion'] : [])]
          return may.includes(use.action) ? undefined : 'noPermission'
        },
      }
      return actor
    }
    const comingBy = (kind: OutsiderActor['kind'], header: string): Outsiders => ({
      kind,
      async authenticate(db, request: FastifyRequest) {
        const token = request.headers[header]
        if (token === undefined) return undefined
        const [link] = await rowsOf(db, sql`token = ${token}`)
        return actorBy(db, kind, decodeURIComponent(String(request.headers['x-test-name'])), link)
      },
      async anew(db, { name, reference }) {
        const [link] = await rowsOf(db, sql`id = ${reference}`)
        return actorBy(db, kind, name, link)
      },
    })
    return {
      objects: [linkObjects],
      outsiders: [comingBy('visitor', 'x-test-link'), comingBy('server', 'x-test-server')],
      handlers: implement(testCalls, {
        seeLinks: (context, { ids }) =>
          Promise.resolve({ folderIds: ids.map((id) => context.object(linkObjects, id).link.folder_id) }),
        async endLinks(context, { ids, really }) {
          if (really) await sql`update test_link set ended = true where id = any(${ids})`.execute(context.tx)
          return {}
        },
        async uploadByLink(context, { folderId, fileName, conflict }) {
          const content = context.upload?.content ?? fail('badRequest')
          const arriving = (async function* () {
            yield* content
            reached()
            await held
          })()
          const { fileId } = await storeNewFile(context, blobs, {
            folderId,
            name: fileName,
            conflict,
            content: arriving,
          })
          return { fileId }
        },
        whoIsAsked: (context) => Promise.resolve({ account: accountOf(context).account, name: authorOf(context).name }),
        ownThings: () => Promise.resolve({}),
        sessionOf: (context) => Promise.resolve({ sessionId: actorOf(context).sessionId }),
      }),
    }
  },
})

let world: World
let anna: Person
let mallory: Person
let box: number
let inside: number
let link: number
let other: number

beforeAll(async () => {
  // An installation may have only one feature for visitors.
  world = await openWorld({ features: [...allFeatures.filter((one) => one !== externalLinks), testLinks] })
  await sql`create table test_link (id bigint primary key generated always as identity, token text not null,
    folder_id bigint not null, account_id bigint not null, may_replace boolean not null default false,
    ended boolean not null default false)`.execute(world.app.db)
  anna = await world.person('anna')
  mallory = await world.person('mallory')
  box = await anna.folder(anna.library, '收件箱')
  inside = await anna.folder(box, '里面')
})

const newLink = async (token: string, folderId: number, more: { mayReplace?: boolean } = {}): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into test_link (token, folder_id, account_id, may_replace)
    values (${token}, ${folderId}, ${anna.userId}, ${more.mayReplace === true}) returning id`.execute(world.app.db)
  return rows[0]?.id ?? 0
}

beforeEach(async () => {
  held = undefined
  reached = () => {}
  await sql`delete from test_link`.execute(world.app.db)
  link = await newLink('one', box)
  other = await newLink('two', box)
})

type Credential = Record<string, string>
const name = '王先生'
const visitor = (token = 'one'): Credential => ({ 'x-test-link': token, 'x-test-name': encodeURIComponent(name) })
const server = (token = 'one'): Credential => ({
  'x-test-server': token,
  'x-test-name': encodeURIComponent('分公司 李四'),
})
const person = ({ token }: Person): Credential => ({ authorization: `Bearer ${token}` })

const ask = async <N extends keyof typeof testCalls>(
  credential: Credential,
  called: N,
  input: Input<(typeof testCalls)[N]>,
  content?: string,
): Promise<Wire> => {
  const { method, path, body } = placeInput(testCalls[called], input)
  const type = body?.type ?? (content === undefined ? undefined : 'application/octet-stream')
  const payload = body?.text ?? content
  return wireOf(
    await world.app.http.inject({
      method,
      url: path,
      headers: { ...credential, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload }),
    }),
  )
}
const upload = (
  fileName: string,
  more: { folderId?: number; linkId?: number; conflict?: 'version' } = {},
  by = visitor(),
) => ask(by, 'uploadByLink', { linkId: link, folderId: box, fileName, ...more }, `bytes of ${fileName}`)

test('objects are asked for by their kind: those of others and those that are not there answer -3, whoever asks', async () => {
  const see = (by: Credential, ...ids: number[]) => ask(by, 'seeLinks', { ids })
  expect(await see(person(anna), link, other)).toMatchObject({ code: 'success', data: { folderIds: [box, box] } })
  expect(await see(person(mallory), link)).toMatchObject({ status: 200, code: 'notFound' })
  expect(await see(person(anna), link, 987_654_321)).toMatchObject({ code: 'notFound' })
  expect(await see(visitor(), link)).toMatchObject({ code: 'success' })
  expect(await see(visitor(), link, other)).toMatchObject({ code: 'notFound' })
  expect(await ask(person(mallory), 'endLinks', { ids: [link], really: true })).toMatchObject({ code: 'notFound' })
  expect(await ask(person(anna), 'endLinks', { ids: [link], really: true })).toMatchObject({ code: 'success' })
  expect(await ask(person(anna), 'endLinks', { ids: [link], really: true })).toMatchObject({
    code: 'duplicateOperation',
  })
  const { rows } = await sql<{ account_id: number; detail: object }>`
    select account_id, detail from audit where call = 'endLinks'`.execute(world.app.db)
  expect(rows, 'the log names the object').toEqual([{ account_id: anna.userId, detail: { 'test.link': link } }])
})

test('objects are locked in one order, in whatever order a call names them', async () => {
  const deadlocks = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`.execute(world.app.db)
    const { rows } = await sql<{ n: number }>`
      select deadlocks as n from pg_stat_database where datname = current_database()`.execute(world.app.db)
    return rows[0]?.n ?? 0
  }
  const before = await deadlocks()
  const orders = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? [link, other] : [other, link]))
  const answers = await Promise.all(orders.map((ids) => ask(person(anna), 'endLinks', { ids, really: false })))
  expect(answers.filter(({ code }) => code !== 'success')).toEqual([])
  expect(await deadlocks()).toBe(before)
})

test('a visitor uploads: the account that answers for them has the space and the log, others are shown who it was', async () => {
  const listener = await anna.listen()
  const wire = await upload('投标.txt')
  expect(wire).toMatchObject({ code: 'success' })
  const { fileId } = wire.data as { fileId: number }
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ creatorName: name, lastOperatorName: name })
  const { list } = await anna.call('getSubItemList3', { folderId: box })
  expect(list.find(({ fId, fType }) => fType === 1 && fId === fileId)).toMatchObject({ creatorName: name })
  const found = await anna.call('searchDoc', { keyword: '投标', rows: 10 })
  expect(found.list).toMatchObject([{ fId: fileId, creatorName: name, lastOperatorName: name }])
  expect(await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).toMatchObject({
    list: [{ creatorName: name }],
  })
  await world.app.settle()
  const frame = await listener.next(({ pushType }) => pushType === 7)
  expect(frame).toMatchObject({ data: { fId: fileId, operatorName: name, operatorId: 0 } })
  const { rows } = await sql<object>`
    select a.account_id, a.outsider, e.actor_id, e.outsider as told, i.created_by
    from audit a, event e, item i where a.call = 'uploadByLink' and e.item_id = ${fileId} and i.id = ${fileId}`.execute(
    world.app.db,
  )
  const outsider = { kind: 'visitor', reference: link, name }
  const byAnna = { account_id: anna.userId, actor_id: anna.userId, created_by: anna.userId }
  expect(rows).toEqual([{ ...byAnna, outsider, told: outsider }])

  await anna.call('renameFile', { fileId, fileName: '投标书.txt' })
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ creatorName: name, lastOperatorName: 'anna' })
  await anna.upload(box, '投标书.txt', 'more', { conflict: 'version' })
  expect(await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).toMatchObject({
    list: [{ creatorName: 'anna' }, { creatorName: name }],
  })
})

test('a visitor’s bytes count for the account that answers for them', async () => {
  const admin = await world.admin()
  const { used } = await anna.call('getUseSpaceSizeInfo', {})
  await admin.call('modifyAccount', { userId: anna.userId, quota: used + 5 })
  expect(await upload('too much.txt')).toMatchObject({ code: 'userSizeExceeded' })
  await admin.call('modifyAccount', { userId: anna.userId, quota: used + 1000 })
  expect(await upload('just right.txt')).toMatchObject({ code: 'success' })
  expect((await anna.call('getUseSpaceSizeInfo', {})).used).toBe(used + 'bytes of just right.txt'.length)
  await admin.call('modifyAccount', { userId: anna.userId, quota: 0 })
})

test('a visitor may do what their link lets them of what the account may, and no more', async () => {
  expect(await upload('deep.txt', { folderId: inside })).toMatchObject({ code: 'success' })
  expect(await upload('out.txt', { folderId: anna.library })).toMatchObject({ code: 'notFound' })
  expect(await upload('out.txt', { folderId: mallory.library })).toMatchObject({ code: 'notFound' })
  expect(await upload('other.txt', { linkId: other })).toMatchObject({ code: 'notFound' })
  await anna.upload(box, 'hers.txt', 'hers')
  expect(await upload('hers.txt')).toMatchObject({ code: 'alreadyExists' })
  expect(await upload('hers.txt', { conflict: 'version' })).toMatchObject({ code: 'noPermission' })
  const better = await newLink('three', box, { mayReplace: true })
  const replaced = await upload('hers.txt', { conflict: 'version', linkId: better }, visitor('three'))
  expect(replaced).toMatchObject({ code: 'success' })
  const { fileId } = replaced.data as { fileId: number }
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ creatorName: 'anna', lastOperatorName: name })
  const { list } = await anna.call('getVersionList', { fileId, from: 0, rows: 10 })
  expect(list.map(({ creatorName }) => creatorName)).toEqual([name, 'anna'])
})

test('what ends a visitor’s link while their bytes arrive refuses them, and leaves nothing', async () => {
  const before = await anna.names(box)
  for (const end of [
    () => ask(person(anna), 'endLinks', { ids: [link], really: true }),
    async () => (await world.admin()).call('setAccountState', { userId: anna.userId, state: 'frozen' }),
  ]) {
    await sql`update test_link set ended = false`.execute(world.app.db)
    let goOn = (): void => {}
    held = new Promise((resolve) => {
      goOn = resolve
    })
    const arrived = new Promise<void>((resolve) => {
      reached = resolve
    })
    const uploading = upload('late.txt')
    await arrived
    await end()
    goOn()
    expect(await uploading).toMatchObject({ status: 401, code: 'notLoggedIn' })
  }
  await (await world.admin()).call('setAccountState', { userId: anna.userId, state: 'normal' })
  anna = await world.signIn('anna')
  expect(await anna.names(box)).toEqual(before)
})

test('guards tell kinds of callers apart, and what asks for a session refuses who has none', async () => {
  const li = '分公司 李四'
  expect(await ask(person(mallory), 'whoIsAsked', {})).toMatchObject({ data: { account: 'mallory', name: 'mallory' } })
  expect(await ask(visitor(), 'whoIsAsked', {})).toMatchObject({ data: { account: 'anna', name } })
  expect(await ask(server(), 'whoIsAsked', {})).toMatchObject({ data: { account: 'anna', name: li } })
  // A request with a link's pass acts as the visitor, whichever user the browser is signed in as.
  expect(await ask({ ...person(mallory), ...visitor() }, 'whoIsAsked', {})).toMatchObject({ data: { name } })
  expect(await ask({ ...person(mallory), ...visitor('none') }, 'whoIsAsked', {})).toMatchObject({ status: 401 })
  expect(await ask(person(mallory), 'ownThings', {})).toMatchObject({ code: 'success' })
  for (const outsider of [visitor(), server()]) {
    expect(await ask(outsider, 'ownThings', {})).toMatchObject({ status: 200, code: 'noPermission' })
    expect(await ask(outsider, 'sessionOf', {})).toMatchObject({ status: 200, code: 'noPermission' })
  }
  expect(
    await ask(person(anna), 'uploadByLink', { linkId: link, folderId: box, fileName: 'a.txt' }, 'a'),
  ).toMatchObject({
    status: 401,
    code: 'notLoggedIn',
  })
  expect(await ask(server(), 'uploadByLink', { linkId: link, folderId: box, fileName: 'a.txt' }, 'a')).toMatchObject({
    status: 401,
  })
})

test('no call of the product lets anybody come but accounts, unless it says so', async () => {
  const all = Object.entries(callsByName)
  const needing = all.filter(
    ([name, { auth, actors }]) =>
      (auth === 'required' || auth === 'query') && actors === undefined && !(name in features.externalLinks.calls),
  )
  expect(needing.length).toBeGreaterThan(50)
  const path = (text: string) => text.replace(/\{\w+\}/g, '1')
  for (const credential of [visitor(), server()]) {
    for (const [called, { method, path: at }] of needing) {
      const wire = wireOf(await world.app.http.inject({ method, url: path(at), headers: credential }))
      expect(wire, called).toMatchObject({ status: 401, code: 'notLoggedIn' })
    }
  }
})
