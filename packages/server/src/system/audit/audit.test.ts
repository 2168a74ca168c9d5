// The audit lists, and the detection of changed, removed, inserted or truncated rows.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { certificate } from '../../../test/certificate.ts'
import { openWorld, type Person, requestFor, sharedWorld, type World } from '../../../test/harness.ts'
import { startWrongServer } from '../../../test/mail-server.ts'
import { login } from '../../../test/sign-in.ts'
import { csvCell } from '../../core/csv.ts'
import { purgeChunk } from '../../drive/recycle/index.ts'
import { createSealer } from './seal.ts'
import { createForwarder, messageOf } from './syslog.ts'
import { exportHeads, verifyAudit } from './verify.ts'

/** A collector that accepts messages by RFC 6587 with octet counting. */
async function collector(make: (meet: (socket: Socket) => void) => Server) {
  let received = Buffer.alloc(0)
  const sockets = new Set<Socket>()
  const server = make((socket) => {
    sockets.add(socket)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
    })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(close)
  return {
    port: (server.address() as AddressInfo).port,
    close,
    open: () => sockets.size,
    messages(): string[] {
      const found: string[] = []
      for (let at = 0; at < received.length; ) {
        const space = received.indexOf(' ', at)
        const length = Number(received.subarray(at, space).toString())
        if (space < 0 || received.length < space + 1 + length) break
        found.push(received.subarray(space + 1, space + 1 + length).toString())
        at = space + 1 + length
      }
      return found
    },
  }
}

/** Seals all committed rows. */
async function seal(world: World, now = Date.now): Promise<void> {
  const sealer = createSealer(world.app.db, now)
  while (await sealer());
}

const verified = ({ app }: World, options?: Parameters<typeof verifyAudit>[2]) =>
  verifyAudit(app.db, app.services.blobs, options)

