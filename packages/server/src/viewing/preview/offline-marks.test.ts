// The list of the files that a device keeps for reading offline.
import { rightsGroup } from '@cloudoc/domain'
import { beforeAll, expect, test } from 'vitest'
import { Person, requestFor, sharedWorld, wireOf } from '../../../test/harness.ts'
import { tokenOf } from '../../../test/sign-in.ts'

const world = sharedWorld()
let anna: Person
let ben: Person

beforeAll(async () => {
  anna = await world.person('marks-anna')
  ben = await world.person('marks-ben')
})

/** A session of a person from a machine that names itself. */
async function from(machine: string, person: Person): Promise<Person> {
  const request = requestFor('login3', { userName: person.account, password: 'Test#2026', clientType: 6 })
  const headers = { ...request.headers, 'x-cloudoc-machine': machine }
  const token = tokenOf(wireOf(await world.app.http.inject({ ...request, headers })))
  return new Person(world, person.account, person.userId, token, person.library)
}

const marksOf = async (person: Person): Promise<string[]> =>
  (await person.call('getOfflineMarks', {})).list.map(({ name }) => name)

test('a device has its own list, which outlives the session, and names nothing that may not be seen any more', async () => {
  const folderId = await anna.folder(anna.library, '现场')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  const [one, two] = [await anna.upload(folderId, '一.txt', 'eins'), await anna.upload(folderId, '二.txt', 'zwei')]
  const phone = await from('phone of ben', ben)
  for (const fileId of [one, one, two]) await phone.call('setOfflineMark', { fileId, marked: true })
  expect((await phone.call('getOfflineMarks', {})).list).toContainEqual({ fileId: one, name: '一.txt', fileSize: 4 })
  const tablet = await from('tablet of ben', ben)
  expect(await marksOf(tablet)).toEqual([])
  // Somebody else at the same phone.
  const mara = await world.person('marks-mara')
  expect(await marksOf(await from('phone of ben', mara))).toEqual([])
  // The same phone after signing in anew.
  const again = await from('phone of ben', ben)
  expect((await marksOf(again)).toSorted()).toEqual(['一.txt', '二.txt'].toSorted())
  await again.call('setOfflineMark', { fileId: two, marked: false })
  expect(await marksOf(again)).toEqual(['一.txt'])
  await anna.shares({ folderId }, [])
  expect(await marksOf(again)).toEqual([])
  expect(await again.refusal('setOfflineMark', { fileId: two, marked: true })).toBe('notFound')
  // What the device has dropped meanwhile does not come back with the right.
  await again.call('setOfflineMark', { fileId: one, marked: false })
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  expect(await marksOf(again)).toEqual([])
})
