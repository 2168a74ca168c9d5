/*
 * Every call that a person without an account can send to a link, as declared: with links in every state, with and
 * without password, with every kind of pass, for items under the link and for others (its parent, its siblings, items
 * of other users, deleted items, more secret items, older versions). Nothing outside the link's item may be accepted,
 * named or delivered. A new call is covered automatically; an unknown field must be added here.
 */
import { type Call, type CallName, callsByName, type GateUse, type LinkReason, placeInput } from '@cloudoc/contract'
import { LinkStatus, linkRights, Right } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { few } from '../../../test/full.ts'
import { type Person, sharedWorld, wireOf } from '../../../test/harness.ts'

const world = sharedWorld()
const { preview, download, upload, edit } = linkRights
const all = preview | download | upload | edit
const hour = 3_600_000
const password = 'aB3d'
type Json = Record<string, unknown>

/**
 * Covered items are named "covered" ("given" for the link's own folder) and contain that text; all others "outside".
 */
interface Item {
  readonly fType: 1 | 2
  readonly fId: number
  readonly covered: boolean
}
interface Scene {
  readonly anna: Person
  readonly creator: Person
  readonly place: number
  readonly given: Item
  readonly items: Readonly<Record<string, Item>>
}
interface Made {
  readonly externalId: number
  readonly linkToken: string
}

const publicCalls = (Object.entries(callsByName) as [CallName, Call][]).filter(
  ([, call]) => call.actors?.includes('visitor') || call.path.includes('{linkToken}'),
)

/** Values for input fields that do not refer to an item. */
const beside: Readonly<Record<string, readonly unknown[]>> = {
  fileName: ['neu.txt'],
  mail: ['outside@example.com'],
  comments: ['what is wrong'],
  // Fields that keep their declared defaults.
  ...Object.fromEntries(
    [
      ...['keyword', 'sort', 'order', 'from', 'rows', 'locale'],
      ...['name', 'password', 'codeTicket', 'code', 'contact'],
    ].map((name) => [name, [undefined]]),
  ),
}
/** Input fields that name items: one, or several at once. */
const naming: Readonly<Record<string, (items: readonly Item[]) => unknown>> = {
  fileId: ([item]) => item?.fId,
  folderId: ([item]) => item?.fId,
  fileIdArray: (items) => items.map(({ fId }) => fId),
  folderIdArray: (items) => items.map(({ fId }) => fId),
  files: (items) => items.map(({ fType, fId }) => `${fType === 1 ? 'fi' : 'fo'}_${fId}`).join(),
}

interface Field {
  readonly enum?: readonly unknown[]
}
const fieldsOf = (call: Call): [string, Field][] =>
  Object.entries(((z.toJSONSchema(call.input, { io: 'input' }) as Json)['properties'] ?? {}) as Record<string, Field>)
const namesItems = (call: Call): boolean => fieldsOf(call).some(([name]) => name in naming)
const namesMany = (call: Call): boolean => fieldsOf(call).some(([name]) => name.endsWith('Array') || name === 'files')

/** The inputs by which a call is asked for items: with each value of an enum, and each version that may be named. */
function inputsFor(call: Call, linkToken: string, items: readonly Item[]): Json[] {
  let inputs: Json[] = [{ linkToken }]
  for (const [name, field] of fieldsOf(call)) {
    if (name === 'linkToken') continue
    const values =
      naming[name] !== undefined
        ? [naming[name](items)]
        : name === 'version'
          ? // An upload names the version that it is based on.
            call.payload === 'raw'
            ? [1, 2]
            : [undefined, 1]
          : (beside[name] ?? field.enum)
    if (values === undefined) throw new Error(`what is ${name} of ${call.path}?`)
    inputs = inputs.flatMap((input) =>
      values.map((value) => (value === undefined ? input : { ...input, [name]: value })),
    )
  }
  return inputs
}

