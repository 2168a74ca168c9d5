import { describe, expect, test } from 'vitest'
import type { UploadPolicy } from './task.ts'
import { type Clash, type PlanCalls, planUpload } from './upload-plan.ts'

const target = { folderId: 1, folderName: '华东大区' }
const file = (name: string): File => new File(['x'], name)
const never = async (): Promise<undefined> => {
  throw new Error('nothing to decide')
}

/** A server with these names in these folders. New folders get the ids from 100. */
function serverWith(taken: Record<number, readonly string[]>) {
  const asked: { folderId: number; names: string[] }[] = []
  const made: string[] = []
  const calls: PlanCalls = {
    async makeFolders(_, paths) {
      made.push(...paths)
      return paths.map((path, i) => ({ path, folderId: 100 + i }))
    },
    async taken(folderId, names) {
      asked.push({ folderId, names })
      const here = (taken[folderId] ?? []).map((name) => name.toLowerCase())
      return names.filter((name) => here.includes(name.toLowerCase())).map((fileName) => ({ fileName, ...existing }))
    },
  }
  return { calls, asked, made }
}

const existing = {
  fType: 1,
  fileSize: 1,
  modifyTime: 1,
  version: 1,
  lastOperatorName: '',
  editorName: '',
  sha256: '',
} as const

describe('planning an upload', () => {
  test('folders are made with the empty ones, and each file goes into its own [R398]', async () => {
    const server = serverWith({})
    const uploads = await planUpload(
      {
        files: [
          { file: file('a.txt'), folder: '资料/一月' },
          { file: file('b.txt'), folder: '' },
        ],
        folders: ['资料', '资料/一月', '资料/空'],
      },
      target,
      server.calls,
      never,
    )
    expect(server.made).toEqual(['资料', '资料/一月', '资料/空'])
    expect(uploads?.files.map(({ name, folderId, folderName }) => ({ name, folderId, folderName }))).toEqual([
      { name: 'a.txt', folderId: 101, folderName: '一月' },
      { name: 'b.txt', folderId: 1, folderName: '华东大区' },
    ])
  })

  test('below a folder that is new nothing can be taken, so nothing is asked', async () => {
    const server = serverWith({})
    await planUpload({ files: [{ file: file('a'), folder: '新' }], folders: ['新'] }, target, server.calls, never)
    expect(server.asked.map((ask) => ask.folderId)).toEqual([1])
  })

  test('taken names are decided once, before the first byte, whatever their case', async () => {
    const server = serverWith({ 1: ['A.txt', 'c.txt', 'd.txt', 'Old'], 100: ['e.txt'] })
    const seen: Clash[] = []
    const answers: UploadPolicy[] = ['version', 'keepBoth', 'skip', 'version']
    const uploads = await planUpload(
      {
        files: [
          ...['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => ({ file: file(name), folder: '' })),
          { file: file('e.txt'), folder: 'old' },
        ],
        folders: ['old'],
      },
      target,
      server.calls,
      async (clashes) => {
        seen.push(...clashes)
        return { ways: answers, sameWay: 'keepBoth' }
      },
    )
    expect(seen.map((clash) => [clash.folder, clash.name])).toEqual([
      ['', 'a.txt'],
      ['', 'c.txt'],
      ['', 'd.txt'],
      ['old', 'e.txt'],
    ])
    expect(uploads?.files.map(({ name, conflict }) => [name, conflict])).toEqual([
      ['a.txt', 'version'],
      ['b.txt', 'refuse'],
      ['c.txt', 'keepBoth'],
      ['e.txt', 'version'],
    ])
  })

  test('giving up the decision gives up the whole upload', async () => {
    const server = serverWith({ 1: ['a.txt'] })
    const handed = { files: [{ file: file('a.txt'), folder: '' }], folders: [] }
    expect(await planUpload(handed, target, server.calls, async () => undefined)).toBeUndefined()
  })

  test('a name that the rule refuses is not sent and says why, and neither is what lies below such a folder [R120]', async () => {
    const server = serverWith({})
    const uploads = await planUpload(
      {
        files: [
          { file: file('con.txt'), folder: '' },
          { file: file('a.txt'), folder: 'aux' },
          { file: file('ok.txt'), folder: '' },
        ],
        folders: ['aux'],
      },
      target,
      server.calls,
      never,
    )
    expect(server.made).toEqual([])
    expect(uploads?.files.map(({ name, error }) => [name, error])).toEqual([
      ['con.txt', 'illegalName'],
      ['a.txt', 'illegalName'],
      ['ok.txt', undefined],
    ])
  })
})
