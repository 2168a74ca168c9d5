// Editing with a local program: what the control program on the machine receives, and what it may do ([R182], [R362]).
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { codes, localEditAddress } from '@cloudoc/domain'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Opened } from '../../../test/control-program.ts'
import { openWorld, Person, type World } from '../../../test/harness.ts'

let program: ChildProcess
let world: World
let anna: Person
let fileId = 0
let shift = 0
let people = 0

beforeAll(async () => {
  program = fork(fileURLToPath(new URL('../../../test/control-program.ts', import.meta.url)), { stdio: 'inherit' })
  ;[world] = await Promise.all([openWorld({ elected: false, now: () => Date.now() + shift }), once(program, 'message')])
})
afterAll(() => void program.kill())
beforeEach(async () => {
  shift = 0
  people += 1
  await (await world.admin()).call('setServerSetting', { local_edit: true })
  anna = await world.person(`anna${people}`)
  fileId = await anna.upload(anna.library, '图纸 #1.dwg', 'lines')
})

const keyOf = async (person: Person): Promise<string> =>
  (await person.call('createEditKey', { fileId, local: true })).key
const opens = async (key: string): Promise<Opened> => {
  const server = `http://127.0.0.1:${await world.port()}`
  const file = { fileId, fileName: '图纸 #1.dwg', version: 1, key }
  program.send(localEditAddress({ server, code: '', context: '', ...file }))
  const [opened] = (await once(program, 'message')) as [Opened]
  return opened
}
const programOf = async (person: Person): Promise<Person> => {
  const { data } = await signIn(await keyOf(person), 64)
  return new Person(world, person.account, person.userId, (data as { accessToken: string }).accessToken, person.library)
}
const signIn = (key: string, clientType: number) => world.wire('login3ByLoginKey', { loginKey: key, clientType })

// [R198] A local program acquires the lock, downloads, submits and releases the lock with the documented calls only.
test('[R182] [R198] [R362] a program opens a file by its address, hands in the next version under the lock, and its key is used up', async () => {
  const { told, results, text } = await opens(await keyOf(anna))
  expect(told).toMatchObject({ fileId: String(fileId), fileName: '图纸 #1.dwg', token: '', version: '1' })
  const done = codes.success.code
  expect([text, results]).toEqual(['lines', [done, done, done, done, done, codes.notLoggedIn.code]])
  expect((await anna.download(fileId)).body).toBe('lines, and what a program wrote')
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ version: 2, editorId: -1 })
})

test('[R182] a key is for programs alone, for a minute, and for nothing once its session has ended', async () => {
  expect(await signIn(await keyOf(anna), 6)).toMatchObject({ code: 'notLoggedIn' })
  const late = await keyOf(anna)
  shift = 60_001
  expect(await signIn(late, 64)).toMatchObject({ code: 'notLoggedIn' })
  const left = await keyOf(anna)
  await anna.call('logout2', {})
  expect(await signIn(left, 64)).toMatchObject({ code: 'notLoggedIn' })
})

// [R182] The call getEditControlVersion returns the newest control program; its keys are valid for it only, once and
// for a minute, and its session leaves others open.
test('[R182] a program that opens a second file does not end the lock of the first, nor the session of the page', async () => {
  const other = await anna.upload(anna.library, '二.dwg', 'other')
  const [first, second] = [await programOf(anna), await programOf(anna)]
  await first.call('fileEditLock', { fileId })
  await second.call('fileEditLock', { fileId: other })
  expect(await second.refusal('fileEditLock', { fileId })).toBe('fileLocked')
  expect(await anna.refusal('fileEditLock', { fileId })).toBe('fileLocked')
  await first.call('fileEditUnlock', { fileId })
})

test('[R182] whoever may not edit it, and everybody where it is not wanted, has no key', async () => {
  const ben = await world.person(`ben${people}`)
  expect(await ben.refusal('createEditKey', { fileId, local: true })).toBe('notFound')
  await anna.shares({ fileId }, [{ to: ben, rights: 2 }])
  expect(await ben.refusal('createEditKey', { fileId, local: true })).toBe('noPermission')
  const admin = await world.admin()
  expect(await admin.wire('setServerSetting', { edit_control_version: '1.x' })).toMatchObject({ code: 'badRequest' })
  await admin.call('setServerSetting', {
    edit_control_version: '1.4.0',
    edit_control_address: 'https://files.example/c',
  })
  expect(await ben.call('getEditControlVersion', {})).toEqual({ version: '1.4.0', address: 'https://files.example/c' })
  await admin.call('setServerSetting', { local_edit: false })
  expect(await anna.refusal('createEditKey', { fileId, local: true })).toBe('noPermission')
})
