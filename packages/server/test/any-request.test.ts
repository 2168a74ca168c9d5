/*
 * No request makes the server fail. Sends random requests for every call, well-formed and malformed, with ids that
 * exist and ids that do not, as every kind of actor: anonymous callers, administrators of each power and of a
 * department, people, guests, visitors, people out of office. A failure is a status of 500 or more, the code -2, or an
 * answer that the call's schema does not allow, which the test server turns into -2.
 */
import { type Call, type CallName, callsByName } from '@cloudoc/contract'
import { codes, delegatedTasks, rightsGroup } from '@cloudoc/domain'
import { beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Person, requestFor, sharedWorld } from './harness.ts'
import { randomOf } from './random.ts'

const world = sharedWorld()
const full = inject('full')
const count = full ? 10_000 : 1200

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/**
 * Calls that would break the test itself: they end everybody's sessions, change how people sign in, or wait for
 * external machines.
 */
const left: Readonly<Partial<Record<CallName, string>>> = {
  setSafeStrategy: 'a random rule of passwords or addresses lets nobody in any more',
  setPowerHolders: 'leaves the administrator without powers',
  sendTestMail: 'waits for a mail server that is not there',
  sendTestSms: 'waits for a gateway that is not there',
  testOfficeServer: 'waits for an office server that is not there',
  copyFilesAndFolders: 'waits for another server that is not there',
  probeServer: 'waits for another server that is not there',
  checkLinkedServer: 'waits for another server that is not there',
  linkServerAccount: 'waits for another server that is not there',
}
const tried = (Object.entries(callsByName) as [CallName, Call][]).filter(([name]) => left[name] === undefined)
const schemas = new Map(
  tried.map(([name, { input }]) => [
    name,
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as Schema,
  ]),
)

interface Actor {
  readonly kind: string
  headers: Record<string, string>
  /** The account that the session belongs to. Random requests end sessions too, and the test then signs in again. */
  readonly account?: string
}
const actors: Actor[] = []
/** Ids and texts that exist. Every field draws from them, so that most requests hit something. */
const there: (number | string)[] = []

beforeAll(async () => {
  const admin = await world.admin()
  const [anna, ben, gone] = [await world.person('anna'), await world.person('ben'), await world.person('gone')]
  const { groupId, library } = await world.group('研发')
  const folderId = await anna.folder(anna.library, '项目')
  const files = [await anna.upload(folderId, '报告.txt'), await anna.upload(folderId, '表.csv', 'a,b\n1,2\n')]
  await anna.upload(folderId, '报告.txt', '第二稿', { conflict: 'version' })
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
  const { roleId } = await admin.call('createRole', { roleName: '审计员' })
  const [fileId = 0] = files
  const { commentId } = await anna.call('addComment', { fileId, comment: '请看', grade: 4 })
  const { authorizationId } = await ben.call('authorizationApply', { fileId, right: 8 })
  const endTime = Date.now() + 86_400_000
  const link = await anna.call('externalCreate', { folderId, rights: 28, endTime })
  await anna.call('setItemTags', { fileIdArray: files, addTags: [{ tagName: '合同' }] })
  const [tag] = (await anna.call('getTagList', {})).list
  const opened = await world.app.http.inject(requestFor('openVisit', { linkToken: link.linkToken, name: '张伟' }))
  await admin.call('setAccountState', { userId: gone.userId, state: 'frozen' })
  const [auditor, guard, keeper] = [
    await world.person('auditor'),
    await world.person('guard'),
    await world.person('keeper'),
  ]
  await admin.call('setPowerHolders', { power: 'audit', userIds: [auditor.userId] })
  await admin.call('setPowerHolders', { power: 'security', userIds: [guard.userId] })
  await admin.call('setDelegation', { userId: keeper.userId, groupIds: [groupId], tasks: [...delegatedTasks] })
  const visitorPassword = 'Visit#2026'
  await anna.call('resetNetDiskPwd', { newPassword: visitorPassword })
  const asGuest = { userName: anna.account, password: visitorPassword, visitor: true, clientType: 6 }
  const { accessToken: guest } = (await world.app.http.inject(requestFor('login3', asGuest))).json<{
    data: { accessToken: string }
  }>().data
  const out = await world.person('out')
  await out.call('logout2', {})
  const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
  actors.push(
    { kind: 'nobody', headers: {} },
    { kind: 'administrator', headers: bearer(admin), account: 'admin' },
    { kind: 'owner', headers: bearer(anna), account: anna.account },
    { kind: 'reader', headers: bearer(ben), account: ben.account },
    { kind: 'auditor', headers: bearer(auditor), account: auditor.account },
    { kind: 'security', headers: bearer(guard), account: guard.account },
    { kind: 'delegate', headers: bearer(keeper), account: keeper.account },
    { kind: 'guest', headers: { authorization: `Bearer ${guest}` } },
    { kind: 'signed out', headers: bearer(out) },
    { kind: 'frozen', headers: bearer(gone) },
    { kind: 'visitor', headers: { 'x-link-pass': opened.json<{ data: { pass: string } }>().data.pass } },
    { kind: 'garbage', headers: { authorization: 'Bearer 你好'.toWellFormed().replace(/[^ -~]/g, 'x') } },
  )
  there.push(folderId, ...files, anna.library, library, groupId, roleId, anna.userId, ben.userId, gone.userId)
  there.push(commentId, authorizationId, link.externalId, link.linkToken, tag?.tagId ?? 0, anna.account, '合同', '报告')
})

