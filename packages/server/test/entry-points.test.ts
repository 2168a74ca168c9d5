// Every call that puts a name into a folder, tested against the rules for names, for name conflicts and for rights,
// without a gap.
import { createHash } from 'node:crypto'
import { calls } from '@cloudoc/contract'
import { itemName, maxNameLength } from '@cloudoc/domain'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { few } from './full.ts'
import { openWorld, type Person, type World, wireOf } from './harness.ts'

type Policy = 'refuse' | 'version' | 'keepBoth' | 'skip'
interface Answer {
  readonly code: string | undefined
  readonly id: number
}

let world: World
let anna: Person
let ben: Person
/** A folder of anna's that ben may only browse. */
let folderId: number
/** A second folder in which both have all rights: the source of moves, copies and renames. */
let source: number
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
})

beforeEach(async () => {
  runs += 1
  folderId = await anna.folder(anna.library, `into ${runs}`)
  source = await anna.folder(anna.library, `from ${runs}`)
  await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
  await anna.shares({ folderId: source }, [{ to: ben, rights: 510 }])
})

const multipart = async (who: Person, path: string, fields: Record<string, string | number>, fileName?: string) =>
  answerOf(await who.uploadForm(fields, { path, ...(fileName === undefined ? {} : { fileName }) }))

function answerOf({ code, data }: { code: string | undefined; data: unknown }): Answer {
  const { fileId, folderId: made } = (data ?? {}) as { fileId?: number; folderId?: number }
  return { code, id: fileId ?? made ?? 0 }
}

type Way = (who: Person, name: string, policy: Policy) => Promise<Answer>

const bytes = Buffer.from('new')
const size = { fileSize: bytes.length }

async function complete(who: Person, uploadId: string, choice: { fileName?: string; conflict?: Policy } = {}) {
  await who.uploadPart(uploadId, 1, bytes)
  return answerOf(await who.wire('uploadComplete', { uploadId, ...choice }))
}

