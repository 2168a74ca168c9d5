// Some calls of the decisions have a second address. Each alias does what the call does.
import { type CallName, callsByName, placeInput } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { type Person, sharedWorld, wireOf } from './harness.ts'

const world = sharedWorld({ elected: false })
const tried = new Set<string>()

/** Makes a call at the alias path that ends with `ending`; returns its data. */
async function at<T>(who: Person, name: CallName, ending: string, input: Record<string, unknown>): Promise<T> {
  const call = callsByName[name]
  const aliases: readonly string[] = 'aliases' in call ? call.aliases : []
  const path = aliases.find((alias) => alias.endsWith(`/${ending}`)) ?? expect.fail(ending)
  tried.add(path)
  const request = placeInput({ ...call, path }, input)
  const ask = (headers: Record<string, string>) =>
    world.app.http.inject({
      method: request.method,
      url: request.path,
      headers: { ...headers, ...(request.body === undefined ? {} : { 'content-type': request.body.type }) },
      ...(request.body === undefined ? {} : { payload: request.body.text }),
    })
  expect(wireOf(await ask({})), ending).toMatchObject({ status: 401, code: 'notLoggedIn' })
  const wire = wireOf(await ask({ authorization: `Bearer ${who.token}` }))
  expect(wire, ending).toMatchObject({ status: 200, code: 'success' })
  return wire.data as T
}

test('every other address of a call does what the call does', async () => {
  const anna = await world.person('anna')
  const { folderId } = await at<{ folderId: number }>(anna, 'folderCreate', 'addFolder', {
    parentId: anna.library,
    folderName: 'made',
  })
  const { fileId } = await at<{ fileId: number }>(anna, 'fileCreate', 'createFile', { folderId, fileName: 'new.txt' })
  const linked = { fileIdArray: [fileId], targetFolderId: anna.library }
  const [link] = await at<{ linkId: number }[]>(anna, 'fileOrFolderLink', 'createLink', linked)
  const other = { fileIdArray: [fileId], targetFolderId: folderId, conflict: 'keepBoth' }
  await at(anna, 'fileOrFolderLink', 'shortcutCreate', other)
  const linkIdArray = [link?.linkId]
  const elsewhere = await anna.folder(anna.library, 'elsewhere')
  await at(anna, 'fileOrFolderCopy', 'shortcutCopy', { linkIdArray, targetFolderId: elsewhere })
  await at(anna, 'fileOrFolderMove', 'shortcutMove', { linkIdArray, targetFolderId: folderId, conflict: 'keepBoth' })
  expect(await anna.names(anna.library)).toEqual(['elsewhere', 'made'])
  expect(await anna.names(elsewhere)).toHaveLength(1)
  expect(await anna.names(folderId)).toHaveLength(3)
  await at(anna, 'fileOrFolderDelete', 'shortcutDelete', { linkIdArray })
  expect(await anna.names(folderId)).toHaveLength(2)
  await at(anna, 'recycleClean', 'cleanRecycle', {})
  expect(await anna.call('getRecycleList', {})).toMatchObject({ total: 0 })
  const found = await at<{ list: { fId: number }[] }>(anna, 'searchDoc', 'searchDoc2', { keyword: 'made' })
  expect(found.list.map(({ fId }) => fId)).toEqual([folderId])
  const setting = await at<string>(anna, 'getServerSetting', 'serverSetting', { code: 'pwdLength' })
  expect(setting).toBe(await anna.call('getServerSetting', { code: 'pwdLength' }))
  const fields = { folderId, fileName: 'up.txt' }
  const uploaded = await anna.uploadForm(fields, { path: '/UploadServlet' })
  expect(uploaded).toMatchObject({ code: 'success', data: { version: 1 } })
  expect(await anna.names(folderId)).toHaveLength(3)
  tried.add('/UploadServlet')
  const all = Object.values(callsByName).flatMap(({ aliases = [] }) => aliases)
  expect([...tried].sort()).toEqual(all.sort())
})
