// An item that a person cannot see does not exist for them: every call that takes an item returns -3, whatever the
// reason, and changes nothing.
import { type Call, type CallName, callsByName, factsOfRecord, type GateUse, type ItemRecord } from '@cloudoc/contract'
import {
  capabilityNames,
  codes,
  denial,
  dropRight,
  gates,
  ItemStatusBit,
  Right,
  type RightName,
  rights,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Changes, watchRows } from './changes-of-rows.ts'
import { openWorld, Person, requestFor, type World } from './harness.ts'
import { itemInputs, type OwnItems, ungatedItemInputs, usesOf } from './item-inputs.ts'
import { loginWithCaptcha, tokenOf } from './sign-in.ts'

/** A field of a call that names an item, and the input in which it does. Undefined: the schema refuses the id. */
type Place = readonly [kind: 'file' | 'folder', input: (id: number) => Record<string, unknown> | undefined]

let mine = 0
/** Items of the caller for the other fields of an input. Her file is an archive, so that it can be unpacked. */
let ownItems: OwnItems

/** The id of an upload into that folder, which does not exist. */
const uploadInto = (folderId: number): string => `${folderId}-${'a'.repeat(24)}`

/** Calls for accounts. Calls for link visitors are tested with visitors, in sharing/links. */
const ofAccounts = (Object.entries(callsByName) as [CallName, Call][]).filter(
  ([, call]) => call.actors?.includes('account') !== false,
)
const derived = new Map(ofAccounts.map(([name, call]) => [name, itemInputs(call)]))

/**
 * Forms of a field that the sample of a call does not show, objects that are found by the id of an item, and filters of
 * calls that have no gate.
 */
const further: Partial<Record<CallName, readonly Place[]>> = {
  getFileItemId: [['folder', (fId) => ({ fType: 2, fId })]],
  getFileItemInfo: [['folder', (fId) => ({ itemIdStr: `s0f-${fId}` })]],
  setShareLists: [['file', (fileId) => ({ lists: [{ fileId, inherit: true, entries: [] }] })]],
  undoShareChanges: [['file', (fileId) => ({ undone: [{ fileId, changeId: 1 }] })]],
  downloadMultiFile: [['folder', (id) => ({ files: `fo_${id}` })]],
  uploadAbort: [['folder', (id) => ({ uploadId: uploadInto(id) })]],
  searchDoc: [['folder', (folderId) => ({ folderId, keyword: 'a' })]],
}

/** Every call that names items, with each input field in which it does: those that its gates read. */
const places = new Map(
  ofAccounts.flatMap(([name]) => {
    const all: Place[] = [
      ...(derived.get(name) ?? []).map(({ kind, naming }): Place => [kind, (id) => naming(id, ownItems)]),
      ...(further[name] ?? []),
    ]
    return all.length === 0 ? [] : [[name, all] as const]
  }),
)

/** Calls on items in the recycle bin. */
const ofTheBin: ReadonlySet<CallName> = new Set(['recycleRestore', 'fileOrFolderCompleteDelete'])

type Ids = Readonly<Record<'file' | 'folder', number>>
let world: World
let anna: Person
let ben: Person
let unseen: Record<string, Ids>
let binned: Ids
let binnedByOthers: Ids
/** Returns what was written since the last call. */
let changes: Changes

