// @vitest-environment happy-dom
// Lists of several servers: rows merged, failures named, ids as each server writes them.
import { codes } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../core/call/api.ts'
import { setServerAddress } from '../../core/call/other-servers.ts'
import { fanOut } from '../../core/session/fan-out.ts'
import { type LinkedServer, linkedServersStore, startServers } from '../../core/session/linked-servers.ts'
import { sampleItem } from '../item/sample-item.ts'
import { favoritesOf, followsOf, forgetDrive, searchOf, sharedOf, taggedOf } from './lists.ts'
import './merged-rows.ts'
import { SearchSource } from './search-source.ts'

type Reply = (url: URL, init: RequestInit) => unknown
const asked: { url: URL; body: string }[] = []

/** An answer after some time. */
const later = (ms: number, answer: unknown): Promise<unknown> =>
  new Promise((resolve) => setTimeout(() => resolve(answer), ms))

/** Answers calls by server and path. `undefined` never answers. */
function servers(reply: Reply): void {
  asked.length = 0
  vi.stubGlobal('fetch', (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, 'http://main.test')
    asked.push({ url, body: typeof init.body === 'string' ? init.body : '' })
    const answer = reply(url, init)
    if (answer !== undefined) return Promise.resolve(answer).then((data) => new Response(JSON.stringify(data)))
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  })
}
const ok = (data: unknown) => ({ result: codes.success.code, data, msg: '' })
const refusedWith = (result: number) => ({ result, data: null, msg: '' })
const serverOfUrl = ({ pathname }: URL): number => Number(/^\/linked\/(\d+)\//.exec(pathname)?.[1] ?? 0)

const linked = (serverId: number, serverName: string): LinkedServer => ({
  ...{ serverId, serverName, state: 'ok', since: 0, latencyMs: 0, session: 'signedIn' },
})

beforeEach(() => {
  setServerAddress(1, '/linked/1')
  setServerAddress(2, '/linked/2')
  linkedServersStore.setState({ mainName: '总部', list: [linked(1, '深圳分部'), linked(2, '成都研发')], isKnown: true })
})
afterEach(() => {
  linkedServersStore.setState({ mainName: '', list: [], isKnown: false })
  vi.unstubAllGlobals()
  vi.useRealTimers()
  forgetDrive()
})

// [R344] A call to every server at which the user is signed in leaves out those that fail, and the list names them:
// favourites, recent items, followed, shared and tagged items, the bin and searches.
test('[R344] favourites of all servers are merged by time; one that does not respond is named', async () => {
  const times: Readonly<Record<number, readonly number[]>> = { 0: [50, 20], 1: [40, 10] }
  servers((url) => {
    const serverId = serverOfUrl(url)
    if (serverId === 2) return refusedWith(codes.interconnectedServerNotResponding.code)
    const list = (times[serverId] ?? []).map((favoriteTime) => ({
      ...sampleItem({ fId: favoriteTime, fName: `${serverId}.txt` }),
      favoriteTime,
    }))
    return ok({ list, total: list.length })
  })
  const list = favoritesOf()
  await list.refresh()
  const { items, total } = list.snapshot()
  expect([items.map((item) => [item?.serverId, item?.fId]), total]).toEqual([
    [
      [0, 50],
      [1, 40],
      [0, 20],
      [1, 10],
    ],
    4,
  ])
  expect(list.missing().map(({ serverName, code }) => [serverName, code])).toEqual([
    ['成都研发', 'interconnectedServerNotResponding'],
  ])
})

test('[R344] followed, shared and tagged items of all servers are listed; tags are those of the same name', async () => {
  const row = (url: URL, fId: number, more: object) => ({
    ...sampleItem({ fId, fName: `${serverOfUrl(url)}-${fId}.txt`, ...more }),
  })
  servers((url) => {
    const { pathname } = url
    const serverId = serverOfUrl(url)
    if (pathname.endsWith('/getInterestList'))
      return ok({ list: [{ ...row(url, 1, {}), followedUsers: [], followedGroups: [] }], total: 1 })
    if (pathname.endsWith('/getSharedToMeList')) {
      const shared = { shareTime: [10, 30, 20][serverId], shareNames: ['林夏'], expireTime: null }
      return ok({ list: [{ ...row(url, 2, {}), ...shared }], total: 1 })
    }
    if (pathname.endsWith('/getTagList'))
      return ok({
        list: serverId === 2 ? [] : [{ tagId: serverId === 0 ? 4 : 9, tagName: '合同', colour: 1, count: 1 }],
      })
    const { searchParams } = url
    const sizes = searchParams.get('tagIds') === (serverId === 0 ? '4' : '9') ? [5 + serverId, 1 + serverId] : []
    return ok({ list: sizes.map((fileSize) => row(url, fileSize, { fileSize })), total: sizes.length, tags: [] })
  })
  const rowsOf = async (list: ReturnType<typeof followsOf>) => {
    await list.refresh()
    return list.snapshot().items.map((item) => item?.fName)
  }
  expect(await rowsOf(followsOf(1, ''))).toEqual(['0-1.txt', '1-1.txt', '2-1.txt'])
  expect(await rowsOf(sharedOf('theirs', ''))).toEqual(['1-2.txt', '2-2.txt', '0-2.txt'])
  // A colleague is one of the server of the page.
  expect(await rowsOf(sharedOf('theirs', '', 7))).toEqual(['0-2.txt'])
  expect(await rowsOf(taggedOf([4], '', { sort: 'size', order: 'desc' }))).toEqual([
    '1-6.txt',
    '0-5.txt',
    '1-2.txt',
    '0-1.txt',
  ])
})

// [R377] Time-outs: calls to every server wait 10 s for each linked one.
test('[R344] [R377] a search shows what the server of the page has at once, adds the others as they answer, and names a silent one after ten seconds', async () => {
  vi.useFakeTimers()
  servers((url) => {
    const serverId = serverOfUrl(url)
    if (serverId === 1) return undefined
    const list = [sampleItem({ fId: 7, fName: '展位.png' })]
    const answer = ok({ list, total: 1, scrollId: null, took: 3, highlights: [] })
    return serverId === 0 ? answer : later(2000, answer)
  })
  const list = searchOf({ keyword: '展位' })
  const shown = () => list.snapshot().items.map((item) => item?.itemIdStr)
  await list.refresh()
  expect(shown()).toEqual(['s0f7'])
  expect(list.linked()?.waiting).toEqual(['深圳分部', '成都研发'])
  await vi.advanceTimersByTimeAsync(2100)
  expect(shown()).toEqual(['s0f7', 's2f7'])
  expect([list.linked()?.waiting, list.missing()]).toEqual([['深圳分部'], []])
  await vi.advanceTimersByTimeAsync(7700)
  expect(list.missing()).toEqual([])
  await vi.advanceTimersByTimeAsync(300)
  expect(shown()).toEqual(['s0f7', 's2f7'])
  expect(list.missing().map(({ serverName }) => serverName)).toEqual(['深圳分部'])
  expect(list.linked()?.waiting).toEqual([])
})

test('[R344] the rows of a server that answers late follow behind all others; what is shown stays where it is', async () => {
  vi.useFakeTimers()
  const times: Readonly<Record<number, readonly number[]>> = { 0: [50, 20], 1: [60, 10], 2: [40] }
  let waits = 3000
  servers((url) => {
    const serverId = serverOfUrl(url)
    const from = Number(url.searchParams.get('from') ?? 0)
    const all = (times[serverId] ?? []).map((favoriteTime) => ({
      ...sampleItem({ fId: favoriteTime, fName: `${serverId}.txt` }),
      favoriteTime,
    }))
    const answer = ok({ list: all.slice(from), total: all.length })
    return serverId === 1 ? later(waits, answer) : answer
  })
  const list = favoritesOf()
  const shown = () => list.snapshot().items.map((item) => item?.fId)
  const first = list.refresh()
  await vi.advanceTimersByTimeAsync(400)
  await first
  expect(shown()).toEqual([50, 40, 20])
  expect(list.linked()).toMatchObject({ waiting: ['深圳分部'], late: [] })
  await vi.advanceTimersByTimeAsync(3000)
  expect(shown()).toEqual([50, 40, 20, 60, 10])
  expect(list.linked()).toMatchObject({ waiting: [], late: ['深圳分部'] })
  // Read again, all are merged, and nothing disappears meanwhile.
  waits = 1000
  const again = list.refresh()
  await vi.advanceTimersByTimeAsync(500)
  expect(shown()).toEqual([50, 40, 20, 60, 10])
  await vi.advanceTimersByTimeAsync(1000)
  await again
  expect(shown()).toEqual([60, 50, 40, 20, 10])
  expect(list.linked()?.late).toEqual([])
})

test('[R344] a list whose server has nothing shows what another one adds later', async () => {
  vi.useFakeTimers()
  servers((url) => {
    const serverId = serverOfUrl(url)
    const list = serverId === 2 ? [{ ...sampleItem({ fId: 3, fName: 'c.txt' }), favoriteTime: 1 }] : []
    const answer = ok({ list: url.searchParams.get('from') === '0' ? list : [], total: list.length })
    return serverId === 2 ? later(1000, answer) : answer
  })
  const list = favoritesOf()
  const first = list.refresh()
  await vi.advanceTimersByTimeAsync(400)
  await first
  expect(list.snapshot()).toMatchObject({ status: 'ready', total: 0 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(list.snapshot().items.map((item) => item?.fId)).toEqual([3])
})

test.each([0, 1, 2, 3, 4, 5])(
  '[R344] of three searches with a thousand hits each, one of which fails at its page %i, each hit is there once',
  async (failsAt) => {
    const hits = 1000
    let pages = 0
    servers((url) => {
      const serverId = serverOfUrl(url)
      const { rows, scrollId } = JSON.parse(asked.at(-1)?.body ?? '') as { rows: number; scrollId?: string }
      if (serverId === 1) pages += 1
      if (serverId === 1 && pages > failsAt) return refusedWith(codes.interconnectedServerNotResponding.code)
      const from = Number(scrollId ?? 0)
      const ids = Array.from({ length: Math.min(rows, hits - from) }, (_, n) => from + n + 1)
      const list = ids.map((fId) => sampleItem({ fId, fName: `${serverId}.txt` }))
      const next = from + rows < hits ? String(from + rows) : null
      return ok({ list, total: hits, took: 1, scrollId: next, facets: undefined })
    })
    const source = new SearchSource({ keyword: '合同' })
    const seen: string[] = []
    for (let from = 0; ; ) {
      const page = await source.page({ from }, 100)
      if (page === undefined || page.list.length === 0) break
      seen.push(...page.list.map(({ serverId, fId }) => `${serverId} ${fId}`))
      from += page.list.length
    }
    const given = failsAt === 0 ? 0 : Math.min(hits, 60 + (failsAt - 1) * 200)
    const of = (serverId: number, n: number) => Array.from({ length: n }, (_, k) => `${serverId} ${k + 1}`)
    expect(seen).toEqual([...of(0, hits), ...of(1, given), ...of(2, hits)])
    expect(source.missing().map(({ serverId }) => serverId)).toEqual([1])
  },
)

test('[R344] if the server of the page fails, the call fails', async () => {
  servers((url) => (serverOfUrl(url) === 0 ? refusedWith(codes.serverException.code) : ok({ count: 1 })))
  await expect(fanOut((on) => api.of(on).recycleClean({}))).rejects.toMatchObject({ code: 'serverException' })
})

// [R245] The clean-up is sent to all servers at which the user is signed in, and waits 10 s for each.
test('[R245] emptying the bin is sent to every server', async () => {
  servers((url) => (serverOfUrl(url) === 2 ? refusedWith(codes.interconnectedServerFaulty.code) : ok({ count: 3 })))
  const { answers, missing } = await fanOut((on) => api.of(on).recycleClean({}))
  expect(asked.map(({ url }) => serverOfUrl(url))).toEqual([0, 1, 2])
  expect([answers.map(({ serverId }) => serverId), missing.map(({ serverName }) => serverName)]).toEqual([
    [0, 1],
    ['成都研发'],
  ])
})

// [R376] Calls take the id of a server; ids in them are written as that server writes them, and addresses in its answers
// lead there.
test('[R376] a call to a linked server names its items as it does itself', async () => {
  servers(() => ok({ url: '/services2/preview/x?access_token=t', previewKey: '7-1' }))
  await api.of({ serverId: 2 }).getItemListByItemIdStr({ itemIdStrs: 's2f7,s2f-9' })
  const address = await api.of({ serverId: 2 }).getDocumentPreviewURL({ fileId: 7 })
  expect(decodeURIComponent(asked[0]?.url.href ?? '')).toContain('s0f7,s0f-9')
  expect(address.url).toBe('/linked/2/services2/preview/x?access_token=t')
})

// [R035] A session that ends at a linked server in use leads to its sign-in; whoever declines starts again without it. A
// server that is not in use is only marked.
test('[R035] a session that ends at a linked server is asked for if the window uses it', async () => {
  const account = { accountId: 5, account: 'anna', userId: 5, mustChangePassword: false, needsSecondFactor: false }
  let ended = false
  servers(({ pathname }) => {
    if (pathname.endsWith('/getServerList'))
      return ok({
        list: [
          { isMain: true, serverId: 0, serverName: '总部' },
          { isMain: false, serverId: 1, serverName: '深圳分部', state: 'ok', since: 0, latencyMs: 1 },
        ],
      })
    if (pathname.startsWith('/linked/') && ended) return refusedWith(codes.notLoggedIn.code)
    if (pathname.endsWith('/getServerSetting')) return ok(JSON.stringify({ setting: {} }))
    return ok(pathname.endsWith('/getUserPermissionInfo') ? { capabilities: [] } : account)
  })
  linkedServersStore.setState({ mainName: '', list: [], isKnown: false })
  const said: string[] = []
  let used = false
  const stop = startServers({
    uses: () => used,
    askSignIn: (serverId) => {
      said.push(`ask ${serverId}`)
      return Promise.resolve(false)
    },
    restart: (serverId) => void said.push(`restart ${serverId}`),
    changed: () => undefined,
  })
  const session = () => linkedServersStore.getState().list[0]?.session
  await vi.waitFor(() => expect(session()).toBe('signedIn'), 60_000)
  expect(sessionStorage.getItem('signedInServers')).toContain('/linked/1')
  ended = true
  const call = () => api.of({ serverId: 1 }).getFavoriteList({})
  await expect(call()).rejects.toMatchObject({ code: 'notLoggedIn' })
  expect([said, session()]).toEqual([[], 'noAccount'])
  linkedServersStore.setState(({ list }) => ({ list: list.map((one) => ({ ...one, session: 'signedIn' as const })) }))
  used = true
  await expect(call()).rejects.toMatchObject({ code: 'notLoggedIn' })
  expect(said).toEqual(['ask 1', 'restart 1'])
  stop()
})