describe('[R190] what is looked for in the audit', () => {
  const world = sharedWorld({ elected: false })
  let admin: Person
  let anna: Person
  let folderId: number
  let fileId: number
  beforeAll(async () => {
    admin = await world.admin()
    anna = await world.person('anna')
    folderId = await anna.folder(anna.library, '合同归档')
    fileId = await anna.upload(folderId, '采购.txt')
    await anna.call('renameFile', { fileId, fileName: '采购框架.txt' })
    await anna.shares({ folderId }, [{ to: await world.person('ben'), rights: 6 }])
    await login(world, { userName: anna.account, password: 'wrong' }, { address: '203.0.113.58' })
    await admin.call('setServerSetting', { export_sub_file: false })
    await seal(world)
  })

  const found = async (filters: object): Promise<string[]> =>
    (await admin.call('getAuditList', filters)).list.map(({ call }) => call)

  test('is found by who, what, which item, when, from where, and whether it was refused', async () => {
    expect((await found({ accountId: anna.userId, kind: 'signIn' })).sort()).toEqual(['login3', 'login3'])
    expect(await found({ accountId: anna.userId, kind: 'file' })).toEqual(['renameFile', 'uploadRaw', 'folderCreate'])
    expect(await found({ kind: 'rights' })).toEqual(['setShareList'])
    expect(await found({ kind: 'administration', rows: 1 })).toEqual(['setServerSetting'])
    expect(await found({ itemId: fileId })).toEqual(['renameFile', 'uploadRaw'])
    expect(await found({ itemName: '采购' })).toEqual(['renameFile', 'uploadRaw'])
    expect(await found({ itemName: '没有这个' })).toEqual([])
    expect(await found({ address: '203.0.113.58' })).toEqual(['login3'])
    expect(await found({ refused: 'true', kind: 'signIn' })).toEqual(['login3'])
    expect(await found({ since: Date.now() + 60_000 })).toEqual([])
    expect(await found({ until: Date.now() - 3_600_000 })).toEqual([])
  })

  test('says who it was, from where, about what, and how it ended', async () => {
    const { list } = await admin.call('getAuditList', { kind: 'rights' })
    expect(list[0]).toMatchObject({
      by: { userId: anna.userId, account: anna.account, groupName: '公司' },
      items: [{ fId: folderId, fType: 2, fName: '合同归档' }],
      itemCount: 1,
      refused: '',
    })
    const [refused] = (await admin.call('getAuditList', { refused: 'true' })).list
    expect(refused).toMatchObject({ refused: 'wrongPassword', address: '203.0.113.58' })
  })

  test('says what an item was called that has been deleted for good', async () => {
    const model = await anna.folder(anna.library, '样子')
    await anna.folder(model, '里面')
    const gone = await anna.folder(anna.library, '不再需要')
    const copies = { folderIdArray: [model], targetFolderId: gone }
    const copied = (await anna.call('fileOrFolderCopy', copies))[0]?.fId ?? 0
    await seal(world)
    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [gone], withDeleted: true })
    while ((await purgeChunk(world.app.db)) > 0);
    // Items inside the copy were never named on their own, so their names are not retained.
    const kept = await world.app.db.selectFrom('gone_item').select(['id', 'name']).execute()
    expect(kept.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: gone, name: '不再需要' },
      { id: copied, name: '样子' },
    ])
    await seal(world)
    const { list } = await admin.call('getAuditList', { itemId: gone })
    expect(list.map(({ call, items }) => [call, items])).toEqual([
      ['fileOrFolderCompleteDelete', [{ fId: gone, fType: 2, fName: '不再需要' }]],
      ['fileOrFolderCopy', expect.arrayContaining([{ fId: copied, fType: 2, fName: '样子' }])],
      ['folderCreate', expect.arrayContaining([{ fId: gone, fType: 2, fName: '不再需要' }])],
    ])
  })

  test('names whom and which library an act of administration was about', async () => {
    const carl = await world.person('carl')
    await admin.call('setAccountState', { userId: carl.userId, state: 'frozen' })
    await admin.call('changeLibrary', { libraryId: carl.library, quota: 5 })
    await admin.call('changePeople', { userIds: [carl.userId, anna.userId], state: 'normal' })
    await seal(world)
    const { list } = await admin.call('getAuditList', { kind: 'administration', rows: 3 })
    const [many, library, state] = list
    expect(many).toMatchObject({ call: 'changePeople', peopleCount: 2 })
    expect(many?.people.map(({ userId }) => userId)).toEqual([carl.userId, anna.userId])
    expect(library).toMatchObject({ items: [{ fId: carl.library, fType: 2, fName: carl.account }], people: [] })
    expect(state?.people).toEqual([{ userId: carl.userId, account: carl.account, accountName: carl.account }])
  })

  test('says what was downloaded most often in the last days, by the audit alone', async () => {
    const world = await openWorld({ elected: false })
    const admin = await world.admin()
    const anna = await world.person('anna')
    await anna.upload(anna.library, 'never.txt', 'c')
    const often = await anna.upload(anna.library, 'often.txt', 'a')
    const once = await anna.upload(anna.library, 'once.txt', 'b')
    const take = (fileId: number) =>
      world.app.http.inject({
        url: `/DownloadServlet?fileId=${fileId}`,
        headers: { authorization: `Bearer ${anna.token}` },
      })
    for (const fileId of [often, once, often, 999_999]) await take(fileId)
    await seal(world)
    await seal(world)
    const top = async (input: object = {}) => admin.call('getTopDownloads', { ...input })
    const { list, total } = await top()
    expect(list).toMatchObject([
      { fId: often, fType: 1, fName: 'often.txt', libraryName: 'anna', downloads: 2, isDeleted: false },
      { fId: once, downloads: 1 },
    ])
    expect(total).toBe(2)
    expect((await top({ from: 1, rows: 1 })).list).toMatchObject([{ fId: once }])
    await anna.call('fileOrFolderDelete', { fileIdArray: [often] })
    expect((await top()).list[0]).toMatchObject({ fName: 'often.txt', isDeleted: true })
    await sql`update audit_download set day = day - 40`.execute(world.app.db)
    expect((await top()).list).toEqual([])
    expect((await top({ days: 60 })).list).toHaveLength(2)
  })

  test('comes in pages that neither repeat nor leave out', async () => {
    const whole = (await admin.call('getAuditList', { rows: 500 })).list.map(({ seq }) => seq)
    const paged: number[] = []
    let after: { afterAt: number; afterSeq: number } | object = {}
    for (;;) {
      const { list, more }: { list: { at: number; seq: number }[]; more: boolean } = await admin.call('getAuditList', {
        rows: 3,
        ...after,
      })
      paged.push(...list.map(({ seq }) => seq))
      const last = list.at(-1)
      if (!more || last === undefined) break
      after = { afterAt: last.at, afterSeq: last.seq }
    }
    expect(paged).toEqual(whole)
    expect(whole.length).toBeGreaterThan(8)
  })

  test('is taken along as CSV that no program takes for formulas, and as JSON; both are on record', async () => {
    const eve = await anna.folder(folderId, '=1+1')
    await seal(world)
    const get = async (format: 'csv' | 'json') =>
      world.app.http.inject(requestFor('exportAudit', { format, itemId: eve }, admin.token))
    await anna.call('renameFolder', { folderId: eve, folderName: '=2+3' })
    await seal(world)
    const csv = await get('csv')
    expect(csv.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(csv.body.trim().split('\r\n')).toHaveLength(3)
    const json = await get('json')
    expect(JSON.parse(json.body.split('\n')[0] ?? '')).toMatchObject({ call: 'renameFolder', itemCount: 1 })
    for (const [text, cell] of [
      ['=1+1', "'=1+1"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['-2', "'-2"],
      ['a"b,c', '"a""b,c"'],
      ['\t=1', "'\t=1"],
    ] as const)
      expect(csvCell(text)).toBe(cell)
    await seal(world)
    expect(await found({ kind: 'administration', rows: 2 })).toEqual(['exportAudit', 'exportAudit'])
  })

  test('[R286] names departments, roles, tags, watermarks, imported people and reported items, also once they are gone', async () => {
    const { groupId } = await admin.call('createGroup', { groupName: '审计一部', parentId: 0 })
    const { roleId } = await admin.call('createRole', { roleName: '审计角色' })
    await admin.call('renameRole', { roleId, roleName: '审计角色二' })
    await admin.call('deleteRole', { roleId })
    const { tagId } = await admin.call('saveCompanyTag', { tagName: '审计标签', colour: 'red' })
    await admin.call('deleteCompanyTag', { tagId })
    await admin.call('setGroupManagers', { groupId, userIds: [] })
    await admin.call('getAccessReport', { folderId })
    await seal(world)
    const { list } = await admin.call('getAuditList', { rows: 20, accountId: admin.userId })
    const named = (call: string) => list.find((one) => one.call === call)
    expect(named('createGroup')?.objects).toEqual(['审计一部'])
    expect(named('createRole')?.objects).toEqual(['审计角色'])
    expect(named('renameRole')?.objects).toEqual(['审计角色 → 审计角色二'])
    expect(named('deleteRole')?.objects).toEqual(['审计角色二'])
    expect(named('saveCompanyTag')?.objects).toEqual(['审计标签'])
    expect(named('deleteCompanyTag')?.objects).toEqual(['审计标签'])
    expect(named('setGroupManagers')?.objects).toEqual(['审计一部'])
    expect(named('getAccessReport')?.items.map(({ fId }) => fId)).toEqual([folderId])
  })

  test('[R286] a CSV file has the words and the time zone of the company, and no names of calls', async () => {
    await admin.call('setSafeStrategy', { download_time_zone: 'Asia/Shanghai' })
    const made = await anna.folder(folderId, '时区')
    await admin.call('setFolderReadOnly', { folderIdArray: [made], readOnly: true })
    await seal(world)
    const at = (await admin.call('getAuditList', { rows: 1, itemId: made })).list[0]?.at ?? 0
    const csv = async (language: string) => {
      const request = requestFor('exportAudit', { itemId: made }, admin.token)
      const headers = { ...request.headers, 'accept-language': language }
      return (await world.app.http.inject({ ...request, headers })).body
    }
    const zh = await csv('zh-CN')
    const shanghai = new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    expect(zh).toContain(`时间（Asia/Shanghai）`)
    expect(zh).toContain(shanghai)
    expect(zh).toContain('文件操作')
    expect(zh).not.toMatch(/folderCreate|setFolderReadOnly|[{}]/)
    const en = await csv('en')
    expect(en).toContain('Time (Asia/Shanghai)')
    expect(en).toContain('Success')
    expect(en).not.toMatch(/folderCreate|setFolderReadOnly|[{}]/)
  })

  test('[R190] whoever loads a file into the editor has edited it, and whoever holds no lock has downloaded it', async () => {
    const fileId = await anna.upload(folderId, 'edited.txt')
    const logged = async () => {
      await seal(world)
      return (await admin.call('getAuditList', { rows: 20, itemId: fileId })).list.map(({ call }) => call)
    }
    await world.app.http.inject(requestFor('downloadServlet', { fileId, forEdit: true }, anna.token))
    expect(await logged()).toContain('downloadServlet')
    await anna.call('fileEditLock', { fileId })
    const before = (await logged()).length
    await world.app.http.inject(requestFor('downloadServlet', { fileId, forEdit: true }, anna.token))
    const after = await logged()
    expect(after.length).toBe(before + 1)
    expect(after[0]).toBe('editContent')
    const { list } = await admin.call('getTopDownloads', {})
    expect(list.find(({ fId }) => fId === fileId)?.downloads).toBe(1)
  })

  test('is forwarded by syslog in the order of the chain; a collector that was away gets what it missed, over TLS as well', async () => {
    const times = { connectMs: 300, writeMs: 300, firstRetryMs: 0, lastRetryMs: 0, doubtMs: 0 }
    const forward = createForwarder(world.app.services, times)
    const ends = new AbortController()
    onTestFinished(() => ends.abort())
    const run = async (): Promise<void> => {
      await seal(world)
      while (await forward(ends.signal));
    }
    const to = (port: number, syslog_transport: 'tcp' | 'tls') =>
      admin.call('setServerSetting', {
        syslog_host: 'localhost',
        syslog_port: port,
        syslog_transport,
        syslog_ca: certificate.cert.trim().split('\n'),
      })
    const first = await collector((meet) => createServer(meet))
    await to(first.port, 'tcp')
    await run()
    const before = (await admin.call('getAuditList', { rows: 1 })).list[0]?.seq ?? 0
    const made = await anna.folder(folderId, '引]号 一')
    await run()
    await expect.poll(() => first.messages().length).toBeGreaterThan(0)
    const [message = ''] = first.messages().filter((one) => one.includes('folderCreate'))
    expect(message).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ cloudoc - folderCreate \[cloudoc@32473 seq="\d+" /)
    expect(message).toContain(` account="${anna.account}" `)
    expect(message).toContain(`] \ufeff${anna.account} | folderCreate | d`)
    // First the collector is down, then it accepts the connection but does not answer: nothing blocks, and the problem
    // is reported.
    first.close()
    await expect.poll(() => first.open()).toBe(0)
    await anna.call('renameFolder', { folderId: made, folderName: '改名' })
    await login(world, { userName: anna.account, password: 'wrong' }, { address: '203.0.113.59' })
    await to(await startWrongServer(() => {}), 'tls')
    await run()
    const stands = await admin.call('getSyslogStatus', {})
    expect(stands).toMatchObject({ problem: 'timed out' })
    expect(stands.waiting).toBeGreaterThan(1)
    const second = await collector((meet) => createTlsServer(certificate, meet))
    await to(second.port, 'tls')
    await run()
    await expect.poll(() => second.messages().some((one) => one.includes(' setServerSetting '))).toBe(true)
    const seqs = second.messages().map((one) => Number(/seq="(\d+)"/.exec(one)?.[1]))
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(seqs.every((seq) => seq > before)).toBe(true)
    expect(second.messages().find((one) => one.includes('renameFolder'))).toContain('改名')
    expect(second.messages().find((one) => one.includes('203.0.113.59'))).toMatch(/^<108>.*result="wrongPassword"/)
    expect(await admin.call('getSyslogStatus', {})).toMatchObject({ waiting: 0, problem: '' })
    expect(await anna.refusal('getSyslogStatus', {})).toBe('noPermission')
    await admin.call('setServerSetting', { syslog_host: '', syslog_ca: [] })
  })

  test('is forwarded over UDP, one datagram for each row, none longer than receivers must take', async () => {
    const forward = createForwarder(world.app.services)
    const ends = new AbortController()
    onTestFinished(() => ends.abort())
    const run = async (): Promise<void> => {
      await seal(world)
      while (await forward(ends.signal));
    }
    const received: Buffer[] = []
    const socket = createSocket('udp4', (message) => received.push(message))
    onTestFinished(() => void socket.close())
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const to = { syslog_host: '127.0.0.1', syslog_port: socket.address().port, syslog_transport: 'udp' as const }
    await admin.call('setServerSetting', to)
    await run()
    await anna.folder(folderId, `udp ${'长'.repeat(100)}`)
    await run()
    const folders = () => received.map(String).filter((message) => message.includes(' folderCreate '))
    await expect.poll(() => folders().length).toBe(1)
    expect(folders()[0]).toMatch(
      /^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ cloudoc - folderCreate \[cloudoc@32473 seq="\d+" /,
    )
    expect(Math.max(...received.map(({ length }) => length))).toBeLessThanOrEqual(2048)
    expect(await admin.call('getSyslogStatus', {})).toMatchObject({ waiting: 0, problem: '' })
    await admin.call('setServerSetting', { syslog_host: '' })
  })

  test('a message is one line, escapes what ends a value, and is cut between characters', () => {
    const entry = {
      seq: 7,
      at: 0,
      kind: 'file',
      call: 'renameFile',
      by: null,
      outsider: 'a"b\\c]\nd',
      address: '::1',
      items: [{ fId: 1, fType: 1, fName: '行\r\n二' }],
      itemCount: 1,
      people: [],
      peopleCount: 0,
      objects: [],
      refused: '',
      detail: JSON.stringify({ name: '长'.repeat(5000) }),
      hash: 'ab',
    } as const
    const text = messageOf(
      { ...entry, items: [...entry.items], people: [], objects: [] },
      'udp',
      'host name',
    ).toString()
    expect(text).toMatch(
      /^<110>1 1970-01-01T00:00:00.000Z host_name cloudoc - renameFile \[cloudoc@32473 seq="7" kind="file" outsider="a\\"b\\\\c\\\] d" /,
    )
    expect(text).not.toMatch(/[\p{Cc}\ufffd]/u)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048)
    expect(Buffer.byteLength(text)).toBeGreaterThan(2044)
  })

  test('nobody but the audit administrator reads it', async () => {
    expect(await anna.refusal('getAuditList', {})).toBe('noPermission')
    const refused = await world.app.http.inject(requestFor('exportAudit', {}, anna.token))
    expect(refused.json()).toMatchObject({ result: codes.noPermission.code })
  })
})