/** An upload without sending bytes: the person already has the content in a folder of their own. */
async function instant(who: Person, fileName: string, conflict: Policy): Promise<Answer> {
  await who.uploadWire(who.library, 'known.txt', bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const opened = await who.wire('uploadOpen', { folderId, fileName: `${Math.random()}`, ...size, sha256 })
  if (opened.code !== 'success') return answerOf(opened)
  const { uploadId, challenge } = opened.data as { uploadId: string; challenge: { nonce: string } }
  const proof = createHash('sha256').update(Buffer.from(challenge.nonce, 'hex')).update(bytes).digest('hex')
  return answerOf(await who.wire('uploadOpen', { folderId, fileName, conflict, ...size, sha256, uploadId, proof }))
}

async function tus(who: Person, filename: string, conflict: Policy): Promise<Answer> {
  const metadata = Object.entries({ folderId: `${folderId}`, filename, conflict })
  const response = await world.app.http.inject({
    method: 'POST',
    url: '/services2/upload/tus',
    headers: {
      authorization: `Bearer ${who.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': bytes.length,
      'upload-metadata': metadata.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(','),
      'content-type': 'application/offset+octet-stream',
    },
    payload: bytes,
  })
  if (response.statusCode !== 201) return answerOf(wireOf(response))
  return { code: 'success', id: Number(response.headers['cloudoc-file-id']) }
}

/** Calls that take a name as input. */
const named: Readonly<Record<string, Way>> = {
  uploadRaw: async (who, name, conflict) => answerOf(await who.uploadWire(folderId, name, 'new', { conflict })),
  uploadFile: (who, fileName, conflict) => multipart(who, calls.uploadFile.path, { folderId, fileName, conflict }),
  UploadServlet: (who, fileName, conflict) => multipart(who, '/UploadServlet', { folderId, fileName, conflict }),
  parts: async (who, fileName, conflict) => {
    const { code, data } = await who.wire('uploadOpen', { folderId, fileName, conflict, ...size })
    return code === 'success' ? complete(who, (data as { uploadId: string }).uploadId) : { code, id: 0 }
  },
  'parts, named at the end': async (who, fileName, conflict) => {
    const { code, data } = await who.wire('uploadOpen', { folderId, fileName: `${Math.random()}`, ...size })
    if (code !== 'success') return { code, id: 0 }
    return complete(who, (data as { uploadId: string }).uploadId, { fileName, conflict })
  },
  instant,
  tus,
  fileCreate: async (who, fileName) => answerOf(await who.wire('fileCreate', { folderId, fileName })),
  folderCreate: async (who, folderName) => answerOf(await who.wire('folderCreate', { parentId: folderId, folderName })),
  createFolderByPathList: async (who, name) => {
    const { code, data } = await who.wire('createFolderByPathList', { folderId, pathList: [name] })
    return { code, id: (data as { folderId: number }[] | null)?.[0]?.folderId ?? 0 }
  },
  renameFile: async (who, fileName) => {
    const fileId = await anna.upload(folderId, `old ${Math.random()}.txt`)
    return { ...answerOf(await who.wire('renameFile', { fileId, fileName })), id: fileId }
  },
  renameFolder: async (who, folderName) => {
    const id = await anna.folder(folderId, `old ${Math.random()}`)
    return { ...answerOf(await who.wire('renameFolder', { folderId: id, folderName })), id }
  },
}

/** Calls that take the name over from an item. */
const brought: Readonly<Record<string, Way>> = {
  copy: async (who, name, policy) => batch(who, 'fileOrFolderCopy', await anna.upload(source, name), policy),
  link: async (who, name, policy) => batch(who, 'fileOrFolderLink', await anna.upload(source, name), policy),
  move: async (who, name, policy) => batch(who, 'fileOrFolderMove', await anna.upload(source, name), policy),
  restore: async (who, name, policy) => {
    const id = await who.upload(source, name)
    await who.call('fileOrFolderDelete', { fileIdArray: [id] })
    return batch(who, 'recycleRestore', id, policy)
  },
}

async function batch(
  who: Person,
  call: 'fileOrFolderCopy' | 'fileOrFolderLink' | 'fileOrFolderMove' | 'recycleRestore',
  id: number,
  policy: Policy,
): Promise<Answer> {
  const conflict = policy === 'version' ? 'refuse' : policy
  const wire = await who.wire(call, { targetFolderId: folderId, fileIdArray: [id], conflict })
  const [answer] = wire.data as { fId?: number; linkId?: number }[]
  return { code: wire.code, id: answer?.fId ?? answer?.linkId ?? 0 }
}

const rows = (): Promise<unknown> =>
  world.app.db.selectFrom('item').selectAll().where('parent_id', '=', folderId).orderBy('id').execute()

describe('[R120] names that no way accepts', () => {
  const illegal = {
    empty: '',
    space: '   ',
    dot: '.',
    'two dots': '..',
    'dots alone': '....',
    backslash: 'a\\b.txt',
    colon: 'a:b.txt',
    star: 'a*.txt',
    question: 'a?.txt',
    quote: 'a"b.txt',
    less: 'a<b.txt',
    greater: 'a>b.txt',
    bar: 'a|b.txt',
    tab: 'a\tb.txt',
    newline: 'a\nb.txt',
    'C1 control': 'a\u0085b.txt',
    'line separator': 'a\u2028b.txt',
    bidi: 'a\u202Etxt.exe',
    isolate: 'a\u2066b.txt',
    'zero width space': 'a\u200Bb.txt',
    'word joiner': 'a\u2060b.txt',
    'byte order mark': '\uFEFFa.txt',
    filler: 'a\u3164.txt',
    tag: 'a\u{E0041}.txt',
    noncharacter: 'a\uFFFE.txt',
    device: 'CON',
    'device with extension': 'nul.txt',
    'device with a number': 'com1.tar.gz',
    'device and spaces': 'aux .txt',
    'device and dots': 'prn..',
  }
  const long = {
    '256 units': `${'x'.repeat(252)}.txt`,
    '256 units of characters of two': '𠮷'.repeat(128),
    '10,000 units': 'x'.repeat(10_000),
  }

  test.each(Object.keys(named))('%s', async (way) => {
    const before = await rows()
    const put = named[way] ?? expect.fail(way)
    const isPath = way === 'createFolderByPathList'
    const refused = async (names: Readonly<Record<string, string>>, code: string) => {
      const tried = Object.entries(names).filter(([, name]) => !isPath || name !== '')
      await Promise.all(
        tried.map(async ([why, name]) => expect((await put(anna, name, 'refuse')).code, why).toBe(code)),
      )
    }
    // A line break in a form field is transmitted unchanged; the header of a part could not contain it.
    await refused(illegal, 'illegalName')
    await refused(long, 'nameTooLong')
    if (!isPath) expect((await put(anna, 'a/b.txt', 'refuse')).code, 'slash').toBe('illegalName')
    if (!way.startsWith('rename')) expect(await rows()).toEqual(before)
  })

  test('[R197] the name of the part itself is held to the same rule', async () => {
    const before = await rows()
    for (const name of ['..', 'CON.txt', 'a\u202Eb.txt', 'a\u200B.txt', 'a*.txt']) {
      expect((await multipart(anna, calls.uploadFile.path, { folderId }, name)).code, name).toBe('illegalName')
    }
    expect(await rows()).toEqual(before)
    expect((await multipart(anna, calls.uploadFile.path, { folderId }, '../../etc/évil.txt')).code).toBe('success')
    expect(await anna.names(folderId)).toEqual(['évil.txt'])
  })
})

// [R117] Creating folders.
describe('[R117] [R120] names that every way brings to one form', () => {
  const forms = {
    'e\u0301te\u0301.txt': 'été.txt',
    '  a b.txt  ': 'a b.txt',
    'dots.txt...': 'dots.txt',
    [`${'y'.repeat(251)}.txt`]: `${'y'.repeat(251)}.txt`,
    '.profile.txt': '.profile.txt',
  }
  test.each(Object.keys(named))('%s', async (way) => {
    const put = named[way] ?? expect.fail(way)
    for (const [name, stored] of Object.entries(forms)) {
      const { code, id } = await put(anna, name, 'refuse')
      expect(code, name).toBe('success')
      const row = await world.app.db.selectFrom('item').select('name').where('id', '=', id).executeTakeFirstOrThrow()
      expect(row.name).toBe(stored)
    }
  })
})

describe('[R120] one name, however it is written, is there once', () => {
  const held = 'Été ABC 甲.txt'
  const same = [
    held,
    held.normalize('NFD'),
    held.toLowerCase(),
    held.toUpperCase(),
    'Été ＡＢＣ 甲.txt',
    'Été ABC\u3000甲.txt',
    `${held} .`,
    'été abc 甲\uFE0F.TXT',
  ]

  test.each(Object.keys({ ...named, ...brought }))('%s is refused with -5 and changes nothing', async (way) => {
    const holder = await anna.upload(folderId, held, 'kept')
    const put = { ...named, ...brought }[way] ?? expect.fail(way)
    for (const [i, name] of same.entries()) {
      const before = await anna.names(folderId)
      if (way in brought) source = await anna.folder(anna.library, `from ${runs} ${i}`)
      expect((await put(anna, name, 'refuse')).code, JSON.stringify(name)).toBe('alreadyExists')
      if (!way.startsWith('rename')) expect(await anna.names(folderId)).toEqual(before)
    }
    expect((await anna.download(holder)).body).toBe('kept')
    expect((await anna.call('getFileInfo', { fileId: holder })).version).toBe(1)
  })

  test('a folder that holds the name is used by a list of paths, and a file that holds it is in the way of all others', async () => {
    const id = await anna.folder(folderId, 'Été')
    const [answer] = await anna.call('createFolderByPathList', { folderId, pathList: ['e\u0301te\u0301/below'] })
    expect(answer?.path).toBe('e\u0301te\u0301/below')
    expect(await anna.names(id)).toEqual(['below'])
    for (const policy of ['refuse', 'version', 'skip'] as const) {
      expect((await anna.uploadWire(folderId, 'ÉTÉ', 'x', { conflict: policy })).code).toBe('alreadyExists')
    }
  })

  test('the same item takes another writing of its own name', async () => {
    const fileId = await anna.upload(folderId, 'a.txt')
    await anna.call('renameFile', { fileId, fileName: 'A.TXT' })
    expect(await anna.names(folderId)).toEqual(['A.TXT'])
  })
})

// [R144] Without UPLOAD nothing can be added, by any way.
describe('[R144] whoever may only look puts nothing in', () => {
  test.each(Object.keys({ ...named, ...brought }))('%s', async (way) => {
    const put = { ...named, ...brought }[way] ?? expect.fail(way)
    const names = await anna.names(folderId)
    for (const policy of ['refuse', 'version', 'keepBoth', 'skip'] as const) {
      if (way in brought) source = await freshSource(policy)
      expect((await put(ben, `new ${policy}.txt`, policy)).code, policy).toBe('noPermission')
    }
    expect((await anna.names(folderId)).filter((name) => !name.startsWith('old'))).toEqual(names)
  })

  async function freshSource(why: string): Promise<number> {
    const id = await anna.folder(anna.library, `from ${runs} ${why}`)
    await anna.shares({ folderId: id }, [{ to: ben, rights: 510 }])
    return id
  }

  test('[R145] a new version needs the right to change the file, not only to put files beside it', async () => {
    const fileId = await anna.upload(folderId, 'x.txt', 'old')
    await anna.shares({ folderId }, [{ to: ben, rights: 6 + 16 }])
    expect((await ben.uploadWire(folderId, 'x.txt', 'new', { conflict: 'version' })).code).toBe('noPermission')
    expect((await anna.download(fileId)).body).toBe('old')
  })

  test('[R145] a name that a hidden file holds is only told to be taken, also to who adds a version', async () => {
    const fileId = await anna.upload(folderId, 'x.txt', 'old')
    await anna.shares({ fileId }, [], { inherit: false })
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    expect((await ben.uploadWire(folderId, 'x.txt', 'new', { conflict: 'version' })).code).toBe('alreadyExists')
    expect((await anna.download(fileId)).body).toBe('old')
  })
})

describe('policies for taken names', () => {
  const anyName = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .chain((text) => fc.constantFrom(`${text}.txt`, text, text.repeat(12).slice(0, maxNameLength), `${text}.tar.gz`))
    .filter((name) => 'name' in itemName(name) && name.isWellFormed() && !name.includes('%'))
  const numRuns = inject('full') ? 200 : 5

  test.each(few(3, ['uploadRaw', 'parts', 'tus', ...Object.keys(brought)]))(
    '[R121] %s with keepBoth keeps all under names of the rule',
    async (way) => {
      await fc.assert(
        fc.asyncProperty(anyName, fc.integer({ min: 2, max: 4 }), async (name, times) => {
          folderId = await anna.folder(anna.library, `keep ${Math.random()}`)
          const ids: number[] = []
          for (let n = 0; n < times; n += 1) {
            source = await anna.folder(anna.library, `keep from ${Math.random()}`)
            const { code, id } = await ({ ...named, ...brought }[way] ?? expect.fail(way))(anna, name, 'keepBoth')
            expect(code).toBe('success')
            ids.push(id)
          }
          const { list, total } = await anna.call('getSubItemList3', { folderId, rows: 1000 })
          expect([total, new Set(ids).size]).toEqual([times, times])
          expect(new Set(list.map((item) => item.linkId || item.fId))).toEqual(new Set(ids))
          expect(list.length).toBe(times)
          for (const { fName, extName } of list) {
            expect(itemName(fName)).toMatchObject({ name: fName })
            expect(fName.length).toBeLessThanOrEqual(maxNameLength)
            expect(extName).toBe(list[0]?.extName)
          }
        }),
        { numRuns },
      )
    },
  )

  test('[R121] skip leaves source and target as they are; version adds one to the same file; nothing is overwritten', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyName,
        fc.array(fc.constantFrom<Policy[]>('refuse', 'version', 'keepBoth', 'skip'), { maxLength: 6 }),
        async (name, policies) => {
          folderId = await anna.folder(anna.library, `mix ${Math.random()}`)
          const first = await anna.upload(folderId, name, 'first')
          let versions = 1
          let files = 1
          for (const conflict of policies) {
            const { code } = await anna.uploadWire(folderId, name, `content ${versions} ${files}`, { conflict })
            expect(code).toBe(conflict === 'version' || conflict === 'keepBoth' ? 'success' : 'alreadyExists')
            if (conflict === 'version') versions += 1
            if (conflict === 'keepBoth') files += 1
          }
          const { list, total } = await anna.call('getVersionList', { fileId: first, from: 0, rows: 60 })
          expect([total, list.map((each) => each.version)]).toEqual([
            versions,
            Array.from({ length: versions }, (_, i) => versions - i),
          ])
          expect((await anna.download(first, { version: '1' })).body).toBe('first')
          expect((await anna.names(folderId)).length).toBe(files)
        },
      ),
      { numRuns },
    )
  })

  test('a name whose sort key is cut inside a letter beyond the first plane is stored', async () => {
    folderId = await anna.folder(anna.library, 'cut')
    // A key is longer than its name by the readings. The letters in front move the cut by one unit.
    for (let lead = 0; lead < 2; lead += 1) {
      const name = `${'a'.repeat(lead)}${'響'.repeat(44)}${'\u{1BC36}'.repeat(40)}.txt`
      const fileId = await anna.upload(folderId, name)
      expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ fName: name })
    }
  })

  test('[R121] eight uploads of one name at once keep all of them, by number or as versions', async () => {
    const all = Array.from({ length: 8 }, (_, i) => `content ${i}`)
    for (const [conflict, files, version] of [
      ['keepBoth', 8, 1],
      ['version', 1, 8],
    ] as const) {
      const name = `${conflict}.txt`
      const codes = await Promise.all(
        all.map(async (content) => (await anna.uploadWire(folderId, name, content, { conflict })).code),
      )
      expect(new Set(codes)).toEqual(new Set(['success']))
      const { list } = await anna.call('getSubItemList3', { folderId, keyword: conflict, rows: 100 })
      expect(list.length).toBe(files)
      const contents: string[] = []
      for (const { fId } of list) {
        for (let n = 1; n <= version; n += 1) contents.push((await anna.download(fId, { version: `${n}` })).body)
      }
      expect(contents.sort()).toEqual(all)
    }
  })
})