beforeAll(async () => {
  world = await openWorld({ elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
  mine = anna.library
  const folderId = await anna.folder(mine, 'target')
  ownItems = { library: mine, folderId, fileId: await anna.upload(mine, 'own.zip') }
  const pair = async (person: Person, parentId: number, name: string): Promise<Ids> => ({
    file: await person.upload(parentId, `${name}.txt`),
    folder: (await person.call('folderCreate', { parentId, folderName: name })).folderId,
  })
  const drop = (person: Person, ids: Ids, call: 'fileOrFolderDelete' | 'fileOrFolderCompleteDelete') =>
    person.call(call, { fileIdArray: [ids.file], folderIdArray: [ids.folder] })

  const { folderId: shared } = await ben.call('folderCreate', { parentId: ben.library, folderName: 'shared' })
  await ben.shares({ folderId: shared }, [{ to: anna, rights: 1022 }])
  const hidden = await pair(ben, shared, 'hidden')
  await ben.shares({ fileId: hidden.file }, [{ to: anna, rights: 1 }])
  await ben.shares({ folderId: hidden.folder }, [], { inherit: false })
  const belowHidden = await pair(ben, hidden.folder, 'belowHidden')

  const { folderId: gone } = await anna.call('folderCreate', { parentId: mine, folderName: 'gone' })
  const belowDeleted = await pair(anna, gone, 'belowDeleted')
  const { folderId: deep } = await anna.call('folderCreate', { parentId: belowDeleted.folder, folderName: 'deep' })
  const farBelow = await pair(anna, deep, 'farBelow')
  await anna.call('fileOrFolderDelete', { folderIdArray: [gone] })
  const purged = await pair(anna, mine, 'purged')
  const belowPurged = await pair(anna, purged.folder, 'belowPurged')
  await drop(anna, purged, 'fileOrFolderCompleteDelete')
  binned = await pair(anna, mine, 'binned')
  await drop(anna, binned, 'fileOrFolderDelete')
  binnedByOthers = await pair(ben, shared, 'binnedByOthers')
  await drop(ben, binnedByOthers, 'fileOrFolderDelete')
  const own = await pair(anna, mine, 'own')
  const foreign = await pair(ben, ben.library, 'foreign')

  unseen = {
    'of somebody else': foreign,
    hidden,
    'below a hidden folder': belowHidden,
    'below a deleted folder': belowDeleted,
    'far below a deleted folder': farBelow,
    'completely deleted': purged,
    'below what was completely deleted': belowPurged,
    'deleted by somebody else': binnedByOthers,
    'of the other kind': { file: own.folder, folder: own.file },
    zero: { file: 0, folder: 0 },
    'never made': { file: 99_999_999, folder: 99_999_999 },
    'the largest of all': { file: 999_999_999_999_999, folder: 999_999_999_999_999 },
  }
  changes = await watchRows(world.app.db)
})

/** The code that a call returns for an id in one field. */
async function codeOf(name: CallName, input: Record<string, unknown>, status = 404, who = anna): Promise<number> {
  const declared = callsByName[name]
  const request = requestFor(name, input, who.token)
  if (declared.payload === 'raw') Object.assign(request, { payload: 'content' })
  if (declared.payload === 'multipart') {
    const fields = Object.entries(input).map(
      ([k, v]) => `--b\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${String(v)}\r\n`,
    )
    Object.assign(request, {
      url: declared.path,
      headers: { ...request.headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: `${fields.join('')}--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n`,
    })
  }
  const response = await world.app.http.inject(request)
  // For content requests, programs check the HTTP status only.
  expect(response.statusCode, name).toBe(declared.kind === 'stream' ? status : 200)
  return response.json<{ result: number }>().result
}

/**
 * Whether a call's gate checks an item. Calls that check other objects are tested by the loops of catalogue.test.ts.
 */
function takesItem(call: Call): boolean {
  if ('batch' in call) return true
  if (!('gate' in call)) return false
  // Returns 1 for every field that the gate reads from its input.
  const anything: unknown = new Proxy({}, { get: () => 1 })
  try {
    return call.gate(anything as never).some((use) => !('object' in use))
  } catch {
    return true
  }
}

test('of every call that takes an item the fields that name it are known', () => {
  const gated = ofAccounts.filter(([, call]) => takesItem(call))
  expect(gated.map(([name]) => name).filter((name) => !places.has(name))).toEqual([])
  expect(places.size).toBeGreaterThan(100)
})

/** Whether only administrators pass the guard of a call. */
const isAdministration = (call: Call): boolean =>
  'guard' in call &&
  denial(call.guard.rule, {
    ...{ kind: 'account', powers: [], isGuest: false },
    capabilities: new Set(capabilityNames),
  }) !== undefined

/** Calls with a field that names a department, though fields named alike name items elsewhere. */
const ofDepartments: ReadonlySet<CallName> = new Set(['getSubItemList'])

/*
 * A call without a gate may name items: it leaves out those that do not exist for the caller, or its rows belong to the
 * caller. Its fields are known from the calls with gates: a field named alike names an item.
 */
test('calls that name items without a gate tell nothing of what cannot be seen', async () => {
  const gated = [...derived.values()].flat()
  const found = ofAccounts.flatMap(([name, call]): [CallName, readonly Place[]][] => {
    if ('gate' in call || 'batch' in call || isAdministration(call) || ofDepartments.has(name)) return []
    const inputs = ungatedItemInputs(call, gated)
    return [[name, inputs.map(({ kind, naming }) => [kind, (id) => naming(id, ownItems)])]]
  })
  // A form of its field that the sample does not show.
  found.push(['getItemListByItemIdStr', [['folder', (id) => ({ itemIdStrs: `s0f-${id}` })]]])
  expect(found.filter(([, all]) => all.length > 0).length).toBeGreaterThan(4)
  await changes()
  for (const [name, all] of found)
    for (const [kind, make] of all)
      for (const [why, ids] of Object.entries(unseen)) {
        const input = make(ids[kind])
        if (input === undefined) continue
        const { data } = await anna.wire(name, input)
        // An empty list and its total of 0 tell nothing.
        const shown = Object.values(data ?? {})
          .flat()
          .filter((value) => value !== 0)
        expect(shown, `${name}: ${kind} ${why}`).toEqual([])
      }
  expect(await changes()).toEqual([])
})

describe('[R109] what cannot be seen is -3 and stays as it is', () => {
  test.each([...places.keys()])('%s', async (name) => {
    await changes()
    const tried = { ...unseen, ...(ofTheBin.has(name) ? {} : { 'in the recycle bin': binned }) }
    await Promise.all(
      Object.entries(tried).flatMap(([why, ids]) =>
        (places.get(name) ?? []).map(async ([kind, make]) => {
          const input = make(ids[kind])
          if (input !== undefined) expect(await codeOf(name, input), `${kind} ${why}`).toBe(-3)
        }),
      ),
    )
    expect(await changes()).toEqual([])
  })

  test('a target that cannot be seen is -3 for each item of a batch', async () => {
    const fileId = await anna.upload(mine, 'stays.txt')
    const { folderId } = await anna.call('folderCreate', { parentId: mine, folderName: 'stays' })
    for (const [why, { folder: targetFolderId }] of Object.entries({ ...unseen, 'in the recycle bin': binned })) {
      for (const name of ['fileOrFolderMove', 'fileOrFolderCopy'] as const) {
        const answers = await anna.call(name, { targetFolderId, fileIdArray: [fileId], folderIdArray: [folderId] })
        expect(
          answers.map((each) => each.result),
          `${name} to ${why}`,
        ).toEqual([-3, -3])
      }
      const [answer] = await anna.call('recycleRestore', { targetFolderId, fileIdArray: [binned.file] })
      expect(answer?.result, `recycleRestore to ${why}`).toBe(-3)
    }
    expect(await anna.names(mine)).toContain('stays.txt')
  })

  test('no list, search or bin names what cannot be seen', async () => {
    const hits = await anna.call('searchDoc', { keyword: '.txt', rows: 200 })
    const ids = new Set(Object.values(unseen).map(({ file }) => file))
    expect(hits.list.filter((hit) => ids.has(hit.fId))).toEqual([])
    const bin = await anna.call('getRecycleList', {})
    expect(bin.list.map((item) => item.fName).sort()).toEqual(['binned', 'binned.txt', 'gone'])
    expect(bin.total).toBe(3)
  })
})

/*
 * The network drive finds items by their names, not by their ids: whatever stands at an address that the caller cannot
 * see is answered like an address at which nothing ever stood.
 */
describe('[R109] what cannot be seen does not exist on the network drive', () => {
  const lock = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
  const bodies: Record<string, string> = { LOCK: lock, PROPPATCH: '<propertyupdate xmlns="DAV:"/>', PUT: 'x' }
  let authorization: string
  let own: string
  let shared: string
  /** The folder of each case; its file has the same name with an ending. */
  let pairs: Record<string, string>

  beforeAll(async () => {
    const { token } = await anna.call('createMyProgram', { kind: 'app', name: 'drive', write: true, days: 30 })
    authorization = `Basic ${Buffer.from(`${anna.account}:${token}`).toString('base64')}`
    const nameOf = async (person: Person): Promise<string> =>
      (await person.call('getFolderInfo', { folderId: person.library })).fName
    own = `/dav/${await nameOf(anna)}`
    // The library of a colleague is on the drive of whoever may look at it; what is hidden in it is not.
    const carl = await world.person('carl')
    const inside = await carl.folder(carl.library, 'shared')
    const make = async (parentId: number, name: string): Promise<Ids> => ({
      file: await carl.upload(parentId, `${name}.txt`),
      folder: await carl.folder(parentId, name),
    })
    const hide = async ({ file, folder }: Ids): Promise<void> => {
      await carl.shares({ fileId: file }, [], { inherit: false })
      await carl.shares({ folderId: folder }, [], { inherit: false })
    }
    await carl.shares({ folderId: carl.library }, [{ to: anna, rights: Right.display }])
    await carl.shares({ folderId: inside }, [{ to: anna, rights: 1022 }])
    const [hidden, gone] = [await make(inside, 'hidden'), await make(inside, 'binnedByOthers')]
    await make(hidden.folder, 'belowHidden')
    await hide(hidden)
    await hide(await make(carl.library, 'foreign'))
    await carl.call('fileOrFolderDelete', { fileIdArray: [gone.file], folderIdArray: [gone.folder] })
    const others = `/dav/${await nameOf(carl)}`
    shared = `${others}/shared`
    pairs = {
      'of somebody else': `${others}/foreign`,
      'in a library of somebody else': `/dav/${await nameOf(ben)}/foreign`,
      hidden: `${shared}/hidden`,
      'below a hidden folder': `${shared}/hidden/belowHidden`,
      'in the recycle bin': `${own}/binned`,
      'below a deleted folder': `${own}/gone/belowDeleted`,
      'far below a deleted folder': `${own}/gone/belowDeleted/deep/farBelow`,
      'completely deleted': `${own}/purged`,
      'below what was completely deleted': `${own}/purged/belowPurged`,
      'deleted by somebody else': `${shared}/binnedByOthers`,
    }
    await anna.upload(mine, 'drive.txt', 'hidden.txt')
    // The first use of a token is noted.
    await send('PROPFIND', own)
    await changes()
  })

  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    world.app.http.inject({
      ...{ method: method as 'GET', url: encodeURI(path) },
      headers: { authorization, host: '127.0.0.1', depth: '0', ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })

  /** The whole answer but its time, without the name that was asked for. */
  async function answerOf(method: string, path: string, headers?: Record<string, string>): Promise<unknown> {
    const { statusCode, payload, headers: sent } = await send(method, path, headers, bodies[method])
    const { date: _date, ...rest } = sent
    return { statusCode, payload: payload.replaceAll(encodeURI(path), ''), rest }
  }

  const methods = ['PROPFIND', 'GET', 'HEAD', 'DELETE', 'PROPPATCH', 'COPY', 'MOVE', 'UNLOCK']

  test.each([...methods, 'PUT', 'MKCOL', 'LOCK'])('%s', async (method) => {
    const headers = { destination: encodeURI(`${own}/copy`), 'lock-token': '<urn:uuid:none>' }
    for (const [why, place] of Object.entries(pairs))
      for (const path of [place, `${place}.txt`]) {
        // Where the caller may add something, a name is new; it makes something there.
        const below = methods.includes(method) ? path : `${path}/new`
        const never = below.replace(/[^/]+$/, 'never')
        const away = methods.includes(method) ? never : `${never}/new`
        expect(await answerOf(method, below, headers), `${method} ${why}: ${path}`).toEqual(
          await answerOf(method, away, headers),
        )
      }
    expect(await changes()).toEqual([])
  })

  test('as a destination, in a condition and in a listing', async () => {
    // Its content is that of the hidden file, so both have this ETag.
    const etag = String((await send('GET', `${own}/drive.txt`)).headers.etag)
    for (const [why, place] of Object.entries(pairs)) {
      const destination = encodeURI(`${place}/x.txt`)
      const named = { if: `<${encodeURI(place)}.txt> ([${etag}])` }
      for (const method of ['COPY', 'MOVE'])
        expect([why, (await send(method, `${own}/drive.txt`, { destination })).statusCode]).toEqual([why, 409])
      expect([why, (await send('DELETE', `${own}/drive.txt`, named)).statusCode]).toEqual([why, 412])
    }
    const listed = await Promise.all(['/dav/', own, shared].map((path) => send('PROPFIND', path, { depth: '1' })))
    const names = /hidden|foreign|gone|purged|binned/i
    expect(listed.map(({ statusCode, payload }) => [statusCode, names.test(payload)])).toEqual(
      listed.map(() => [207, false]),
    )
    expect(await changes()).toEqual([])
  })

  test('a name that something hidden has stays taken, and what has it stays as it is', async () => {
    const destination = encodeURI(`${shared}/hidden.txt`)
    const taken = await Promise.all([
      ...['PUT', 'LOCK', 'MKCOL'].map((method) => send(method, `${shared}/hidden.txt`, {}, bodies[method])),
      ...['COPY', 'MOVE'].map((method) => send(method, `${own}/drive.txt`, { destination })),
    ])
    expect(taken.map(({ statusCode }) => statusCode)).toEqual([405, 405, 405, 405, 405])
    expect(await changes()).toEqual([])
  })
})

// [R110] -1, -2 and -3 list libraries and refuse writes.
describe('[R110] virtual folders list and refuse writes', () => {
  test.each([-1, -2, -3])('%i', async (id) => {
    await anna.call('getSubItemList3', { folderId: id })
    await anna.call('getFolderInfo', { folderId: id })
    const writes: readonly CallName[] = [
      'folderCreate',
      'fileCreate',
      'renameFolder',
      'fileOrFolderDelete',
      'fileOrFolderCompleteDelete',
      'createFolderByPathList',
      'setShareList',
      'uploadRaw',
      'uploadFile',
    ]
    for (const name of writes) {
      const [, make] = places.get(name)?.find(([kind]) => kind === 'folder') ?? []
      const input = make?.(id)
      if (input === undefined) throw new Error(name)
      expect(await codeOf(name, input), name).toBe(-4)
    }
    const { folderId } = await anna.call('folderCreate', { parentId: mine, folderName: `own ${id}` })
    expect(await anna.refusal('fileOrFolderMove', { targetFolderId: id, folderIdArray: [folderId] })).toBe(
      'noPermission',
    )
    expect(await anna.refusal('fileOrFolderCopy', { targetFolderId: id, folderIdArray: [folderId] })).toBe(
      'noPermission',
    )
    expect(await anna.refusal('recycleRestore', { targetFolderId: id, fileIdArray: [binned.file] })).toBe(
      'noPermission',
    )
    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [folderId] })
    expect(await anna.names(mine)).not.toContain(`own ${id}`)
  })

  test('ids below -3, above 2^53 and texts are bad parameters', async () => {
    for (const folderId of ['-4', '9007199254740993', '99999999999999999999', 'abc', '1.5', '1e3', '0x10', ' 1', '']) {
      const response = await world.app.http.inject(
        requestFor('getSubItemList3', { folderId: folderId || '%20' }, anna.token),
      )
      expect(response.statusCode, folderId).toBe(400)
    }
  })
})

/*
 * Every call with every right and state ([R396]): if a rule of its gate refuses, the call refuses with the code of that
 * rule, and changes nothing. Rights are removed one at a time, with those that depend on them. States are set one at a
 * time, and in pairs in the full run. New calls take part by their gates.
 */
// [R396] Each gate is tested on its calls: a missing right or a blocking state refuses every call of the gate with its
// code, and nothing changes.
describe('[R396] a right that is missing or a state refuses every call whose gate asks for it', () => {
  type Kind = 'file' | 'folder'
  const every = Object.values(Right).reduce((sum: number, bit) => sum | bit, 0) & ~(Right.deny | Right.full)
  const taken: RightName[] = [
    'preview',
    'print',
    'download',
    'upload',
    'move',
    'modify',
    'delete',
    'externalLink',
    'grant',
    'secretLevel',
  ]
  let owner: Person
  let guest: Person
  let ids: Record<Kind, number>
  let folderId: number

  /** States as SQL updates of the item's row; each is reverted after its test. */
  const states: Record<string, { set: string; unset: string; of?: Kind; library?: true; guest?: true }> = {
    signing: status('signing'),
    associated: { ...status('associateFolder'), of: 'folder' },
    'read-only folder': { ...status('folderReadOnly'), of: 'folder' },
    'read-only library': { ...status('folderReadOnly'), library: true },
    'too secret': { set: 'secret_level = 1', unset: 'secret_level = 0', of: 'file' },
    restricted: { set: 'doc_flag = 1', unset: 'doc_flag = 0', of: 'file' },
    'edited by somebody else': {
      set: `editor_id = created_by, editor_until = ${Date.now() + 3_600_000}, editing_since = 1`,
      unset: 'editor_id = null, editor_until = null, editing_since = null',
      of: 'file',
    },
    'a visitor': { set: 'status = status', unset: 'status = status', guest: true },
  }
  function status(name: keyof typeof ItemStatusBit) {
    return { set: `status = status | ${ItemStatusBit[name]}`, unset: `status = status & ~${ItemStatusBit[name]}` }
  }

  beforeAll(async () => {
    owner = await world.person('matrix')
    folderId = await owner.folder(owner.library, 'matrix')
    ids = { file: await owner.upload(folderId, 'm.txt'), folder: await owner.folder(folderId, 'm') }
    await owner.shares({ folderId }, [{ to: anna, rights: every }])
    await anna.call('resetNetDiskPwd', { newPassword: 'Visit#2026' })
    const login = { userName: anna.account, password: 'Visit#2026', visitor: true }
    guest = new Person(world, anna.account, anna.userId, tokenOf(await loginWithCaptcha(world, login)), anna.library)
  })

  const give = (mask: number): Promise<void> => owner.shares({ folderId }, [{ to: anna, rights: mask }])
  const recordOf = async (kind: Kind, who: Person): Promise<ItemRecord> =>
    kind === 'file'
      ? who.call('getFileInfo', { fileId: ids.file })
      : who.call('getFolderInfo', { folderId: ids.folder })

  /** The gate rules that a call checks on the item. */
  function usesOn(name: CallName, input: Record<string, unknown>, id: number): GateUse[] {
    const all = usesOf(callsByName[name], input)
    // The link or upload of that number does not exist, whatever the state of the item.
    if ('uploadId' in input || all.some((use) => !('item' in use))) return []
    return all.filter((use) => 'item' in use && use.item.fId === id && use.item.fType !== 0)
  }

  /** Tests every call on the two items; returns how many were correctly refused. */
  async function tryAll(says: string, who: Person): Promise<number> {
    let refused = 0
    const { setting } = await world.app.services.settings.current()
    for (const kind of ['file', 'folder'] as const) {
      const record = await recordOf(kind, who)
      const facts = factsOfRecord(record, {
        userId: who.userId,
        secretLevel: 0,
        isGuest: who === guest,
        capabilities: new Set(capabilityNames),
        settings: setting,
      })
      await changes()
      const tried = [...places].flatMap(([name, all]) =>
        all
          .filter(([of]) => of === kind)
          .map(async ([, make]) => {
            const input = make(ids[kind])
            if (input === undefined) return
            const denied = usesOn(name, input, ids[kind]).flatMap((use) => {
              const code = 'item' in use ? denial(gates[use.action], facts) : undefined
              return code === undefined ? [] : [codes[code].code]
            })
            if (denied.length === 0) return
            refused += 1
            expect(denied, `${name} of a ${kind}: ${says}`).toContain(await codeOf(name, input, 403, who))
          }),
      )
      await Promise.all(tried)
      expect(await changes(), says).toEqual([])
    }
    return refused
  }

  test.each(taken)('without the right %s', async (name) => {
    await give(dropRight(rights(every), name, { printRights: false }))
    await tryAll(`no ${name}`, anna)
    await give(every)
  })

  test('with the right to see alone nothing but seeing is possible', async () => {
    await give(Right.display)
    expect(await tryAll('display alone', anna)).toBeGreaterThan(40)
    await give(every)
  })

  const names = Object.keys(states)
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]))
  const tried: string[][] = [...names.map((name) => [name]), ...(inject('full') ? pairs : [])]
  test.each(tried.map((some) => [some.join(' and '), some] as const))('while it is %s', async (says, some) => {
    const write = async (how: 'set' | 'unset'): Promise<void> => {
      for (const name of some) {
        const state = states[name]
        if (state === undefined) continue
        const targets =
          state.library === true ? [owner.library] : state.of === undefined ? Object.values(ids) : [ids[state.of]]
        await sql`update item set ${sql.raw(state[how])} where id = any(${targets})`.execute(world.app.db)
      }
    }
    await write('set')
    const who = some.some((name) => states[name]?.guest === true) ? guest : anna
    expect(await tryAll(says, who)).toBeGreaterThan(0)
    await write('unset')
  })
})
