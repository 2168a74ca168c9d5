import { type SheetColumn, sheetColumns } from '@cloudoc/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, password, sharedWorld } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { Pauses } from '../../../test/pauses.ts'

const pauses = new Pauses()
const world = sharedWorld({ pause: pauses.at })
let admin: Person
beforeAll(async () => {
  admin = await world.admin()
})

const row = (cells: Partial<Record<SheetColumn, string>>): string[] => sheetColumns.map((column) => cells[column] ?? '')

/** The number of rows of each kind. */
async function counts() {
  const { rows } = await sql`
    select (select count(*) from account) as accounts, (select count(*) from org_group) as groups,
      (select count(*) from library) as libraries, (select count(*) from item) as items,
      (select count(*) from role_account) as roles`.execute(world.app.db)
  return rows[0]
}

describe('people from a table', () => {
  // [R347] People are imported from Excel and CSV, validated and corrected row by row, all or none, and exported in the
  // same format.
  test('[R347] each row says what is wrong in which cell; with one wrong row nothing is written', async () => {
    await world.group('表格部')
    await admin.call('createRole', { roleName: '表格角色' })
    await admin.call('createAccount', { account: 'taken', accountName: '王敏', password, groupId: 0 })
    const wrong: [Partial<Record<SheetColumn, string>>, SheetColumn, string][] = [
      [{ account: 'a1' }, 'accountName', 'missing'],
      [{ accountName: '甲' }, 'account', 'missing'],
      [{ accountName: '甲', account: 'a b' }, 'account', 'illegal'],
      [{ accountName: '另一个', account: 'TAKEN' }, 'account', 'taken'],
      [{ accountName: '甲', account: 'ok1' }, 'account', 'twice'],
      [{ accountName: '甲', account: 'a2', group: '没有这个部门' }, 'group', 'noGroup'],
      [{ accountName: '甲', account: 'a3', level: '超密' }, 'level', 'noLevel'],
      [{ accountName: '甲', account: 'a4', roles: '表格角色、没有的' }, 'roles', 'noRole'],
      [{ accountName: '甲', account: 'a5', expiry: '2026-02-30' }, 'expiry', 'badDate'],
      [{ accountName: '甲', account: 'a6', email: 'at.home' }, 'email', 'badMail'],
      [{ accountName: '甲', account: 'a7', phone: '1'.repeat(33) }, 'phone', 'illegal'],
      [{ accountName: '系统管理员', account: 'admin', expiry: '2030-01-01' }, 'expiry', 'own'],
    ]
    const rows = [row({ accountName: '好', account: 'OK1', group: '表格部' }), ...wrong.map(([cells]) => row(cells))]
    const checked = await admin.call('checkPeople', { rows })
    expect(checked.list.map(({ problems }) => problems.map(({ column, problem }) => [column, problem]))).toEqual([
      [],
      ...wrong.map(([, column, problem]) => [[column, problem]]),
    ])
    expect(checked.list[0]?.what).toBe('new')
    expect(checked.groups).toEqual(['没有这个部门'])
    const before = await counts()
    expect(await admin.call('importPeople', { rows })).toMatchObject({ ...checked, done: false, userIds: [] })
    expect(await counts()).toEqual(before)
  })

  test('[R347] new people come with their departments and libraries, those there are changed in what is written, and what is exported goes in again as the same', async () => {
    const { groupId } = await world.group('销售')
    await admin.call('createRole', { roleName: '经理' })
    const { userId } = await admin.call('createAccount', {
      account: 'known',
      accountName: '李思远',
      password,
      groupId,
      secretLevel: 1,
    })
    const rows = [
      row({
        accountName: '林夏',
        account: 'linxia',
        group: '销售/华东/上海',
        level: '秘密',
        roles: '经理',
        expiry: '2030/1/31',
      }),
      row({ accountName: '李远', account: 'Known', title: '顾问', group: '公司 / 销售 / 华东' }),
      row({ accountName: '周航', account: 'zhouhang' }),
    ]
    const given = { rows, newGroups: ['销售/华东/上海', '销售 / 华东'], same: [1], offset: -480 }
    const { done, userIds, updated } = await admin.call('importPeople', given)
    expect([done, userIds.length, updated]).toEqual([true, 2, 1])
    const [linxia] = (await admin.call('getPeople', { keyword: 'linxia' })).list
    expect(linxia).toMatchObject({ groupName: '上海', secretLevel: 2, roles: ['经理'], waiting: true })
    expect(linxia?.expireTime).toBe(Date.UTC(2030, 0, 31, 16))
    expect(await admin.call('getPerson', { userId })).toMatchObject({
      accountName: '李远',
      title: '顾问',
      groupPath: '公司 / 销售 / 华东',
      secretLevel: 1,
      account: 'known',
    })
    const { rows: libraries } = await sql<{ name: string }>`
      select i.name from library l join item i on i.id = l.id where l.owner_id = any(${userIds}) order by i.name_sort`.execute(
      world.app.db,
    )
    expect(libraries.map(({ name }) => name)).toEqual(['林夏', '周航'])
    const [link] = (await admin.call('createPasswordLinks', { userIds })).list
    await world.wire('setPasswordByLink', { linkCode: link?.linkCode ?? '', newPassword: 'Other#2027' })
    const hers = await world.signIn('linxia', 6, 'Other#2027')
    const file = await hers.upload(hers.library, '第一份.txt')
    expect(await hers.call('getFileInfo', { fileId: file })).toMatchObject({ fName: '第一份.txt' })

    const exported = []
    for (let after = 0, more = true; more; more = after !== 0) {
      const page = await admin.call('getPeopleSheet', { after, rows: 2, offset: -480 })
      exported.push(...page.rows)
      after = page.after
    }
    const again = await admin.call('checkPeople', { rows: exported, offset: -480 })
    expect(again.list.filter(({ what }) => what !== 'same')).toEqual([])
  })

  test('of two imports of the same people at once one makes them, and the other finds them there', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => row({ accountName: `同时${n}`, account: `at-once-${n}` }))
    const answers = await Promise.all([admin.call('importPeople', { rows }), admin.call('importPeople', { rows })])
    expect(answers.map(({ done }) => done)).toEqual([true, true])
    expect(answers.map(({ userIds }) => userIds.length).toSorted((a, b) => a - b)).toEqual([0, 50])
  })

  test('[R349] an import that would make too many accounts says by how many, and makes none', async () => {
    const small = await openWorld()
    const boss = await small.admin()
    await boss.call('setAccountLimit', { accountLimit: 3 })
    const rows = Array.from({ length: 4 }, (_, n) => row({ accountName: `多${n}`, account: `many-${n}` }))
    expect(await boss.call('importPeople', { rows })).toMatchObject({ over: 2, done: false })
    expect((await boss.call('importPeople', { rows: rows.slice(0, 2) })).done).toBe(true)
  })

  // [R347] An import shows its progress and can be cancelled until commit: then none or all is stored; on the screen
  // too.
  test('[R347] an import says how far it is, and is called off up to its last moment: then nothing is there, or all of it', async () => {
    const [importId, late] = ['an-import-of-people-1', 'an-import-of-people-2']
    const rows = Array.from({ length: 2500 }, (_, n) =>
      row({ accountName: `进度${n}`, account: `far-${n}`, group: `进度部${n % 10}` }),
    )
    const given = { rows, newGroups: [...new Set(rows.map((cells) => cells[2] ?? ''))] }
    // No account is created while an import runs.
    const other = await world.person('other')
    await admin.call('setPowerHolders', { power: 'system', userIds: [other.userId] })
    const people = async () => {
      const { rows: found } = await sql<{ n: number }>`select count(*)::int as n from account`.execute(world.app.db)
      return found[0]?.n ?? 0
    }
    const before = await people()
    // Another transaction holds the last of these accounts, so the import waits in the middle.
    const beside = extraConnections(world)
    const hold = Promise.withResolvers<void>()
    const held = beside.transaction().execute(async (tx) => {
      await sql`
        insert into account (account, account_key, name, name_sort, search_text, password_hash, group_id, created_at)
        select 'far-2400', 'far-2400', '', '', '', '', min(id), 0 from org_group`.execute(tx)
      await hold.promise
      throw new Error('taken back')
    })
    const stop = pauses.hold('commit importPeople')
    const asked = admin.call('importPeople', { ...given, importId })
    await lockIsWaitedFor(beside, '%insert into account%')
    const far = () => admin.call('getImportProgress', { importId })
    await expect.poll(far).toMatchObject({ stage: 'people' })
    expect((await far()).progress).toBeLessThan(650)
    expect(await admin.refusal('importPeople', { ...given, importId })).toBe('badRequest')
    hold.resolve()
    await expect(held).rejects.toThrow('taken back')
    await stop.reached
    await expect.poll(far).toEqual({ stage: 'libraries', progress: 650, written: 2500 })
    expect(await other.refusal('getImportProgress', { importId })).toBe('notFound')
    expect(await other.refusal('cancelImport', { importId })).toBe('notFound')
    expect(await admin.call('cancelImport', { importId })).toEqual({ cancelled: true })
    stop.release()
    expect(await asked).toMatchObject({ done: false, cancelled: true, userIds: [] })
    expect(await people()).toBe(before)

    // A cancellation after the end answers that the import was done.
    expect(await admin.call('importPeople', { ...given, importId: late })).toMatchObject({
      done: true,
      cancelled: false,
    })
    expect(await admin.call('cancelImport', { importId: late })).toEqual({ cancelled: false })
    expect(await admin.call('getImportProgress', { importId: late })).toMatchObject({ stage: 'ended' })
    expect(await people()).toBe(before + 2500)
  })

  test('an import that nobody waits for any more writes nothing', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) =>
      row({ accountName: `取消${n}`, account: `gone-${n}`, group: `取消部${n % 20}` }),
    )
    const newGroups = [...new Set(rows.map((cells) => cells[2] ?? ''))]
    const before = await counts()
    const gone = new AbortController()
    const url = `http://127.0.0.1:${await world.port()}/services2/organization/importPeople`
    const asked = fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rows, newGroups }),
      signal: gone.signal,
    })
    // The import is running once it holds the lock.
    await expect
      .poll(
        async () => {
          const { rows: held } = await sql`select 1 from pg_locks l join pg_class c on c.oid = l.relation
          where c.relname = 'account' and l.mode = 'RowExclusiveLock'`.execute(world.app.db)
          return held.length
        },
        { interval: 5 },
      )
      .toBeGreaterThan(0)
    gone.abort()
    await expect(asked).rejects.toThrow()
    await admin.call('createGroup', { groupName: '之后', parentId: 0 })
    expect(await counts()).toMatchObject({ accounts: (before as { accounts: number }).accounts })
  })
})