/** The link rights that an action of a gate requires. */
const needs: Readonly<Record<string, number>> = {
  ...{ see: preview, preview, download, upload },
  ...{ newVersion: edit, printItem: download, takeDownload: download },
}
const usesOf = (call: Call, input: Json): readonly GateUse[] =>
  'gate' in call ? call.gate(call.input.parse(input)) : []

async function send(name: CallName, input: Json, pass: string | undefined) {
  const { method, path, body } = placeInput(callsByName[name], input)
  const raw = callsByName[name].payload === 'raw'
  const type = body?.type ?? (raw ? 'application/octet-stream' : undefined)
  const response = await world.app.http.inject({
    ...{ method, url: path },
    headers: {
      ...(pass === undefined ? {} : { 'x-link-pass': pass }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(raw ? { payload: 'brought' } : body === undefined ? {} : { payload: body.text }),
  })
  const isAnswer = `${response.headers['content-type']}`.includes('json')
  const code = response.statusCode < 300 && !isAnswer ? 'success' : (wireOf(response).code ?? `${response.statusCode}`)
  return { code, said: response.rawPayload.toString('latin1'), isAnswer }
}

let admin: Person
let stranger: Readonly<Record<string, Item>>
beforeAll(async () => {
  admin = await world.admin()
  const mallory = await world.person('mallory')
  const fId = await mallory.folder(mallory.library, 'outside of a stranger')
  const inIt = await mallory.upload(fId, 'outside of a stranger.txt', 'outside words')
  stranger = {
    'a folder of somebody else': { fType: 2, fId, covered: false },
    'a file of somebody else': { fType: 1, fId: inIt, covered: false },
    'a file that is nowhere': { fType: 1, fId: 987_654_321, covered: false },
  }
})

async function scene(): Promise<Scene> {
  const anna = await world.person('anna', { secretLevel: 2 })
  const creator = await world.person('creator', { secretLevel: 2 })
  const place = await anna.folder(anna.library, 'outside, above')
  await anna.shares({ folderId: place }, [{ to: creator, rights: 2046 }])
  const given = await anna.folder(place, 'given')
  const inner = await anna.folder(given, 'covered folder')
  const child = await anna.upload(given, 'covered.txt', 'outside: a version of before')
  await anna.upload(given, 'covered.txt', 'covered words', { conflict: 'version' })
  const deep = await anna.upload(inner, 'covered too.txt', 'covered, deep')
  const deleted = await anna.upload(given, 'outside, deleted.txt', 'outside words')
  await anna.call('fileOrFolderDelete', { fileIdArray: [deleted] })
  const closed = await anna.folder(given, 'outside, closed to the creator')
  const inClosed = await anna.upload(closed, 'outside, closed.txt', 'outside words')
  await anna.shares({ folderId: closed }, [], { inherit: false })
  const risen = await anna.upload(given, 'outside, more secret.txt', 'outside words')
  await anna.call('setSecretLevel', { fileIdArray: [risen], secretLevel: 1 })
  const sibling = await anna.folder(place, 'outside, beside')
  const cousin = await anna.upload(sibling, 'outside, beside.txt', 'outside words')
  const brother = await anna.upload(place, 'outside.txt', 'outside words')
  const file = (fId: number, covered = false): Item => ({ fType: 1, fId, covered })
  const folder = (fId: number, covered = false): Item => ({ fType: 2, fId, covered })
  return {
    ...{ anna, creator, place },
    given: folder(given, true),
    items: {
      ...{ itself: folder(given, true), 'a file in it': file(child, true) },
      ...{ 'a folder in it': folder(inner, true), 'a file below': file(deep, true) },
      ...{ 'its parent': folder(place), 'its library': folder(anna.library), 'a file beside it': file(brother) },
      ...{ 'a folder beside it': folder(sibling), 'a file in that': file(cousin), 'what was deleted': file(deleted) },
      ...{ 'what its creator may not see': folder(closed), 'a file in there': file(inClosed) },
      'what is more secret': file(risen),
      ...stranger,
    },
  }
}

const link = ({ creator, given }: Scene, more: object = {}): Promise<Made> =>
  creator.call('externalCreate', { folderId: given.fId, rights: all, endTime: Date.now() + hour, ...more })
const set = (externalId: number, values: object) =>
  world.app.db.updateTable('external_link').set(values).where('id', '=', externalId).execute()
const open = async (linkToken: string, sent: Json) => {
  const answer = await send('openVisit', { linkToken, name: 'somebody', ...sent }, undefined)
  return { ...answer, pass: answer.code === 'success' ? (JSON.parse(answer.said) as Passed).data.pass : undefined }
}
interface Passed {
  readonly data: { readonly pass: string }
}
const enter = async (linkToken: string, sent: Json = {}): Promise<string> => {
  const { pass, code } = await open(linkToken, sent)
  return pass ?? expect.fail(`nobody comes in: ${code}`)
}

/** How a link gets into a state; what a visitor inside can still do, and whether new visitors can enter. */
interface Way {
  readonly status: number
  readonly dies?: (scene: Scene, made: Made) => Promise<unknown>
  readonly inside?: number
  readonly comes?: boolean
}
const policy = ({ creator }: Scene, said: object) =>
  admin.call('setLinkPolicy', { subjectType: 'user', subjectId: creator.userId, ...said })
const ways: Readonly<Record<LinkReason, Way>> = {
  active: { status: LinkStatus.active, inside: all, comes: true },
  notYet: {
    status: LinkStatus.inactive,
    dies: (_, { externalId }) => set(externalId, { starts_at: Date.now() + hour }),
  },
  paused: {
    status: LinkStatus.inactive,
    dies: ({ creator }, { externalId }) => creator.call('pauseExternal', { externalId, paused: true }),
  },
  ended: { status: LinkStatus.over, dies: (_, { externalId }) => set(externalId, { ends_at: Date.now() - 1 }) },
  visits: {
    ...{ status: LinkStatus.over, inside: all },
    dies: (_, { externalId }) => set(externalId, { visit_limit: 1, visits: 1 }),
  },
  downloads: {
    ...{ status: LinkStatus.over, inside: preview | upload | edit, comes: true },
    dies: (_, { externalId }) => set(externalId, { download_limit: 1, downloads: 1 }),
  },
  cancelled: {
    status: LinkStatus.over,
    dies: ({ creator }, { externalId }) => creator.call('cancelExternal', { externalId }),
  },
  approval: { status: LinkStatus.underApproval, dies: (_, { externalId }) => set(externalId, { approval: 'pending' }) },
  unasked: { status: LinkStatus.underApproval, dies: (s) => policy(s, { needsApproval: true }) },
  refused: { status: LinkStatus.refused, dies: (_, { externalId }) => set(externalId, { approval: 'refused' }) },
  revoked: { status: LinkStatus.refused, dies: (_, { externalId }) => set(externalId, { approval: 'revoked' }) },
  policy: { status: LinkStatus.failed, dies: (s) => policy(s, { mayCreate: false }) },
  item: {
    status: LinkStatus.failed,
    dies: ({ anna, given }) => anna.call('fileOrFolderDelete', { folderIdArray: [given.fId] }),
  },
  right: {
    status: LinkStatus.failed,
    dies: ({ anna, creator, place }) =>
      anna.shares({ folderId: place }, [{ to: creator, rights: 2046 & ~Right.externalLink }]),
  },
  // A folder itself has no secret level, only its content; here the link's level is set lower.
  level: { status: LinkStatus.failed, dies: (_, { externalId }) => set(externalId, { secret_level: -1 }) },
  creator: {
    status: LinkStatus.failed,
    dies: ({ creator }) => admin.call('setAccountState', { userId: creator.userId, state: 'frozen' }),
  },
}

/** Sends each call with a link pass, for every item alone and for pairs with a covered item; returns the wrong answers. */
async function wrongWith(
  { items, given }: Scene,
  { linkToken }: Made,
  pass: string | undefined,
  inside: number,
  asked = Object.keys(items),
): Promise<string[]> {
  const wrong: string[] = []
  const shows = /outside/.source + ((inside & (preview | download)) === 0 ? '|covered' : '')
  const nothing = inside === 0 ? /outside|covered|given/ : new RegExp(shows)
  const judge = async (name: CallName, what: string, picked: readonly Item[]): Promise<void> => {
    const call = callsByName[name]
    const answers = await Promise.all(
      inputsFor(call, linkToken, picked).map(async (input) => ({ input, ...(await send(name, input, pass)) })),
    )
    for (const { code, said } of answers) {
      const shown = nothing.exec(said)?.[0]
      if (shown !== undefined) wrong.push(`${name} of ${what} says "${shown}" (${code})`)
    }
    if (!namesItems(call)) return
    const isLetIn = (input: Json) =>
      usesOf(call, input).every((use) => {
        if (!('item' in use)) return false
        const right = needs[use.action] ?? expect.fail(`what does a link have to give for ${use.action}?`)
        const found = picked.find(({ fId, fType }) => fId === use.item.fId && fType === use.item.fType)
        const isSeen = use.action === 'see' && found?.fId === given.fId && inside > 0
        return found?.covered === true && (isSeen || (inside & right) !== 0)
      })
    const refused = ['notFound', 'noPermission', 'notLoggedIn', 'linkExpired', 'linkCopyProtected', 'linkDownloadLimit']
    if (answers.every(({ input }) => isLetIn(input))) {
      if (answers.every(({ code }) => refused.includes(code))) wrong.push(`${name} of ${what} is ${answers[0]?.code}`)
      return
    }
    for (const { code, said, isAnswer } of answers) {
      if (code !== 'success') continue
      const outside = picked.filter(({ covered }) => !covered).map(({ fId }) => fId)
      // A call that skips items reports each one as not found.
      const isLeftOut = call.leavesOut === true && isAnswer && picked.length > outside.length && inside > 0
      const list = isLeftOut ? (JSON.parse(said) as Listed).data.list : []
      const told = list.filter(({ fileId, result }) => outside.includes(fileId) && result === -3)
      if (!isLeftOut || told.length < outside.length) wrong.push(`${name} of ${what} is let in`)
    }
  }
  for (const [name, call] of publicCalls) {
    if (name === 'openVisit' || name === 'sendVisitCode') continue
    if (!namesItems(call)) {
      await judge(name, 'nothing', [])
      continue
    }
    await Promise.all(
      asked.map(async (what) => {
        const item = items[what]
        const known = items['a file in it']
        if (item === undefined || known === undefined) return
        await judge(name, what, [item])
        if (namesMany(call) && !item.covered) await judge(name, `${what}, beside what is covered`, [known, item])
      }),
    )
  }
  return wrong
}
interface Listed {
  readonly data: { readonly list: readonly { readonly fileId: number; readonly result: number }[] }
}

/** Files that visitors have put outside a link. */
async function broughtElsewhere({ items }: Scene): Promise<string[]> {
  const covered = Object.values(items).flatMap((item) => (item.covered && item.fType === 2 ? [item.fId] : []))
  const others = Object.values(items).flatMap((item) => (!item.covered && item.fType === 2 ? [item.fId] : []))
  const { rows } = await sql<{ name: string; parent: number }>`
    select name, parent_id as parent from item where name like 'neu%' and parent_id = any(${others})
      and not parent_id = any(${covered})`.execute(world.app.db)
  return rows.map(({ name, parent }) => `${name} in ${parent}`)
}

const some = ['itself', 'a file in it', 'its parent', 'a file beside it', 'a file of somebody else']

test('the calls of visitors are known by their declaration', () => {
  const names = publicCalls.map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(['getVisitedLink', 'openVisit', 'visitList', 'visitZip', 'visitUpload']))
  for (const [, call] of publicCalls) expect(inputsFor(call, 'x', []).length).toBeGreaterThan(0)
})

describe('[R228] [R225] nothing outside what a link covers, whatever is asked for', () => {
  // [R228] Every visitor call, in each state of a link and with each kind of pass, allows and names nothing outside the
  // link.
  test.each(few(6, Object.entries(ways)))(
    '[R228] while it is %s',
    async (reason, { status, dies, inside = 0, comes = false }) => {
      const here = await scene()
      const [free, asking, another] = [await link(here), await link(here, { password }), await link(here)]
      const [pass, known, other] = [
        await enter(free.linkToken),
        await enter(asking.linkToken, { password }),
        await enter(another.linkToken),
      ]
      for (const made of [free, asking]) await dies?.(here, made)
      for (const [made, own] of [
        [free, pass],
        [asking, known],
      ] as const) {
        const { externalId } = made
        if (reason !== 'creator')
          expect(await here.creator.call('getExternalInfo', { externalId })).toMatchObject({ status, reason })
        // The password is checked only if visitors can enter. Otherwise the answer does not tell whether it is right.
        const codesOf: string[] = []
        for (const sent of [{ password }, {}, { password: 'zzzz' }])
          codesOf.push((await open(made.linkToken, sent)).code)
        expect(codesOf.map((code) => code === 'success')).toEqual([
          comes,
          comes && made === free,
          comes && made === free,
        ])
        if (!comes) expect(new Set(codesOf).size).toBe(1)
        for (const shown of [undefined, 'garbled', other])
          expect(await wrongWith(here, made, shown, 0, some), `${shown}`).toEqual([])
        expect(await wrongWith(here, made, own, inside, inside > 0 ? undefined : some)).toEqual([])
      }
      expect(await broughtElsewhere(here)).toEqual([])
    },
  )

  const given: Readonly<Record<string, { rights: number; said?: object; inside?: number; isAsked?: true }>> = {
    'to look at': { rights: preview },
    'to look at and to take': { rights: preview | download },
    'to bring alone': { rights: upload },
    'to look at and to bring': { rights: preview | upload },
    'to change': { rights: preview | download | edit },
    'all, by who may not let download any more': {
      rights: all,
      said: { mayDownload: false },
      inside: preview | upload,
    },
    'all, by who has to ask for a password now': { rights: all, said: { needsPassword: true }, inside: 0 },
    'all, with the password that is needed now': { rights: all, said: { needsPassword: true }, isAsked: true },
    'all, for longer than is allowed now': { rights: all, said: { longestDays: 1 } },
  }
  // [R228] No combination of rights and policy allows anything outside the link.
  test.each(few(4, Object.entries(given)))('[R228] given %s', async (_, { rights, said, inside = rights, isAsked }) => {
    const here = await scene()
    const more = isAsked ? { password } : {}
    const made = await link(here, { rights, ...more })
    const pass = await enter(made.linkToken, more)
    if (said !== undefined) await policy(here, said)
    expect(await wrongWith(here, made, pass, inside)).toEqual([])
    // After a password change visitors who were inside are out.
    await here.creator.call('externalModify', { externalId: made.externalId, password: 'new1' })
    expect(await wrongWith(here, made, pass, 0, some)).toEqual([])
    expect(await broughtElsewhere(here)).toEqual([])
  })

  test('of a file it is that file alone, as it is now', async () => {
    const here = await scene()
    const { items, creator } = here
    const [fileId = 0] = [items['a file in it']?.fId]
    const made: Made = await creator.call('externalCreate', {
      ...{ fileId, rights: preview | download, endTime: Date.now() + hour },
    })
    const pass = await enter(made.linkToken)
    const alone = Object.fromEntries(
      Object.entries(items).map(([what, item]) => [what, { ...item, covered: item.fId === fileId }]),
    )
    const seen = { ...here, given: { fType: 1, fId: fileId, covered: true } as const, items: alone }
    expect(await wrongWith(seen, made, pass, preview | download)).toEqual([])
    // A new version is delivered from then on.
    await here.anna.upload(here.given.fId, 'covered.txt', 'covered anew', { conflict: 'version' })
    const { said } = await send('visitDownload', { linkToken: made.linkToken, fileId }, pass)
    expect(said).toBe('covered anew')
  })
})
