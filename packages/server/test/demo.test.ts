// `npm start -- --demo` on a whole server: what the README promises of the demo company is there.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoCompany, demoPassword, fillWithDemo } from '@cloudoc/devkit/demo'
import { codes, rightsGroup } from '@cloudoc/domain'
import { expect, inject, test } from 'vitest'
import { emptyDocument } from '../src/drive/files/index.ts'
import { openWorld, password } from './harness.ts'

/** Of the folder of 10,000 files, unless all of them are wanted, so many are sent and the others believed. */
const ofTheLargeFolder = inject('full') ? 10_000 : 70

test('an empty installation is filled through its own calls, and one that is in use stays as it is', async () => {
  const world = await openWorld({ elected: false })
  const said: string[] = []
  let tickets = 0
  const fill = () =>
    fillWithDemo({
      adminPassword: password,
      emptyDocument,
      say: (line) => void said.push(line),
      async send({ method, path, headers, body }) {
        if (/ 服务工单 /.test(new URLSearchParams(path).get('fileName') ?? '')) {
          tickets += 1
          if (tickets > ofTheLargeFolder) return { result: codes.success.code, data: null, msg: '' }
        }
        const payload = typeof body === 'string' || body === undefined ? body : Buffer.from(body)
        const response = await world.app.http.inject({
          method,
          url: path,
          headers,
          ...(payload !== undefined && { payload }),
        })
        return response.json()
      },
    })
  expect(await fill()).toBe(true)
  expect(tickets).toBe(10_000)

  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const promised = [...readme.matchAll(/^\| `(\w+)` (\S+) \|.*\| `([^`]+)` \|$/gm)]
  expect(promised.length).toBe(4)
  for (const [, account = '', name = '', shown = ''] of promised) {
    const person = await world.signIn(account, 6, shown)
    expect(await person.call('getMyAccountInfo', {})).toMatchObject({ account, accountName: name })
  }
  const admin = await world.signIn('admin')
  expect((await admin.call('getAllAccount', {})).total).toBe(demoCompany.people.length + 1)
  const linxia = await world.signIn('linxia', 7, demoPassword)
  const { list: roots } = await linxia.call('getRootFolderSetting', {})
  expect(roots.find(({ kind }) => kind === 'company')?.rights).toBe(rightsGroup.full)
  const tianye = await world.signIn('tianye', 7, demoPassword)
  const { list: found } = await tianye.call('searchDoc', { keyword: 'gdgd' })
  const large = found.find(({ fType }) => fType === 2)?.fId ?? expect.fail('no large folder')
  expect((await tianye.call('getSubItemList3', { folderId: large })).total).toBe(ofTheLargeFolder)

  expect(await fill()).toBe(false)
  expect(said.at(-1)).toMatch(/only an empty installation/)
}, 120_000)