/** Generates values for fields from their schema. */
function valuesBy(random: () => number) {
  const below = (n: number): number => Math.floor(random() * n)
  const pick = <T>(some: readonly T[]): T => some[below(some.length)] as T
  const numbers = [0, 1, -1, 2, 5, 100, 1e6, 2 ** 31, 2 ** 53 - 1, -(2 ** 31), Date.now(), Date.now() + 1e9]
  const texts = [
    '',
    'a',
    '0',
    '-1',
    '..',
    '合同 归档',
    '%',
    "';--",
    '\u0000',
    '😀'.repeat(3),
    '\u202e',
    '{}',
    'a/b',
    '1,2',
    'null',
  ]
  const junk = [
    null,
    true,
    'x',
    '',
    Number.MAX_VALUE,
    -0.5,
    {},
    [],
    [[]],
    { a: 1 },
    '\ud800',
    '9'.repeat(400),
    ['a'],
    1e15,
  ]
  const text = (most = 60): string => {
    if (random() < 0.1) return '长'.repeat(most)
    return random() < 0.3 ? String(pick(there)) : pick(texts)
  }
  const value = (schema: Schema, defs: Schema['$defs']): unknown => {
    if (random() < 0.02) return pick(junk)
    if (schema.$ref !== undefined) return value(defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, defs)
    if (schema.enum !== undefined) return pick(schema.enum)
    if (schema.const !== undefined) return schema.const
    if (schema.anyOf !== undefined) return value(pick(schema.anyOf), defs)
    switch (schema.type) {
      case 'integer':
      case 'number': {
        if (random() < 0.6) return pick(there.filter((one) => typeof one === 'number'))
        const { minimum = 0, maximum = 1000 } = schema
        return random() < 0.5 ? pick(numbers) : pick([minimum, maximum, minimum - 1, maximum + 1])
      }
      case 'boolean':
        return random() < 0.5
      case 'array':
        return Array.from({ length: below(4) }, () => value(schema.items ?? {}, defs))
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([name]) => random() < (schema.required?.includes(name) === true ? 0.98 : 0.5))
            .map(([name, own]) => [name, value(own, defs)]),
        )
      default:
        return text(schema.maxLength)
    }
  }
  return { value, pick, below }
}

test(
  'whatever anybody asks, the server does not fail',
  async () => {
    const failures: unknown[] = []
    const met = new Map<string, number>()
    const { value, pick } = valuesBy(randomOf(full ? Date.now() : 20_261_126))
    for (let n = 0; n < count; n += 1) {
      const [name, call] = n < tried.length ? (tried[n] ?? expect.fail()) : pick(tried)
      const schema = schemas.get(name) ?? {}
      const made = value(schema, schema.$defs)
      const input =
        typeof made === 'object' && made !== null && !Array.isArray(made) ? (made as Record<string, unknown>) : {}
      const actor = pick(actors)
      let request: ReturnType<typeof requestFor>
      try {
        request = requestFor(name, input)
      } catch {
        // A URL cannot contain a lone surrogate, so such a request never reaches a server.
        continue
      }
      const payload = request.payload ?? (call.payload === 'raw' ? 'bytes' : undefined)
      const type = request.headers?.['content-type'] ?? 'application/octet-stream'
      const response = await world.app.http.inject({
        ...request,
        headers: { ...request.headers, ...actor.headers, ...(payload !== undefined && { 'content-type': type }) },
        ...(payload !== undefined && { payload }),
      })
      if (response.statusCode === 401 && actor.account !== undefined) {
        // An account that was frozen, or whose password was changed, cannot sign in again.
        const again = await world.signIn(actor.account).catch(() => undefined)
        if (again !== undefined) actor.headers = { authorization: `Bearer ${again.token}` }
      }
      const isEnvelope = String(response.headers['content-type']).startsWith('application/json')
      const { result } = isEnvelope ? response.json<{ result?: number }>() : { result: undefined }
      met.set(String(result), (met.get(String(result)) ?? 0) + 1)
      if (response.statusCode >= 500 || result === codes.serverException.code) {
        failures.push({
          name,
          actor: actor.kind,
          input,
          status: response.statusCode,
          body: response.body.slice(0, 300),
        })
      }
    }

    expect(failures).toEqual([])
    // Not all requests were rejected at authentication.
    expect(met.get(String(codes.success.code)) ?? 0).toBeGreaterThan(count / 50)
  },
  full ? 900_000 : 120_000,
)