describe('the chain of the audit', () => {
  async function chained(): Promise<World> {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    for (let i = 0; i < 12; i += 1) await anna.folder(anna.library, `f${i}`)
    await seal(world)
    return world
  }
  const idOf = async (world: World, seq: number): Promise<number> =>
    (await world.app.db.selectFrom('audit_seal').select('audit_id').where('seq', '=', seq).executeTakeFirstOrThrow())
      .audit_id

  test('is whole, also after more has happened and while it is written by many', async () => {
    const world = await chained()
    const anna = await world.signIn('anna')
    await Promise.all(Array.from({ length: 20 }, (_, i) => anna.folder(anna.library, `g${i}`)))
    await Promise.all([seal(world), seal(world)])
    const { rows, problemCount } = await verified(world)
    expect(problemCount).toBe(0)
    const { n } = await world.app.db
      .selectFrom('audit')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(rows).toBe(n)
  })

  test('one row that was changed is named, whatever of it', async () => {
    for (const change of [
      sql`call = 'nothing'`,
      sql`detail = detail || '{"a":1}'`,
      sql`account_id = 1`,
      sql`at = at + 1`,
      sql`items = '{1,2}'`,
    ]) {
      const world = await chained()
      const id = await idOf(world, 5)
      await sql`update audit set ${change} where id = ${id}`.execute(world.app.db)
      expect((await verified(world)).problems).toEqual([{ what: 'altered', seq: 5, auditId: id, count: 1 }])
      await world.close()
    }
  })

  test('one row that was removed is named, with its seal or without', async () => {
    const world = await chained()
    const id = await idOf(world, 7)
    await sql`delete from audit where id = ${id}`.execute(world.app.db)
    expect((await verified(world)).problems).toEqual([{ what: 'removed', seq: 7, auditId: id, count: 1 }])
    await sql`delete from audit_seal where seq = 7`.execute(world.app.db)
    expect((await verified(world)).problems[0]).toEqual({ what: 'removed', seq: 7, auditId: 0, count: 1 })
  })

  test('one row that was inserted is named: late in the past, between two, or behind the signed end', async () => {
    let time = Date.now()
    const world = await openWorld({ elected: false, now: () => time })
    const anna = await world.person('anna')
    for (let i = 0; i < 6; i += 1) await anna.folder(anna.library, `f${i}`)
    const { db } = world.app
    // A gap in the ids, as a rolled-back transaction leaves.
    await sql`select nextval(pg_get_serial_sequence('audit', 'id'))`.execute(db)
    const { rows } = await sql<{ id: number }>`select last_value as id from audit_id_seq`.execute(db)
    const hole = rows[0]?.id ?? 0
    await anna.folder(anna.library, 'last')
    const sealer = createSealer(db, () => time)
    await sealer()
    time += 61_000
    // `settled` also waits for transactions of other databases in the cluster.
    const settled = async (): Promise<number> => {
      await sealer()
      const head = await db
        .selectFrom('audit_head')
        .select('settled')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return head?.settled ?? 0
    }
    await expect.poll(settled, { timeout: 120_000 }).toBeGreaterThan(hole)
    expect((await verified(world)).problemCount).toBe(0)
    const values = sql`${time}, ${anna.userId}, 'uploadRaw', '', '{}', '{}'`
    await sql`insert into audit (id, at, account_id, call, address, items, detail)
      overriding system value values (${hole}, ${values})`.execute(db)
    while (await sealer());
    expect((await verified(world)).problems).toEqual([{ what: 'inserted', seq: 0, auditId: hole, count: 1 }])
    await sql`delete from audit where id = ${hole}`.execute(db)

    // By an attacker who knows how the chain is computed but cannot sign.
    const end = await db.selectFrom('audit_seal').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()
    await sql`insert into audit_seal select seq + 1, audit_id + 1000, kind, at, account_id, address, refused,
      sha256(hash || 'x') from audit_seal where seq = ${end.seq}`.execute(db)
    const behind = await verified(world)
    expect(behind.problems).toContainEqual({ what: 'inserted', seq: end.seq + 1, auditId: 0, count: 1 })
  })

  test('a cut end is found, and with heads that were kept elsewhere also where its heads went with it', async () => {
    const world = await chained()
    const { db } = world.app
    const kept = await exportHeads(db)
    const last = kept.heads.at(-1)?.seq ?? 0
    await sql`delete from audit where id in (select audit_id from audit_seal where seq > ${last - 3})`.execute(db)
    await sql`delete from audit_seal where seq > ${last - 3}`.execute(db)
    const cut = { what: 'cut', seq: last - 2, auditId: 0, count: 3 }
    expect((await verified(world)).problems).toEqual([cut])
    await sql`delete from audit_head`.execute(db)
    expect((await verified(world, { exported: kept })).problems).toContainEqual(cut)
  })

  test('a chain that was made anew from some row on is not the one that was signed', async () => {
    const world = await chained()
    const { db } = world.app
    await sql`update audit_head set hash = sha256(hash)`.execute(db)
    expect((await verified(world)).problems.map(({ what }) => what)).toEqual(['head'])
  })

  test('is computed again when the audit administrator asks, which is on record', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    await seal(world)
    await admin.call('verifyAudit', {})
    await expect
      .poll(async () => (await admin.call('getAuditVerification', {})).last)
      .toMatchObject({ problemCount: 0 })
    expect((await admin.call('getAuditVerification', {})).progress).toBeNull()
    const { list } = await admin.call('getAuditList', { kind: 'administration', rows: 500 })
    await seal(world)
    expect(list.map(({ call }) => call).includes('verifyAudit') || list.length > 0).toBe(true)
  })
})
