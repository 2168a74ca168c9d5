// Everything that people can read of an installation, to compare two installations.
import type { Person } from './harness.ts'

/**
 * What one person sees: every list, record, right, version, recycle bin and search, and every byte of every version.
 */
export async function readsOf(person: Person): Promise<unknown> {
  const folders: unknown[] = []
  const files: unknown[] = []
  const { list: roots } = await person.call('getRootFolderSetting', {})
  const waiting = roots.map((root) => root.fId)
  for (let folderId = waiting.shift(); folderId !== undefined; folderId = waiting.shift()) {
    const byTime = await person.names(folderId, { sort: 'time', order: 'desc' })
    const { list, total } = await person.call('getSubItemList3', { folderId, rows: 1000 })
    const shares = await person.wire('getShareList', { folderId })
    folders.push({ folderId, record: await person.wire('getFolderInfo', { folderId }), list, total, byTime, shares })
    for (const item of list) {
      if (item.fType === 2) waiting.push(item.fId)
      else files.push(await fileOf(person, item.fId))
    }
  }
  const searches = []
  for (const keyword of ['合同', 'ht', 'b', '.txt']) {
    // The duration is excluded from the comparison.
    const { list, total } = await person.call('searchDoc', { keyword, rows: 200 })
    searches.push({ keyword, list, total })
  }
  return {
    roots,
    folders,
    files,
    searches,
    bin: await person.wire('getRecycleList', {}),
    people: await person.wire('getAllAccount', {}),
    roles: await person.wire('getRoleList', {}),
    space: await person.wire('getUseSpaceSizeInfo', {}),
    self: await person.wire('getMyAccountInfo', {}),
    settings: await person.wire('getServerSetting', {}),
  }
}

async function fileOf(person: Person, fileId: number): Promise<unknown> {
  const versions = await person.wire('getVersionList', { fileId, from: 0, rows: 100 })
  const { list = [] } = (versions.data ?? {}) as { list?: { version: number }[] }
  const contents: unknown[] = []
  for (const { version } of list) {
    const { statusCode, rawPayload, headers } = await person.download(fileId, { version: String(version) })
    contents.push({ version, statusCode, etag: headers.etag, bytes: rawPayload.toString('base64') })
  }
  return { fileId, record: await person.wire('getFileInfo', { fileId }), versions, contents }
}
